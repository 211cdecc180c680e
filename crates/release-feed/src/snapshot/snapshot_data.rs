//! What a snapshot holds, and what is taken back from one.

use std::collections::BTreeMap;
use std::sync::Arc;

use feed_types::Release;
use serde::{Deserialize, Serialize};
use tracing::{info, warn};

use super::set_aside::SetAside;
use crate::cache::{AppEntry, Fetch, ReleaseCache, Wait};
use crate::catalog::{AppKey, Catalog, CatalogApp, RepoName};
use crate::clock::UnixMs;
use crate::github::Validators;
use crate::release::ReleaseFacts;
use crate::release::ReleaseRules;
use crate::schedule::{Backoff, Failure};

/// Everything that is worth keeping over a restart.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Snapshot {
  /// Who asked: validators differ between tokens, and so do limits.
  asked_as: String,
  backoff: Option<Backoff>,
  #[serde(default)]
  instances: Option<u32>,
  apps: BTreeMap<AppKey, SavedApp>,
}

#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(super) struct SavedApp {
  repo: RepoName,
  fetch: Option<SavedFetch>,
  failure: Option<Failure>,
  #[serde(default)]
  wait: Option<Wait>,
}

#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
struct SavedFetch {
  at_ms: UnixMs,
  #[serde(default)]
  validators: Validators,
  release: Option<Arc<Release>>,
  #[serde(default)]
  facts: Arc<ReleaseFacts>,
}

/// What was taken back.
#[derive(Clone, Debug)]
pub struct Restored {
  /// The entries that still hold.
  pub cache: ReleaseCache,
  /// The backoff, if it was ours.
  pub backoff: Option<Backoff>,
  /// How many instances shared what they knew when that was last known.
  pub instances: Option<u32>,
  /// What is known of apps outside the catalog.
  pub set_aside: SetAside,
}

impl Restored {
  /// Nothing is known.
  pub fn nothing(catalog: Arc<Catalog>) -> Self {
    Self {
      cache: ReleaseCache::new(catalog),
      backoff: None,
      instances: None,
      set_aside: SetAside::default(),
    }
  }
}

impl SavedApp {
  pub(super) fn fetched_at(&self) -> Option<UnixMs> {
    self.fetch.as_ref().map(|fetch| fetch.at_ms)
  }

  pub(super) fn shift_times(&mut self, milliseconds: i64) {
    if let Some(fetch) = &mut self.fetch {
      fetch.at_ms = fetch.at_ms.shifted_by_ms(milliseconds);
    }
    if let Some(failure) = &mut self.failure {
      failure.at = failure.at.shifted_by_ms(milliseconds);
    }
    if let Some(wait) = &mut self.wait {
      wait.since = wait.since.shifted_by_ms(milliseconds);
      wait.until = wait.until.shifted_by_ms(milliseconds);
    }
  }

  /// Takes away what another token earned.
  fn without_validator(mut self) -> Self {
    if let Some(fetch) = &mut self.fetch {
      fetch.validators = Validators::default();
    }
    self.wait = None;
    self
  }
}

impl Snapshot {
  /// Takes what is known now. `asked_as` tells tokens apart.
  pub fn take(cache: &ReleaseCache, backoff: Option<Backoff>, instances: Option<u32>, asked_as: &str) -> Self {
    let saved = cache.entries().filter_map(|(key, entry)| {
      let repo = cache.catalog().get(key)?.repo.clone();
      let fetch = entry.fetch.clone().map(|fetch| SavedFetch {
        at_ms: fetch.at,
        validators: fetch.validators,
        release: fetch.release,
        facts: fetch.facts,
      });
      Some((
        key.clone(),
        SavedApp {
          repo,
          fetch,
          failure: entry.failure,
          wait: entry.wait,
        },
      ))
    });
    Self {
      asked_as: asked_as.to_owned(),
      backoff,
      instances,
      apps: saved.collect(),
    }
  }

  /// When each app was fetched last, of those that were.
  pub fn fetch_times(&self) -> impl Iterator<Item = (&AppKey, UnixMs)> {
    self
      .apps
      .iter()
      .filter_map(|(key, saved)| Some((key, saved.fetched_at()?)))
  }

  /// The same with what is known of apps outside the catalog.
  #[must_use]
  pub fn with(mut self, set_aside: &SetAside) -> Self {
    for (key, saved) in set_aside.entries() {
      self.apps.entry(key.clone()).or_insert_with(|| saved.clone());
    }
    self
  }

  /// Gives back what still holds: of apps that are still in the catalog under the same repository, with times that aren't ahead of
  /// `now`, and releases that pass the rules. Validators and the backoff belong to whoever asked. Apps outside the catalog are set
  /// aside.
  pub fn restore(self, catalog: Arc<Catalog>, rules: &ReleaseRules, asked_as: &str, now: UnixMs) -> Restored {
    let same_asker = self.asked_as == asked_as;
    let mut restored = Restored {
      backoff: self.backoff.filter(|_| same_asker),
      instances: self.instances,
      ..Restored::nothing(catalog)
    };
    for (key, saved) in self.apps {
      let saved = if same_asker { saved } else { saved.without_validator() };
      let Some(app) = restored.cache.catalog().get(&key).cloned() else {
        restored.set_aside.keep(key, saved, now);
        continue;
      };
      if app.repo != saved.repo {
        info!(app = %key, repo = %app.repo, saved = %saved.repo, "the snapshot tells of another repository, so the app is asked about anew");
        continue;
      }
      let fetch = saved
        .fetch
        .and_then(|fetch| restore_fetch(fetch, &key, &app, rules, now));
      restored.cache.insert(
        &key,
        AppEntry {
          fetch,
          failure: saved.failure,
          wait: saved.wait.filter(|wait| wait.since.age_at(now).is_some()),
        },
      );
    }
    restored
  }
}

fn restore_fetch(
  saved: SavedFetch,
  key: &AppKey,
  app: &CatalogApp,
  rules: &ReleaseRules,
  now: UnixMs,
) -> Option<Fetch> {
  if saved.at_ms.age_at(now).is_none() {
    warn!(app = %key, "the snapshot's time for this app is ahead of the clock, so it is asked about anew");
    return None;
  }
  let release = match saved
    .release
    .map(|release| rules.validate(Arc::unwrap_or_clone(release), key, app))
    .transpose()
  {
    Ok(valid) => valid.map(|valid| Arc::new(valid.release)),
    Err(error) => {
      warn!(app = %key, %error, "the snapshot's release of this app can't be used, so it is asked about anew");
      return None;
    }
  };
  Some(Fetch {
    at: saved.at_ms,
    validators: saved.validators,
    release,
    facts: saved.facts,
  })
}

#[cfg(test)]
mod tests {
  use std::time::Duration;

  use feed_types::Asset;

  use super::*;
  use crate::base_url::BaseUrl;
  use crate::catalog::parse_app_list;
  use crate::github::{ETag, Identity};
  use crate::release::WebBase;

  const NOW: UnixMs = UnixMs(1_791_471_170_000);
  const APPS: &str = "a=A=o/a,b=B=o/b,c=C=o/c";

  #[test]
  fn everything_comes_back_as_it_was() {
    let (cache, backoff) = full();
    let restored = restore(
      Snapshot::take(&cache, backoff, Some(3), "anonymous"),
      APPS,
      "anonymous",
      NOW,
    );
    assert_eq!(
      restored.cache.entries().collect::<Vec<_>>(),
      cache.entries().collect::<Vec<_>>()
    );
    assert_eq!((restored.backoff, restored.instances), (backoff, Some(3)));
  }

  #[test]
  fn another_token_keeps_the_releases_but_neither_validators_nor_the_backoff() {
    let (cache, backoff) = full();
    let restored = restore(Snapshot::take(&cache, backoff, Some(3), "anonymous"), APPS, "0123", NOW);
    let fetch = entry(&restored.cache, "a").fetch.unwrap();
    assert_eq!((fetch.validators.last(), fetch.at), (None, NOW));
    assert_eq!(fetch.release, entry(&cache, "a").fetch.unwrap().release);
    assert_eq!(restored.backoff, None);
  }

  #[test]
  fn an_app_that_moved_to_another_repository_starts_anew() {
    let (cache, backoff) = full();
    let restored = restore(
      Snapshot::take(&cache, backoff, Some(3), "x"),
      "a=A=o/elsewhere,b=New name=O/B,d=D=o/d",
      "x",
      NOW,
    );
    assert_eq!(entry(&restored.cache, "a"), AppEntry::default());
    assert_eq!(entry(&restored.cache, "b"), entry(&cache, "b"));
    assert_eq!(entry(&restored.cache, "d"), AppEntry::default());
  }

  #[test]
  fn an_app_outside_the_catalog_is_found_again_by_the_catalog_that_holds_it() {
    let (cache, backoff) = full();
    let elsewhere = restore(Snapshot::take(&cache, backoff, None, "x"), "d=D=o/d", "x", NOW);
    let kept: Vec<&str> = elsewhere.set_aside.keys().map(AppKey::as_str).collect();
    assert_eq!(kept, ["a", "b"], "of c nothing was known");
    let saved = Snapshot::take(&elsewhere.cache, elsewhere.backoff, None, "x").with(&elsewhere.set_aside);
    let back = restore(saved, APPS, "x", NOW);
    assert_eq!(
      back.cache.entries().collect::<Vec<_>>(),
      cache.entries().collect::<Vec<_>>()
    );
    assert!(back.set_aside.is_empty(), "of d nothing was known");
  }

  #[test]
  fn an_app_outside_the_catalog_is_dropped_thirty_days_after_its_fetch() {
    let (cache, _) = full();
    let kept_at = |days: u64, and_ms: i64| {
      let now = NOW.plus(Duration::from_secs(days * 86_400)).shifted_by_ms(and_ms);
      let elsewhere = restore(Snapshot::take(&cache, None, None, "x"), "d=D=o/d", "x", now);
      elsewhere.set_aside.keys().len()
    };
    assert_eq!((kept_at(30, 0), kept_at(30, 1)), (2, 0));
  }

  #[test]
  fn what_is_set_aside_loses_validators_that_another_token_earned() {
    let (cache, _) = full();
    let elsewhere = restore(Snapshot::take(&cache, None, None, "x"), "d=D=o/d", "other", NOW);
    let saved = Snapshot::take(&elsewhere.cache, None, None, "other").with(&elsewhere.set_aside);
    let fetch = entry(&restore(saved, APPS, "other", NOW).cache, "a").fetch.unwrap();
    assert_eq!((fetch.validators.last(), fetch.at), (None, NOW));
  }

  #[test]
  fn times_more_than_a_minute_ahead_count_as_absent() {
    let (cache, backoff) = full();
    let before = |seconds: i64| NOW.shifted_by_ms(-seconds * 1_000);
    let restored = restore(Snapshot::take(&cache, backoff, Some(3), "x"), APPS, "x", before(60));
    assert!(entry(&restored.cache, "a").fetch.is_some());
    let restored = restore(Snapshot::take(&cache, backoff, Some(3), "x"), APPS, "x", before(61));
    assert_eq!(entry(&restored.cache, "a").fetch, None);
  }

  #[test]
  fn a_release_that_was_tampered_with_passes_the_same_gate_as_githubs() {
    let (mut cache, _) = full();
    let evil = Asset {
      name: "x.zip".to_owned(),
      download_url: "https://evil.example/x.zip".to_owned(),
      ..Asset::default()
    };
    let tampered = Release {
      assets: vec![evil],
      ..release("v1")
    };
    cache.insert(&"a".parse().unwrap(), fetched(Some(tampered)));
    cache.insert(&"b".parse().unwrap(), fetched(Some(release(&"9".repeat(65)))));
    let restored = restore(Snapshot::take(&cache, None, None, "x"), APPS, "x", NOW);
    assert_eq!(entry(&restored.cache, "a").fetch.unwrap().release.unwrap().assets, []);
    assert_eq!(entry(&restored.cache, "b").fetch, None);
  }

  fn full() -> (ReleaseCache, Option<Backoff>) {
    let mut cache = ReleaseCache::new(Arc::new(parse_app_list(APPS).0));
    cache.insert(&"a".parse().unwrap(), fetched(Some(release("v1"))));
    cache.insert(
      &"b".parse().unwrap(),
      AppEntry {
        failure: Some(Failure { at: NOW, count: 3 }),
        ..fetched(None)
      },
    );
    (
      cache,
      Some(Backoff {
        until: NOW.plus(Duration::from_secs(60)),
        trouble: 2,
      }),
    )
  }

  fn fetched(release: Option<Release>) -> AppEntry {
    let fetch = Fetch {
      at: NOW,
      validators: Validators::of(&Identity::anonymous(), ETag::new("\"a\"")),
      release: release.map(Arc::new),
      facts: Arc::default(),
    };
    AppEntry {
      fetch: Some(fetch),
      failure: None,
      wait: None,
    }
  }

  fn release(tag: &str) -> Release {
    let raw = Release {
      tag: tag.to_owned(),
      ..Release::default()
    };
    let app = parse_app_list("a=A=o/a").0;
    let key = "a".parse().unwrap();
    rules()
      .validate(raw.clone(), &key, app.get(&key).unwrap())
      .map_or(raw, |valid| valid.release)
  }

  fn restore(snapshot: Snapshot, apps: &str, asked_as: &str, now: UnixMs) -> Restored {
    snapshot.restore(Arc::new(parse_app_list(apps).0), &rules(), asked_as, now)
  }

  fn entry(cache: &ReleaseCache, key: &str) -> AppEntry {
    cache.get(&key.parse().unwrap()).unwrap().clone()
  }

  fn rules() -> ReleaseRules {
    ReleaseRules {
      web: WebBase::new(BaseUrl::read("https://github.com").unwrap()),
    }
  }
}
