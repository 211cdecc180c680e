//! Requests of clients that belong to a trace.

use std::time::Instant;

use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use rstest::rstest;
use testkit::{HttpAnswer, HttpConnection, Server};

use super::collector::{Mood, Request, text};
use super::stage::*;
use super::trouble::SOON;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";
const WHOLE: &str = "/v1/craft_apps/release_info";
const ROUTE: &str = "http.route";

#[rstest]
#[case::the_whole_answer("GET", "/v1/craft_apps/release_info?who=hunter2", Some(WHOLE), 200)]
#[case::the_whole_answers_head("HEAD", "/v1/release_info", Some("/v1/release_info"), 200)]
#[case::one_app("GET", "/v1/release_info/alpha", Some("/v1/release_info/{app_key}"), 200)]
#[case::no_such_app("GET", "/v1/release_info/hunter2", Some("/v1/release_info/{app_key}"), 404)]
#[case::no_such_method("DELETE", "/docs", Some("/docs"), 405)]
#[case::no_such_path("GET", "/hunter2", None, 404)]
#[tokio::test(flavor = "multi_thread")]
async fn a_request_of_a_trace_is_a_span_below_its_parent(
  #[case] method: &str,
  #[case] path: &str,
  #[case] route: Option<&str>,
  #[case] status: u16,
) {
  let stage = Stage::set(Mood::Takes).await;
  let server = stage.traced().start();
  server.log().wait_for(&["round", "fetched=2"]);
  let headers = format!(
    "traceparent: 00-{TRACE}-{PARENT}-01\r\ntracestate: rojo=1,congo=t61\r\nx-forwarded-for: 192.0.2.7\r\nuser-agent: hunter2\r\n"
  );
  assert_eq!(ask(&server, method, path, &headers).status, status);
  let span = wait_for_server_spans(&stage, 1).remove(0);
  let name = route.map_or_else(|| method.to_owned(), |route| format!("{method} {route}"));
  assert_eq!(span.name, name);
  assert_eq!(span.trace_id, bytes(TRACE));
  assert_eq!(span.parent_span_id, bytes(PARENT));
  assert_eq!(span.trace_state, "rojo=1,congo=t61");
  assert!(span.start_time_unix_nano <= span.end_time_unix_nano);
  assert_eq!(span.status.clone().unwrap_or_default().code, 0, "{span:?}");
  let status = status.to_string();
  for (key, value) in [
    ("http.request.method", Some(method)),
    (ROUTE, route),
    ("http.response.status_code", Some(&status)),
    ("url.scheme", Some("http")),
  ] {
    assert_eq!(text(&span.attributes, key).as_deref(), value, "{key}");
  }
  assert_eq!(
    span.attributes.len(),
    3 + usize::from(route.is_some()),
    "nothing else is said: {span:?}"
  );
  assert_eq!((span.events.len(), span.links.len()), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_other_request_is_a_span() {
  let stage = Stage::set(Mood::Takes).await;
  let mut server = stage.traced().start();
  server.log().wait_for(&["round", "fetched=2"]);
  for parent in [
    String::new(),
    format!("traceparent: 00-{TRACE}-{PARENT}-00\r\n"),
    format!("traceparent: 00-{TRACE}-{PARENT}-01-more\r\n"),
    format!("traceparent: 00-{TRACE}-0000000000000000-01\r\n"),
    format!("traceparent: 00-{TRACE}-{PARENT}-01\r\n").repeat(2),
    "traceparent: \u{f6}\r\n".to_owned(),
    "tracestate: rojo=1\r\n".to_owned(),
  ] {
    for path in [WHOLE, "/v1/release_info/alpha"] {
      assert_eq!(ask(&server, "GET", path, &parent).status, 200, "{parent:?}");
    }
  }
  let mut private = HttpConnection::open(server.admin_address());
  private.send(request("GET", "/livez", &format!("traceparent: 00-{TRACE}-{PARENT}-01\r\n")).as_bytes());
  assert_eq!(private.answer("GET").status, 200);
  server.terminate();
  assert!(server.wait().success());
  assert_eq!(server_spans(&stage.collector.requests()), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_endpoint_a_trace_is_nothing() {
  let stage = Stage::set(Mood::Takes).await;
  let mut server = stage
    .program()
    .env("OTEL_EXPORTER_OTLP_ENDPOINT", stage.collector.url())
    .start();
  let parent = format!("traceparent: 00-{TRACE}-{PARENT}-01\r\n");
  for path in [WHOLE, "/docs"] {
    assert_eq!(ask(&server, "GET", path, &parent).status, 200);
  }
  server.terminate();
  assert!(server.wait().success());
  assert_eq!(stage.collector.requests().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn more_spans_than_a_collector_takes_hold_no_request_up() {
  let stage = Stage::set(Mood::Hangs).await;
  let mut server = stage.traced().env("OTEL_BSP_MAX_QUEUE_SIZE", "10").start();
  server.log().wait_for(&["round", "fetched=2"]);
  stage.collector.wait_for("a request", |requests| !requests.is_empty());
  let (mut connection, started) = (HttpConnection::open(server.address()), Instant::now());
  let request = request("HEAD", WHOLE, &format!("traceparent: 00-{TRACE}-{PARENT}-01\r\n"));
  for _ in 0..2_000 {
    connection.send(request.as_bytes());
    assert_eq!(connection.answer("HEAD").status, 200);
  }
  assert!(started.elapsed() < SOON, "{:?}", started.elapsed());
  server.terminate();
  assert!(server.wait().success());
}

fn ask(server: &Server, method: &str, path: &str, headers: &str) -> HttpAnswer {
  let mut connection = HttpConnection::open(server.address());
  connection.send(request(method, path, headers).as_bytes());
  connection.answer(method)
}

fn request(method: &str, path: &str, headers: &str) -> String {
  format!("{method} {path} HTTP/1.1\r\nhost: example.org\r\n{headers}\r\n")
}

fn wait_for_server_spans(stage: &Stage, count: usize) -> Vec<Span> {
  let mut spans = Vec::new();
  stage.collector.wait_for("a server's span", |requests| {
    spans = server_spans(requests);
    spans.len() >= count
  });
  spans
}

fn server_spans(requests: &[Request]) -> Vec<Span> {
  let spans = requests.iter().flat_map(Request::spans);
  spans.filter(|span| span.kind == SpanKind::Server as i32).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
  let digits = |place| u8::from_str_radix(&hex[place..place + 2], 16).unwrap();
  (0..hex.len()).step_by(2).map(digits).collect()
}
