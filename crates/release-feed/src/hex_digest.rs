//! SHA-256 as text.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// The digest as 64 lowercase hexadecimal digits.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
  Sha256::digest(bytes).iter().fold(String::new(), |mut hex, byte| {
    // Writing to a string can't fail.
    let _ = write!(hex, "{byte:02x}");
    hex
  })
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn the_digest_of_nothing_is_the_known_one() {
    assert_eq!(
      sha256_hex(b""),
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    );
  }
}
