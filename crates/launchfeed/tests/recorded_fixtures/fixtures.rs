//! The folder of recordings, and what its files hold.

use std::fs;
use std::path::PathBuf;

use github_standin::Answer;
use serde_json::Value;

const FOLDER_VARIABLE: &str = "LAUNCHFEED_FIXTURES";
/// How a body travelled. It was written anew since, so these no longer say anything about it.
const TRANSPORT_HEADERS: [&str; 4] = ["connection", "content-encoding", "content-length", "transfer-encoding"];
/// What the stand-in says by itself, and a recording that doesn't say it must not.
const DEFAULT_HEADERS: [&str; 5] = [
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-used",
  "x-ratelimit-reset",
  "x-ratelimit-resource",
];

/// A file of the folder.
#[derive(Clone, Debug)]
pub(crate) struct Fixture {
  /// Its path within the folder, such as `releases/gh.json`.
  pub(crate) file: String,
  pub(crate) json: Value,
}

/// One request and GitHub's answer to it.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
  pub(crate) file: String,
  pub(crate) request: Value,
  response: Value,
}

/// All JSON files of a sub-folder, by name. There must be some.
pub(crate) fn read_all(sub_folder: &str) -> Vec<Fixture> {
  let folder = folder().join(sub_folder);
  let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{error}: {}", folder.display()));
  let mut names: Vec<String> = entries
    .map(|entry| entry.unwrap().file_name().into_string().unwrap())
    .filter(|name| name.ends_with(".json"))
    .collect();
  names.sort();
  assert!(!names.is_empty(), "no recordings in {}", folder.display());
  names
    .into_iter()
    .map(|name| read(&format!("{sub_folder}/{name}")))
    .collect()
}

/// Those of them that are one release.
pub(crate) fn read_releases(sub_folder: &str) -> Vec<Fixture> {
  let mut fixtures = read_all(sub_folder);
  fixtures.retain(|fixture| fixture.json.get("tag_name").is_some());
  assert!(!fixtures.is_empty(), "no releases in {sub_folder}");
  fixtures
}

/// One file.
pub(crate) fn read(file: &str) -> Fixture {
  let path = folder().join(file);
  let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{error}: {}", path.display()));
  Fixture {
    file: file.to_owned(),
    json: serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {}", path.display())),
  }
}

/// The exchange in a file that holds exactly one.
pub(crate) fn single_exchange(fixture: &Fixture) -> Option<Exchange> {
  let exchange = match &fixture.json {
    Value::Array(exchanges) => match &exchanges[..] {
      [exchange] => exchange,
      _ => return None,
    },
    exchange => exchange,
  };
  Some(Exchange {
    file: fixture.file.clone(),
    request: exchange["request"].clone(),
    response: exchange.get("response")?.clone(),
  })
}

impl Exchange {
  pub(crate) fn status(&self) -> u16 {
    u16::try_from(self.response["status"].as_u64().unwrap()).unwrap()
  }

  pub(crate) fn body(&self) -> &Value {
    &self.response["body"]
  }

  /// The recorded value of a header of the answer.
  pub(crate) fn header(&self, name: &str) -> Option<&str> {
    let (_, value) = self.headers().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    Some(value)
  }

  /// The answer for the stand-in to give.
  pub(crate) fn answer(&self) -> Answer {
    let body = match self.body() {
      Value::String(text) => text.clone(),
      json => json.to_string(),
    };
    let bare = Answer::status(self.status()).body(body);
    let bare = DEFAULT_HEADERS
      .iter()
      .fold(bare, |answer, name| answer.without_header(name));
    self
      .headers()
      .filter(|(name, _)| !TRANSPORT_HEADERS.contains(&name.to_ascii_lowercase().as_str()))
      .fold(bare, |answer, (name, value)| answer.header(name, value))
  }

  fn headers(&self) -> impl Iterator<Item = (&str, &str)> {
    let headers = self.response["headers"].as_array().unwrap().iter();
    headers.map(|pair| (pair[0].as_str().unwrap(), pair[1].as_str().unwrap()))
  }
}

fn folder() -> PathBuf {
  match std::env::var_os(FOLDER_VARIABLE) {
    Some(folder) if !folder.is_empty() => folder.into(),
    _ => panic!("{FOLDER_VARIABLE} isn't set: it names the folder of recorded GitHub answers"),
  }
}
