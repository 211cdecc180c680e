//! The task that writes snapshots, so that a slow or full disk holds nobody up. Of several that wait only the newest is written.

use std::io;
use std::sync::Arc;

use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tracing::{Instrument, field, info, info_span, warn};

use super::snapshot_data::Snapshot;
use super::snapshot_store::SnapshotStore;
use crate::clock::Clock;
use crate::status::{SnapshotStatus, StatusBoard, Trouble};

/// Hands snapshots to the writer, which ends once this is dropped and the last one is written.
#[derive(Debug)]
pub struct SnapshotSender(watch::Sender<Option<Arc<Snapshot>>>);

/// Writes what the sender hands over.
#[derive(Debug)]
pub struct SnapshotWriter {
  store: SnapshotStore,
  waiting: watch::Receiver<Option<Arc<Snapshot>>>,
  reports: Option<Reports>,
}

#[derive(Debug)]
struct Reports {
  board: StatusBoard,
  clock: Arc<dyn Clock>,
}

/// A writer and the way to it.
pub fn snapshot_channel(store: SnapshotStore) -> (SnapshotSender, SnapshotWriter) {
  let (sender, waiting) = watch::channel(None);
  let writer = SnapshotWriter {
    store,
    waiting,
    reports: None,
  };
  (SnapshotSender(sender), writer)
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
  /// The same, which says on the board how it goes. What an earlier process wrote counts.
  #[must_use]
  pub fn reporting_to(self, board: StatusBoard, clock: Arc<dyn Clock>) -> Self {
    board.publish_snapshot(SnapshotStatus {
      saved_at: self.store.saved_at(),
      trouble: None,
    });
    Self {
      reports: Some(Reports { board, clock }),
      ..self
    }
  }

  /// Writes until the sender is gone and nothing waits. Trouble is said once, and once when it is over.
  pub async fn run(mut self) {
    let mut in_trouble = false;
    while self.waiting.changed().await.is_ok() {
      let Some(snapshot) = self.waiting.borrow_and_update().clone() else {
        continue;
      };
      let result = self.write(snapshot).await;
      if let Some(reports) = &self.reports {
        reports.say(result.as_ref().err());
      }
      match result {
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

  async fn write(&self, snapshot: Arc<Snapshot>) -> io::Result<()> {
    let span = info_span!("write snapshot", failed = field::Empty, otel.status_code = field::Empty);
    let store = self.store.clone();
    let written = spawn_blocking(move || store.save(&snapshot))
      .instrument(span.clone())
      .await;
    let written = written.map_err(io::Error::other).flatten();
    span.record("failed", written.is_err());
    if written.is_err() {
      span.record("otel.status_code", "error");
    }
    written
  }
}

impl Reports {
  fn say(&self, error: Option<&std::io::Error>) {
    let (now, before) = (self.clock.now(), self.board.snapshot());
    self.board.publish_snapshot(match error {
      None => SnapshotStatus {
        saved_at: Some(now),
        trouble: None,
      },
      Some(error) => SnapshotStatus {
        saved_at: before.saved_at,
        trouble: Some(Trouble {
          since: before.trouble.as_ref().map_or(now, |trouble| trouble.since),
          error: error.to_string(),
        }),
      },
    });
  }
}

#[cfg(test)]
mod tests {
  use std::time::Duration;

  use super::*;
  use crate::cache::ReleaseCache;
  use crate::catalog::Catalog;
  use crate::clock::{SystemClock, UnixMs, VirtualClock};

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

  #[tokio::test]
  async fn the_board_says_when_it_was_written_and_since_when_it_can_not_be() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    let (board, clock) = (
      StatusBoard::default(),
      Arc::new(VirtualClock::starting_at(UnixMs(1_000))),
    );
    let write = async |text| {
      let (sender, writer) = snapshot_channel(SnapshotStore::new(&inner));
      sender.send(snapshot(text));
      drop(sender);
      let mut writer = writer;
      writer.reports = Some(Reports {
        board: board.clone(),
        clock: clock.clone(),
      });
      writer.run().await;
    };
    write("first").await;
    let saved_at = board.snapshot().saved_at.unwrap();
    assert!(saved_at >= UnixMs(1_000));
    std::fs::remove_dir_all(&inner).unwrap();
    clock.set_by_ms(60_000);
    write("second").await;
    let since = board.snapshot().trouble.clone().unwrap().since;
    clock.set_by_ms(60_000);
    write("third").await;
    assert_eq!(board.snapshot().saved_at, Some(saved_at));
    assert_eq!(board.snapshot().trouble.clone().unwrap().since, since);
    std::fs::create_dir(&inner).unwrap();
    write("fourth").await;
    assert_eq!(board.snapshot().trouble, None);
    assert!(board.snapshot().saved_at.unwrap() > since);
  }

  #[test]
  fn what_an_earlier_process_wrote_counts() {
    let folder = tempfile::tempdir().unwrap();
    let store = SnapshotStore::new(folder.path());
    let report = |store| {
      let board = StatusBoard::default();
      let (_, writer) = snapshot_channel(store);
      drop(writer.reporting_to(board.clone(), Arc::new(SystemClock)));
      board.snapshot().saved_at
    };
    assert_eq!(report(store.clone()), None);
    store.save(&snapshot("first")).unwrap();
    let age = report(store).unwrap().age_at(SystemClock.now()).unwrap();
    assert!(age < Duration::from_secs(60), "{age:?}");
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
