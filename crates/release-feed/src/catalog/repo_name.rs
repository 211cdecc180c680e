//! A repository's full name on GitHub.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, de};

/// GitHub's own limits; an owner on GitHub Enterprise may hold an underscore.
const MAX_OWNER_BYTES: usize = 39;
const MAX_NAME_BYTES: usize = 100;

/// `owner/name`, as GitHub spells it. Two spellings that differ in case alone are one repository.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct RepoName(String);

impl RepoName {
  /// `owner/name`.
  pub fn as_str(&self) -> &str {
    &self.0
  }

  /// The part before the slash.
  pub fn owner(&self) -> &str {
    self.0.split('/').next().unwrap_or_default()
  }

  /// The part after the slash.
  pub fn name(&self) -> &str {
    self.0.split('/').nth(1).unwrap_or_default()
  }
}

impl PartialEq for RepoName {
  fn eq(&self, other: &Self) -> bool {
    self.0.eq_ignore_ascii_case(&other.0)
  }
}

impl Eq for RepoName {}

impl fmt::Display for RepoName {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(&self.0)
  }
}

/// Text that is no `owner/name`.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error(
  "a repository is owner/name: an owner of at most {MAX_OWNER_BYTES} letters, digits, - or _, and a name of at most \
   {MAX_NAME_BYTES} letters, digits, -, _ or ."
)]
pub struct InvalidRepoName;

impl FromStr for RepoName {
  type Err = InvalidRepoName;

  fn from_str(text: &str) -> Result<Self, InvalidRepoName> {
    let text = text.trim();
    let (owner, name) = text.split_once('/').ok_or(InvalidRepoName)?;
    let owner_fits = (1..=MAX_OWNER_BYTES).contains(&owner.len())
      && owner
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let name_fits = (1..=MAX_NAME_BYTES).contains(&name.len())
      && name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
      && !matches!(name, "." | "..");
    if owner_fits && name_fits {
      Ok(Self(text.to_owned()))
    } else {
      Err(InvalidRepoName)
    }
  }
}

impl<'de> Deserialize<'de> for RepoName {
  fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
  }
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[test]
  fn owner_and_name_compare_without_case() {
    let repo: RepoName = " Storytold/PhotoCraft ".parse().unwrap();
    assert_eq!((repo.owner(), repo.name()), ("Storytold", "PhotoCraft"));
    assert_eq!(repo, "storytold/photocraft".parse().unwrap());
    assert_ne!(repo, "storytold/photocraft2".parse().unwrap());
  }

  #[rstest]
  #[case("")]
  #[case("photocraft")]
  #[case("/photocraft")]
  #[case("storytold/")]
  #[case("a/b/c")]
  #[case("storytold/..")]
  #[case("story told/photocraft")]
  #[case("storytold/photo craft")]
  #[case("storytold/photo?x")]
  #[case("https://github.com/storytold/photocraft")]
  fn what_would_change_the_address_asked_is_refused(#[case] text: &str) {
    assert_eq!(text.parse::<RepoName>(), Err(InvalidRepoName));
  }
}
