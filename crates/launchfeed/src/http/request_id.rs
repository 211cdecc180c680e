//! The id by which a request is found again: in the answer, and in the log where it went wrong.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use rand::TryRng;
use rand::rngs::SysRng;
use tracing::{debug, warn};

use super::error_answer::ErrorAnswer;
use super::seldom;

/// What a client calls its request, and what we call it otherwise.
pub(super) const X_REQUEST_ID: HeaderName = HeaderName::from_static(NAME);
const NAME: &str = "x-request-id";
/// Longest id that is taken from a client.
const MAX_BYTES: usize = 128;

/// The client's own id: 1 to 128 visible ASCII characters, given once. Anything else is no id.
pub(super) fn given_id(headers: &HeaderMap) -> Option<&HeaderValue> {
  if !seldom::has(headers, NAME) {
    return None;
  }
  let mut given = headers.get_all(&X_REQUEST_ID).iter();
  let id = given.next().filter(|_| given.next().is_none())?;
  let bytes = id.as_bytes();
  ((1..=MAX_BYTES).contains(&bytes.len()) && bytes.iter().all(u8::is_ascii_graphic)).then_some(id)
}

/// Answers with the client's id, or one of our own, and logs with it what went wrong. A panic becomes an answer like any other.
pub(super) async fn name_requests(request: Request, next: Next) -> Response {
  let id = given_id(request.headers()).cloned().unwrap_or_else(new_id);
  let (method, path) = (request.method().clone(), request.uri().path().to_owned());
  let answered = AssertUnwindSafe(next.run(request)).catch_unwind().await;
  let mut response = answered.unwrap_or_else(|_: Box<dyn Any + Send>| ErrorAnswer::Internal.into_response());
  let (status, request_id) = (response.status(), id.to_str().unwrap_or_default());
  if status.is_server_error() && status != StatusCode::SERVICE_UNAVAILABLE {
    warn!(request_id, %method, path, status = status.as_u16(), "a request could not be answered");
  } else if status.is_client_error() || status.is_server_error() {
    debug!(request_id, %method, path, status = status.as_u16(), "a request was refused");
  }
  response.headers_mut().insert(X_REQUEST_ID, id);
  response
}

/// 16 hexadecimal digits.
fn new_id() -> HeaderValue {
  // A system without randomness answers all the same.
  let id = SysRng.try_next_u64().unwrap_or_default();
  HeaderValue::from_str(&format!("{id:016x}")).unwrap_or(const { HeaderValue::from_static("0") })
}

#[cfg(test)]
mod tests {
  use axum::Router;
  use axum::body::{Body, to_bytes};
  use axum::middleware::from_fn;
  use axum::routing::get;
  use rstest::rstest;
  use serde_json::Value;
  use tower::ServiceExt;

  use super::*;

  const LONGEST: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\
                         0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

  #[rstest]
  #[case("a")]
  #[case("7f3c-~!\"")]
  #[case(LONGEST)]
  #[tokio::test]
  async fn the_clients_id_comes_back(#[case] id: &str) {
    let response = ask("/", &[id]).await;
    assert_eq!(response.headers()[X_REQUEST_ID], id);
  }

  #[rstest]
  #[case::none(&[])]
  #[case::empty(&[""])]
  #[case::spaced(&["a b"])]
  #[case::overlong(&[concat!("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "0")])]
  #[case::not_ascii(&["\u{9b}31m"])]
  #[case::two(&["a", "b"])]
  #[tokio::test]
  async fn what_is_no_id_is_replaced_by_one(#[case] ids: &[&str]) {
    let first = ask("/", ids).await.headers()[X_REQUEST_ID].clone();
    let second = ask("/", ids).await.headers()[X_REQUEST_ID].clone();
    assert_ne!(first, second);
    for id in [first, second] {
      assert!(
        id.len() == 16 && id.as_bytes().iter().all(u8::is_ascii_hexdigit),
        "{id:?}"
      );
    }
  }

  #[tokio::test]
  async fn a_panic_is_answered_with_the_id() {
    let response = ask("/panic", &["abc"]).await;
    assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(response.headers()[X_REQUEST_ID], "abc");
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(body["error"]["code"], "internal");
  }

  async fn ask(path: &str, ids: &[&str]) -> Response {
    let router = Router::new()
      .route("/", get(|| async { "fine" }))
      .route("/panic", get(panicking))
      .layer(from_fn(name_requests));
    let mut request = Request::builder().uri(path);
    for id in ids {
      request = request.header(X_REQUEST_ID, HeaderValue::from_bytes(id.as_bytes()).unwrap());
    }
    router.oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
  }

  async fn panicking() -> &'static str {
    panic!("on purpose")
  }
}
