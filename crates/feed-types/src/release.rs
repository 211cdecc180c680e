//! A release and its files.

use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, VecSkipError, serde_as};

use crate::asset_build::AssetBuild;
use crate::platform::Platform;
use crate::utc_time::UtcTime;

/// An app's latest release.
#[serde_as]
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Release {
  /// The git tag, at most 64 bytes. Empty only in a release that could not be read.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub tag: String,
  /// The tag without one leading `v` or `V`.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub version: String,
  /// The title; the tag where there is none. Cut after 200 bytes, and then ends in `…`.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub name: String,
  /// When it was published.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub published_at: Option<UtcTime>,
  /// Its page on GitHub.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required, format = "uri"))]
  pub html_url: String,
  /// Whether its authors marked it as a pre-release.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub prerelease: bool,
  /// The release notes, Markdown. Cut after 64 KiB, and then ends in `…`.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub notes_markdown: String,
  /// Its files, at most 200.
  #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
  #[cfg_attr(feature = "openapi", schema(required, max_items = 200))]
  pub assets: Vec<Asset>,
}

/// A file of a release.
#[serde_as]
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Asset {
  /// The file name, 1 to 200 bytes.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub name: String,
  /// Size in bytes; 0 where GitHub did not say.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub size_bytes: u64,
  /// Where to download it, on GitHub.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required, format = "uri"))]
  pub download_url: String,
  /// SHA-256 of the file, 64 lowercase hexadecimal digits; `null` where GitHub gives none.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required, pattern = "^[0-9a-f]{64}$"))]
  pub sha256: Option<String>,
  /// What it runs on; `null` for a file that is no build of the closed vocabulary.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub platform: Option<Platform>,
  /// What is known of it beyond the closed vocabulary, in open words: ignore values you don't know. `null` where nothing is known.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub build: Option<AssetBuild>,
}
