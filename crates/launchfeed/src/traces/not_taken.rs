//! Why a collector didn't take spans.

use std::fmt;

use release_feed::github::NetworkFailure;

/// Why spans weren't taken. In words that follow "the collector", or its address.
#[derive(Clone, Debug)]
pub(crate) enum NotTaken {
  /// Nothing came back.
  Unreachable(NetworkFailure),
  /// What came back, or that it took too long.
  Refused(String),
}

impl fmt::Display for NotTaken {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match self {
      Self::Unreachable(failure) => write!(f, "can't be reached: {failure}"),
      Self::Refused(why) => f.write_str(why),
    }
  }
}
