//! Apps and repositories that changed their names.

use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, serde_as};

use crate::utc_time::UtcTime;

/// An app that changed its display name.
#[serde_as]
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct AppRename {
  /// The former display name.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub old_name: String,
  /// The former name in lowercase.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub old_name_lower: String,
  /// The present display name.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub new_name: String,
  /// The present name in lowercase.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub new_name_lower: String,
  /// What the operator says about it.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub description: String,
  /// When it was renamed.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub renamed_at: Option<UtcTime>,
}

/// A repository that changed its name or its owner.
#[serde_as]
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct RepoRename {
  /// The former `owner/name`.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub old_name: String,
  /// The present `owner/name`.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub new_name: String,
  /// When it was renamed.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub renamed_at: Option<UtcTime>,
}
