//! A copy of a body that the kernel can send by itself.
//!
//! Writing a long body copies it into the kernel for every client. Where the system has files in memory and `sendfile`, the copy is
//! made once per publication, and a client costs only references to its pages. What it saves was measured beside a server of files.

use std::fs::File;
use std::sync::Arc;

use bytes::Bytes;
use tracing::debug;

/// A shorter body is written faster than it is handed over.
const MIN_BYTES: usize = 32 * 1024;

/// The copy, where there is one: of a long body, on Linux. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct KernelCopy(Option<Arc<File>>);

impl KernelCopy {
  pub(super) fn of(body: &Bytes) -> Self {
    if body.len() < MIN_BYTES {
      return Self::default();
    }
    // Without it the body is written as any other.
    Self(
      file_in_memory(body)
        .inspect_err(|error| debug!(%error, "no file in memory for a body"))
        .ok(),
    )
  }

  /// A file that holds the body and nothing else. Nobody changes it.
  pub fn file(&self) -> Option<&Arc<File>> {
    self.0.as_ref()
  }
}

/// It belongs to a body and says nothing beyond it.
impl PartialEq for KernelCopy {
  fn eq(&self, _: &Self) -> bool {
    true
  }
}

impl Eq for KernelCopy {}

#[cfg(target_os = "linux")]
fn file_in_memory(body: &Bytes) -> std::io::Result<Arc<File>> {
  use std::io::Write;

  use rustix::fs::{MemfdFlags, memfd_create};

  let mut file = File::from(memfd_create("launchfeed-answer", MemfdFlags::CLOEXEC)?);
  file.write_all(body)?;
  Ok(Arc::new(file))
}

#[cfg(not(target_os = "linux"))]
fn file_in_memory(_: &Bytes) -> std::io::Result<Arc<File>> {
  Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
  use std::io::{Read, Seek, SeekFrom};

  use super::*;

  #[test]
  fn a_long_body_is_copied_whole_and_a_short_one_is_not() {
    let body = Bytes::from(vec![7; MIN_BYTES]);
    let mut file = KernelCopy::of(&body).file().unwrap().try_clone().unwrap();
    let mut copy = Vec::new();
    file.seek(SeekFrom::Start(0)).unwrap();
    file.read_to_end(&mut copy).unwrap();
    assert_eq!(copy, body);
    assert!(KernelCopy::of(&body.slice(1..)).file().is_none());
  }
}
