//! The folder of what outlives the process, who has it, and the snapshot in it. Nothing that is there is changed, and nothing is left
//! behind: a folder made by the wrong user would be in the way of the right one.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use release_feed::catalog::Catalog;
use release_feed::snapshot::{Snapshot, SnapshotStore};
use release_feed::{Clock, SystemClock, UnixMs};
use rustix::fs::statvfs;
use tempfile::{Builder, NamedTempFile};
use tokio::task::spawn_blocking;

use super::finding::Finding;
use super::words::{counted, length};
use crate::config::{CATALOG, Examined, STATE_DIR};
use crate::state_folder::held_by;

pub(super) const NAME: &str = "state_folder";
const INSTANCE: &str = "instance";
const SNAPSHOT: &str = "snapshot";
const PREFIX: &str = ".doctor-";
/// A snapshot of a family takes some hundred KB, twice while it is replaced; a disk with less than this is soon full.
const MIN_FREE_BYTES: u64 = 100_000_000;
const BYTES_PER_MB: u64 = 1_000_000;

pub(super) async fn check(examined: &Examined) -> Vec<Finding> {
  let folder = examined.settings.state_dir.clone();
  let catalog = (!examined.is_unusable(CATALOG)).then(|| examined.settings.source.catalog.clone());
  // The file system may be one that hangs.
  let looked = spawn_blocking(move || look(&folder, catalog.as_ref())).await;
  looked.unwrap_or_else(|error| {
    vec![Finding::wrong(
      NAME,
      error,
      "report this: it is a mistake in launchfeed",
    )]
  })
}

fn look(folder: &Path, catalog: Option<&Catalog>) -> Vec<Finding> {
  let shown = folder.display();
  match fs::metadata(folder) {
    Ok(metadata) if metadata.is_dir() => {}
    Ok(_) => {
      let advice = format!("remove it, or choose a folder with {STATE_DIR}");
      return vec![Finding::wrong(NAME, format_args!("{shown} is no folder"), advice)];
    }
    Err(error) if error.kind() == io::ErrorKind::NotFound => return vec![look_above(folder)],
    Err(error) => {
      let what = format!("{shown} can't be looked at ({error})");
      return vec![Finding::wrong(NAME, what, permissions())];
    }
  }
  let mut findings = vec![look_inside(folder)];
  findings.push(instance(held_by(folder)));
  findings.extend(snapshot(&SnapshotStore::new(folder), catalog, SystemClock.now()));
  findings
}

/// A folder that isn't there: whether it could be made.
fn look_above(folder: &Path) -> Finding {
  let shown = folder.display();
  let above = folder.ancestors().skip(1).map(|path| {
    // The parent of a relative path without one.
    if path.as_os_str().is_empty() {
      PathBuf::from(".")
    } else {
      path.to_owned()
    }
  });
  let made = match above.into_iter().find(|path| path.exists()) {
    Some(parent) => Builder::new().prefix(PREFIX).tempdir_in(parent).map(drop),
    None => Err(io::ErrorKind::NotFound.into()),
  };
  match made {
    Ok(()) => Finding::ok(NAME, format_args!("{shown} isn't there yet; a start makes it")),
    Err(error) => Finding::wrong(NAME, format_args!("{shown} can't be made ({error})"), permissions()),
  }
}

fn look_inside(folder: &Path) -> Finding {
  let shown = folder.display();
  if let Err(error) = write_and_remove(folder) {
    let advice = if error.kind() == io::ErrorKind::StorageFull {
      "make room on the disk".to_owned()
    } else {
      permissions()
    };
    return Finding::wrong(NAME, format_args!("{shown} can't be written to ({error})"), advice);
  }
  let free = statvfs(folder).map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize));
  room(&shown, free.ok())
}

fn write_and_remove(folder: &Path) -> io::Result<()> {
  let mut file = NamedTempFile::with_prefix_in(PREFIX, folder)?;
  file.write_all(b"launchfeed doctor\n")?;
  file.as_file().sync_all()?;
  file.close()
}

fn room(shown: &dyn std::fmt::Display, free_bytes: Option<u64>) -> Finding {
  match free_bytes {
    Some(free) if free < MIN_FREE_BYTES => Finding::warning(
      NAME,
      format_args!("{shown} can be written to, and has {} MB left", free / BYTES_PER_MB),
      "make room on the disk: on a full one the last good answer is kept in memory alone",
    ),
    Some(free) => Finding::ok(
      NAME,
      format_args!("{shown} can be written to; {} MB free", free / BYTES_PER_MB),
    ),
    None => Finding::ok(NAME, format_args!("{shown} can be written to")),
  }
}

fn permissions() -> String {
  format!("run doctor as the server's user, mend the permissions, or choose another folder with {STATE_DIR}")
}

fn instance(held: io::Result<Option<String>>) -> Finding {
  match held {
    Ok(Some(holder)) => Finding::ok(INSTANCE, format_args!("running: {holder}")),
    Ok(None) => Finding::ok(INSTANCE, "none is running with this folder"),
    Err(error) => Finding::wrong(
      INSTANCE,
      format_args!("the folder's lock can't be looked at ({error})"),
      "run doctor as the server's user, or choose a folder on a local disk",
    ),
  }
}

fn snapshot(store: &SnapshotStore, catalog: Option<&Catalog>, now: UnixMs) -> Vec<Finding> {
  let mut findings = vec![match store.peek() {
    Ok(None) => Finding::ok(SNAPSHOT, "none yet: the first answer from GitHub makes it"),
    Ok(Some(snapshot)) => judge(&snapshot, catalog, now),
    Err(error) => Finding::warning(
      SNAPSHOT,
      error,
      "nothing, if GitHub can be reached: a start goes without it and makes a new one",
    ),
  }];
  let bad = store.bad_file();
  if bad.exists() {
    findings.push(Finding::warning(
      SNAPSHOT,
      format_args!("one that could not be read was kept as {}", bad.display()),
      "look whether the disk is sound, then remove the file",
    ));
  }
  findings
}

fn judge(snapshot: &Snapshot, catalog: Option<&Catalog>, now: UnixMs) -> Finding {
  if snapshot.fetch_times().next().is_none() {
    return Finding::ok(SNAPSHOT, "no answer of GitHub's is in it yet");
  }
  let is_ours = |key| catalog.is_none_or(|catalog| catalog.get(key).is_some());
  let times: Vec<UnixMs> = snapshot
    .fetch_times()
    .filter(|(key, _)| is_ours(key))
    .map(|(_, at)| at)
    .collect();
  let apps = counted(times.len(), "app");
  let (Some(oldest), Some(newest)) = (times.iter().min(), times.iter().max()) else {
    return Finding::warning(
      SNAPSHOT,
      "it holds no answer for this catalog's apps",
      "check --catalog and --apps, if it should; else nothing: GitHub's answers come into it",
    );
  };
  let Some(newest_age) = newest.age_at(now) else {
    return Finding::warning(
      SNAPSHOT,
      format_args!("it holds times that are ahead of this machine's clock, of {apps}"),
      "set the clock by NTP: what lies ahead of it isn't believed",
    );
  };
  let ages = [newest_age, oldest.age_at(now).unwrap_or(newest_age)].map(length);
  let between = if ages[0] == ages[1] {
    ages[0].clone()
  } else {
    ages.join(" to ")
  };
  Finding::ok(SNAPSHOT, format_args!("{apps}, fetched {between} ago"))
}

#[cfg(test)]
mod tests {
  use super::super::finding::Verdict;
  use super::*;

  #[test]
  fn a_disk_with_little_room_is_warned_of() {
    assert_eq!(room(&"x", Some(MIN_FREE_BYTES)).verdict, Verdict::Ok);
    let full = room(&"x", Some(MIN_FREE_BYTES - 1));
    assert_eq!((full.verdict, full.what.contains("99 MB")), (Verdict::Warning, true));
    assert_eq!(room(&"x", None).verdict, Verdict::Ok);
  }

  #[test]
  fn a_folder_is_written_to_and_looked_at_without_a_trace() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("a/b");
    for path in [folder.path(), &missing] {
      let findings = look(path, None);
      assert!(
        findings.iter().all(|finding| finding.verdict == Verdict::Ok),
        "{findings:?}"
      );
      assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
  }

  #[test]
  fn below_a_file_no_folder_can_be_made() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    for path in ["file", "file/state"] {
      let findings = look(&folder.path().join(path), None);
      assert_eq!(findings[0].verdict, Verdict::Wrong, "{findings:?}");
    }
  }
}
