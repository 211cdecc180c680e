//! What the poller says of itself on the status board.

use super::poll::Poller;
use crate::catalog::{AppKey, CatalogApp};
use crate::clock::Clock;
use crate::github::ReleaseSource;
use crate::shared::SharedStore;
use crate::status::{AppStatus, Counters, FeedStatus, GithubStatus, PollingStatus, ServedRelease};

impl<S: ReleaseSource, C: Clock, F: SharedStore> Poller<S, C, F> {
  /// Says how it goes, where somebody looks.
  pub(super) fn report(&mut self) {
    let Some(board) = &self.board else { return };
    let cache = &self.feed.cache;
    self
      .failing
      .keep_only(|key| cache.get(key).is_some_and(|entry| entry.failure.is_some()));
    let now = self.clock.now();
    let apps = cache.catalog().apps();
    let apps = apps.map(|(key, app)| (key.clone(), self.app_status(key, app)));
    board.publish_feed(FeedStatus {
      as_of: Some(now),
      apps: apps.collect(),
      polling: PollingStatus {
        enabled: self.settings.polling_enabled,
        interval: self.interval(),
        backoff: self.feed.backoff,
        last_round: self.last_round,
      },
      github: GithubStatus {
        budget: self.source.budget(),
        used_up_until: self.source.used_up_until(),
        askers: self.source.askers(),
        is_token_refused: self.source.is_token_refused(),
      },
      fleet: self.coordination.status(now),
    });
  }

  /// Counts something, where somebody looks.
  pub(super) fn count(&self, count: impl FnOnce(&Counters)) {
    if let Some(board) = &self.board {
      count(board.counters());
    }
  }

  fn app_status(&self, key: &AppKey, app: &CatalogApp) -> AppStatus {
    let entry = self.feed.cache.get(key);
    let fetch = entry.and_then(|entry| entry.fetch.as_ref());
    let release = fetch.and_then(|fetch| fetch.release.as_deref());
    let failure = entry.and_then(|entry| entry.failure);
    AppStatus {
      repo: app.repo.to_string(),
      fetched_at: fetch.map(|fetch| fetch.at),
      release: release.map(|release| ServedRelease {
        tag: release.tag.clone(),
        version: release.version.clone(),
      }),
      failure: failure.map(|failure| self.failing.status(key, failure)),
      left_alone_until: entry.and_then(|entry| entry.wait).map(|wait| wait.until),
      checksum_conflicts: release
        .map(|release| self.source.checksum_conflicts(key, &release.tag))
        .unwrap_or_default(),
    }
  }
}
