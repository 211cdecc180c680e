//! What a file is, in words of an open vocabulary.

use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, serde_as};

/// What is known of a file beyond the closed `platform`.
///
/// The vocabulary is open and grows: ignore values you don't know. Where the closed lists have a word for the same thing it is the
/// same word, but for `appimage` and `appimage_zsync`. Each field is `null` where the file's name doesn't say, or says two things.
#[serde_as]
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct AssetBuild {
  /// The operating system it runs on: `linux`, `android`, `haiku` … Ignore values you don't know.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub os: Option<String>,
  /// The processor it is for: `x64`, `riscv64`, `armv7` … Ignore values you don't know.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub arch: Option<String>,
  /// How it is packaged, or what it accompanies a build with: `exe`, `tar_xz`, `checksum` … Ignore values you don't know.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub kind: Option<String>,
  /// The C library it needs, for Linux: `gnu`, `musl` … Ignore values you don't know.
  #[serde_as(deserialize_as = "DefaultOnError")]
  #[cfg_attr(feature = "openapi", schema(required))]
  pub libc: Option<String>,
}
