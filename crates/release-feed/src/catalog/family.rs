//! The apps of a family, in the order of their keys.

use std::collections::BTreeMap;

use asset_names::BuildOverride;

use super::app_key::AppKey;
use super::release_choice::ReleaseChoice;
use super::repo_name::RepoName;

const MAX_DISPLAY_NAME_BYTES: usize = 200;

/// One app as the operator describes it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CatalogApp {
  /// Display name.
  pub name: String,
  /// Where its releases are.
  pub repo: RepoName,
  /// Which of those is its own. Only a catalog file says anything else than GitHub's latest.
  pub releases: ReleaseChoice,
  /// What its files are whose names would be misread; the first that matches counts. Only a catalog file has any.
  pub build_overrides: Vec<BuildOverride>,
}

/// Every app that is asked about and answered for. Never empty when it comes from one of this crate's readers.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Catalog {
  apps: BTreeMap<AppKey, CatalogApp>,
}

impl Catalog {
  /// The apps in the order of their keys.
  pub fn apps(&self) -> impl Iterator<Item = (&AppKey, &CatalogApp)> {
    self.apps.iter()
  }

  /// One app.
  pub fn get(&self, key: &AppKey) -> Option<&CatalogApp> {
    self.apps.get(key)
  }

  /// The number of apps.
  pub fn len(&self) -> usize {
    self.apps.len()
  }

  /// Whether there is no app.
  pub fn is_empty(&self) -> bool {
    self.apps.is_empty()
  }

  /// Adds an app; gives it back when its key is taken.
  pub(super) fn add(&mut self, key: AppKey, app: CatalogApp) -> Result<(), CatalogApp> {
    if self.apps.contains_key(&key) {
      return Err(app);
    }
    self.apps.insert(key, app);
    Ok(())
  }
}

/// A display name that can't be shown on one line.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("a display name is 1 to {MAX_DISPLAY_NAME_BYTES} bytes without control characters")]
pub struct InvalidDisplayName;

/// Trims a display name and checks it.
///
/// # Errors
///
/// When nothing is left, or it is over 200 bytes long, or it holds a control character.
pub fn check_display_name(text: &str) -> Result<String, InvalidDisplayName> {
  let name = text.trim();
  let fits = (1..=MAX_DISPLAY_NAME_BYTES).contains(&name.len()) && !name.chars().any(char::is_control);
  if fits {
    Ok(name.to_owned())
  } else {
    Err(InvalidDisplayName)
  }
}
