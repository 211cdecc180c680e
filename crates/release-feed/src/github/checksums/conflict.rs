//! Digests of one file that differ.

use std::fmt;

/// As many of a digest's digits are shown.
const SHOWN_DIGITS: usize = 12;

/// A file of which two digests are said.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Conflict {
  /// The file's name.
  pub(super) asset: String,
  pub(super) one: Said,
  pub(super) other: Said,
}

/// A digest, and who says it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Said {
  /// The checksum file; none for GitHub itself.
  pub(super) by: Option<String>,
  pub(super) digest: String,
}

impl fmt::Display for Said {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let digits = self.digest.get(..SHOWN_DIGITS).unwrap_or(&self.digest);
    write!(f, "{digits}… by {}", self.by.as_deref().unwrap_or("GitHub"))
  }
}
