//! The whole answer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, MapSkipError, VecSkipError, serde_as};

use crate::app::App;
use crate::notices::ImportantNotices;
use crate::renames::{AppRename, RepoRename};
use crate::utc_time::UtcTime;

/// The body of `GET /v1/craft_apps/release_info`.
#[serde_as]
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct ReleaseInfoAnswer {
  /// Always `true`.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub success: bool,
  /// The apps and their releases.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub release_info: ReleaseInfo,
  /// Apps that changed their names, newest first.
  #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub app_renames: Vec<AppRename>,
  /// Repositories that changed their names, newest first.
  #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub repo_renames: Vec<RepoRename>,
  /// What operators tell every launcher.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub important_notices: ImportantNotices,
}

/// The body of `GET /v1/craft_apps/release_info/{app_key}`.
#[serde_as]
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct AppAnswer {
  /// Always `true`.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub success: bool,
  /// The app's key.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub app_key: String,
  /// The app.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub app: App,
}

/// The apps of the family.
#[serde_as]
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct ReleaseInfo {
  /// App key → app, in the order of the keys.
  #[serde_as(deserialize_as = "DefaultOnError<MapSkipError<_, _>>")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub apps: BTreeMap<String, App>,
  /// The oldest `app_last_fetched`; `null` while any app has never been fetched, or there are no apps.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub last_fetched: Option<UtcTime>,
}

impl ReleaseInfo {
  /// Puts apps together with the `last_fetched` that follows from them.
  pub fn new(apps: BTreeMap<String, App>) -> Self {
    let last_fetched = apps
      .values()
      .map(|app| app.app_last_fetched)
      .reduce(|oldest, time| Some(oldest?.min(time?)))
      .flatten();
    Self { apps, last_fetched }
  }
}
