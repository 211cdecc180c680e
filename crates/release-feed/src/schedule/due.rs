//! Whether an app is to be asked about.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::pace::TICK;
use crate::clock::UnixMs;

const FIRST_WAIT: Duration = Duration::from_secs(60);
/// Doubling stops here.
const MAX_DOUBLINGS: u32 = 16;

/// How old a release may get, and who sees to it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Freshness {
  /// How old a release may get.
  pub interval: Duration,
  /// How many instances look; each by itself looks every [`TICK`].
  pub instances: u32,
}

/// Failed requests in a row, as of the last one.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Failure {
  /// When the last request failed.
  pub at: UnixMs,
  /// How many failed in a row; 0 reads as 1.
  pub count: u32,
}

impl Freshness {
  /// The age from which a release is asked about: one look before its time. Where many look, somebody soon will: `30 s / n` before.
  fn due_age(self) -> Duration {
    self.interval.saturating_sub(TICK / self.instances.max(1))
  }
}

/// Whether to ask now: the last fetch is `interval − 30 s` old (with more than one instance less than that before the interval ends),
/// or there was none, and a failure after it has waited `min(60 s × 2^(n−1), interval) − 30 s`. A time that is too far ahead counts as
/// absent.
pub fn is_due(fetched: Option<UnixMs>, failure: Option<Failure>, freshness: Freshness, now: UnixMs) -> bool {
  let fetched_age = fetched.and_then(|at| at.age_at(now));
  if fetched_age.is_some_and(|age| age < freshness.due_age()) {
    return false;
  }
  // A fetch that counts and is newer makes the failure stale.
  let is_stale = |failure: &Failure| fetched_age.is_some() && fetched.is_some_and(|at| at > failure.at);
  let live_failure = failure.filter(|failure| !is_stale(failure));
  let failed_age = live_failure.and_then(|failure| Some((failure.at.age_at(now)?, failure.count)));
  failed_age.is_none_or(|(age, count)| age >= wait_after_failures(count, freshness.interval).saturating_sub(TICK))
}

fn wait_after_failures(count: u32, interval: Duration) -> Duration {
  doubled(FIRST_WAIT, count).min(interval)
}

/// `first × 2^(n−1)`.
pub(super) fn doubled(first: Duration, n: u32) -> Duration {
  first.saturating_mul(1 << n.saturating_sub(1).min(MAX_DOUBLINGS))
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  const NOW: UnixMs = UnixMs(1_791_471_170_000);
  const ALONE: Freshness = Freshness {
    interval: Duration::from_secs(1_800),
    instances: 1,
  };

  #[rstest]
  #[case::never_fetched(None, true)]
  #[case::just_now(Some(0), false)]
  #[case::a_second_too_young(Some(1_769), false)]
  #[case::old_enough(Some(1_770), true)]
  #[case::a_minute_ahead(Some(-60), false)]
  #[case::further_ahead(Some(-61), true)]
  fn an_app_is_due_thirty_seconds_before_its_interval(#[case] age_secs: Option<i64>, #[case] due: bool) {
    assert_eq!(is_due(age_secs.map(ago), None, ALONE, NOW), due);
  }

  #[rstest]
  #[case(0, 1_770)]
  #[case(2, 1_785)]
  #[case(30, 1_799)]
  #[case(u32::MAX, 1_800)]
  fn the_more_instances_look_the_later_one_of_them_asks(#[case] instances: u32, #[case] due_age_secs: i64) {
    let freshness = Freshness { instances, ..ALONE };
    assert!(!is_due(Some(ago(due_age_secs - 1)), None, freshness, NOW));
    assert!(is_due(Some(ago(due_age_secs)), None, freshness, NOW));
    let failed = |age: i64| Some(Failure { at: ago(age), count: 1 });
    assert!(!is_due(None, failed(29), freshness, NOW));
    assert!(is_due(None, failed(30), freshness, NOW));
  }

  #[rstest]
  #[case(0, 30)]
  #[case(1, 30)]
  #[case(2, 90)]
  #[case(3, 210)]
  #[case(4, 450)]
  #[case(5, 930)]
  #[case(6, 1_770)]
  #[case(17, 1_770)]
  #[case(u32::MAX, 1_770)]
  fn failures_in_a_row_wait_twice_as_long_each_up_to_the_interval(#[case] count: u32, #[case] wait_secs: i64) {
    let failed = |age: i64| Some(Failure { at: ago(age), count });
    assert!(!is_due(None, failed(wait_secs - 1), ALONE, NOW));
    assert!(is_due(None, failed(wait_secs), ALONE, NOW));
  }

  #[test]
  fn a_failure_is_stale_once_a_fetch_is_newer() {
    let failure = Some(Failure {
      at: ago(1_780),
      count: 9,
    });
    assert!(is_due(Some(ago(1_779)), failure, ALONE, NOW));
    assert!(!is_due(
      Some(ago(1_781)),
      Some(Failure { at: ago(20), count: 1 }),
      ALONE,
      NOW
    ));
    assert!(is_due(
      Some(ago(1_781)),
      Some(Failure { at: ago(30), count: 1 }),
      ALONE,
      NOW
    ));
  }

  #[test]
  fn a_failure_from_the_future_counts_as_absent() {
    assert!(is_due(None, Some(Failure { at: ago(-61), count: 9 }), ALONE, NOW));
    assert!(!is_due(None, Some(Failure { at: ago(-60), count: 9 }), ALONE, NOW));
  }

  #[test]
  fn a_fetch_from_the_future_makes_no_failure_stale() {
    assert!(!is_due(
      Some(ago(-3_600)),
      Some(Failure { at: ago(10), count: 1 }),
      ALONE,
      NOW
    ));
  }

  fn ago(seconds: i64) -> UnixMs {
    NOW.shifted_by_ms(-seconds * 1_000)
  }
}
