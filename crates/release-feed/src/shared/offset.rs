//! The store's clock beside ours.
//!
//! What is shared carries the store's time, so that one wrong clock can't freeze a fleet; what is remembered and answered carries
//! ours. Every time is converted on its way in and out, so that ages stay what they are. A clock that is set between a reading and a
//! write is noticed by one that nobody can set.

use std::time::Duration;

use tokio::time::Instant;
use tracing::{info, warn};

use crate::clock::{CLOCK_TOLERANCE, UnixMs};

/// Smaller differences come from the network; following them would make the same moment look different at each reading.
const NOTICED_FROM: Duration = Duration::from_secs(1);

/// How far the store's clock is ahead of ours.
#[derive(Debug, Default)]
pub(super) struct Offset {
  ahead_ms: i64,
  /// Our clock, and one that nobody can set, when that was last so; none before the first reading.
  as_of: Option<(UnixMs, Instant)>,
  is_warned_of: bool,
}

impl Offset {
  /// Takes the store's time, for which was asked at a moment of the clock that nobody can set.
  pub(super) fn observe(&mut self, store: UnixMs, asked: Instant, now: UnixMs, steady: Instant) {
    let is_first = self.as_of.is_none();
    self.follow(now, steady);
    let took = steady.duration_since(asked);
    let since = i64::try_from(took.as_millis() / 2).unwrap_or(i64::MAX);
    let ahead = store.0.saturating_sub(now.0.saturating_sub(since));
    let noticed = took.max(NOTICED_FROM).as_millis();
    if is_first || u128::from(ahead.abs_diff(self.ahead_ms)) > noticed {
      self.ahead_ms = ahead;
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

  /// Takes our time. If our clock was set since the last time, the store's wasn't.
  pub(super) fn follow(&mut self, now: UnixMs, steady: Instant) {
    if let Some((wall, as_of)) = self.as_of {
      let expected = wall.plus(steady.duration_since(as_of));
      let step = now.0.saturating_sub(expected.0);
      if step.unsigned_abs() > NOTICED_FROM.as_millis() as u64 {
        self.ahead_ms = self.ahead_ms.saturating_sub(step);
      }
    }
    self.as_of = Some((now, steady));
  }

  pub(super) fn to_store(&self, ours: UnixMs) -> UnixMs {
    ours.shifted_by_ms(self.ahead_ms)
  }

  pub(super) fn to_ours(&self, store: UnixMs) -> UnixMs {
    store.shifted_by_ms(self.ahead_ms.saturating_neg())
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn a_time_goes_there_and_back_unchanged_while_readings_waver() {
    let (mut offset, start) = (Offset::default(), Instant::now());
    let after = |milliseconds| start + Duration::from_millis(milliseconds);
    offset.observe(UnixMs(1_600_020), start, UnixMs(1_000_040), after(40));
    let shared = offset.to_store(UnixMs(1_000_000));
    assert_eq!(shared, UnixMs(1_600_000));
    for (store, took) in [(1_600_400, 40), (1_601_000, 40), (1_603_000, 6_000)] {
      let now = i64::try_from(took).unwrap() + 1_000_000;
      offset.observe(UnixMs(store), start, UnixMs(now), after(took));
      assert_eq!(offset.to_ours(shared), UnixMs(1_000_000));
    }
  }

  #[test]
  fn the_stores_clock_that_was_set_is_followed() {
    let (mut offset, steady) = (Offset::default(), Instant::now());
    for store in [1_000_000, 5_000_000, 900_000] {
      offset.observe(UnixMs(store), steady, UnixMs(1_000_000), steady);
      assert_eq!(offset.to_ours(UnixMs(store)), UnixMs(1_000_000));
    }
  }

  #[test]
  fn our_clock_that_was_set_between_reading_and_writing_is_followed() {
    let (mut offset, steady) = (Offset::default(), Instant::now());
    offset.observe(UnixMs(2_000_000), steady, UnixMs(1_000_000), steady);
    let later = steady + Duration::from_secs(10);
    for set_to in [1_010_000, 1_210_000, 700_000] {
      offset.follow(UnixMs(set_to), later);
      assert_eq!(offset.to_store(UnixMs(set_to)), UnixMs(2_010_000));
    }
  }

  #[test]
  fn our_clock_that_was_set_while_reading_is_followed() {
    for set_to in [1_200_040, 700_040] {
      let (mut offset, start) = (Offset::default(), Instant::now());
      let end = start + Duration::from_millis(40);
      offset.observe(UnixMs(2_000_020), start, UnixMs(1_000_040), end);
      offset.observe(UnixMs(2_000_020), start, UnixMs(set_to), end);
      assert_eq!(offset.to_store(UnixMs(set_to)), UnixMs(2_000_040));
    }
  }
}
