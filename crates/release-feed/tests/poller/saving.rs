//! What reaches the disk.

use std::path::Path;
use std::sync::Arc;

use release_feed::BaseUrl;
use release_feed::release::{ReleaseRules, WebBase};
use release_feed::snapshot::{SnapshotStore, snapshot_channel};
use tokio::task::JoinHandle;

use crate::simulation::*;

#[tokio::test(start_paused = true)]
async fn what_is_known_at_a_stop_is_on_the_disk_after_it() {
  let folder = tempfile::tempdir().unwrap();
  let (running, writing) = start_saving_in(folder.path(), |_| ());
  running.pass(secs(130)).await;
  running.stop().await;
  writing.await.unwrap();
  let age_ms = START.0 + 130_000 - fetched_at(folder.path());
  assert!(
    age_ms < 40_000,
    "the confirmation of the second round is in it: {age_ms}"
  );
}

#[tokio::test(start_paused = true)]
async fn a_stop_in_the_middle_of_a_request_waits_for_nobody() {
  let folder = tempfile::tempdir().unwrap();
  let (running, writing) = start_saving_in(folder.path(), |source| source.set_latency(secs(20)));
  running.pass(secs(30)).await;
  let before = tokio::time::Instant::now();
  running.stop().await;
  writing.await.unwrap();
  assert_eq!(before.elapsed(), std::time::Duration::ZERO);
  assert_eq!(fetched_at(folder.path()), START.plus(secs(20)).0);
}

/// A poller, and the task that writes what it knows into that folder.
fn start_saving_in(folder: &Path, prepare: impl FnOnce(&Simulated)) -> (Running, JoinHandle<()>) {
  let (snapshots, writer) = snapshot_channel(SnapshotStore::new(folder));
  let plan = Plan {
    snapshots,
    ..Plan::default()
  };
  let writing = tokio::spawn(writer.run());
  (plan.start(prepare), writing)
}

/// When the snapshot says that app `a` was fetched.
fn fetched_at(folder: &Path) -> i64 {
  let snapshot = SnapshotStore::new(folder).load().unwrap().unwrap();
  let rules = ReleaseRules {
    web: WebBase::new(BaseUrl::read("https://github.com").unwrap()),
  };
  let restored = snapshot.restore(
    Arc::new(catalog(Plan::default().apps)),
    &rules,
    "anonymous",
    START.plus(HOUR),
  );
  restored
    .cache
    .get(&"a".parse().unwrap())
    .unwrap()
    .fetch
    .clone()
    .unwrap()
    .at
    .0
}
