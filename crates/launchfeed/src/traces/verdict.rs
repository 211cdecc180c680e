//! What a collector's answer means.

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceResponse;
use prost::Message;

use super::secret_headers::SecretHeaders;

const PROTOBUF: &str = "application/x-protobuf";
const WEB_PAGE: &str = "text/html";
/// Of what a collector says in words.
const MAX_SAID_CHARS: usize = 200;

/// Why the spans weren't taken, to follow "the collector"; nothing where they were.
pub(super) fn why_refused(
  status: StatusCode,
  headers: &HeaderMap,
  body: &[u8],
  secrets: &SecretHeaders,
) -> Option<String> {
  if !status.is_success() {
    let advice = match status.as_u16() {
      401 | 403 => ": OTEL_EXPORTER_OTLP_HEADERS has what it wants to see",
      404 => ": is that the address of a collector, without /v1/traces?",
      _ => "",
    };
    return Some(format!("answered {}{advice}", status.as_u16()));
  }
  let kind = headers
    .get(CONTENT_TYPE)
    .and_then(|kind| kind.to_str().ok())
    .unwrap_or_default();
  if kind.starts_with(WEB_PAGE) {
    return Some("answered with a web page: is that the address of a collector?".to_owned());
  }
  if !kind.starts_with(PROTOBUF) {
    // Not all of them say what they mean.
    return None;
  }
  let Ok(answer) = ExportTraceServiceResponse::decode(body) else {
    return Some("answered with something that can't be read".to_owned());
  };
  let refused = answer.partial_success.filter(|partly| partly.rejected_spans > 0)?;
  let said = secrets.hide_in(&refused.error_message);
  let said: String = said.chars().take(MAX_SAID_CHARS).collect();
  Some(format!("refused {} spans: {said}", refused.rejected_spans))
}

#[cfg(test)]
mod tests {
  use axum::http::header::AUTHORIZATION;
  use opentelemetry_proto::tonic::collector::trace::v1::ExportTracePartialSuccess;
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case::taken(200, "application/x-protobuf", b"", None)]
  #[case::taken_without_a_word(202, "", b"", None)]
  #[case::taken_in_json(200, "application/json", b"{}", None)]
  #[case::nonsense(200, "application/x-protobuf", b"\xff\xff\xff", Some("can't be read"))]
  #[case::a_web_page(200, "text/html; charset=utf-8", b"<html>", Some("a web page"))]
  #[case::failing(500, "text/plain", b"hunter2", Some("answered 500"))]
  #[case::elsewhere(302, "", b"", Some("answered 302"))]
  #[case::wrong_path(404, "", b"", Some("without /v1/traces?"))]
  #[case::unauthorized(401, "", b"", Some("OTEL_EXPORTER_OTLP_HEADERS"))]
  fn an_answer_tells_whether_spans_were_taken(
    #[case] status: u16,
    #[case] kind: &str,
    #[case] body: &[u8],
    #[case] expected: Option<&str>,
  ) {
    let why = why(status, kind, body);
    assert_eq!(why.is_some(), expected.is_some(), "{why:?}");
    assert!(why.unwrap_or_default().contains(expected.unwrap_or_default()));
  }

  #[test]
  fn a_collector_may_refuse_some() {
    let answer = |rejected_spans| ExportTraceServiceResponse {
      partial_success: Some(ExportTracePartialSuccess {
        rejected_spans,
        error_message: "too many".to_owned(),
      }),
    };
    assert_eq!(
      why(200, PROTOBUF, &answer(7).encode_to_vec()).as_deref(),
      Some("refused 7 spans: too many")
    );
    assert_eq!(why(200, PROTOBUF, &answer(0).encode_to_vec()), None);
  }

  #[test]
  fn a_login_that_it_says_back_is_hidden_wherever_its_words_are_cut() {
    for length in 180..=MAX_SAID_CHARS {
      let answer = ExportTraceServiceResponse {
        partial_success: Some(ExportTracePartialSuccess {
          rejected_spans: 1,
          error_message: format!("{}hunter2hunter2", "x".repeat(length)),
        }),
      };
      let why = why(200, PROTOBUF, &answer.encode_to_vec()).unwrap();
      assert!(!why.contains('h') && why.len() < 250, "{why}");
    }
  }

  fn why(status: u16, kind: &str, body: &[u8]) -> Option<String> {
    let headers = [(CONTENT_TYPE, kind.parse().unwrap())].into_iter().collect();
    let mut sent = [(AUTHORIZATION, "Bearer hunter2hunter2".parse().unwrap())]
      .into_iter()
      .collect();
    why_refused(
      StatusCode::from_u16(status).unwrap(),
      &headers,
      body,
      &SecretHeaders::mark(&mut sent),
    )
  }
}
