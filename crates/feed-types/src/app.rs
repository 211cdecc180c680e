//! One app of the family.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, serde_as};

use crate::release::Release;
use crate::utc_time::UtcTime;

/// One app and its latest release.
///
/// `latest_release: null` with `app_last_fetched` set means that the repository has no release. With `app_last_fetched: null` it
/// says nothing, and clients ask GitHub themselves. An app read from an answer whose release can't be read (no object, no tag)
/// says nothing either.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(from = "LooseApp")]
pub struct App {
  /// Display name.
  pub name: String,
  /// The repository's current name, `owner/name`.
  pub repo: String,
  /// The latest release.
  #[cfg_attr(feature = "openapi", schema(required))]
  pub latest_release: Option<Release>,
  /// When GitHub last gave or confirmed it.
  #[cfg_attr(feature = "openapi", schema(required))]
  pub app_last_fetched: Option<UtcTime>,
}

#[serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct LooseApp {
  #[serde_as(deserialize_as = "DefaultOnError")]
  name: String,
  #[serde_as(deserialize_as = "DefaultOnError")]
  repo: String,
  latest_release: LooseRelease,
  #[serde_as(deserialize_as = "DefaultOnError")]
  app_last_fetched: Option<UtcTime>,
}

#[derive(Default, Deserialize)]
#[serde(untagged)]
enum LooseRelease {
  #[default]
  None,
  Some(Box<Release>),
  Unreadable(IgnoredAny),
}

impl From<LooseApp> for App {
  fn from(loose: LooseApp) -> Self {
    let (latest_release, readable) = match loose.latest_release {
      LooseRelease::None => (None, true),
      LooseRelease::Some(release) if !release.tag.is_empty() => (Some(*release), true),
      LooseRelease::Some(_) | LooseRelease::Unreadable(IgnoredAny) => (None, false),
    };
    Self {
      name: loose.name,
      repo: loose.repo,
      latest_release,
      app_last_fetched: loose.app_last_fetched.filter(|_| readable),
    }
  }
}
