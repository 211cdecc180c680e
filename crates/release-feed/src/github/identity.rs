//! Who asked, as GitHub tells askers apart: validators and limits belong to a token, or to nobody's address.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::hex_digest::sha256_hex;

/// As many as of a token's digest.
pub(super) const DIGITS: usize = 12;
const ANONYMOUS: &str = "anonymous";

/// Tells askers apart without giving a token away: the beginning of a token's digest, or `anonymous`.
#[derive(Clone, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Identity(String);

impl Identity {
  /// Whoever asks without a token.
  pub fn anonymous() -> Self {
    Self(ANONYMOUS.to_owned())
  }

  pub(super) fn of_digest(digest: String) -> Self {
    Self(digest)
  }

  /// The same asker with a choice to make among releases: what it is given says nothing about another choice.
  pub(super) fn choosing(&self, choice: &str) -> Self {
    let mut digest = sha256_hex(format!("{self} {choice}").as_bytes());
    digest.truncate(DIGITS);
    Self(digest)
  }

  /// Reads what [`Identity::as_str`] gave.
  pub fn read(text: &str) -> Option<Self> {
    let is_digest = text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_digest || text == ANONYMOUS).then(|| Self(text.to_owned()))
  }

  /// The digest's digits, or `anonymous`.
  pub fn as_str(&self) -> &str {
    &self.0
  }

  /// Whether it is nobody's.
  pub fn is_anonymous(&self) -> bool {
    self.0 == ANONYMOUS
  }
}

impl Default for Identity {
  fn default() -> Self {
    Self::anonymous()
  }
}

impl fmt::Display for Identity {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(&self.0)
  }
}
