//! What operators tell every launcher.

use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, VecSkipError, serde_as};

use crate::utc_time::UtcTime;

/// All notices, each list newest first.
#[serde_as]
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct ImportantNotices {
  /// News.
  #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub announcements: Vec<Announcement>,
  /// Warnings.
  #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub alerts: Vec<Alert>,
}

/// A piece of news.
#[serde_as]
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Announcement {
  /// One line.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub title: String,
  /// The text.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub body: String,
  /// When it was written.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub created_at: Option<UtcTime>,
}

/// A warning.
#[serde_as]
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Alert {
  /// One line.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub title: String,
  /// The text.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub body: String,
  /// Where to read more.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub maybe_web_link: Option<String>,
  /// When it was written.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub created_at: Option<UtcTime>,
}
