//! A write that happens on the server in one step, or not at all: whoever has the newer time wins.

use std::time::Duration;

use bytes::Bytes;

use super::fields::Fields;
use crate::clock::{CLOCK_TOLERANCE, UnixMs};

/// The field that holds the etag.
const ETAG: &str = "etag";

/// What to write, and when not to.
///
/// It is not written if the stored time (unless that is further ahead of the store's own time than it is believed) plus the gap is
/// later than the new time, or if an ETag is required and the stored one differs. A hash of another version, and a key of another
/// type, counts as absent and is replaced.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct GuardedWrite {
  /// The hash.
  pub key: String,
  /// The field that decides.
  pub time_field: TimeField,
  /// The new time; one of the fields to set holds it.
  pub at: UnixMs,
  /// How much later than the stored time the new one must be at least.
  pub gap: Duration,
  /// The gap where the stored time is a claim that is finished, its ask having succeeded or failed since. None where that makes no
  /// difference.
  pub gap_once_finished: Option<Duration>,
  /// How far ahead of the store's time the stored one is believed.
  pub believed_ahead: Duration,
  /// The ETag that must be stored; none where any will do.
  pub requires_etag: Option<String>,
  /// What to set; `v` is among it.
  pub fields: Vec<(&'static str, Bytes)>,
  /// How long the hash is kept from now on.
  pub ttl: Duration,
}

/// A field by whose time a write is guarded.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum TimeField {
  /// When GitHub last gave or confirmed the release.
  Fetched,
  /// When a request last failed.
  Failed,
  /// When an instance last set out to ask.
  Claimed,
  /// Until when nobody asks.
  Until,
}

impl GuardedWrite {
  /// The rule, for a hash as it is stored and the store's own time.
  pub fn is_allowed(&self, stored: &Fields, now: UnixMs) -> bool {
    if let Some(etag) = &self.requires_etag
      && stored.text(ETAG) != Some(etag)
    {
      return false;
    }
    let Some(time) = stored.time(self.time_field.name(), now, self.believed_ahead) else {
      return true;
    };
    time.plus(self.gap_after(time, stored, now)) <= self.at
  }

  fn gap_after(&self, claimed: UnixMs, stored: &Fields, now: UnixMs) -> Duration {
    let Some(gap_once_finished) = self.gap_once_finished else {
      return self.gap;
    };
    let is_later = |field: TimeField| {
      stored
        .time(field.name(), now, CLOCK_TOLERANCE)
        .is_some_and(|time| time > claimed)
    };
    if is_later(TimeField::Fetched) || is_later(TimeField::Failed) {
      gap_once_finished
    } else {
      self.gap
    }
  }
}

impl TimeField {
  /// Its name in the hash.
  pub fn name(self) -> &'static str {
    match self {
      Self::Fetched => "fetched_ms",
      Self::Failed => "failed_ms",
      Self::Claimed => "claimed_ms",
      Self::Until => "until_ms",
    }
  }
}
