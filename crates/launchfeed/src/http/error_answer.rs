//! What is answered where there is nothing to answer.

use axum::Json;
use axum::http::header::{ALLOW, CACHE_CONTROL};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::cache_policy::CachePolicy;

/// An error as JSON: `{"success":false,"error":{"code":"…","message":"…"}}`. Never cached.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ErrorAnswer {
  /// No such path.
  NotFound,
  /// No such app.
  UnknownApp,
  /// The app has no release that we know of.
  NoRelease,
  /// The path is there, for other methods.
  MethodNotAllowed {
    /// The methods, as in `Allow`.
    allow: &'static str,
  },
}

#[derive(Serialize)]
struct Body {
  success: bool,
  error: BodyError,
}

#[derive(Serialize)]
struct BodyError {
  code: &'static str,
  message: &'static str,
}

impl ErrorAnswer {
  /// The path can only be read.
  pub const READ_ONLY: Self = Self::MethodNotAllowed { allow: "GET, HEAD" };

  fn parts(self) -> (StatusCode, &'static str, &'static str) {
    match self {
      Self::NotFound => (StatusCode::NOT_FOUND, "not_found", "There is nothing at this path."),
      Self::UnknownApp => (
        StatusCode::NOT_FOUND,
        "unknown_app",
        "There is no app with this key; the whole answer lists them.",
      ),
      Self::NoRelease => (
        StatusCode::NOT_FOUND,
        "no_release",
        "This app has no release, or none that is known yet.",
      ),
      Self::MethodNotAllowed { .. } => (
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        "This path has no such method; see the Allow header.",
      ),
    }
  }
}

impl IntoResponse for ErrorAnswer {
  fn into_response(self) -> Response {
    let (status, code, message) = self.parts();
    let body = Body {
      success: false,
      error: BodyError { code, message },
    };
    let mut response = (status, Json(body)).into_response();
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, CachePolicy::NoStore.header_value());
    if let Self::MethodNotAllowed { allow } = self {
      headers.insert(ALLOW, HeaderValue::from_static(allow));
    }
    response
  }
}
