//! Every private route.

use axum::Router;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use serde::Serialize;

use super::insight::Insight;
use super::metrics::OPEN_METRICS;
use super::status::StatusDocument;
use crate::http::{CachePolicy, ErrorAnswer};

/// Whether the process answers at all.
pub(crate) const LIVE: &str = "/livez";
/// Whether it should be sent requests.
pub(crate) const READY: &str = "/readyz";
const METRICS: &str = "/metrics";
const STATUS: &str = "/status";

const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The private routes.
pub(crate) fn router(insight: Insight) -> Router {
  Router::new()
    .route(LIVE, read_only(get(live)))
    .route(READY, read_only(get(ready)))
    .route(METRICS, read_only(get(metrics)))
    .route(STATUS, read_only(get(status)))
    .fallback(|| async { ErrorAnswer::NotFound })
    .with_state(insight)
}

fn read_only(route: MethodRouter<Insight>) -> MethodRouter<Insight> {
  route.fallback(|| async { ErrorAnswer::READ_ONLY })
}

/// That it is answered at all is the answer.
async fn live() -> Response {
  never_kept(TEXT, "ok\n").into_response()
}

async fn ready(State(insight): State<Insight>) -> Response {
  let health = insight.about.health();
  let status = if health.status.is_served() {
    StatusCode::OK
  } else {
    StatusCode::SERVICE_UNAVAILABLE
  };
  (status, json(&health)).into_response()
}

async fn metrics(State(insight): State<Insight>) -> Response {
  match insight.scraper.scrape().await {
    Ok(text) => never_kept(OPEN_METRICS, text).into_response(),
    Err(error) => {
      tracing::error!(%error, "the metrics can't be written");
      StatusCode::INTERNAL_SERVER_ERROR.into_response()
    }
  }
}

async fn status(State(insight): State<Insight>) -> Response {
  json(&StatusDocument::of(&insight))
}

/// In lines, for whoever reads it in a terminal.
fn json(document: &impl Serialize) -> Response {
  match serde_json::to_string_pretty(document) {
    Ok(text) => never_kept(JSON, text + "\n").into_response(),
    Err(error) => {
      tracing::error!(%error, "an answer can't be written as JSON");
      StatusCode::INTERNAL_SERVER_ERROR.into_response()
    }
  }
}

fn never_kept<B: IntoResponse>(content_type: HeaderValue, body: B) -> ([(HeaderName, HeaderValue); 2], B) {
  let headers = [
    (CONTENT_TYPE, content_type),
    (CACHE_CONTROL, CachePolicy::NoStore.header_value()),
  ];
  (headers, body)
}
