//! The store's clock beside ours.
//!
//! What is shared carries the store's time, so that one wrong clock can't freeze a fleet; what is remembered and answered carries
//! ours. Every time is converted on its way in and out, so that ages stay what they are.

use std::time::Duration;

use tracing::{info, warn};

use crate::clock::{CLOCK_TOLERANCE, UnixMs};

/// Smaller differences come from the network; following them would make the same moment look different at each reading.
const NOTICED_FROM: Duration = Duration::from_secs(1);

/// How far the store's clock is ahead of ours.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Offset {
  ahead_ms: i64,
  is_known: bool,
  is_warned_of: bool,
}

impl Offset {
  /// Takes the store's time, read between two moments of ours.
  pub(super) fn observe(&mut self, before: UnixMs, store: UnixMs, after: UnixMs) {
    let took = after.0.saturating_sub(before.0).max(0);
    let ahead = store.0.saturating_sub(before.0.saturating_add(took / 2));
    let noticed = took.max(i64::try_from(NOTICED_FROM.as_millis()).unwrap_or(i64::MAX));
    if !self.is_known || ahead.abs_diff(self.ahead_ms) > noticed.unsigned_abs() {
      self.ahead_ms = ahead;
      self.is_known = true;
    }
    let is_wrong = u128::from(self.ahead_ms.unsigned_abs()) > CLOCK_TOLERANCE.as_millis();
    if is_wrong != self.is_warned_of {
      self.is_warned_of = is_wrong;
      let ahead_secs = self.ahead_ms / 1_000;
      if is_wrong {
        warn!(
          ahead_secs,
          "Redis's clock differs from this machine's; one of the two is wrong"
        );
      } else {
        info!(ahead_secs, "Redis's clock agrees with this machine's");
      }
    }
  }

  pub(super) fn to_store(self, ours: UnixMs) -> UnixMs {
    ours.shifted_by_ms(self.ahead_ms)
  }

  pub(super) fn to_ours(self, store: UnixMs) -> UnixMs {
    store.shifted_by_ms(self.ahead_ms.saturating_neg())
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn a_time_goes_there_and_back_unchanged_while_readings_waver() {
    let mut offset = Offset::default();
    offset.observe(UnixMs(1_000_000), UnixMs(1_600_020), UnixMs(1_000_040));
    let shared = offset.to_store(UnixMs(1_000_000));
    assert_eq!(shared, UnixMs(1_600_000));
    for (store, after) in [(1_600_400, 1_000_040), (1_601_000, 1_000_040), (1_603_000, 1_006_000)] {
      offset.observe(UnixMs(1_000_000), UnixMs(store), UnixMs(after));
      assert_eq!(offset.to_ours(shared), UnixMs(1_000_000));
    }
  }

  #[test]
  fn a_clock_that_was_set_is_followed() {
    let mut offset = Offset::default();
    offset.observe(UnixMs(1_000_000), UnixMs(1_000_000), UnixMs(1_000_000));
    offset.observe(UnixMs(1_000_000), UnixMs(5_000_000), UnixMs(1_000_000));
    assert_eq!(offset.to_ours(UnixMs(5_000_000)), UnixMs(1_000_000));
    offset.observe(UnixMs(5_000_000), UnixMs(1_000_000), UnixMs(5_000_000));
    assert_eq!(offset.to_ours(UnixMs(1_000_000)), UnixMs(5_000_000));
  }
}
