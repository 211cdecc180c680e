//! How often an instance looks, and how fast it asks within a round.

use std::time::Duration;

/// Every instance looks that often, ±10 %.
pub const TICK: Duration = Duration::from_secs(30);
const JITTER: f64 = 0.1;
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// An hour, which is also what limits are counted by.
const LONGEST_ALONE: Duration = Duration::from_secs(3_600);
const SHARE_OF_LIMIT: f64 = 0.8;

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

/// How old a release may get where `instances` ask, each for itself, with `limit` requests an hour for all of them: so old that a
/// fifth of the limit stays unused, at most an hour, and at least as old as it may get in any case.
pub fn interval_alone(interval: Duration, instances: u32, apps: usize, limit: u32) -> Duration {
  let requests = f64::from(instances) * f64::from(u32::try_from(apps).unwrap_or(u32::MAX));
  let seconds = requests * LONGEST_ALONE.as_secs_f64() / (SHARE_OF_LIMIT * f64::from(limit.max(1)));
  interval.max(Duration::from_secs_f64(seconds.min(LONGEST_ALONE.as_secs_f64())))
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

  #[test]
  fn many_instances_that_are_alone_stay_under_the_limit_together() {
    let interval = Duration::from_secs(120);
    let alone = |instances, limit| interval_alone(interval, instances, 13, limit).as_secs();
    assert_eq!(alone(1, 5_000), 120);
    assert_eq!(alone(10, 5_000), 120);
    assert_eq!(alone(50, 5_000), 585);
    assert_eq!(alone(1, 60), 975);
    assert_eq!(alone(5, 60), 3_600);
    assert_eq!(alone(u32::MAX, 0), 3_600);
    assert_eq!(interval_alone(Duration::from_secs(7_200), 5, 13, 60).as_secs(), 7_200);
  }
}
