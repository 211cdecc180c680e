//! The span of a request that belongs to a trace, as the semantic conventions for HTTP servers name its parts.

use axum::http::{Method, Request, StatusCode};
use tracing::{Span, field, info_span};
use tracing_opentelemetry::OpenTelemetrySpanExt;

use super::meter::Route;
use super::trace_parent::sampled_parent;

/// What the conventions call a method that they don't know; it is anybody's to choose.
const OTHER_METHOD: &str = "_OTHER";

/// What a trace knows of a request. It says nothing of who sent it, nor what the path or the query held beside the route.
#[derive(Debug)]
pub(super) struct ServerSpan(Span);

impl ServerSpan {
  /// Begins a span where a request belongs to a trace that is kept; nobody else's requests have one.
  pub(super) fn begin<B>(request: &Request<B>) -> Option<Self> {
    let parent = sampled_parent(request.headers())?;
    let route = Route::pattern_of(request.uri().path());
    let method = known(request.method());
    let span = info_span!(
      parent: None,
      "request",
      otel.name = name(method, route),
      otel.kind = "server",
      otel.status_code = field::Empty,
      http.request.method = method,
      http.route = route,
      http.response.status_code = field::Empty,
      url.scheme = "http",
      "error.type" = field::Empty,
    );
    // Where nobody takes spans, there is none.
    span.set_parent(parent).ok()?;
    Some(Self(span))
  }

  /// A response is handed over now.
  pub(super) fn end(self, status: StatusCode) {
    self.0.record("http.response.status_code", status.as_u16());
    // What a client did wrong is no error of ours.
    if status.is_server_error() {
      self.0.record("otel.status_code", "error");
      self.0.record("error.type", status.as_str());
    }
  }
}

fn known(method: &Method) -> &'static str {
  match *method {
    Method::GET => "GET",
    Method::HEAD => "HEAD",
    Method::POST => "POST",
    Method::PUT => "PUT",
    Method::DELETE => "DELETE",
    Method::CONNECT => "CONNECT",
    Method::OPTIONS => "OPTIONS",
    Method::TRACE => "TRACE",
    Method::PATCH => "PATCH",
    _ => OTHER_METHOD,
  }
}

fn name(method: &str, route: Option<&str>) -> String {
  let method = if method == OTHER_METHOD { "HTTP" } else { method };
  route.map_or_else(|| method.to_owned(), |route| format!("{method} {route}"))
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case("GET", "/v1/craft_apps/release_info", "GET /v1/craft_apps/release_info")]
  #[case("HEAD", "/v1/release_info/demo", "HEAD /v1/release_info/{app_key}")]
  #[case("POST", "/docs", "POST /docs")]
  #[case("GET", "/.env", "GET")]
  #[case("BREW", "/docs", "HTTP /docs")]
  #[case("BREW", "/teapot", "HTTP")]
  fn a_name_holds_nothing_that_a_client_may_choose(#[case] method: &str, #[case] path: &str, #[case] expected: &str) {
    let method: Method = method.parse().unwrap();
    assert_eq!(name(known(&method), Route::pattern_of(path)), expected);
  }

  #[test]
  fn without_a_trace_there_is_no_span() {
    assert!(ServerSpan::begin(&Request::new(())).is_none());
  }
}
