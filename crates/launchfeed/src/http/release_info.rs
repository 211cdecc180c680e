//! `GET` and `HEAD` of the answers: the whole family, or one app.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};

use super::answers::Answers;
use super::error_answer::ErrorAnswer;
use super::send_answer::send_answer;

/// The whole family.
pub(super) fn release_info() -> MethodRouter<Answers> {
  get(all).fallback(|| async { ErrorAnswer::READ_ONLY })
}

/// One app.
pub(super) fn app_release_info() -> MethodRouter<Answers> {
  get(one).fallback(|| async { ErrorAnswer::READ_ONLY })
}

async fn all(State(answers): State<Answers>, method: Method, headers: HeaderMap) -> Response {
  send_answer(answers.publication.current().all(), &method, &headers)
}

async fn one(
  State(answers): State<Answers>,
  key: Result<Path<String>, PathRejection>,
  method: Method,
  headers: HeaderMap,
) -> Response {
  // A key that can't be decoded is nobody's.
  let key = key.map(|Path(key)| key).unwrap_or_default();
  match answers.publication.current().one(&key) {
    Some(answer) => send_answer(answer, &method, &headers),
    None => ErrorAnswer::UnknownApp.into_response(),
  }
}
