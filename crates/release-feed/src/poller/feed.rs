//! What is known, and everybody who is told when it changes: the published answer and the snapshot.

use std::time::Duration;

use tokio::time::Instant;

use crate::answer::FeedPublisher;
use crate::cache::{Change, ReleaseCache};
use crate::schedule::Backoff;
use crate::snapshot::{Restored, SetAside, Snapshot, SnapshotSender};

/// How often an answer is published anew in which nothing but fetch times moved. An older time in it stays true.
const TIMES_PUBLISHED_EVERY: Duration = Duration::from_secs(60);
/// How often a snapshot is written in which nothing but fetch times moved.
const TIMES_SAVED_EVERY: Duration = Duration::from_secs(600);

/// What a feed is made of.
#[derive(Debug)]
pub struct FeedParts {
  /// What is known at the start.
  pub restored: Restored,
  /// Tells tokens apart.
  pub asked_as: String,
  /// Where answers go.
  pub publisher: FeedPublisher,
  /// Where snapshots go.
  pub snapshots: SnapshotSender,
}

/// What is known, published and saved.
#[derive(Debug)]
pub struct Feed {
  pub(super) cache: ReleaseCache,
  pub(super) backoff: Option<Backoff>,
  /// How many instances there are, or were when that was last known.
  pub(super) instances: Option<u32>,
  set_aside: SetAside,
  asked_as: String,
  publisher: FeedPublisher,
  /// When that was; none while it is still what was known at the start, whose times may be old.
  published: Option<Instant>,
  published_is_old: bool,
  snapshots: SnapshotSender,
  saved: Instant,
  saved_is_old: bool,
}

impl Feed {
  /// What is known at the start is published already.
  pub fn new(parts: FeedParts) -> Self {
    let FeedParts {
      restored: Restored {
        cache,
        backoff,
        instances,
        set_aside,
      },
      asked_as,
      publisher,
      snapshots,
    } = parts;
    Self {
      cache,
      backoff,
      instances,
      set_aside,
      asked_as,
      publisher,
      published: None,
      published_is_old: false,
      snapshots,
      saved: Instant::now(),
      saved_is_old: false,
    }
  }

  /// Something was recorded in the cache.
  pub(super) fn changed(&mut self, change: Change) {
    self.published_is_old = true;
    self.saved_is_old = true;
    if change == Change::Content {
      self.publish();
      self.save();
    }
  }

  /// Replaces the backoff, and saves it: a restart must not be a way around it.
  pub(super) fn set_backoff(&mut self, backoff: Option<Backoff>) {
    if self.backoff != backoff {
      self.backoff = backoff;
      self.save();
    }
  }

  /// Replaces the number of instances, and saves it with the next snapshot.
  pub(super) fn set_instances(&mut self, instances: Option<u32>) {
    if self.instances != instances {
      self.instances = instances;
      self.saved_is_old = true;
    }
  }

  /// Publishes and saves times that moved, where it is time for that.
  pub(super) fn refresh(&mut self) {
    let is_time = self.published.is_none_or(|at| at.elapsed() >= TIMES_PUBLISHED_EVERY);
    if self.published_is_old && is_time {
      self.publish();
    }
    if self.saved_is_old && self.saved.elapsed() >= TIMES_SAVED_EVERY {
      self.save();
    }
  }

  /// Waits until what was published can be read.
  pub(super) async fn settled(&mut self) {
    self.publisher.settled().await;
  }

  /// Saves what has not been saved: the last thing before a stop.
  pub(super) fn finish(&mut self) {
    if self.saved_is_old {
      self.save();
    }
  }

  /// Moves every time by that much, the wall clock having been set back.
  pub(super) fn shift_times(&mut self, milliseconds: i64) {
    self.cache.shift_times(milliseconds);
    self.set_aside.shift_times(milliseconds);
    if let Some(backoff) = &mut self.backoff {
      backoff.until = backoff.until.shifted_by_ms(milliseconds);
    }
    self.publish();
    self.save();
  }

  fn publish(&mut self) {
    self.publisher.send(self.cache.answer());
    self.published = Some(Instant::now());
    self.published_is_old = false;
  }

  fn save(&mut self) {
    let snapshot = Snapshot::take(&self.cache, self.backoff, self.instances, &self.asked_as).with(&self.set_aside);
    self.snapshots.send(snapshot);
    self.saved = Instant::now();
    self.saved_is_old = false;
  }
}
