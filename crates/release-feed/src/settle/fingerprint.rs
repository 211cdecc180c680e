//! A name for exactly these files of a tag, by which an operator accepts them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::known_file::KnownFile;
use super::told::Told;
use crate::hex_digest::sha256_hex;

const HEX_DIGITS: usize = 64;

/// 64 lowercase hexadecimal digits that follow from a tag and the name, size and digest of each of its files. Every instance comes
/// to the same, wherever it knows the release from: GitHub's numbers count only for files without a digest.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Fingerprint(String);

/// A text that is none.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("expected a fingerprint of {HEX_DIGITS} hexadecimal digits, as the status shows it")]
pub struct NoFingerprint;

impl Fingerprint {
  /// That of what is told.
  pub fn of(told: &Told) -> Self {
    let mut files = KnownFile::all_of(told);
    files.sort_by(|one, other| one.name.cmp(&other.name));
    let files: Vec<_> = files
      .into_iter()
      .map(|file| {
        let id = file.id.filter(|_| file.sha256.is_none());
        (file.name, file.size_bytes, file.sha256, id)
      })
      .collect();
    // JSON keeps the parts apart whatever they hold, and can't fail for texts and numbers.
    let text = serde_json::to_vec(&(told.tag(), files)).unwrap_or_default();
    Self(sha256_hex(&text))
  }

  /// The digits.
  pub fn as_str(&self) -> &str {
    &self.0
  }
}

impl fmt::Display for Fingerprint {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(&self.0)
  }
}

impl FromStr for Fingerprint {
  type Err = NoFingerprint;

  fn from_str(text: &str) -> Result<Self, NoFingerprint> {
    let fits = text.len() == HEX_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    fits.then(|| Self(text.to_ascii_lowercase())).ok_or(NoFingerprint)
  }
}

#[cfg(test)]
mod tests {
  use super::*;
  use crate::settle::samples::{digested, release, release_for, sized, told, with_ids};

  #[test]
  fn it_follows_from_tag_names_sizes_and_digests_and_from_numbers_only_where_no_digest_is_known() {
    let of = |told: &Told| Fingerprint::of(told);
    let x = told(digested(release("v1"), "demo-1-windows-x64.msi", "a"));
    assert_eq!(of(&x), of(&with_ids(x.clone(), 7)));
    let others = [
      told(digested(release("v2"), "demo-1-windows-x64.msi", "a")),
      told(digested(release("v1"), "demo-1-windows-x86.msi", "a")),
      told(digested(release("v1"), "demo-1-windows-x64.msi", "b")),
      told(sized(digested(release("v1"), "demo-1-windows-x64.msi", "a"), 8)),
      told(release("v1")),
    ];
    for other in others {
      assert_ne!(of(&x), of(&other), "{other:?}");
    }
    let plain = told(release_for("v1", &["windows-x64.msi"]));
    assert_ne!(of(&with_ids(plain.clone(), 7)), of(&with_ids(plain, 8)));
  }

  #[test]
  fn the_order_of_the_files_makes_no_difference() {
    let one = digested(digested(release("v1"), "a.deb", "a"), "b.deb", "b");
    let mut other = one.clone();
    other.assets.reverse();
    assert_eq!(Fingerprint::of(&told(one)), Fingerprint::of(&told(other)));
  }

  #[test]
  fn only_digits_are_read_as_one_and_case_makes_no_difference() {
    let shown = Fingerprint::of(&Told::default());
    assert_eq!(shown.to_string().to_uppercase().parse(), Ok(shown.clone()));
    for bad in ["", "abc", &"g".repeat(64), &shown.as_str()[1..]] {
      assert_eq!(bad.parse::<Fingerprint>(), Err(NoFingerprint));
    }
  }
}
