//! Notices when the wall clock was set back.
//!
//! Everything remembered would then lie in the future: nothing would be asked until the clock came by again, or all of it would
//! count as absent at once. Moving the remembered times by the same step keeps every age what it was. A clock that is set forward
//! makes everything older than it is, which one round of questions mends.

use std::time::Duration;

use tokio::time::Instant;

use crate::clock::{CLOCK_TOLERANCE, Clock, UnixMs};

/// Compares the wall clock with one that nobody can set.
#[derive(Debug)]
pub(super) struct ClockWatch {
  wall: UnixMs,
  steady: Instant,
}

impl ClockWatch {
  pub(super) fn start(clock: &impl Clock) -> Self {
    Self {
      wall: clock.now(),
      steady: Instant::now(),
    }
  }

  /// How far the wall clock was set back since the last call, in milliseconds (negative); `None` for steps within the tolerance,
  /// which add up until they are beyond it. They are counted from the furthest that the clock was ahead: times remembered then lie
  /// furthest ahead of it now.
  pub(super) fn step_back(&mut self, clock: &impl Clock) -> Option<i64> {
    let (wall, steady) = (clock.now(), Instant::now());
    let expected = self.wall.plus(steady.duration_since(self.steady));
    let step = wall.0.saturating_sub(expected.0);
    let is_back = step < 0;
    if is_back && step.unsigned_abs() <= millis(CLOCK_TOLERANCE) {
      return None;
    }
    *self = Self { wall, steady };
    is_back.then_some(step)
  }
}

fn millis(duration: Duration) -> u64 {
  u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
  use super::*;
  use crate::clock::VirtualClock;

  #[tokio::test(start_paused = true)]
  async fn a_step_back_beyond_a_minute_is_noticed_once() {
    let clock = VirtualClock::starting_at(UnixMs(1_791_471_170_000));
    let mut watch = ClockWatch::start(&clock);
    tokio::time::advance(Duration::from_secs(3_600)).await;
    assert_eq!(watch.step_back(&clock), None);
    clock.set_by_ms(-60_000);
    assert_eq!(watch.step_back(&clock), None);
    clock.set_by_ms(-1);
    assert_eq!(watch.step_back(&clock), Some(-60_001));
    assert_eq!(watch.step_back(&clock), None);
  }

  #[tokio::test(start_paused = true)]
  async fn a_step_back_is_counted_from_the_furthest_ahead() {
    let clock = VirtualClock::starting_at(UnixMs(1_791_471_170_000));
    let mut watch = ClockWatch::start(&clock);
    clock.set_by_ms(50_000);
    assert_eq!(watch.step_back(&clock), None);
    clock.set_by_ms(-61_000);
    assert_eq!(watch.step_back(&clock), Some(-61_000));
  }

  #[tokio::test(start_paused = true)]
  async fn a_step_forward_moves_nothing_and_the_way_back_is_noticed() {
    let clock = VirtualClock::starting_at(UnixMs(1_791_471_170_000));
    let mut watch = ClockWatch::start(&clock);
    clock.set_by_ms(3_600_000);
    assert_eq!(watch.step_back(&clock), None);
    clock.set_by_ms(-3_600_000);
    assert_eq!(watch.step_back(&clock), Some(-3_600_000));
  }
}
