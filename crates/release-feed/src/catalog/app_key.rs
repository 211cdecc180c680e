//! An app's lowercase machine name, as in its binaries and file names.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, de};

const MAX_BYTES: usize = 64;

/// An app key: 1 to 64 of `a-z 0-9 - _ .`, the first a letter or digit. Neither the display name nor the repository.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct AppKey(String);

impl AppKey {
  /// The key as text.
  pub fn as_str(&self) -> &str {
    &self.0
  }
}

impl fmt::Display for AppKey {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(&self.0)
  }
}

/// Text that is no app key, even in lowercase.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("an app key is 1 to {MAX_BYTES} of the characters a-z 0-9 - _ . and begins with a letter or digit")]
pub struct InvalidAppKey;

impl FromStr for AppKey {
  type Err = InvalidAppKey;

  /// Lowercases, then checks.
  fn from_str(text: &str) -> Result<Self, InvalidAppKey> {
    let key = text.trim().to_ascii_lowercase();
    let fits = (1..=MAX_BYTES).contains(&key.len())
      && key.starts_with(|first: char| first.is_ascii_alphanumeric())
      && key
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
    if fits { Ok(Self(key)) } else { Err(InvalidAppKey) }
  }
}

impl<'de> Deserialize<'de> for AppKey {
  fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
  }
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case("photocraft", "photocraft")]
  #[case(" PhotoCraft ", "photocraft")]
  #[case("artcraft-launcher", "artcraft-launcher")]
  #[case("7zip_2.0", "7zip_2.0")]
  fn a_key_is_trimmed_and_lowercased(#[case] text: &str, #[case] key: &str) {
    assert_eq!(text.parse::<AppKey>().unwrap().as_str(), key);
  }

  #[rstest]
  #[case("")]
  #[case("-photo")]
  #[case("..")]
  #[case("photo craft")]
  #[case("photo/craft")]
  #[case("photo:craft")]
  #[case("fötö")]
  fn what_would_not_fit_a_path_or_a_redis_key_is_refused(#[case] text: &str) {
    assert_eq!(text.parse::<AppKey>(), Err(InvalidAppKey));
  }

  #[test]
  fn a_key_has_64_characters_at_most() {
    assert!("a".repeat(64).parse::<AppKey>().is_ok());
    assert!("a".repeat(65).parse::<AppKey>().is_err());
  }
}
