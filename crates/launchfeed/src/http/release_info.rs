//! `GET` and `HEAD` of the answers: the whole family, or one app.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method};
use axum::response::{IntoResponse, Response};
use feed_types::{AppAnswer, ReleaseInfoAnswer};

use super::answers::Answers;
use super::document::{CheapReads, Published, RELEASES};
use super::error_answer::{ErrorAnswer, ErrorBody};
use super::send_answer::send_answer;

/// The current releases of the whole family
///
/// Always `200` (or `304`), whatever GitHub, the network or the disk are doing. `last_fetched` is `null`, and the answer not cacheable,
/// until every app was asked about. Poll as often as you like: once a minute is plenty, and an unchanged answer costs some 300 bytes.
#[utoipa::path(get, path = "/release_info", tag = RELEASES, params(CheapReads), responses(Published<ReleaseInfoAnswer>))]
pub(super) async fn release_info(State(answers): State<Answers>, method: Method, headers: HeaderMap) -> Response {
  send_answer(answers.publication.current().all(), &method, &headers)
}

/// The current release of one app
#[utoipa::path(
  get,
  path = "/release_info/{app_key}",
  tag = RELEASES,
  params(
    ("app_key" = String, Path, description = "The app's lowercase machine name.", example = "photocraft"),
    CheapReads,
  ),
  responses(
    Published<AppAnswer>,
    (
      status = 404,
      description = "There is no such app.",
      body = ErrorBody,
      headers(("Cache-Control" = String, description = "`no-store`")),
      example = json!(ErrorAnswer::UnknownApp.body()),
    ),
  ),
)]
pub(super) async fn app_release_info(
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
