//! What a scrape tells.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use github_standin::Answer;
use testkit::{HttpConnection, RedisServer};

use crate::exposition::{Families, scrape, value};
use crate::stage::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_scrape_has_every_documented_metric_with_its_labels_and_no_other() {
  let (stage, redis) = (Stage::set().await, RedisServer::start());
  let server = stage.family().env("LAUNCHFEED_REDIS_URL", redis.url()).start();
  server.log().wait_for(&["round", "mode="]);
  server.request("GET", PATH);
  wait_for_snapshot(&server);
  let scraped = scrape(&server);
  let found: BTreeMap<String, (String, BTreeSet<String>)> = scraped
    .iter()
    .map(|(name, family)| {
      let labels = family.samples.iter().flat_map(|sample| sample.labels.keys().cloned());
      let labels = labels.filter(|label| label != "le").collect();
      let name = match family.kind.as_str() {
        "counter" => format!("{name}_total"),
        "info" => format!("{name}_info"),
        _ => name.clone(),
      };
      (name, (family.kind.clone(), labels))
    })
    .collect();
  assert_eq!(found, documented());
  let empty: Vec<&String> = scraped
    .iter()
    .filter(|(_, family)| family.samples.is_empty())
    .map(|(name, _)| name)
    .collect();
  assert_eq!(empty, [""; 0], "metrics that say nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_are_counted_by_route_status_and_encoding() {
  let stage = Stage::set().await;
  let server = stage.serve_asked();
  let mut connection = HttpConnection::open(server.address());
  let identity = connection.request("GET", PATH);
  let etag = identity.header("etag").unwrap().to_owned();
  let mut ask = |method: &str, path: &str, headers: &str| {
    connection.send(format!("{method} {path} HTTP/1.1\r\nhost: x\r\n{headers}\r\n").as_bytes());
    connection.answer(method)
  };
  for _ in 0..3 {
    ask("GET", PATH, &format!("if-none-match: {etag}\r\n"));
  }
  let gzip = ask("GET", PATH, "accept-encoding: gzip\r\n");
  ask("HEAD", PATH, "");
  ask("GET", "/v1/release_info/alpha", "");
  ask("GET", "/v1/release_info/nobody", "");
  ask("GET", "/download/alpha/linux/x64/deb", "");
  ask("POST", PATH, "content-length: 0\r\n");
  ask("GET", "/docs", "");
  let scraped = scrape(&server);
  let count = |route: &str, status: &str, encoding: &str| {
    let labels = [("route", route), ("status", status), ("encoding", encoding)];
    value(&scraped, "launchfeed_http_requests", &labels)
  };
  assert_eq!(count("release_info", "304", "none"), 3.0);
  assert_eq!(count("release_info", "200", "identity"), 2.0);
  assert_eq!(count("release_info", "200", "gzip"), 1.0);
  assert_eq!(count("release_info", "405", "identity"), 1.0);
  assert_eq!(count("app", "200", "identity"), 1.0);
  assert_eq!(count("app", "404", "identity"), 1.0);
  assert_eq!(count("download", "302", "none"), 1.0);
  assert_eq!(count("docs", "200", "identity"), 1.0);
  assert_eq!(total(&scraped, "launchfeed_http_requests"), 11.0);
  let bytes = |encoding| {
    let labels = [("route", "release_info"), ("encoding", encoding)];
    value(&scraped, "launchfeed_http_response_body_bytes", &labels)
  };
  assert_eq!(bytes("gzip"), gzip.body.len() as f64);
  let refused = ask("POST", PATH, "content-length: 0\r\n");
  assert_eq!(bytes("identity"), (identity.body.len() + refused.body.len()) as f64);
  let durations = &scraped["launchfeed_http_request_duration_seconds"].samples;
  let counted = durations.iter().filter(|sample| sample.suffix == "_count");
  assert_eq!(counted.map(|sample| sample.value).sum::<f64>(), 11.0);
  assert_eq!(value(&scraped, "launchfeed_http_connections", &[]), 1.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn apps_and_github_are_told_as_they_are() {
  let stage = Stage::set().await;
  stage.github.script_always("acme/beta", Answer::status(500));
  let server = stage.serve_asked();
  let scraped = scrape(&server);
  let app = |family: &str, key: &str| value(&scraped, family, &[("app", key)]);
  assert!(app("launchfeed_app_data_age_seconds", "alpha") < 60.0);
  assert_eq!(app("launchfeed_app_failures", "alpha"), 0.0);
  assert_eq!(app("launchfeed_app_failures", "beta"), 1.0);
  let served = [
    ("app", "alpha"),
    ("repo", "acme/alpha"),
    ("tag", "v1.0"),
    ("version", "1.0"),
  ];
  assert_eq!(value(&scraped, "launchfeed_app_release", &served), 1.0);
  for family in ["launchfeed_app_data_age_seconds", "launchfeed_app_release"] {
    assert_eq!(scraped[family].samples.len(), 1, "nothing is known of beta");
  }
  let result = |result| value(&scraped, "launchfeed_github_requests", &[("result", result)]);
  assert_eq!((result("changed"), result("failed_status")), (1.0, 1.0));
  assert_eq!(total(&scraped, "launchfeed_github_requests"), 2.0);
  let nobody = [("token", "anonymous")];
  let (limit, remaining) = ("launchfeed_github_budget_limit", "launchfeed_github_budget_remaining");
  assert_eq!(
    (value(&scraped, limit, &nobody), value(&scraped, remaining, &nobody)),
    (60.0, 59.0)
  );
  let reset = value(&scraped, "launchfeed_github_budget_reset_seconds", &nobody);
  assert!((0.0..=3_600.0).contains(&reset), "{reset}");
  assert_eq!(value(&scraped, "launchfeed_poll_interval_seconds", &[]), 1_800.0);
  assert_eq!(value(&scraped, "launchfeed_poll_rounds", &[("end", "good")]), 1.0);
  assert_eq!(value(&scraped, "launchfeed_fleet_mode", &[("mode", "alone")]), 1.0);
  assert_eq!(value(&scraped, "launchfeed_redis_state", &[("state", "off")]), 1.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rate_limit_shows_as_a_backoff() {
  let stage = Stage::set().await;
  stage.github.script_all_always(Answer::secondary_limit("600"));
  let server = stage.serve_asked();
  let scraped = scrape(&server);
  assert!(value(&scraped, "launchfeed_poll_backoff_seconds", &[]) > 600.0);
  assert_eq!(value(&scraped, "launchfeed_poll_trouble", &[]), 1.0);
  assert_eq!(
    value(&scraped, "launchfeed_poll_rounds", &[("end", "rate_limited")]),
    1.0
  );
  assert_eq!(
    value(&scraped, "launchfeed_github_requests", &[("result", "rate_limited")]),
    1.0
  );
}

#[tokio::test(flavor = "multi_thread")]
async fn two_instances_show_who_claimed_what() {
  let (stage, redis) = (Stage::set().await, RedisServer::start());
  let start = |state| {
    let server = program("serve")
      .against(&stage.github.api_url(), state)
      .args(["--apps", TWO_APPS]);
    server.env("LAUNCHFEED_REDIS_URL", redis.url()).start()
  };
  let first = start(stage.state.path());
  first.log().wait_for(&["round", "mode=\"coordinated\"", "fetched=2"]);
  let other_state = testkit::temporary_folder();
  let second = start(other_state.path());
  wait_for_status(&second, "ready");
  let (one, other) = (scrape(&first), scrape(&second));
  let won = |scraped: &Families| value(scraped, "launchfeed_fleet_claims", &[("result", "won")]);
  assert_eq!((won(&one), won(&other)), (2.0, 0.0));
  assert_eq!(value(&other, "launchfeed_fleet_mode", &[("mode", "coordinated")]), 1.0);
  assert_eq!(value(&other, "launchfeed_fleet_instances", &[]), 2.0);
  assert_eq!(value(&other, "launchfeed_redis_state", &[("state", "ok")]), 1.0);
  assert!(value(&other, "launchfeed_redis_round_trip_seconds", &[]) < 10.0);
  let reads = [("call", "read"), ("result", "ok")];
  assert!(value(&other, "launchfeed_redis_calls", &reads) >= 1.0);
  assert_eq!(total(&other, "launchfeed_github_requests"), 0.0);
}

fn total(families: &Families, family: &str) -> f64 {
  families[family].samples.iter().map(|sample| sample.value).sum()
}

/// What the document says: by name, the type and the labels.
pub(crate) fn documented() -> BTreeMap<String, (String, BTreeSet<String>)> {
  let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/metrics.md");
  let document = fs::read_to_string(path).unwrap();
  let rows = document.lines().filter(|line| line.starts_with("| `launchfeed_"));
  let rows = rows.map(|line| {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let labels = cells[3]
      .split(", ")
      .filter(|label| !label.is_empty())
      .map(str::to_owned);
    (
      cells[1].trim_matches('`').to_owned(),
      (cells[2].to_owned(), labels.collect()),
    )
  });
  rows.collect()
}
