//! Every app of the catalog, and the answer that follows.

use std::collections::BTreeMap;
use std::sync::Arc;

use feed_types::{App, ReleaseInfo, ReleaseInfoAnswer};

use super::app_entry::AppEntry;
use crate::catalog::{AppKey, Catalog};
use crate::clock::UnixMs;
use crate::schedule::Freshness;

/// An entry for each app of a catalog, and for no other.
#[derive(Clone, Debug)]
pub struct ReleaseCache {
  catalog: Arc<Catalog>,
  entries: BTreeMap<AppKey, AppEntry>,
}

impl ReleaseCache {
  /// Nothing is known yet.
  pub fn new(catalog: Arc<Catalog>) -> Self {
    let entries = catalog
      .apps()
      .map(|(key, _)| (key.clone(), AppEntry::default()))
      .collect();
    Self { catalog, entries }
  }

  /// Puts in what is known of an app; of one that isn't in the catalog nothing is kept.
  pub fn insert(&mut self, key: &AppKey, entry: AppEntry) {
    if let Some(place) = self.entries.get_mut(key) {
      *place = entry;
    }
  }

  /// The catalog.
  pub fn catalog(&self) -> &Arc<Catalog> {
    &self.catalog
  }

  /// What is known of an app.
  pub fn get(&self, key: &AppKey) -> Option<&AppEntry> {
    self.entries.get(key)
  }

  /// The same, to be changed.
  pub fn get_mut(&mut self, key: &AppKey) -> Option<&mut AppEntry> {
    self.entries.get_mut(key)
  }

  /// Every app in the order of the keys.
  pub fn entries(&self) -> impl Iterator<Item = (&AppKey, &AppEntry)> {
    self.entries.iter()
  }

  /// Whether every app has been fetched.
  pub fn is_complete(&self) -> bool {
    self.entries.values().all(|entry| entry.fetch.is_some())
  }

  /// Whom to ask about now: first the ones never fetched, then the oldest.
  pub fn due(&self, freshness: Freshness, now: UnixMs) -> Vec<AppKey> {
    let fetched = |entry: &AppEntry| entry.fetch.as_ref().map(|fetch| fetch.at);
    let mut due: Vec<_> = self
      .entries
      .iter()
      .filter(|(_, entry)| entry.is_due(freshness, now))
      .collect();
    due.sort_by_key(|(_, entry)| fetched(entry));
    due.into_iter().map(|(key, _)| key.clone()).collect()
  }

  /// Whether to ask about an app now.
  pub fn is_due(&self, key: &AppKey, freshness: Freshness, now: UnixMs) -> bool {
    self.entries.get(key).is_some_and(|entry| entry.is_due(freshness, now))
  }

  /// Moves every time by that much.
  pub fn shift_times(&mut self, milliseconds: i64) {
    self
      .entries
      .values_mut()
      .for_each(|entry| entry.shift_times(milliseconds));
  }

  /// What is said to everybody.
  pub fn answer(&self) -> ReleaseInfoAnswer {
    let apps = self.catalog.apps().map(|(key, app)| {
      let fetch = self.entries.get(key).and_then(|entry| entry.fetch.as_ref());
      let app = App {
        name: app.name.clone(),
        repo: app.repo.to_string(),
        latest_release: fetch.and_then(|fetch| fetch.release.as_deref().cloned()),
        app_last_fetched: fetch.and_then(|fetch| fetch.at.to_utc_time()),
      };
      (key.to_string(), app)
    });
    ReleaseInfoAnswer {
      success: true,
      release_info: ReleaseInfo::new(apps.collect()),
      ..ReleaseInfoAnswer::default()
    }
  }
}

#[cfg(test)]
mod tests {
  use std::time::Duration;

  use feed_types::Release;

  use super::*;
  use crate::catalog::parse_app_list;
  use crate::github::ReleaseAnswer;
  use crate::release::ValidRelease;

  const FRESHNESS: Freshness = Freshness {
    interval: Duration::from_secs(120),
    instances: 1,
  };
  const NOW: UnixMs = UnixMs(1_791_471_170_000);

  #[test]
  fn the_ones_never_fetched_come_first_then_the_oldest_then_the_key() {
    let mut cache = cache();
    fetch(&mut cache, "b", 100);
    fetch(&mut cache, "d", 300);
    fetch(&mut cache, "e", 10);
    let due: Vec<String> = cache.due(FRESHNESS, NOW).iter().map(AppKey::to_string).collect();
    assert_eq!(due, ["a", "c", "d", "b"]);
  }

  #[test]
  fn an_app_never_fetched_says_nothing_and_one_without_a_release_says_when() {
    let mut cache = cache();
    fetch(&mut cache, "b", 0);
    let answer = cache.answer();
    assert!(answer.success);
    let app = |key: &str| answer.release_info.apps[key].clone();
    assert_eq!(
      app("a"),
      App {
        name: "A".to_owned(),
        repo: "o/a".to_owned(),
        ..App::default()
      }
    );
    assert_eq!(app("b").app_last_fetched.unwrap().to_string(), "2026-10-08T14:52:50Z");
    assert_eq!(answer.release_info.last_fetched, None);
    assert!(!cache.is_complete());
  }

  #[test]
  fn last_fetched_is_the_oldest_once_every_app_was_fetched() {
    let mut cache = cache();
    for (key, age) in [("a", 1), ("b", 60), ("c", 3), ("d", 4), ("e", 5)] {
      fetch(&mut cache, key, age);
    }
    assert!(cache.is_complete());
    assert_eq!(
      cache.answer().release_info.last_fetched.unwrap().to_string(),
      "2026-10-08T14:51:50Z"
    );
  }

  #[test]
  fn nothing_is_kept_of_an_app_that_the_catalog_does_not_have() {
    let mut cache = cache();
    let key = "z".parse().unwrap();
    cache.insert(&key, AppEntry::default());
    assert_eq!(cache.get(&key), None);
  }

  fn fetch(cache: &mut ReleaseCache, key: &str, age_secs: i64) {
    let release = (key != "b").then(|| Release {
      tag: "v1".to_owned(),
      ..Release::default()
    });
    let entry = cache.get_mut(&key.parse().unwrap()).unwrap();
    let at = NOW.shifted_by_ms(-age_secs * 1_000);
    match release {
      Some(release) => entry.record_release(
        at,
        ReleaseAnswer {
          valid: ValidRelease {
            release,
            left_out: Vec::new(),
          },
          ..ReleaseAnswer::default()
        },
      ),
      None => entry.record_no_release(at),
    };
  }

  fn cache() -> ReleaseCache {
    ReleaseCache::new(Arc::new(parse_app_list("a=A=o/a,b=B=o/b,c=C=o/c,d=D=o/d,e=E=o/e").0))
  }
}
