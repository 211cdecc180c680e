//! Where the current status is found.

use std::sync::Arc;

use arc_swap::ArcSwap;

use super::counters::Counters;
use super::feed_status::{FeedStatus, SnapshotStatus};

/// The current status and the counts. Clones share them; neither side ever waits for the other.
#[derive(Clone, Debug, Default)]
pub struct StatusBoard(Arc<Parts>);

#[derive(Debug, Default)]
struct Parts {
  feed: ArcSwap<FeedStatus>,
  snapshot: ArcSwap<SnapshotStatus>,
  counters: Arc<Counters>,
}

impl StatusBoard {
  /// What the poller said last; nothing but defaults before it has said anything.
  pub fn feed(&self) -> Arc<FeedStatus> {
    self.0.feed.load_full()
  }

  /// What is known of the snapshot.
  pub fn snapshot(&self) -> Arc<SnapshotStatus> {
    self.0.snapshot.load_full()
  }

  /// The counts.
  pub fn counters(&self) -> &Arc<Counters> {
    &self.0.counters
  }

  /// Replaces what the poller said.
  pub fn publish_feed(&self, status: FeedStatus) {
    self.0.feed.store(Arc::new(status));
  }

  /// Replaces what is known of the snapshot.
  pub fn publish_snapshot(&self, status: SnapshotStatus) {
    self.0.snapshot.store(Arc::new(status));
  }
}
