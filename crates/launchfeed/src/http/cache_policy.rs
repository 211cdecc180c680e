//! For how long others may keep what we answer.

use axum::http::HeaderValue;

/// For how long caches may keep an answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum CachePolicy {
  /// Any cache, for a minute: the complete release info.
  Short,
  /// Any cache, for an hour: what changes only with the program.
  Long,
  /// No cache at all: a cold instance's answer, errors.
  NoStore,
}

impl CachePolicy {
  /// The policy of the release info.
  pub fn of_release_info(is_complete: bool) -> Self {
    if is_complete { Self::Short } else { Self::NoStore }
  }

  /// The value of `Cache-Control`.
  pub fn header_value(self) -> HeaderValue {
    HeaderValue::from_static(match self {
      Self::Short => "public, max-age=60",
      Self::Long => "public, max-age=3600",
      Self::NoStore => "no-store",
    })
  }
}
