//! Every kind of trouble, and how often each was made.

use std::fmt;
use std::ops::AddAssign;

/// A kind of trouble.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(crate) enum Trouble {
  /// An instance dies and is started again with its snapshot.
  Crash,
  /// The same without it.
  CrashAndForget,
  /// One instance's way to the store is cut.
  Cut,
  /// One instance's calls to the store hang.
  Hung,
  /// One instance's calls arrive and half of the answers don't.
  Losing,
  /// One instance can read and not write.
  ReadOnly,
  /// The store is gone for all, and knows everything when it is back.
  StoreAway,
  /// The store is gone for all, and comes back empty.
  StoreLost,
  /// The store forgets everything while it is there.
  Flush,
  GitHubDown,
  RateLimit,
  /// An instance's clock is set by up to ten minutes.
  ClockSet,
  /// A new release.
  Release,
}

impl Trouble {
  pub(crate) const ALL: [Self; 13] = [
    Self::Crash,
    Self::CrashAndForget,
    Self::Cut,
    Self::Hung,
    Self::Losing,
    Self::ReadOnly,
    Self::StoreAway,
    Self::StoreLost,
    Self::Flush,
    Self::GitHubDown,
    Self::RateLimit,
    Self::ClockSet,
    Self::Release,
  ];
}

/// How often each was made.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts([u32; Trouble::ALL.len()]);

impl Counts {
  pub(crate) fn count(&mut self, trouble: Trouble) {
    self.0[trouble as usize] += 1;
  }

  pub(crate) fn fewest(&self) -> u32 {
    self.0.into_iter().min().unwrap_or(0)
  }
}

impl AddAssign for Counts {
  fn add_assign(&mut self, other: Self) {
    for (count, more) in self.0.iter_mut().zip(other.0) {
      *count += more;
    }
  }
}

impl fmt::Display for Counts {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for trouble in Trouble::ALL {
      write!(f, " {trouble:?} {}", self.0[trouble as usize])?;
    }
    Ok(())
  }
}
