//! The poller's dealings with the fleet: taking over what others found out, giving back what they miss, and asking whose turn it is.

use std::collections::BTreeSet;
use std::time::Duration;

use tokio::sync::mpsc;
use tracing::{debug, info};

use super::feed::Feed;
use crate::cache::{Change, Wait};
use crate::catalog::AppKey;
use crate::clock::{Clock, UnixMs};
use crate::github::{BudgetLeft, ETag, Identity};
use crate::schedule::{Backoff, Failure, Freshness};
use crate::shared::{Claim, Fleet, Seen, SharedEntry, SharedStore, Urgency};
use crate::status::{FleetStatus, Mode};

/// Ours counts as newer than what is shared from there on; less than that, clocks were compared a little differently.
const NEWER_FROM_MS: i64 = 1_000;

/// A fleet, and what its other instances announce. Nothing at all in an instance that shares nothing.
#[derive(Debug)]
pub(super) struct Coordination<F> {
  joined: Option<Joined<F>>,
}

#[derive(Debug)]
struct Joined<F> {
  fleet: Fleet<F>,
  /// Keys of apps that changed.
  changes: mpsc::Receiver<String>,
  /// A call failed, so that nothing is asked of the store until the next look.
  alone_until_next_look: bool,
}

/// Whether to ask GitHub about an app.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Turn {
  /// It was claimed.
  Ours,
  /// Nobody can be asked.
  Alone,
  /// Another instance asks.
  Lost,
  /// Another instance has asked.
  NotDue,
  /// Somebody was told to leave GitHub alone.
  Over,
}

impl<F: SharedStore> Coordination<F> {
  pub(super) fn none() -> Self {
    Self { joined: None }
  }

  pub(super) fn with(fleet: Fleet<F>, changes: mpsc::Receiver<String>) -> Self {
    Self {
      joined: Some(Joined {
        fleet,
        changes,
        alone_until_next_look: false,
      }),
    }
  }

  /// Whether there is a fleet, and it can't be reached.
  pub(super) fn is_cut_off(&self) -> bool {
    self
      .joined
      .as_ref()
      .is_some_and(|joined| joined.alone_until_next_look || joined.fleet.is_alone())
  }

  /// How rounds are called in the log.
  pub(super) fn mode(&self) -> &'static str {
    if self.joined.is_some() && !self.is_cut_off() {
      "coordinated"
    } else {
      "standalone"
    }
  }

  /// How many instances there are, or were when that was last known.
  pub(super) fn instances(&self) -> Option<u32> {
    self.joined.as_ref()?.fleet.instances()
  }

  /// This instance among others, for whoever looks.
  pub(super) fn status(&self, now: UnixMs) -> FleetStatus {
    let Some(Joined { fleet, .. }) = &self.joined else {
      return FleetStatus::default();
    };
    FleetStatus {
      mode: if self.is_cut_off() {
        Mode::Standalone
      } else {
        Mode::Coordinated
      },
      instances: fleet.instances(),
      redis: fleet.store_status(now),
    }
  }

  /// Waits for announcements and takes all that are there; for ever where there are none.
  pub(super) async fn announced(&mut self) -> BTreeSet<String> {
    let Some(Joined { changes, .. }) = &mut self.joined else {
      return std::future::pending().await;
    };
    let Some(first) = changes.recv().await else {
      return std::future::pending().await;
    };
    let mut keys = BTreeSet::from([first]);
    while let Ok(key) = changes.try_recv() {
      keys.insert(key);
    }
    keys
  }

  /// Reads everything, takes over what is newer, and gives back what is older than ours or missing. Also says what GitHub left to tokens of
  /// ours, as others were told.
  pub(super) async fn look(
    &mut self,
    feed: &mut Feed,
    clock: &impl Clock,
    max_backoff: Duration,
  ) -> Vec<(Identity, BudgetLeft)> {
    let Some(Joined {
      fleet,
      alone_until_next_look,
      ..
    }) = &mut self.joined
    else {
      return Vec::new();
    };
    let seen = fleet.look().await;
    *alone_until_next_look = seen.is_none();
    feed.set_instances(fleet.instances());
    let Some(Seen {
      entries,
      backoff,
      budgets,
    }) = seen
    else {
      return Vec::new();
    };
    let mut missed = Vec::new();
    for (key, entry) in entries {
      if !has_as_new(feed, &key, &entry) {
        missed.push(key.clone());
      }
      adopt(feed, &key, entry);
    }
    for key in missed {
      if let Some(fetch) = feed.cache.get(&key).and_then(|entry| entry.fetch.clone()) {
        fleet.share_fetch(&key, &fetch).await;
        if fleet.is_alone() {
          // The others would fail too, each in its time.
          break;
        }
      }
    }
    let is_expired = feed
      .backoff
      .is_some_and(|ours| !ours.lasts_at(clock.now(), max_backoff));
    if backoff.is_none() && is_expired && fleet.is_alone() {
      // Ours was never taken: the count of troubles is ours to keep.
      return budgets;
    }
    if let Some(ours) = adopt_backoff(feed, backoff, clock.now(), max_backoff) {
      fleet.share_backoff(ours).await;
    }
    budgets
  }

  /// Shares what GitHub leaves to tokens.
  pub(super) async fn share_budgets(&mut self, budgets: &[(Identity, BudgetLeft)]) {
    let Some(fleet) = self.reachable() else { return };
    fleet.share_budgets(budgets).await;
    self.note_errors();
  }

  /// Takes over what was announced.
  pub(super) async fn heed(&mut self, keys: BTreeSet<String>, feed: &mut Feed) {
    let Some(joined) = &mut self.joined else { return };
    let keys = keys.iter().filter_map(|key| key.parse::<AppKey>().ok());
    let keys: Vec<AppKey> = keys.filter(|key| feed.cache.get(key).is_some()).collect();
    if keys.is_empty() || joined.alone_until_next_look {
      return;
    }
    let Some(seen) = joined.fleet.look_at(&keys).await else {
      joined.alone_until_next_look = true;
      return;
    };
    for (key, entry) in seen.entries {
      adopt(feed, &key, entry);
    }
  }

  /// Reads an app again right before it is asked about, and claims it.
  pub(super) async fn turn(
    &mut self,
    key: &AppKey,
    feed: &mut Feed,
    clock: &impl Clock,
    freshness: Freshness,
    max_backoff: Duration,
  ) -> Turn {
    let Some(joined) = &mut self.joined else {
      return Turn::Alone;
    };
    if joined.alone_until_next_look {
      return Turn::Alone;
    }
    let Some(Seen { entries, backoff, .. }) = joined.fleet.look_at(std::slice::from_ref(key)).await else {
      joined.alone_until_next_look = true;
      return Turn::Alone;
    };
    for (key, entry) in entries {
      adopt(feed, &key, entry);
    }
    let now = clock.now();
    if backoff.is_some_and(|backoff| backoff.lasts_at(now, max_backoff)) {
      adopt_backoff(feed, backoff, now, max_backoff);
      return Turn::Over;
    }
    if !feed.cache.is_due(key, freshness, now) {
      return Turn::NotDue;
    }
    match joined.fleet.claim(key, Urgency::Usual).await {
      Claim::Won => Turn::Ours,
      Claim::Lost => {
        debug!(app = %key, "another instance asks");
        Turn::Lost
      }
      Claim::Alone => {
        joined.alone_until_next_look = true;
        Turn::Alone
      }
    }
  }

  /// Shares a release that was fetched, and announces it if it is another one than before.
  pub(super) async fn share_fetch(&mut self, key: &AppKey, feed: &Feed, change: Change) {
    let Some(fleet) = self.reachable() else { return };
    let Some(fetch) = feed.cache.get(key).and_then(|entry| entry.fetch.as_ref()) else {
      return;
    };
    if fleet.share_fetch(key, fetch).await && change == Change::Content {
      fleet.announce(key).await;
    }
    self.note_errors();
  }

  /// Shares that a release was confirmed.
  pub(super) async fn share_confirmation(&mut self, key: &AppKey, at: UnixMs, etag: Option<&ETag>) {
    let Some(fleet) = self.reachable() else { return };
    fleet.share_confirmation(key, at, etag).await;
    self.note_errors();
  }

  /// Shares a failure.
  pub(super) async fn share_failure(&mut self, key: &AppKey, failure: Failure, wait: Option<Wait>) {
    let Some(fleet) = self.reachable() else { return };
    fleet.share_failure(key, failure, wait).await;
    self.note_errors();
  }

  /// Shares that an app is left alone.
  pub(super) async fn share_wait(&mut self, key: &AppKey, wait: Wait) {
    let Some(fleet) = self.reachable() else { return };
    fleet.share_wait(key, wait).await;
    self.note_errors();
  }

  /// Shares how long nobody asks, or that everybody may.
  pub(super) async fn share_backoff(&mut self, backoff: Option<Backoff>) {
    let Some(fleet) = self.reachable() else { return };
    match backoff {
      Some(backoff) => fleet.share_backoff(backoff).await,
      None => fleet.clear_backoff().await,
    }
    self.note_errors();
  }

  fn reachable(&mut self) -> Option<&mut Fleet<F>> {
    let joined = self.joined.as_mut()?;
    (!joined.alone_until_next_look).then_some(&mut joined.fleet)
  }

  fn note_errors(&mut self) {
    if let Some(joined) = &mut self.joined {
      joined.alone_until_next_look |= joined.fleet.is_alone();
    }
  }
}

/// Whether what is shared is about as new as what we have.
fn has_as_new(feed: &Feed, key: &AppKey, shared: &SharedEntry) -> bool {
  let ours = feed.cache.get(key).and_then(|entry| entry.fetch.as_ref());
  match (ours, &shared.fetch) {
    (None, _) => true,
    (Some(_), None) => false,
    (Some(ours), Some(shared)) => shared.at.shifted_by_ms(NEWER_FROM_MS) > ours.at,
  }
}

fn adopt(feed: &mut Feed, key: &AppKey, shared: SharedEntry) {
  let Some(entry) = feed.cache.get_mut(key) else { return };
  let SharedEntry { fetch, failure, wait } = shared;
  if let Some(wait) = wait {
    entry.adopt_wait(wait);
  }
  let tag = fetch
    .as_ref()
    .and_then(|fetch| fetch.release.as_deref().map(|release| release.tag.clone()));
  let Some(change) = entry.adopt(fetch, failure) else {
    return;
  };
  if change == Change::Content {
    info!(app = %key, tag = tag.as_deref().unwrap_or("none"), "another instance found the latest release");
  }
  feed.changed(change);
}

/// The longer one holds. Gives back ours where that is it, and the fleet should know.
fn adopt_backoff(feed: &mut Feed, shared: Option<Backoff>, now: UnixMs, max_backoff: Duration) -> Option<Backoff> {
  let ours = feed.backoff.filter(|ours| ours.lasts_at(now, max_backoff));
  match (ours, shared) {
    (Some(ours), Some(shared)) if ours.until.shifted_by_ms(-NEWER_FROM_MS) > shared.until => Some(ours),
    (Some(ours), None) => Some(ours),
    (_, shared) => {
      feed.set_backoff(shared);
      None
    }
  }
}
