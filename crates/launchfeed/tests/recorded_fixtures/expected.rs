//! What the program must tell of a recorded release, by the contract's text.

use serde_json::{Value, json};

use crate::platform::platform_of;

const MAX_NAME_BYTES: usize = 200;
const MAX_NOTES_BYTES: usize = 65_536;
const MAX_FILE_NAME_BYTES: usize = 200;
const MAX_ASSETS: usize = 200;
/// Tags of recorded releases that say what their authors forgot to mark.
const NAMED_AS_PRERELEASES: [&str; 1] = ["0.2.0-rc"];
const FORBIDDEN_IN_NAMES: &str = r#"/\:<>"|?*"#;

/// The release as the answer must hold it; `null` for a draft, about which nothing may be said.
pub(crate) fn expected_release(raw: &Value, web: &str, repo: &str) -> Value {
  if raw["draft"] == true {
    return Value::Null;
  }
  let tag = raw["tag_name"].as_str().unwrap();
  let version = match tag.chars().next() {
    Some('v' | 'V') => &tag[1..],
    _ => tag,
  };
  let name = match raw["name"].as_str() {
    Some(name) if !name.trim().is_empty() => name,
    _ => tag,
  };
  let page = raw["html_url"].as_str().unwrap_or_default();
  let page = if lies_below(page, &format!("{web}/{repo}/releases/")) {
    page.to_owned()
  } else {
    format!("{web}/{repo}/releases/tag/{tag}")
  };
  json!({
    "tag": tag,
    "version": version,
    "name": cut_after(name, MAX_NAME_BYTES),
    "published_at": raw["published_at"].as_str().map(whole_seconds),
    "html_url": page,
    "prerelease": raw["prerelease"] == true || NAMED_AS_PRERELEASES.contains(&tag),
    "notes_markdown": cut_after(raw["body"].as_str().unwrap_or_default(), MAX_NOTES_BYTES),
    "assets": expected_assets(raw, web, repo),
  })
}

/// Where what was expected differs from what came, by path. What came may hold more fields: the contract may grow.
pub(crate) fn differences(path: &str, expected: &Value, came: &Value) -> Vec<String> {
  match (expected, came) {
    (Value::Object(fields), Value::Object(came)) => fields
      .iter()
      .flat_map(|(field, expected)| {
        let path = format!("{path}.{field}");
        match came.get(field) {
          Some(came) => differences(&path, expected, came),
          None => vec![format!("{path}: left out")],
        }
      })
      .collect(),
    (Value::Array(items), Value::Array(came)) if items.len() == came.len() => {
      let pairs = items.iter().zip(came).enumerate();
      pairs
        .flat_map(|(index, (expected, came))| differences(&format!("{path}[{index}]"), expected, came))
        .collect()
    }
    _ if expected == came => vec![],
    _ => vec![format!("{path}: not {}, but {}", shown(expected), shown(came))],
  }
}

fn expected_assets(raw: &Value, web: &str, repo: &str) -> Vec<Value> {
  let downloads = format!("{web}/{repo}/releases/download/");
  let assets = raw["assets"].as_array().unwrap().iter();
  assets
    .filter(|asset| asset["state"].is_null() || asset["state"] == "uploaded")
    .filter(|asset| is_listable(asset["name"].as_str().unwrap()))
    .filter(|asset| lies_below(asset["browser_download_url"].as_str().unwrap(), &downloads))
    .take(MAX_ASSETS)
    .map(|asset| {
      json!({
        "name": asset["name"],
        "size_bytes": asset["size"],
        "download_url": asset["browser_download_url"],
        "sha256": asset["digest"].as_str().and_then(sha256),
        "platform": platform_of(asset["name"].as_str().unwrap()),
      })
    })
    .collect()
}

fn is_listable(name: &str) -> bool {
  (1..=MAX_FILE_NAME_BYTES).contains(&name.len())
    && !name.starts_with('.')
    && !name.chars().any(|c| c.is_control() || FORBIDDEN_IN_NAMES.contains(c))
}

/// GitHub answers with the owner's and repository's own case, whichever was asked for.
fn lies_below(url: &str, base: &str) -> bool {
  url.len() > base.len() && url.to_ascii_lowercase().starts_with(&base.to_ascii_lowercase())
}

fn sha256(digest: &str) -> Option<String> {
  let digits = digest.strip_prefix("sha256:")?;
  let fits = digits.len() == 64 && digits.chars().all(|digit| digit.is_ascii_hexdigit());
  fits.then(|| digits.to_ascii_lowercase())
}

/// Recorded times are in UTC; were one not, this suite would have to learn it.
pub(crate) fn whole_seconds(time: &str) -> String {
  let time = time.strip_suffix('Z').unwrap_or_else(|| panic!("not in UTC: {time}"));
  format!("{}Z", time.split('.').next().unwrap())
}

fn cut_after(text: &str, max_bytes: usize) -> String {
  if text.len() <= max_bytes {
    return text.to_owned();
  }
  let mut cut = String::new();
  for character in text.chars() {
    if cut.len() + character.len_utf8() > max_bytes {
      break;
    }
    cut.push(character);
  }
  cut + "…"
}

/// Of notes, the end is what may differ.
fn shown(value: &Value) -> String {
  let text = value.to_string();
  let characters = text.chars().count();
  if characters <= 300 {
    return text;
  }
  let end: String = text.chars().skip(characters - 100).collect();
  format!("{} bytes ending in {end}", text.len())
}
