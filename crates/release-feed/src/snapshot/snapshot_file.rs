//! The file's form: one line, `launchfeed-snapshot <version> <SHA-256 of the rest>`, then JSON.

use super::snapshot_data::Snapshot;
use crate::hex_digest::sha256_hex;

const MAGIC: &str = "launchfeed-snapshot";
const VERSION: &str = "1";

/// Why bytes are no snapshot that we can read.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
  /// The first line is another's, or cut short.
  #[error("it doesn't begin like a snapshot")]
  NoSnapshot,
  /// Written by another version of the product.
  #[error("its version is {0}, not {VERSION}")]
  OtherVersion(String),
  /// Cut short or changed.
  #[error("its checksum doesn't match: it was cut short or changed")]
  Damaged,
  /// The checksum matches, but the content is none.
  #[error("it can't be read: {0}")]
  Unreadable(#[from] serde_json::Error),
}

/// Writes a snapshot as bytes.
///
/// # Errors
///
/// Never with the types as they are; JSON writers may fail in general.
pub fn encode(snapshot: &Snapshot) -> Result<Vec<u8>, SnapshotError> {
  let json = serde_json::to_vec(snapshot)?;
  let mut file = format!("{MAGIC} {VERSION} {}\n", sha256_hex(&json)).into_bytes();
  file.extend(json);
  Ok(file)
}

/// Reads bytes as a snapshot.
///
/// # Errors
///
/// When they are none, or another version's, or damaged.
pub fn decode(file: &[u8]) -> Result<Snapshot, SnapshotError> {
  let end = file
    .iter()
    .position(|byte| *byte == b'\n')
    .ok_or(SnapshotError::NoSnapshot)?;
  let (head, json) = (&file[..end], &file[end + 1..]);
  let head = std::str::from_utf8(head).map_err(|_| SnapshotError::NoSnapshot)?;
  let words: Vec<&str> = head.split(' ').collect();
  match words[..] {
    [MAGIC, VERSION, sum] if sum == sha256_hex(json) => Ok(serde_json::from_slice(json)?),
    [MAGIC, VERSION, _] => Err(SnapshotError::Damaged),
    [MAGIC, version, ..] => Err(SnapshotError::OtherVersion(version.escape_debug().to_string())),
    _ => Err(SnapshotError::NoSnapshot),
  }
}

#[cfg(test)]
mod tests {
  use std::sync::Arc;

  use proptest::prelude::*;

  use super::*;
  use crate::cache::ReleaseCache;
  use crate::catalog::Catalog;

  #[test]
  fn a_snapshot_survives_being_written_and_read() {
    assert_eq!(decode(&encode(&snapshot()).unwrap()).unwrap(), snapshot());
  }

  #[test]
  fn one_cut_short_anywhere_is_refused() {
    let file = encode(&snapshot()).unwrap();
    for length in 0..file.len() {
      assert!(decode(&file[..length]).is_err(), "{length} of {} bytes", file.len());
    }
  }

  #[test]
  fn another_version_is_named() {
    let file = String::from_utf8(encode(&snapshot()).unwrap())
      .unwrap()
      .replacen(" 1 ", " 2 ", 1);
    assert!(matches!(decode(file.as_bytes()), Err(SnapshotError::OtherVersion(version)) if version == "2"));
  }

  #[test]
  fn another_file_is_none() {
    assert!(matches!(decode(b"SQLite format 3\0\n"), Err(SnapshotError::NoSnapshot)));
    assert!(matches!(decode(b""), Err(SnapshotError::NoSnapshot)));
  }

  #[test]
  fn a_right_checksum_over_something_else_is_unreadable() {
    let file = format!("{MAGIC} {VERSION} {}\n[]", sha256_hex(b"[]"));
    assert!(matches!(decode(file.as_bytes()), Err(SnapshotError::Unreadable(_))));
  }

  proptest! {
    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
      let _ = decode(&bytes);
    }

    #[test]
    fn no_content_with_a_right_checksum_panics(json in "[\\[\\]{}:,\"a-z0-9_.-]{0,200}") {
      let _ = decode(format!("{MAGIC} {VERSION} {}\n{json}", sha256_hex(json.as_bytes())).as_bytes());
    }

    #[test]
    fn any_changed_byte_is_noticed(place in any::<prop::sample::Index>(), change in 1_u8..) {
      let mut file = encode(&snapshot()).unwrap();
      let place = place.index(file.len());
      file[place] ^= change;
      prop_assert!(decode(&file).is_err());
    }
  }

  fn snapshot() -> Snapshot {
    Snapshot::take(
      &ReleaseCache::new(Arc::new(Catalog::craft_apps())),
      None,
      None,
      "anonymous",
    )
  }
}
