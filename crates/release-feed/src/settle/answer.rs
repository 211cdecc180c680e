//! What is to be settled.

use super::told::Told;
use crate::clock::UnixMs;
use crate::github::ETag;

/// What somebody said of an app.
#[derive(Clone, Copy, Debug)]
pub enum Answer<'a> {
  /// GitHub, just now: a release, or that there is none.
  Told(&'a Told),
  /// GitHub, just now: nothing changed since the answer with that validator.
  NotModified {
    /// The validator that was sent.
    named: &'a ETag,
  },
  /// Others, through what a fleet shares.
  Shared {
    /// What they share.
    told: &'a Told,
    /// When GitHub gave or confirmed it, by our clock. The same time again is the same answer read again.
    fetched_at: UnixMs,
    /// Whether another of our own instances has settled it already.
    settled_by_fleet: bool,
  },
}
