//! The state folder, and what is in it.

use std::fs;

use crate::stage::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_file_in_the_folders_place_is_wrong() {
  let stage = Stage::set().await;
  let place = stage.state.path().join("file");
  fs::write(&place, "mine").unwrap();
  for path in [place.clone(), place.join("state")] {
    let visit = visit(stage.doctor().args(["--state-dir".as_ref(), path.as_os_str()]));
    let found = visit.of("state_folder");
    assert_eq!(found[0].verdict, "wrong", "{found:?}");
    assert!(found[0].advice.contains("--state-dir"), "{found:?}");
    visit.expect_wrong(&["state_folder"]);
  }
  assert_eq!(fs::read_to_string(place).unwrap(), "mine");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_not_there_is_not_made() {
  let stage = Stage::set().await;
  let path = stage.state.path().join("a/b");
  let visit = visit(stage.doctor().args(["--state-dir".as_ref(), path.as_os_str()]));
  visit.expect("state_folder", "ok", &["isn't there yet"]);
  assert_eq!(fs::read_dir(stage.state.path()).unwrap().count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_snapshot_is_told_of_and_stays_where_it_is() {
  let stage = Stage::set().await;
  let path = stage.state.path().join("snapshot");
  fs::write(&path, "launchfeed-snapshot 1 \u{1b}[31m\n{}").unwrap();
  let visit = visit(stage.doctor());
  visit.expect("snapshot", "warning", &["checksum doesn't match"]);
  assert!(path.exists() && !stage.state.path().join("snapshot.bad").exists());
  fs::rename(&path, stage.state.path().join("snapshot.bad")).unwrap();
  let found = self::visit(stage.doctor()).of("snapshot");
  assert_eq!(
    (found.len(), found[0].verdict.as_str(), found[1].verdict.as_str()),
    (2, "ok", "warning")
  );
  assert!(found[1].what.contains("snapshot.bad"), "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_in_the_snapshots_place_is_told_of() {
  let stage = Stage::set().await;
  fs::create_dir(stage.state.path().join("snapshot")).unwrap();
  visit(stage.doctor()).expect("snapshot", "warning", &["it is no file"]);
}
