//! What a snapshot tells of apps that the catalog doesn't hold: kept, so that going back to another catalog finds it, and not served.

use std::collections::BTreeMap;
use std::time::Duration;

use super::snapshot_data::SavedApp;
use crate::catalog::AppKey;
use crate::clock::UnixMs;

/// How long after its last fetch an app outside the catalog is kept.
const KEPT_FOR: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Entries of apps outside the catalog. They are written into every snapshot again.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct SetAside(BTreeMap<AppKey, SavedApp>);

impl SetAside {
  /// The apps, in the order of their keys.
  pub fn keys(&self) -> impl ExactSizeIterator<Item = &AppKey> {
    self.0.keys()
  }

  /// Whether there is none.
  pub fn is_empty(&self) -> bool {
    self.0.is_empty()
  }

  /// Moves every time by that much.
  pub fn shift_times(&mut self, milliseconds: i64) {
    self.0.values_mut().for_each(|saved| saved.shift_times(milliseconds));
  }

  /// Keeps an entry that tells of an answer which isn't too old.
  pub(super) fn keep(&mut self, key: AppKey, saved: SavedApp, now: UnixMs) {
    let age = saved.fetched_at().and_then(|at| at.age_at(now));
    if age.is_some_and(|age| age <= KEPT_FOR) {
      self.0.insert(key, saved);
    }
  }

  pub(super) fn entries(&self) -> impl Iterator<Item = (&AppKey, &SavedApp)> {
    self.0.iter()
  }
}
