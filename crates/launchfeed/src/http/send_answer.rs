//! An encoded answer as a response: the coding that was negotiated, or 304 to whoever has it already.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::Response;
use futures_util::stream;
use headers::{HeaderMapExt, IfNoneMatch};
use release_feed::answer::{Coding, EncodedAnswer};

use super::cache_policy::CachePolicy;
use super::negotiation::negotiate;

/// When the oldest part of the answer was fetched, by the moment of this response; a 304 carries it too, so that whoever keeps a body
/// knows how fresh it still is.
pub(super) const X_LAST_FETCHED: HeaderName = HeaderName::from_static("x-last-fetched");
/// At most, those that others add included.
const HEADERS: usize = 12;
const JSON: HeaderValue = HeaderValue::from_static("application/json");
pub(super) const BY_ENCODING: HeaderValue = HeaderValue::from_static("accept-encoding");

/// The response to a `GET` or `HEAD` with these headers.
pub(super) fn send_answer(answer: &EncodedAnswer, method: &Method, request: &HeaderMap) -> Response {
  respond(answer, method, request).map(|body| body.map_or_else(no_body, Body::from))
}

/// The same with the bytes of its body, which are shared with every other response; `None` where it has no body and no length.
pub(super) fn respond(
  answer: &EncodedAnswer,
  method: &Method,
  request: &HeaderMap,
) -> axum::http::Response<Option<Bytes>> {
  let mut response = axum::http::Response::new(None);
  let headers = response.headers_mut();
  headers.reserve(HEADERS);
  let policy = CachePolicy::of_release_info(answer.is_complete());
  headers.insert(CACHE_CONTROL, policy.header_value());
  headers.insert(VARY, BY_ENCODING);
  if let Some(last_fetched) = answer.last_fetched() {
    headers.insert(X_LAST_FETCHED, last_fetched.clone());
  }
  if let Some(etag) = answer.etag() {
    headers.insert(ETAG, etag.clone());
    if has_already(etag, request) {
      *response.status_mut() = StatusCode::NOT_MODIFIED;
      return response;
    }
  }
  let coding = negotiate(request, |coding| answer.body(coding).len());
  let body = answer.body(coding);
  headers.insert(CONTENT_TYPE, JSON);
  headers.insert(CONTENT_LENGTH, answer.length(coding).clone());
  if coding != Coding::Identity {
    headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding.token()));
  }
  let is_wanted = method != Method::HEAD;
  *response.body_mut() = Some(if is_wanted { body.clone() } else { Bytes::new() });
  response
}

/// Nothing, of a length that isn't told: in a 304 a `Content-Length` of 0 would be that of the body which the client has.
pub(super) fn no_body() -> Body {
  Body::from_stream(stream::empty::<Result<Bytes, Infallible>>())
}

/// Whether `If-None-Match` names the ETag (weak comparison, lists, `*`). One that can't be read counts as absent.
pub(super) fn has_already(etag: &HeaderValue, request: &HeaderMap) -> bool {
  let mut values = request.get_all(IF_NONE_MATCH).iter();
  // What nearly everybody sends.
  if let (Some(named), None) = (values.next(), values.next())
    && named == etag
  {
    return true;
  }
  let named: Option<IfNoneMatch> = request.typed_get();
  let etag = etag.to_str().ok().and_then(|etag| etag.parse::<headers::ETag>().ok());
  named
    .zip(etag)
    .is_some_and(|(named, etag)| !named.precondition_passes(&etag))
}
