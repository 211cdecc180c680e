//! What is answered where there is nothing to answer.

use axum::Json;
use axum::http::header::{ALLOW, CACHE_CONTROL, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use feed_types::{AssetBuild, Release};
use serde::Serialize;
use utoipa::ToSchema;

use super::cache_policy::CachePolicy;

/// Each instance looks that often for what is due.
const RETRY_AFTER_SECONDS: HeaderValue = HeaderValue::from_static("30");

/// An error as JSON: `{"success":false,"error":{"code":"…","message":"…"}}`. Never cached.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ErrorAnswer<'r> {
  /// No such path.
  NotFound,
  /// No such app.
  UnknownApp,
  /// The app has no release.
  NoRelease,
  /// Nothing is known of the app yet.
  NotKnownYet,
  /// The app's release has no such build; the answer says what it has.
  NoSuchBuild(&'r Release),
  /// The path is there, for other methods.
  MethodNotAllowed {
    /// The methods, as in `Allow`.
    allow: &'static str,
  },
  /// A defect.
  Internal,
}

/// Every error.
#[derive(Serialize, ToSchema)]
pub(super) struct ErrorBody<'r> {
  /// Always `false`.
  success: bool,
  /// What is wrong.
  error: ErrorDetails<'r>,
}

/// What is wrong.
#[derive(Serialize, ToSchema)]
pub(super) struct ErrorDetails<'r> {
  /// For programs: `not_found`, `unknown_app`, `no_release`, `no_such_build`, `not_known_yet`, `method_not_allowed`. There may be more:
  /// go by the status where you don't know one.
  #[schema(value_type = String, example = "unknown_app")]
  code: &'static str,
  /// For people.
  #[schema(value_type = String, example = "There is no app with this key; the whole answer lists them.")]
  message: &'static str,
  /// With `no_such_build`: what there is instead.
  #[serde(skip_serializing_if = "Option::is_none")]
  #[schema(nullable = false)]
  available: Option<Vec<AvailableBuild<'r>>>,
}

/// A build that a release has.
#[derive(Serialize, ToSchema)]
pub(super) struct AvailableBuild<'r> {
  /// The file name.
  #[schema(value_type = String)]
  name: &'r str,
  /// What it is.
  #[schema(value_type = AssetBuild)]
  build: &'r AssetBuild,
}

impl<'r> ErrorAnswer<'r> {
  /// The path can only be read.
  pub const READ_ONLY: Self = Self::MethodNotAllowed { allow: "GET, HEAD" };

  /// What is sent.
  pub(super) fn body(self) -> ErrorBody<'r> {
    let (_, code, message) = self.parts();
    let available = match self {
      Self::NoSuchBuild(release) => Some(available_builds(release)),
      _ => None,
    };
    ErrorBody {
      success: false,
      error: ErrorDetails {
        code,
        message,
        available,
      },
    }
  }

  fn parts(self) -> (StatusCode, &'static str, &'static str) {
    match self {
      Self::NotFound => (StatusCode::NOT_FOUND, "not_found", "There is nothing at this path."),
      Self::UnknownApp => (
        StatusCode::NOT_FOUND,
        "unknown_app",
        "There is no app with this key; the whole answer lists them.",
      ),
      Self::NoRelease => (StatusCode::NOT_FOUND, "no_release", "This app has no release."),
      Self::NotKnownYet => (
        StatusCode::SERVICE_UNAVAILABLE,
        "not_known_yet",
        "GitHub has not said anything about this app yet; try again soon.",
      ),
      Self::NoSuchBuild(_) => (
        StatusCode::NOT_FOUND,
        "no_such_build",
        "The current release has no such build; see what is available.",
      ),
      Self::Internal => (
        StatusCode::INTERNAL_SERVER_ERROR,
        "internal",
        "A defect of this server; its log has more, with the id of X-Request-Id.",
      ),
      Self::MethodNotAllowed { .. } => (
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        "This path has no such method; see the Allow header.",
      ),
    }
  }
}

impl IntoResponse for ErrorAnswer<'_> {
  fn into_response(self) -> Response {
    let (status, ..) = self.parts();
    let mut response = (status, Json(self.body())).into_response();
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, CachePolicy::NoStore.header_value());
    match self {
      Self::MethodNotAllowed { allow } => headers.insert(ALLOW, HeaderValue::from_static(allow)),
      Self::NotKnownYet => headers.insert(RETRY_AFTER, RETRY_AFTER_SECONDS),
      _ => None,
    };
    response
  }
}

/// Files that run somewhere: no checksums, no notes.
fn available_builds(release: &Release) -> Vec<AvailableBuild<'_>> {
  let builds = release.assets.iter().filter_map(|asset| {
    let build = asset.build.as_ref().filter(|build| build.os.is_some())?;
    Some(AvailableBuild {
      name: &asset.name,
      build,
    })
  });
  builds.collect()
}
