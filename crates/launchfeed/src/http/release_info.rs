//! `GET` and `HEAD` of the answer.

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderValue, Method};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use release_feed::answer::Publication;

use super::cache_policy::CachePolicy;
use super::error_answer::ErrorAnswer;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

const ALLOW: &str = "GET, HEAD";

/// The methods of the release info.
pub(super) fn release_info() -> MethodRouter<Publication> {
  get(answer).fallback(|| async { ErrorAnswer::MethodNotAllowed { allow: ALLOW } })
}

/// The published answer as it stands: its bytes are shared with every other request, and `HEAD` has the headers of `GET`.
async fn answer(State(publication): State<Publication>, method: Method) -> Response {
  let answer = publication.current();
  let body = if method == Method::HEAD {
    Body::empty()
  } else {
    Body::from(answer.body().clone())
  };
  let headers = [
    (CONTENT_TYPE, JSON),
    (CONTENT_LENGTH, HeaderValue::from(answer.body().len())),
    (
      CACHE_CONTROL,
      CachePolicy::of_release_info(answer.is_complete()).header_value(),
    ),
  ];
  (headers, body).into_response()
}
