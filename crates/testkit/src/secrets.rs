//! What no program may ever say.
//!
//! Every token and password that a test gives to a program holds [`SECRET_MARK`]. Whatever the program says is searched for it: its
//! output when it ends, its answers as they come. Where `LAUNCHFEED_TEST_OUTPUT` names a folder, the output is kept there too, so that a
//! whole run can be searched by somebody else.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// In every token and password of the tests, and nowhere else.
pub const SECRET_MARK: &str = "hunter2";

const FOLDER: &str = "LAUNCHFEED_TEST_OUTPUT";

/// Fails the test where a secret stands in something that a program said.
pub fn assert_no_secret(what: &str, said: &[u8]) {
  let is_told = said
    .windows(SECRET_MARK.len())
    .any(|bytes| bytes == SECRET_MARK.as_bytes());
  assert!(
    !is_told,
    "a secret stands in {what}:\n{}",
    String::from_utf8_lossy(said)
  );
}

/// Keeps what a program said, where somebody wants it.
pub(crate) fn keep(said: &str) {
  static KEPT: AtomicU64 = AtomicU64::new(0);
  let Some(folder) = env::var_os(FOLDER).map(PathBuf::from) else {
    return;
  };
  let number = KEPT.fetch_add(1, Ordering::Relaxed);
  fs::write(folder.join(format!("{}-{number}.log", process::id())), said).unwrap();
}
