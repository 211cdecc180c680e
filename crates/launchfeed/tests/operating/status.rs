//! `/status`.

use feed_types::UtcTime;
use github_standin::Answer;
use serde_json::{Value, json};
use testkit::Server;

use crate::stage::*;

#[tokio::test(flavor = "multi_thread")]
async fn it_tells_of_each_app_and_part() {
  let stage = Stage::set().await;
  stage.github.script_always("acme/beta", Answer::status(500));
  let server = stage.serve_asked();
  let etag = server
    .request("GET", "/v1/release_info/alpha")
    .header("etag")
    .map(str::to_owned);
  assert!(etag.is_some());
  let status = status_of(&server);
  assert_eq!(status["status"], "degraded");
  let alpha = &status["apps"]["alpha"];
  assert_eq!(
    (&alpha["repo"], &alpha["tag"], &alpha["version"]),
    (&json!("acme/alpha"), &json!("v1.0"), &json!("1.0"))
  );
  assert_eq!((&alpha["failures"], &alpha["last_failure"]), (&json!(0), &Value::Null));
  assert_time(&alpha["fetched_at"]);
  let beta = &status["apps"]["beta"];
  assert_eq!(
    (&beta["tag"], &beta["fetched_at"], &beta["failures"]),
    (&Value::Null, &Value::Null, &json!(1))
  );
  assert!(
    beta["last_failure"]
      .as_str()
      .unwrap()
      .starts_with("GitHub answered 500"),
    "{beta}"
  );
  assert_time(&beta["failing_since"]);
  let github = &status["github"];
  assert_eq!(
    (&github["is_polled"], &github["interval_seconds"]),
    (&json!(true), &json!(1_800))
  );
  assert_eq!(
    (&github["budget"]["limit"], &github["budget"]["remaining"]),
    (&json!(60), &json!(59))
  );
  assert_eq!(
    (&github["last_round"]["fetched"], &github["last_round"]["failed"]),
    (&json!(1), &json!(1))
  );
  assert_eq!(github["requests"]["failed_status"], 1);
  assert_eq!(
    (&status["fleet"]["mode"], &status["redis"]["state"]),
    (&json!("alone"), &json!("off"))
  );
  assert_eq!(
    (&status["http"]["requests"], &status["http"]["not_modified_share"]),
    (&json!(1), &json!(0.0))
  );
  assert!(
    status["process"]["resident_memory_bytes"].as_u64().unwrap() > 1_000_000,
    "{status}"
  );
  for time in ["now", "started_at"] {
    assert_time(&status[time]);
  }
}

#[tokio::test(flavor = "multi_thread")]
async fn its_fields_are_those_that_are_documented() {
  let stage = Stage::set().await;
  let status = status_of(&stage.serve_asked());
  let document = include_str!("../../../../docs/operating.md");
  for (name, part) in status.as_object().unwrap() {
    let inner = match name.as_str() {
      "apps" => &part["alpha"],
      "parts" => &Value::Null,
      _ => part,
    };
    let inner = inner.as_object().into_iter().flat_map(|fields| fields.keys());
    for field in inner.chain([name]) {
      let is_told = document.contains(&format!("`{field}`")) || document.contains(&format!("`{field}.<key>`"));
      assert!(is_told, "docs/operating.md says nothing of {name}: {field}");
    }
  }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_tells_when_the_snapshot_was_written() {
  let stage = Stage::set().await;
  let server = stage.serve_asked();
  let status = wait_for_snapshot(&server);
  assert_eq!(status["snapshot"]["error"], Value::Null);
  assert_time(&status["snapshot"]["saved_at"]);
}

/// In lines, so that it reads well in a terminal.
fn status_of(server: &Server) -> Value {
  let answer = server.admin_request("GET", "/status");
  assert_eq!(
    (answer.status, answer.header("content-type")),
    (200, Some("application/json"))
  );
  assert!(answer.body.starts_with(b"{\n  \"version\": ") && answer.body.ends_with(b"}\n"));
  answer.json()
}

fn assert_time(time: &Value) {
  let text = time.as_str().unwrap_or_else(|| panic!("no time: {time}"));
  assert!(text.parse::<UtcTime>().is_ok() && text.ends_with('Z'), "{text}");
}
