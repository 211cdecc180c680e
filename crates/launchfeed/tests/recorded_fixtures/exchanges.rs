//! Recorded answers of every kind mean what the contract's table says, and none of the bad ones takes a good release away.

use github_standin::{Answer, SampleRelease};
use serde_json::{Value, json};
use testkit::Server;

use crate::expected::{differences, expected_release};
use crate::fixtures::{Exchange, read, read_all, single_exchange};
use crate::stage::{App, GITHUB_WEB, RoundLine, Stage, app, ask};

const GOOD_REPO: &str = "acme/good";
/// Of two cold apps the one with the smaller key is asked first.
const RECORDED_KEY: &str = "a-recorded";
const GOOD_KEY: &str = "b-good";
/// A page instead of the JSON that the status promises.
const HTML_WITH_200: &str = "derived/http-200-html.json";
const KNOWN_BY_ITS_MESSAGE: &str = "derived/http-403-secondary-no-headers.json";
const OTHER_SPELLING_OF_AN_ETAG: &str = "derived/http-304-strong-etag-for-weak-request.json";

/// A row of the contract's table.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Meaning {
  Release,
  NoRelease,
  RateLimited,
  /// Nothing about the app changes. Also a 304 to a request that named nothing.
  Failed,
}

/// An app around an answer that came two hours after a good release.
struct AfterAGoodOne {
  before: Value,
  after: Value,
  /// As the next start reads it.
  saved: Value,
  round: RoundLine,
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_answer_means_what_the_table_says() {
  for exchange in exchanges() {
    if exchange.file != KNOWN_BY_ITS_MESSAGE {
      check_first_answer(&exchange).await;
    }
  }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_403_known_by_its_message_alone_is_a_rate_limit() {
  check_first_answer(&single_exchange(&read(KNOWN_BY_ITS_MESSAGE)).unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_release_served_before_stays_through_every_refusal_and_failure() {
  for exchange in exchanges() {
    let meaning = meaning(&exchange);
    let refused = matches!(meaning, Meaning::RateLimited | Meaning::Failed) && exchange.status() != 304;
    if !refused || exchange.file == KNOWN_BY_ITS_MESSAGE {
      continue;
    }
    let file = &exchange.file;
    let AfterAGoodOne {
      before,
      after,
      saved,
      round,
    } = answer_after_a_good_one(&exchange, "\"known\"").await;
    let counts = match meaning {
      Meaning::RateLimited => ["0", "0", "0", "true"],
      _ => ["0", "0", "1", "false"],
    };
    assert_eq!(round.counts(), counts, "{file}: {round:?}");
    assert_eq!(before["latest_release"]["tag"], "v1", "{file}");
    assert_eq!(after, before, "{file}");
    assert_eq!(saved, before, "{file}");
  }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_304_with_another_spelling_of_the_etag_confirms_the_release() {
  let exchange = single_exchange(&read(OTHER_SPELLING_OF_AN_ETAG)).unwrap();
  let asked_with = exchange.request["headers"][0][1].as_str().unwrap();
  assert!(asked_with.starts_with("W/"), "{asked_with}");
  assert_eq!(exchange.header("etag"), asked_with.strip_prefix("W/"));
  let AfterAGoodOne {
    before,
    after,
    saved,
    round,
  } = answer_after_a_good_one(&exchange, asked_with).await;
  assert_eq!(round.counts(), ["0", "1", "0", "false"], "{round:?}");
  assert_eq!(before["latest_release"]["tag"], "v1");
  assert_eq!(after["latest_release"], before["latest_release"]);
  assert_eq!(saved["latest_release"], before["latest_release"]);
  // The running answer may tell the older time for a while yet.
  let [before, saved] = [&before, &saved].map(|app| app["app_last_fetched"].as_str().unwrap());
  assert!(saved > before, "{saved} after {before}");
}

/// Two cold apps: one gets the recorded answer, the other a good one.
async fn check_first_answer(exchange: &Exchange) {
  let file = &exchange.file;
  let repo = repo_of(exchange);
  let stage = Stage::set().await;
  stage.github.script_always(&repo, exchange.answer());
  stage
    .github
    .set_latest(GOOD_REPO, SampleRelease::new("v7").asset("good-7-linux-x64.deb"));
  let apps = [
    App::new(RECORDED_KEY, "Recorded", &repo),
    App::new(GOOD_KEY, "Good", GOOD_REPO),
  ];
  let (server, round) = stage.serve(GITHUB_WEB, &apps);
  let answer = ask(&server).json();
  let [recorded, good] = [RECORDED_KEY, GOOD_KEY].map(|key| app(&answer, key));
  let meaning = meaning(exchange);
  println!(
    "{file} | {} | {meaning:?} | {} | backing off until {}",
    exchange.status(),
    round.counts().join(" "),
    round.field("backing_off_until")
  );
  let counts = match meaning {
    Meaning::Release | Meaning::NoRelease => ["2", "0", "0", "false"],
    Meaning::Failed => ["1", "0", "1", "false"],
    Meaning::RateLimited => ["0", "0", "0", "true"],
  };
  assert_eq!(round.counts(), counts, "{file}: {round:?}");
  let limited = meaning == Meaning::RateLimited;
  assert_eq!(round.field("backing_off_until") != "none", limited, "{file}: {round:?}");
  // A rate limit ends the round.
  let asked = if limited { 1 } else { 2 };
  assert_eq!(stage.github.request_count(), asked, "{file}");
  assert_eq!(good["latest_release"].is_null(), limited, "{file}: {good}");
  assert_eq!(good["app_last_fetched"].is_null(), limited, "{file}: {good}");
  let expected = match meaning {
    Meaning::Release => expected_release(exchange.body(), GITHUB_WEB, &repo),
    _ => Value::Null,
  };
  let expected = json!({ "latest_release": expected });
  assert_eq!(differences(file, &expected, &recorded), Vec::<String>::new());
  let fetched = matches!(meaning, Meaning::Release | Meaning::NoRelease);
  assert_eq!(recorded["app_last_fetched"].is_string(), fetched, "{file}: {recorded}");
  assert_eq!(recorded["app_last_fetched"].is_null(), !fetched, "{file}: {recorded}");
}

/// Serves a release with that ETag, and the recorded answer two hours later.
async fn answer_after_a_good_one(exchange: &Exchange, etag: &str) -> AfterAGoodOne {
  let repo = repo_of(exchange);
  let apps = [App::new(RECORDED_KEY, "Recorded", &repo)];
  let stage = Stage::set().await;
  let release = SampleRelease::new("v1")
    .asset("recorded-1-linux-x64.deb")
    .to_json(&repo);
  stage
    .github
    .script_always(&repo, Answer::release(release).header("etag", etag));
  let (first, round) = stage.serve(GITHUB_WEB, &apps);
  assert_eq!(round.counts(), ["1", "0", "0", "false"]);
  stage.stop(first);
  stage.let_two_hours_pass();
  let before = recorded(&stage.serve_without_asking(GITHUB_WEB, &apps));
  stage.github.script_always(&repo, exchange.answer());
  stage.github.clear_requests();
  let (second, round) = stage.serve(GITHUB_WEB, &apps);
  let requests = stage.github.requests();
  assert_eq!(requests.len(), 1, "{}", exchange.file);
  assert_eq!(requests[0].header("if-none-match"), Some(etag), "{}", exchange.file);
  let after = recorded(&second);
  stage.stop(second);
  let saved = recorded(&stage.serve_without_asking(GITHUB_WEB, &apps));
  AfterAGoodOne {
    before,
    after,
    saved,
    round,
  }
}

fn recorded(server: &Server) -> Value {
  app(&ask(server).json(), RECORDED_KEY)
}

fn exchanges() -> Vec<Exchange> {
  let mut fixtures = read_all("http");
  fixtures.extend(
    read_all("derived")
      .into_iter()
      .filter(|fixture| fixture.file.starts_with("derived/http-")),
  );
  let count = fixtures.len();
  let single: Vec<Exchange> = fixtures
    .iter()
    .filter_map(|fixture| {
      let exchange = single_exchange(fixture);
      if exchange.is_none() {
        println!("{} | more than one exchange", fixture.file);
      }
      exchange
    })
    .collect();
  assert!(single.len() * 2 > count, "{} of {count}", single.len());
  single
}

/// Where the recorded request went, if it asked about a repository.
fn repo_of(exchange: &Exchange) -> String {
  let path = exchange.request["path"].as_str().unwrap_or_default();
  let parts: Vec<&str> = path.split('/').collect();
  match parts[..] {
    ["", "repos", owner, name, ..] => format!("{owner}/{name}"),
    _ => "acme/recorded".to_owned(),
  }
}

/// The contract's table. These requests carry no token, so that a 401 is one of "anything else".
fn meaning(exchange: &Exchange) -> Meaning {
  let message = exchange.body()["message"].as_str().unwrap_or_default();
  match exchange.status() {
    200 if exchange.file == HTML_WITH_200 => Meaning::Failed,
    200 => Meaning::Release,
    404 => Meaning::NoRelease,
    429 => Meaning::RateLimited,
    403 if exchange.header("x-ratelimit-remaining") == Some("0") => Meaning::RateLimited,
    403 if exchange.header("retry-after").is_some() => Meaning::RateLimited,
    403 if message.contains("rate limit") => Meaning::RateLimited,
    _ => Meaning::Failed,
  }
}
