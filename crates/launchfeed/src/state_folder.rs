//! The folder of what outlives the process, held by one instance at a time.
//!
//! The lock is the system's, on a file in the folder: it goes with the process, however that ends. What stands in the file is only for
//! people and for the message of whoever comes second.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process;

const LOCK_FILE: &str = "lock";
/// Of what another process wrote into the lock file.
const MAX_HOLDER_BYTES: u64 = 200;

/// A folder that is ours until this is dropped.
#[derive(Debug)]
pub(crate) struct StateFolder {
  path: PathBuf,
  lock: File,
}

/// Why the folder can't be had. One line, with what to do.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StateFolderError {
  /// It isn't there and can't be made.
  #[error("the state folder {} can't be created ({error}): choose another with --state-dir or LAUNCHFEED_STATE_DIR", path.display())]
  NotCreated { path: PathBuf, error: io::Error },
  /// Nothing can be written in it.
  #[error("the state folder {} can't be written to ({error}): mend its permissions or choose another with --state-dir or LAUNCHFEED_STATE_DIR", path.display())]
  NotWritable { path: PathBuf, error: io::Error },
  /// The file system can't lock.
  #[error("the state folder {} can't be locked ({error}): choose one on a local disk with --state-dir or LAUNCHFEED_STATE_DIR", path.display())]
  NotLockable { path: PathBuf, error: io::Error },
  /// Another instance has it.
  #[error("the state folder {} is in use by another instance ({holder}): stop that one, or give this one a folder of its own with --state-dir or LAUNCHFEED_STATE_DIR", path.display())]
  InUse { path: PathBuf, holder: String },
}

impl StateFolder {
  /// Makes the folder if it isn't there, makes sure that it can be written to, and takes it.
  pub(crate) fn take(path: &Path) -> Result<Self, StateFolderError> {
    let path = path.to_owned();
    if let Err(error) = fs::create_dir_all(&path) {
      return Err(StateFolderError::NotCreated { path, error });
    }
    let mut options = OpenOptions::new();
    let mut lock = match options
      .read(true)
      .write(true)
      .create(true)
      .truncate(false)
      .open(path.join(LOCK_FILE))
    {
      Ok(lock) => lock,
      Err(error) => return Err(StateFolderError::NotWritable { path, error }),
    };
    match lock.try_lock() {
      Ok(()) => {}
      Err(TryLockError::WouldBlock) => {
        let holder = holder(&mut lock);
        return Err(StateFolderError::InUse { path, holder });
      }
      Err(TryLockError::Error(error)) => return Err(StateFolderError::NotLockable { path, error }),
    }
    // The lock file may be there and writable though nothing else can be made beside it.
    if let Err(error) = tempfile::tempfile_in(&path) {
      return Err(StateFolderError::NotWritable { path, error });
    }
    Ok(Self { path, lock })
  }

  /// Says in the lock file who has the folder. Nobody depends on it, so a full disk is no trouble.
  pub(crate) fn sign(&mut self, address: SocketAddr) {
    let text = format!("process {}, listening on {address}\n", process::id());
    let _ = self
      .lock
      .rewind()
      .and_then(|()| self.lock.set_len(0))
      .and_then(|()| self.lock.write_all(text.as_bytes()));
  }

  /// Where it is.
  pub(crate) fn path(&self) -> &Path {
    &self.path
  }
}

/// Who has a folder: nobody, or what it says of itself. Takes the lock for no longer than it takes to see that nobody has it, and makes
/// nothing.
///
/// # Errors
///
/// What the system says of the lock file.
pub(crate) fn held_by(path: &Path) -> io::Result<Option<String>> {
  let mut lock = match File::open(path.join(LOCK_FILE)) {
    Ok(lock) => lock,
    Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
    Err(error) => return Err(error),
  };
  match lock.try_lock() {
    Ok(()) => lock.unlock().map(|()| None),
    Err(TryLockError::WouldBlock) => Ok(Some(holder(&mut lock))),
    Err(TryLockError::Error(error)) => Err(error),
  }
}

/// Whether that is what a holder of the folder says of itself that listens there.
pub(crate) fn listens_on(holder: &str, address: SocketAddr) -> bool {
  holder
    .rsplit_once("listening on ")
    .is_some_and(|(_, said)| said.parse() == Ok(address))
}

fn holder(lock: &mut File) -> String {
  let mut bytes = Vec::new();
  let _ = lock.take(MAX_HOLDER_BYTES).read_to_end(&mut bytes);
  let text = String::from_utf8_lossy(&bytes);
  let line = text.lines().next().unwrap_or_default().trim();
  if line.is_empty() {
    "it is just starting".to_owned()
  } else {
    line.escape_debug().to_string()
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn the_second_is_refused_with_the_name_of_the_first_until_that_is_gone() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("a/b");
    let mut first = StateFolder::take(&path).unwrap();
    assert_eq!(first.path(), path);
    assert!(
      StateFolder::take(&path)
        .unwrap_err()
        .to_string()
        .contains("just starting")
    );
    first.sign("127.0.0.1:8080".parse().unwrap());
    let refusal = StateFolder::take(&path).unwrap_err().to_string();
    assert!(
      refusal.contains(&format!("process {}, listening on 127.0.0.1:8080", process::id())),
      "{refusal}"
    );
    drop(first);
    StateFolder::take(&path).unwrap();
  }

  #[test]
  fn whoever_has_it_is_named_to_those_who_only_ask() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(held_by(&folder.path().join("gone")).unwrap(), None);
    assert_eq!(held_by(folder.path()).unwrap(), None);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "something was made");
    let mut taken = StateFolder::take(folder.path()).unwrap();
    let address = "127.0.0.1:8080".parse().unwrap();
    taken.sign(address);
    let holder = held_by(folder.path()).unwrap().unwrap();
    assert!(listens_on(&holder, address), "{holder}");
    assert!(!listens_on(&holder, "127.0.0.1:80".parse().unwrap()));
    drop(taken);
    assert_eq!(held_by(folder.path()).unwrap(), None);
    StateFolder::take(folder.path()).unwrap();
  }

  #[test]
  fn a_file_in_its_place_is_refused() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("file");
    fs::write(&path, "").unwrap();
    assert!(matches!(
      StateFolder::take(&path),
      Err(StateFolderError::NotCreated { .. })
    ));
    fs::create_dir_all(parent.path().join("folder/lock")).unwrap();
    let taken = StateFolder::take(&parent.path().join("folder"));
    assert!(matches!(taken, Err(StateFolderError::NotWritable { .. })));
  }
}
