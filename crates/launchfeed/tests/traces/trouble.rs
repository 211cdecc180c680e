//! A collector in trouble is said once, and nobody else notices.

use std::time::{Duration, Instant};

use rstest::rstest;
use testkit::{Server, free_port};

use super::collector::Mood;
use super::stage::*;

/// Two seconds for the last spans, and what a busy machine takes for all else; far less than the collector is given while serving.
pub(crate) const SOON: Duration = Duration::from_secs(8);
const UNAVAILABLE: Mood = Mood::Answers(
  "HTTP/1.1 503 Service Unavailable\r\nretry-after: 3600\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
);

#[rstest]
#[case::failing(
  Mood::Answers("HTTP/1.1 500 No\r\ncontent-length: 7\r\nconnection: close\r\n\r\nhunter2"),
  "answered 500"
)]
#[case::unauthorized(
  Mood::Answers("HTTP/1.1 401 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"),
  "answered 401"
)]
#[case::a_web_page(
  Mood::Answers("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\nconnection: close\r\n\r\n<html>"),
  "a web page"
)]
#[case::no_http(Mood::Answers("nonsense\n\n"), "can't be reached")]
#[case::nothing(Mood::Answers(""), "can't be reached")]
#[case::hanging(Mood::Hangs, "didn't answer within 5 s")]
#[tokio::test(flavor = "multi_thread")]
async fn trouble_is_said_once_and_delays_nothing(#[case] mood: Mood, #[case] reason: &str) {
  let stage = Stage::set(mood).await;
  let server = one_by_one(&stage).start();
  server.log().wait_for(&["round", "fetched=2"]);
  stage.collector.wait_for("a request", |requests| !requests.is_empty());
  let started = Instant::now();
  assert!(!server.request("GET", PATH).json()["release_info"]["last_fetched"].is_null());
  assert!(started.elapsed() < SOON);
  server.log().wait_for(&["WARN", "traces: the collector", reason]);
  stops_soon(server, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_that_it_says_back_is_not_told() {
  // A protobuf: one span is rejected, with the words that follow.
  let words = "not by Bearer hunter2hunter2!";
  let inner = format!(
    "\u{8}\u{1}\u{12}{}{words}",
    char::from(u8::try_from(words.len()).unwrap())
  );
  let body = format!("\n{}{inner}", char::from(u8::try_from(inner.len()).unwrap()));
  let answer = format!(
    "HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
    body.len()
  );
  let stage = Stage::set(Mood::Answers(answer.leak())).await;
  let server = one_by_one(&stage)
    .env("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20hunter2hunter2")
    .start();
  server
    .log()
    .wait_for(&["WARN", "traces: the collector refused 1 spans: not by ***!"]);
  stops_soon(server, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_not_there_is_said_once() {
  let stage = Stage::set(Mood::Takes).await;
  let address = format!("http://127.0.0.1:{}", free_port());
  let server = one_by_one(&stage).env("LAUNCHFEED_OTLP_ENDPOINT", address).start();
  server
    .log()
    .wait_for(&["WARN", "traces: the collector can't be reached", "refused"]);
  server.log().wait_for(&["round", "fetched=2"]);
  stops_soon(server, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_hangs_from_the_start_holds_up_no_end() {
  let stage = Stage::set(Mood::Hangs).await;
  let server = stage.traced().start();
  server.log().wait_for(&["round", "fetched=2"]);
  stage.collector.wait_for("a request", |requests| !requests.is_empty());
  stops_soon(server, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn when_it_takes_spans_again_that_is_said_with_how_many_were_lost() {
  let stage = Stage::set(UNAVAILABLE).await;
  let server = one_by_one(&stage).start();
  server
    .log()
    .wait_for(&["WARN", "traces: the collector answered 503", "all else goes on"]);
  stage.collector.set(Mood::Takes);
  let line = server
    .log()
    .wait_for(&["INFO", "traces: the collector takes spans again", "lost="]);
  let lost: usize = line.split("lost=").nth(1).unwrap().parse().unwrap();
  assert!(lost > 0, "{line}");
  stops_soon(server, 1);
}

/// A batch for each span, so that there are several.
fn one_by_one(stage: &Stage) -> testkit::ServerBuilder {
  stage.traced().env("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "1")
}

fn stops_soon(mut server: Server, warnings: usize) {
  let started = Instant::now();
  server.terminate();
  assert!(server.wait().success());
  assert!(started.elapsed() < SOON, "{:?}", started.elapsed());
  assert_eq!(
    server.log().count(&["WARN", "traces:"]),
    warnings,
    "{}",
    server.log().text()
  );
  assert!(!server.log().text().contains("hunter2"));
}
