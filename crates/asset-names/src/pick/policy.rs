//! What kinds of build are wanted.

use std::fmt;
use std::str::FromStr;

/// What kinds of build are wanted.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Policy {
  /// A desktop app for one person: what needs no rights first.
  #[default]
  PerUser,
  /// A desktop app for the machine: the system's own package first.
  Installer,
  /// A command-line tool: archives and bare executables first, the best compressed before others.
  Archive,
}

/// A word that is no policy.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UnknownPolicy {
  /// The word.
  pub word: String,
}

impl Policy {
  /// Every policy.
  pub const ALL: &[Self] = &[Self::PerUser, Self::Installer, Self::Archive];

  /// A word for it: `per-user`, `installer`, `archive`.
  pub const fn as_str(self) -> &'static str {
    match self {
      Self::PerUser => "per-user",
      Self::Installer => "installer",
      Self::Archive => "archive",
    }
  }
}

impl fmt::Display for Policy {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.pad(self.as_str())
  }
}

impl FromStr for Policy {
  type Err = UnknownPolicy;

  fn from_str(word: &str) -> Result<Self, UnknownPolicy> {
    let policy = Self::ALL.iter().find(|policy| policy.as_str() == word);
    policy.copied().ok_or_else(|| UnknownPolicy { word: word.to_owned() })
  }
}

impl fmt::Display for UnknownPolicy {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "`{}` is no policy (per-user, installer, archive)", self.word)
  }
}

impl std::error::Error for UnknownPolicy {}
