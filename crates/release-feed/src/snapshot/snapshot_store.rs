//! The snapshot's place on disk. A file is replaced whole or not at all: written beside, synced, renamed.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use tempfile::NamedTempFile;

use super::snapshot_data::Snapshot;
use super::snapshot_file::{SnapshotError, decode, encode};
use crate::clock::UnixMs;

const FILE_NAME: &str = "snapshot";
/// Begins the names of files that are being written.
const UNFINISHED_PREFIX: &str = ".snapshot-";
/// One bad file is kept for whoever wants to look; a later one replaces it, so that trouble that comes back fills no disk.
const BAD_FILE_NAME: &str = "snapshot.bad";
/// More than 1,000 apps with the longest notes and 200 files each.
const MAX_FILE_BYTES: u64 = 256 * 1024 * 1024;

/// A folder with a snapshot in it.
#[derive(Clone, Debug)]
pub struct SnapshotStore {
  folder: PathBuf,
}

/// Why there is no snapshot to start from, though there is a file.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
  /// The file can't be read at all.
  #[error("{}: {error}", path.display())]
  Io {
    /// The file.
    path: PathBuf,
    /// What the system says.
    error: io::Error,
  },
  /// It was read, and is none. It stands where it was.
  #[error("{}: {error}", path.display())]
  Unusable {
    /// The file.
    path: PathBuf,
    /// What is wrong with it.
    error: SnapshotError,
  },
  /// It was read, and is none. It is kept under another name.
  #[error("{}: {error}; {}", path.display(), kept_text(kept_as.as_deref()))]
  Bad {
    /// The file.
    path: PathBuf,
    /// What is wrong with it.
    error: SnapshotError,
    /// Where it is now; `None` if it could not be moved.
    kept_as: Option<PathBuf>,
  },
}

impl SnapshotStore {
  /// A store in a folder that exists.
  pub fn new(folder: impl Into<PathBuf>) -> Self {
    Self { folder: folder.into() }
  }

  /// Reads the snapshot; `None` where there never was one. A bad file is moved aside, and what was left unfinished by a process that
  /// was killed is removed.
  ///
  /// # Errors
  ///
  /// When there is a file that can't be read, or is no snapshot.
  pub fn load(&self) -> Result<Option<Snapshot>, StoreError> {
    self.remove_unfinished();
    self.peek().map_err(|error| match error {
      StoreError::Unusable { path, error } => {
        let aside = self.bad_file();
        let kept_as = fs::rename(&path, &aside).is_ok().then_some(aside);
        StoreError::Bad { path, error, kept_as }
      }
      other => other,
    })
  }

  /// Reads the snapshot and changes nothing: for whoever looks while an instance runs.
  ///
  /// # Errors
  ///
  /// When there is a file that can't be read, or is no snapshot.
  pub fn peek(&self) -> Result<Option<Snapshot>, StoreError> {
    let path = self.folder.join(FILE_NAME);
    let io_error = |error| StoreError::Io {
      path: path.clone(),
      error,
    };
    match fs::metadata(&path) {
      Ok(metadata) if metadata.is_file() => {}
      // Opening a pipe would wait for whoever writes to it.
      Ok(_) => return Err(io_error(io::Error::other("it is no file"))),
      Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
      Err(error) => return Err(io_error(error)),
    }
    let file = File::open(&path).map_err(io_error)?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES).read_to_end(&mut bytes).map_err(io_error)?;
    decode(&bytes)
      .map(Some)
      .map_err(|error| StoreError::Unusable { path, error })
  }

  /// Where a snapshot is kept that could not be read.
  pub fn bad_file(&self) -> PathBuf {
    self.folder.join(BAD_FILE_NAME)
  }

  /// Replaces the snapshot. Blocks until it is on the disk.
  ///
  /// # Errors
  ///
  /// What the system says, such as a full disk. The snapshot before it is still there.
  pub fn save(&self, snapshot: &Snapshot) -> io::Result<()> {
    let bytes = encode(snapshot).map_err(io::Error::other)?;
    let mut file = NamedTempFile::with_prefix_in(UNFINISHED_PREFIX, &self.folder)?;
    file.write_all(&bytes)?;
    file.as_file().sync_all()?;
    file.persist(self.folder.join(FILE_NAME)).map_err(|error| error.error)?;
    sync_folder(&self.folder)
  }

  /// When the snapshot was written, as the file system says; `None` where there is none, or it can't say.
  pub fn saved_at(&self) -> Option<UnixMs> {
    let modified = fs::metadata(self.folder.join(FILE_NAME)).ok()?.modified().ok()?;
    let since = modified.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok().map(UnixMs)
  }

  /// What can't be removed does no harm but to the disk.
  fn remove_unfinished(&self) {
    for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
      if entry.file_name().to_string_lossy().starts_with(UNFINISHED_PREFIX) {
        let _ = fs::remove_file(entry.path());
      }
    }
  }
}

fn kept_text(kept_as: Option<&Path>) -> String {
  match kept_as {
    Some(path) => format!("kept as {}", path.display()),
    None => "it could not be moved aside".to_owned(),
  }
}

/// Makes the rename last. Windows has no such thing for folders.
fn sync_folder(folder: &Path) -> io::Result<()> {
  if cfg!(unix) {
    File::open(folder)?.sync_all()
  } else {
    Ok(())
  }
}

#[cfg(test)]
mod tests {
  use std::sync::Arc;

  use super::*;
  use crate::cache::ReleaseCache;
  use crate::catalog::Catalog;

  #[test]
  fn what_was_saved_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let store = SnapshotStore::new(folder.path());
    assert_eq!(store.load().unwrap(), None);
    store.save(&snapshot("first")).unwrap();
    store.save(&snapshot("second")).unwrap();
    assert_eq!(store.load().unwrap(), Some(snapshot("second")));
    assert_eq!(names_in(folder.path()), ["snapshot"]);
  }

  #[test]
  fn a_bad_file_is_kept_aside_and_the_next_start_is_cold() {
    let folder = tempfile::tempdir().unwrap();
    let store = SnapshotStore::new(folder.path());
    fs::write(folder.path().join("snapshot"), "launchfeed-snapshot 1 00\n{").unwrap();
    let error = store.load().unwrap_err();
    assert!(error.to_string().contains("kept as"), "{error}");
    assert_eq!(
      fs::read(folder.path().join("snapshot.bad")).unwrap(),
      b"launchfeed-snapshot 1 00\n{"
    );
    assert_eq!(store.load().unwrap(), None);
  }

  #[test]
  fn a_failed_save_leaves_the_snapshot_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = SnapshotStore::new(folder.path());
    store.save(&snapshot("first")).unwrap();
    let gone = SnapshotStore::new(folder.path().join("gone"));
    assert!(gone.save(&snapshot("second")).is_err());
    assert_eq!(store.load().unwrap(), Some(snapshot("first")));
  }

  #[test]
  fn what_a_killed_process_left_unfinished_is_removed_at_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let store = SnapshotStore::new(folder.path());
    store.save(&snapshot("first")).unwrap();
    fs::write(folder.path().join(".snapshot-abc123"), "half").unwrap();
    assert!(store.load().unwrap().is_some());
    assert_eq!(names_in(folder.path()), ["snapshot"]);
  }

  #[test]
  fn a_folder_in_the_files_place_is_an_error_and_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("snapshot")).unwrap();
    assert!(matches!(
      SnapshotStore::new(folder.path()).load(),
      Err(StoreError::Io { .. })
    ));
  }

  #[test]
  fn whoever_only_looks_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = SnapshotStore::new(folder.path());
    assert!(store.peek().unwrap().is_none());
    store.save(&snapshot("first")).unwrap();
    assert_eq!(store.peek().unwrap(), Some(snapshot("first")));
    fs::write(folder.path().join("snapshot"), "rubbish").unwrap();
    fs::write(folder.path().join(".snapshot-abc123"), "half").unwrap();
    assert!(matches!(store.peek(), Err(StoreError::Unusable { .. })));
    let mut names = names_in(folder.path());
    names.sort();
    assert_eq!(names, [".snapshot-abc123", "snapshot"]);
  }

  #[cfg(unix)]
  #[test]
  fn a_pipe_in_the_files_place_holds_up_no_start() {
    let folder = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("mkfifo")
      .arg(folder.path().join("snapshot"))
      .status();
    assert!(made.unwrap().success());
    assert!(matches!(
      SnapshotStore::new(folder.path()).load(),
      Err(StoreError::Io { .. })
    ));
  }

  fn names_in(folder: &Path) -> Vec<String> {
    fs::read_dir(folder)
      .unwrap()
      .map(|entry| entry.unwrap().file_name().into_string().unwrap())
      .collect()
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
