//! The task that writes snapshots, so that a slow or full disk holds nobody up. Of several that wait only the newest is written.

use std::sync::Arc;

use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tracing::{info, warn};

use super::snapshot_data::Snapshot;
use super::snapshot_store::SnapshotStore;

/// Hands snapshots to the writer, which ends once this is dropped and the last one is written.
#[derive(Debug)]
pub struct SnapshotSender(watch::Sender<Option<Arc<Snapshot>>>);

/// Writes what the sender hands over.
#[derive(Debug)]
pub struct SnapshotWriter {
  store: SnapshotStore,
  waiting: watch::Receiver<Option<Arc<Snapshot>>>,
}

/// A writer and the way to it.
pub fn snapshot_channel(store: SnapshotStore) -> (SnapshotSender, SnapshotWriter) {
  let (sender, waiting) = watch::channel(None);
  (SnapshotSender(sender), SnapshotWriter { store, waiting })
}

impl SnapshotSender {
  /// Hands over a snapshot in place of one that still waits. Never blocks.
  pub fn send(&self, snapshot: Snapshot) {
    self.0.send_replace(Some(Arc::new(snapshot)));
  }

  /// A sender, and where the newest snapshot is found, without a disk.
  pub fn to_memory() -> (Self, watch::Receiver<Option<Arc<Snapshot>>>) {
    let (sender, receiver) = watch::channel(None);
    (Self(sender), receiver)
  }

  /// A sender that nobody listens to.
  pub fn to_nowhere() -> Self {
    Self(watch::channel(None).0)
  }
}

impl SnapshotWriter {
  /// Writes until the sender is gone and nothing waits. Trouble is said once, and once when it is over.
  pub async fn run(mut self) {
    let mut in_trouble = false;
    while self.waiting.changed().await.is_ok() {
      let Some(snapshot) = self.waiting.borrow_and_update().clone() else {
        continue;
      };
      let store = self.store.clone();
      let result = spawn_blocking(move || store.save(&snapshot)).await;
      match result.unwrap_or_else(|error| Err(std::io::Error::other(error))) {
        Ok(()) if in_trouble => {
          info!("the snapshot can be written again");
          in_trouble = false;
        }
        Ok(()) => {}
        Err(error) if !in_trouble => {
          warn!(%error, "the snapshot can't be written: after a restart the last one that could be holds");
          in_trouble = true;
        }
        Err(_) => {}
      }
    }
  }
}

#[cfg(test)]
mod tests {
  use super::*;
  use crate::cache::ReleaseCache;
  use crate::catalog::Catalog;

  #[tokio::test]
  async fn the_newest_is_written_even_if_the_sender_is_gone_by_then() {
    let folder = tempfile::tempdir().unwrap();
    let (sender, writer) = snapshot_channel(SnapshotStore::new(folder.path()));
    sender.send(snapshot("first"));
    sender.send(snapshot("second"));
    drop(sender);
    writer.run().await;
    assert_eq!(
      SnapshotStore::new(folder.path()).load().unwrap(),
      Some(snapshot("second"))
    );
  }

  #[tokio::test]
  async fn a_folder_that_is_gone_ends_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (sender, writer) = snapshot_channel(SnapshotStore::new(folder.path().join("gone")));
    sender.send(snapshot("first"));
    drop(sender);
    writer.run().await;
  }

  fn snapshot(asked_as: &str) -> Snapshot {
    Snapshot::take(
      &ReleaseCache::new(Arc::new(Catalog::craft_apps())),
      None,
      None,
      asked_as,
    )
  }
}
