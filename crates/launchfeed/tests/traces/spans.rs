//! What arrives of a round.

use github_standin::Answer;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use testkit::RedisServer;

use super::collector::{Collector, Mood, text};
use super::stage::*;

const ASK: &str = "GET /repos/{owner}/{repo}/releases/latest";

#[tokio::test(flavor = "multi_thread")]
async fn a_round_arrives_with_its_asks_and_what_came_of_them_and_without_any_secret() {
  let (stage, redis) = (Stage::set(Mood::Takes).await, RedisServer::start());
  redis.command::<()>(&["ACL", "SETUSER", "feed", "on", ">hunter2", "~*", "&*", "+@all"]);
  stage
    .github
    .script_always("acme/beta", Answer::status(500).message("out of order"));
  let mut server = stage
    .traced()
    .env(
      "LAUNCHFEED_REDIS_URL",
      format!("redis://feed:hunter2@127.0.0.1:{}", redis.port()),
    )
    .env("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20hunter2")
    .env("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=staging")
    .env("LAUNCHFEED_LOG", "trace")
    .start();
  let round = stage.collector.wait_for_span("round", ("mode", "coordinated"));
  for (key, value) in [
    ("fetched", "1"),
    ("unchanged", "0"),
    ("failed", "1"),
    ("rate_limited", "false"),
  ] {
    assert_eq!(text(&round.attributes, key).as_deref(), Some(value), "{key}");
  }
  assert!(round.parent_span_id.is_empty());

  let good = stage.collector.wait_for_span(ASK, ("app", "alpha"));
  let port = stage.github.address().port().to_string();
  let url = format!("{}/repos/acme/alpha/releases/latest", stage.github.api_url());
  for (key, value) in [
    ("repo", "acme/alpha"),
    ("outcome", "release"),
    ("http.request.method", "GET"),
    ("http.response.status_code", "200"),
    ("server.address", "127.0.0.1"),
    ("server.port", &port),
    ("url.full", &url),
  ] {
    assert_eq!(text(&good.attributes, key).as_deref(), Some(value), "{key}");
  }
  assert_eq!(good.parent_span_id, round.span_id);
  assert_eq!(good.trace_id, round.trace_id);
  assert_eq!(good.kind, SpanKind::Client as i32);
  assert!(
    round.start_time_unix_nano <= good.start_time_unix_nano && good.end_time_unix_nano <= round.end_time_unix_nano
  );

  let bad = stage.collector.wait_for_span(ASK, ("app", "beta"));
  assert_eq!(bad.parent_span_id, round.span_id);
  assert_eq!(text(&bad.attributes, "outcome").as_deref(), Some("failed"));
  assert_eq!(text(&bad.attributes, "error.type").as_deref(), Some("status"));
  assert_eq!(
    text(&bad.attributes, "http.response.status_code").as_deref(),
    Some("500")
  );
  let status = bad.status.unwrap();
  assert_eq!(status.code, StatusCode::Error as i32);
  assert_eq!(status.message, "GitHub answered 500: out of order");

  for operation in ["read", "write", "announce"] {
    let call = stage
      .collector
      .wait_for_span(operation, ("db.operation.name", operation));
    assert_eq!(text(&call.attributes, "db.system.name").as_deref(), Some("redis"));
    assert_eq!(text(&call.attributes, "failed").as_deref(), Some("false"));
    assert_eq!(call.kind, SpanKind::Client as i32);
  }
  stage.collector.wait_for_span("encode answer", ("effort", "thorough"));
  stage.collector.wait_for_span("write snapshot", ("failed", "false"));
  server.terminate();
  assert!(server.wait().success());

  for request in stage.collector.requests() {
    assert!(
      request.head.starts_with("POST /v1/traces HTTP/1.1\r\n"),
      "{}",
      request.head
    );
    assert!(
      request.head.contains("content-type: application/x-protobuf\r\n"),
      "{}",
      request.head
    );
    assert!(
      request.head.contains("authorization: Bearer hunter2\r\n"),
      "{}",
      request.head
    );
    let resource = request.resource();
    assert_eq!(text(&resource, "service.name").as_deref(), Some("launchfeed"));
    assert_eq!(
      text(&resource, "service.version").as_deref(),
      Some(env!("CARGO_PKG_VERSION"))
    );
    assert_eq!(text(&resource, "service.instance.id").unwrap().len(), 32);
    assert_eq!(
      text(&resource, "deployment.environment.name").as_deref(),
      Some("staging")
    );
    assert!(!format!("{:?}", request.decoded()).contains("hunter2"));
  }
  assert!(!server.log().text().contains("hunter2"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_spans_are_sent_before_the_end() {
  let stage = Stage::set(Mood::Takes).await;
  let mut server = stage.traced().env("OTEL_BSP_SCHEDULE_DELAY", "3600000").start();
  server.log().wait_for(&["round", "fetched=2"]);
  assert_eq!(stage.collector.requests().len(), 0);
  server.terminate();
  assert!(server.wait().success());
  stage.collector.wait_for_span("round", ("fetched", "2"));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_endpoint_of_ours_nothing_is_sent_and_no_line_is_another() {
  let stage = Stage::set(Mood::Takes).await;
  let mut server = stage
    .program()
    .env("OTEL_EXPORTER_OTLP_ENDPOINT", stage.collector.url())
    .start();
  server
    .log()
    .wait_for(&["INFO release_feed::poller::round: round mode="]);
  server.terminate();
  assert!(server.wait().success());
  assert_eq!(stage.collector.requests().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn with_traces_the_lines_of_the_log_are_the_same() {
  for format in ["text", "json"] {
    let stage = Stage::set(Mood::Takes).await;
    let server = stage.traced().env("LAUNCHFEED_LOG_FORMAT", format).start();
    let line = server.log().wait_for(&["the latest release changed", "alpha"]);
    if format == "json" {
      let json: serde_json::Value = serde_json::from_str(&line).unwrap();
      let names: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
      assert_eq!(
        names.len(),
        8,
        "{line}: timestamp, level, message, app, from, to, assets, target"
      );
    } else {
      let (_, rest) = line.split_once(" INFO ").unwrap();
      assert_eq!(
        rest,
        "release_feed::poller::poll: the latest release changed app=alpha from=\"none\" to=v1 assets=1"
      );
    }
  }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demonstration_sends_them_too() {
  let collector = Collector::start(Mood::Takes);
  let _demo = testkit::ServerBuilder::new(env!("CARGO_BIN_EXE_launchfeed"), "demo")
    .args([
      "--listen",
      "127.0.0.1:0",
      "--otlp-endpoint",
      &format!("{}/", collector.url()),
    ])
    .env("OTEL_BSP_SCHEDULE_DELAY", "50")
    .start();
  collector.wait_for_span("round", ("fetched", "13"));
  assert!(collector.requests()[0].head.starts_with("POST /v1/traces "));
}
