//! What settings depend on outside the command line, passed in so that reading them stays a pure function.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

/// What settings depend on outside the command line.
pub trait Surroundings {
  /// An environment variable.
  fn variable(&self, name: &str) -> Option<OsString>;

  /// Where the platform keeps programs' state; `None` where no home folder is known.
  fn state_home(&self) -> Option<PathBuf>;

  /// A file's text, or its first `max_bytes` bytes.
  ///
  /// # Errors
  ///
  /// When it can't be read or isn't UTF-8.
  fn read_file(&self, path: &Path, max_bytes: u64) -> io::Result<String>;
}

/// The machine that this process runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Machine;

impl Surroundings for Machine {
  fn variable(&self, name: &str) -> Option<OsString> {
    env::var_os(name)
  }

  fn state_home(&self) -> Option<PathBuf> {
    let folders = etcetera::base_strategy::choose_native_strategy().ok()?;
    let folder = folders.state_dir().unwrap_or_else(|| folders.data_dir());
    // An empty $HOME gives a relative one, which would lie wherever the process was started.
    folder.is_absolute().then_some(folder)
  }

  fn read_file(&self, path: &Path, max_bytes: u64) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(max_bytes).read_to_string(&mut text)?;
    Ok(text)
  }
}

#[cfg(test)]
pub(super) mod tests {
  use std::collections::BTreeMap;

  use super::*;

  /// Surroundings made up by a test.
  #[derive(Default)]
  pub(in crate::config) struct MadeUp {
    pub(in crate::config) variables: BTreeMap<&'static str, &'static str>,
    pub(in crate::config) state_home: Option<&'static str>,
    pub(in crate::config) files: BTreeMap<&'static str, String>,
  }

  impl Surroundings for MadeUp {
    fn variable(&self, name: &str) -> Option<OsString> {
      self.variables.get(name).map(OsString::from)
    }

    fn state_home(&self) -> Option<PathBuf> {
      self.state_home.map(PathBuf::from)
    }

    fn read_file(&self, path: &Path, max_bytes: u64) -> io::Result<String> {
      let text = path.to_str().and_then(|path| self.files.get(path));
      let text = text.ok_or(io::Error::from(io::ErrorKind::NotFound))?;
      Ok(text[..text.len().min(usize::try_from(max_bytes).unwrap())].to_owned())
    }
  }

  #[test]
  fn a_file_is_read_up_to_the_limit() {
    assert_eq!(
      Machine
        .read_file(Path::new(file!()).file_name().unwrap().as_ref(), 1)
        .ok(),
      None
    );
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/config/surroundings.rs");
    assert_eq!(Machine.read_file(&here, 3).unwrap(), "//!");
  }
}
