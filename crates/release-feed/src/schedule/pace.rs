//! How often an instance looks, and how fast it asks within a round.

use std::time::Duration;

/// Every instance looks that often, ±10 %.
pub const TICK: Duration = Duration::from_secs(30);
const JITTER: f64 = 0.1;
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// The time to the next look; `chance` lies in 0 to 1.
pub fn tick_after(chance: f64) -> Duration {
  TICK.mul_f64(1.0 - JITTER + 2.0 * JITTER * chance)
}

/// The pause between two requests of a round: a second, or `interval / (2 × apps)` where that is shorter. None in an instance that
/// has never had a complete answer: it asks at once.
pub fn pause_between_requests(interval: Duration, apps: usize, ever_complete: bool) -> Duration {
  if !ever_complete {
    return Duration::ZERO;
  }
  let apps = u32::try_from(apps.max(1)).unwrap_or(u32::MAX);
  (interval / apps.saturating_mul(2)).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn an_instance_looks_every_thirty_seconds_give_or_take_three() {
    assert_eq!(tick_after(0.0), Duration::from_secs(27));
    assert_eq!(tick_after(0.5), Duration::from_secs(30));
    assert_eq!(tick_after(1.0), Duration::from_secs(33));
  }

  #[test]
  fn requests_are_a_second_apart_or_less_where_there_are_many_apps() {
    let interval = Duration::from_secs(120);
    assert_eq!(pause_between_requests(interval, 13, true), Duration::from_secs(1));
    assert_eq!(pause_between_requests(interval, 60, true), Duration::from_secs(1));
    assert_eq!(pause_between_requests(interval, 120, true), Duration::from_millis(500));
    assert_eq!(pause_between_requests(interval, 0, true), Duration::from_secs(1));
  }

  #[test]
  fn a_cold_instance_asks_without_pauses() {
    assert_eq!(
      pause_between_requests(Duration::from_secs(120), 13, false),
      Duration::ZERO
    );
  }
}
