//! Every recorded release comes out as the contract says, field by field.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use testkit::HttpAnswer;

use crate::expected::{differences, expected_release};
use crate::fixtures::{Fixture, read, read_releases};
use crate::stage::{App, GITHUB_WEB, RoundLine, Stage, app, ask};

/// Made to be the answer to a request under that name, which the URLs in it don't hold in that spelling.
const ASKED_UNDER_ANOTHER_NAME: [&str; 2] = ["derived/renamed-owner-urls.json", "derived/owner-case-differs.json"];
const THAT_NAME: &str = "sourcemeta/jsonschema";
const THAT_PAGE: &str = "https://github.com/sourcemeta/jsonschema/releases/tag/v11.8.1";

/// A recorded release, where it lives, and as which app it is served.
#[derive(Debug)]
struct Served {
  fixture: Fixture,
  web: String,
  app: App,
  expected: Value,
}

#[tokio::test(flavor = "multi_thread")]
async fn every_recorded_release_comes_out_field_by_field() {
  serve_and_compare(read_releases("releases")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_release_made_from_a_recorded_one_comes_out_field_by_field() {
  serve_and_compare(read_releases("derived")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_says_nothing_about_the_app() {
  let app = come_out("derived/draft-null-published.json").await;
  assert_eq!(
    (&app["latest_release"], &app["app_last_fetched"]),
    (&Value::Null, &Value::Null)
  );
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_not_uploaded_are_left_out_alone() {
  for file in ["derived/asset-state-starter.json", "derived/asset-state-open.json"] {
    let fixture = read(file);
    let raw = fixture.json["assets"].as_array().unwrap();
    let uploaded: Vec<&Value> = raw
      .iter()
      .filter(|asset| asset["state"] == "uploaded")
      .map(|asset| &asset["name"])
      .collect();
    assert_eq!((raw.len(), uploaded.len()), (3, 2), "{file}");
    let app = come_out(file).await;
    let listed = app["latest_release"]["assets"].as_array().unwrap().iter();
    assert_eq!(
      listed.map(|asset| &asset["name"]).collect::<Vec<_>>(),
      uploaded,
      "{file}"
    );
  }
}

#[tokio::test(flavor = "multi_thread")]
async fn urls_of_another_repository_are_neither_listed_nor_linked() {
  let release = &come_out("derived/renamed-owner-urls.json").await["latest_release"];
  assert_eq!(release["assets"], json!([]));
  assert_eq!(release["html_url"], THAT_PAGE);
}

#[tokio::test(flavor = "multi_thread")]
async fn urls_in_another_case_of_the_repository_are_listed_as_they_are() {
  let app = come_out("derived/owner-case-differs.json").await;
  let release = &app["latest_release"];
  assert_eq!(app["repo"], THAT_NAME);
  assert_eq!(
    release["html_url"],
    "https://github.com/SOURCEMETA/Jsonschema/releases/tag/v11.8.1"
  );
  assert_eq!(
    release["assets"][0]["download_url"],
    "https://github.com/SOURCEMETA/Jsonschema/releases/download/v11.8.1/CHECKSUMS.txt"
  );
  assert_eq!(release["assets"].as_array().unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_an_enterprise_server_are_listed_only_where_it_is_the_configured_one() {
  let fixture = read("derived/ghes-host.json");
  let mut here = served(fixture);
  assert_eq!(here.web, "https://ghe.example.test");
  let release = &come_out_of(&here).await["latest_release"];
  assert_eq!(release["assets"].as_array().unwrap().len(), 2);
  assert_eq!(
    release["html_url"],
    "https://ghe.example.test/sourcemeta/jsonschema/releases/tag/v11.8.1"
  );
  GITHUB_WEB.clone_into(&mut here.web);
  let release = &come_out_of(&here).await["latest_release"];
  assert_eq!(release["assets"], json!([]));
  assert_eq!(release["html_url"], THAT_PAGE);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_longest_notes_are_cut_after_64_kib() {
  let notes = come_out("derived/body-125000-chars.json").await["latest_release"]["notes_markdown"].clone();
  let notes = notes.as_str().unwrap().to_owned();
  let kept = notes.strip_suffix('…').unwrap();
  assert!((65_533..=65_536).contains(&kept.len()), "{}", kept.len());
  assert!(
    read("derived/body-125000-chars.json").json["body"]
      .as_str()
      .unwrap()
      .starts_with(kept)
  );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_absent_or_null_has_its_fallback() {
  let release = &come_out("derived/fields-absent-and-null.json").await["latest_release"];
  assert_eq!(
    (&release["name"], &release["notes_markdown"]),
    (&json!("v11.8.1"), &json!(""))
  );
  assert_eq!(release["assets"][0].get("sha256"), Some(&Value::Null));
}

/// Serves all of them and holds each against what its recording says.
async fn serve_and_compare(fixtures: Vec<Fixture>) {
  let count = fixtures.len();
  let mut wrong = Vec::new();
  let mut seen = 0;
  for family in families(fixtures) {
    let (round, answer) = serve(&family).await;
    let body = answer.json();
    let drafts = family.iter().filter(|served| served.expected.is_null()).count();
    let fetched = (family.len() - drafts).to_string();
    assert_eq!(
      round.counts(),
      [&fetched, "0", &drafts.to_string(), "false"],
      "{round:?}"
    );
    wrong.extend(check_frame(&family, &answer));
    for served in &family {
      wrong.extend(check_app(served, &app(&body, &served.app.key)));
      print_line(served, &app(&body, &served.app.key)["latest_release"]);
      seen += 1;
    }
  }
  assert_eq!(seen, count);
  assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Families in which every repository is there once: a repository has one latest release at a time.
fn families(fixtures: Vec<Fixture>) -> Vec<Vec<Served>> {
  let mut times_seen: BTreeMap<String, usize> = BTreeMap::new();
  let mut families: BTreeMap<(String, usize), Vec<Served>> = BTreeMap::new();
  for served in fixtures.into_iter().map(served) {
    let times = times_seen.entry(served.app.repo.to_ascii_lowercase()).or_default();
    families.entry((served.web.clone(), *times)).or_default().push(served);
    *times += 1;
  }
  families.into_values().collect()
}

fn served(fixture: Fixture) -> Served {
  let (web, repo) = home(&fixture);
  let stem = fixture.file.rsplit('/').next().unwrap().trim_end_matches(".json");
  let app = App::new(&stem.to_ascii_lowercase(), "Recorded App", &repo);
  let expected = expected_release(&fixture.json, &web, &repo);
  Served {
    fixture,
    web,
    app,
    expected,
  }
}

/// `https://<host>` and `<owner>/<name>` from the address of the release's page.
fn home(fixture: &Fixture) -> (String, String) {
  let page = fixture.json["html_url"].as_str().unwrap();
  let parts: Vec<&str> = page.split('/').collect();
  let ["https:", "", host, owner, name, "releases", ..] = parts[..] else {
    panic!("{}: not the page of a release: {page}", fixture.file);
  };
  let repo = if ASKED_UNDER_ANOTHER_NAME.contains(&fixture.file.as_str()) {
    THAT_NAME.to_owned()
  } else {
    format!("{owner}/{name}")
  };
  (format!("https://{host}"), repo)
}

async fn serve(family: &[Served]) -> (RoundLine, HttpAnswer) {
  let stage = Stage::set().await;
  for served in family {
    stage
      .github
      .set_latest_json(&served.app.repo, served.fixture.json.clone());
  }
  let apps: Vec<App> = family.iter().map(|served| served.app.clone()).collect();
  let (server, round) = stage.serve(&family[0].web, &apps);
  (round, ask(&server))
}

/// What one recording comes out as: the whole app.
async fn come_out(file: &str) -> Value {
  come_out_of(&served(read(file))).await
}

async fn come_out_of(served: &Served) -> Value {
  let (_, answer) = serve(std::slice::from_ref(served)).await;
  app(&answer.json(), &served.app.key)
}

/// Everything around the apps, and their order.
fn check_frame(family: &[Served], answer: &HttpAnswer) -> Vec<String> {
  let body = answer.json();
  let fetch_times: Vec<Option<String>> = family
    .iter()
    .map(|served| {
      let time = app(&body, &served.app.key)["app_last_fetched"].clone();
      time.as_str().map(str::to_owned)
    })
    .collect();
  // All are in one format, so that the oldest is the first in the alphabet.
  let last_fetched = fetch_times.iter().cloned().collect::<Option<Vec<_>>>();
  let last_fetched = last_fetched.and_then(|times| times.into_iter().min());
  let expected = json!({
    "success": true,
    "release_info": { "apps": {}, "last_fetched": last_fetched },
    "app_renames": [],
    "repo_renames": [],
    "important_notices": { "announcements": [], "alerts": [] },
  });
  let mut wrong = differences("answer", &expected, &body);
  let cache_control = answer.header("cache-control");
  let expected_cache_control = match last_fetched {
    Some(_) => "public, max-age=60",
    None => "no-store",
  };
  if cache_control != Some(expected_cache_control) {
    wrong.push(format!(
      "Cache-Control: not {expected_cache_control}, but {cache_control:?}"
    ));
  }
  let mut keys: Vec<&str> = family.iter().map(|served| served.app.key.as_str()).collect();
  keys.sort_unstable();
  let text = String::from_utf8(answer.body.clone()).unwrap();
  let places: Vec<Option<usize>> = keys.iter().map(|key| text.find(&format!("\"{key}\":{{\""))).collect();
  if places.contains(&None) || !places.is_sorted() {
    wrong.push(format!("not in the order of their keys: {keys:?} stand at {places:?}"));
  }
  wrong
}

fn check_app(served: &Served, came: &Value) -> Vec<String> {
  let Served {
    fixture, app, expected, ..
  } = served;
  let expected = json!({ "name": app.name, "repo": app.repo, "latest_release": expected });
  let mut wrong = differences(&fixture.file, &expected, came);
  let fetched = came.get("app_last_fetched").cloned();
  let as_expected = match &fetched {
    Some(Value::Null) => served.expected.is_null(),
    Some(Value::String(time)) => !served.expected.is_null() && time.len() == 20 && time.ends_with('Z'),
    _ => false,
  };
  if !as_expected {
    wrong.push(format!("{}.app_last_fetched: {fetched:?}", fixture.file));
  }
  wrong
}

/// For the record: what came out of which recording.
fn print_line(served: &Served, release: &Value) {
  let file = &served.fixture.file;
  let in_it = served.fixture.json["assets"].as_array().unwrap().len();
  let Some(assets) = release["assets"].as_array() else {
    println!("{file} | nothing is said | {in_it} | 0 | 0 | 0");
    return;
  };
  let having = |field: &str| assets.iter().filter(|asset| !asset[field].is_null()).count();
  println!(
    "{file} | {} | {in_it} | {} | {} | {}",
    release["tag"].as_str().unwrap(),
    assets.len(),
    having("platform"),
    having("sha256")
  );
}
