//! The collector of traces: what it is sent, and what is said of one that doesn't take it.

use github_standin::{Answer, StandIn};
use rstest::rstest;
use testkit::free_port;

use crate::stage::*;

const VARIABLE: &str = "LAUNCHFEED_OTLP_ENDPOINT";
const HEADERS: &str = "OTEL_EXPORTER_OTLP_HEADERS";

#[tokio::test(flavor = "multi_thread")]
async fn without_a_collector_there_is_nothing_to_look_at() {
  let stage = Stage::set().await;
  visit(stage.doctor_with_token()).expect("traces", "ok", &["not set"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_sent_one_export_without_spans_and_with_the_login() {
  let (stage, collector) = (Stage::set().await, collector(Answer::status(200).body("")).await);
  let doctor = stage
    .doctor_with_token()
    .env(VARIABLE, collector.api_url())
    .env(HEADERS, format!("authorization=Bearer%20{SECRET}"));
  visit(doctor).expect("traces", "ok", &[&collector.api_url(), "takes them"]);
  let [asked] = &collector.requests()[..] else {
    panic!("{:?}", collector.requests())
  };
  assert_eq!((asked.method.as_str(), asked.path.as_str()), ("POST", "/v1/traces"));
  assert_eq!(asked.header("content-type"), Some("application/x-protobuf"));
  assert_eq!(asked.header("authorization"), Some(format!("Bearer {SECRET}").as_str()));
}

#[rstest]
#[case::login_refused(Answer::status(401), &["answered 401", HEADERS])]
#[case::wrong_path(Answer::status(404), &["answered 404", "without /v1/traces?"])]
#[case::failing(Answer::status(503).header("retry-after", "3600"), &["answered 503", "--otlp-endpoint"])]
#[case::a_web_page(
  Answer::status(200).header("content-type", "text/html").body("<html>"),
  &["a web page", "--otlp-endpoint"]
)]
#[case::nonsense(
  Answer::status(200).header("content-type", "application/x-protobuf").body("\u{7f}\u{7f}"),
  &["can't be read"]
)]
#[case::endless(Answer::status(200).endless(), &["far more than it has to say"])]
#[case::silent(Answer::status(200).hang(), &["didn't answer within 5 s"])]
#[case::broken_off(Answer::reset(), &["can't be reached", "OTLP over HTTP"])]
#[tokio::test(flavor = "multi_thread")]
async fn one_that_takes_nothing_is_wrong_and_asked_once(#[case] answer: Answer, #[case] words: &[&str]) {
  let (stage, collector) = (Stage::set().await, collector(answer).await);
  let visit = visit(stage.doctor_with_token().env(VARIABLE, collector.api_url()));
  visit.expect("traces", "wrong", &[&[collector.api_url().as_str()], words].concat());
  visit.expect_wrong(&["traces"]);
  assert_eq!(collector.request_count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_is_not_there_is_wrong_with_what_to_do() {
  let stage = Stage::set().await;
  let nobody = format!("http://127.0.0.1:{}", free_port());
  let at = |url: &str| visit(stage.doctor_with_token().env(VARIABLE, url));
  at(&nobody).expect("traces", "wrong", &[&nobody, "can't be reached", "firewall", "4318"]);
  at("http://collector.invalid").expect("traces", "wrong", &["the name can't be resolved", "name resolution"]);
  at("nowhere").expect("traces", "not_applicable", &["not checked", "--otlp-endpoint"]);
}

async fn collector(answer: Answer) -> StandIn {
  let collector = StandIn::start().await.unwrap();
  collector.script_all_always(answer);
  collector
}
