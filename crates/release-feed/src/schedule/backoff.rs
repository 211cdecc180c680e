//! When everybody leaves GitHub alone, decided after a round.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::due::doubled;
use crate::clock::UnixMs;

/// Added to GitHub's own time, so that nobody stands at the door when it opens.
const AFTER_GITHUBS_TIME: Duration = Duration::from_secs(60);
const FIRST_WAIT_AFTER_FAILURES: Duration = Duration::from_secs(60);
const JITTER: f64 = 0.1;

/// A time until which nobody asks GitHub.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Backoff {
  /// Until then.
  pub until: UnixMs,
  /// How many rounds in a row met trouble.
  pub trouble: u32,
}

/// How a round with at least one request ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RoundEnd {
  /// It met a rate limit, whatever else succeeded in it.
  RateLimited {
    /// GitHub's own time, where it gave one.
    retry_at: Option<UnixMs>,
  },
  /// Every request failed.
  AllFailed,
  /// Anything else.
  Good,
}

impl Backoff {
  /// Whether it lasts at `now`. It is believed up to 1.1 × `max_backoff` from now; beyond that some clock was wrong.
  pub fn lasts_at(&self, now: UnixMs, max_backoff: Duration) -> bool {
    let left = self.until.after(now);
    !left.is_zero() && left <= longest_believed(max_backoff)
  }
}

/// How far ahead a backoff may end and still be believed.
pub fn longest_believed(max_backoff: Duration) -> Duration {
  max_backoff.mul_f64(1.0 + JITTER)
}

/// The backoff after a round; `None` clears it.
///
/// After a rate limit the wait is the longer of GitHub's own time + 60 s and `interval × 2^(trouble−1)`, at most `max_backoff`, and
/// up to 10 % more. After nothing but failures it is `60 s × 2^(trouble−1)`, at most `interval`, ±10 %. `chance` lies in 0 to 1.
pub fn backoff_after_round(
  trouble_before: u32,
  end: RoundEnd,
  interval: Duration,
  max_backoff: Duration,
  now: UnixMs,
  chance: f64,
) -> Option<Backoff> {
  let trouble = trouble_before.saturating_add(1);
  let (wait, jitter) = match end {
    RoundEnd::Good => return None,
    RoundEnd::RateLimited { retry_at } => (
      wait_after_limit(trouble, retry_at, interval, max_backoff, now),
      1.0 + JITTER * chance,
    ),
    RoundEnd::AllFailed => (
      doubled(FIRST_WAIT_AFTER_FAILURES, trouble).min(interval),
      1.0 - JITTER + 2.0 * JITTER * chance,
    ),
  };
  Some(Backoff {
    until: now.plus(wait.mul_f64(jitter)),
    trouble,
  })
}

/// The wait after the `trouble`-th rate limit in a row, without jitter.
pub fn wait_after_limit(
  trouble: u32,
  retry_at: Option<UnixMs>,
  interval: Duration,
  max_backoff: Duration,
  now: UnixMs,
) -> Duration {
  let by_github = retry_at.map(|at| at.after(now)).filter(|left| !left.is_zero());
  let by_github = by_github.map_or(Duration::ZERO, |left| left.saturating_add(AFTER_GITHUBS_TIME));
  by_github.max(doubled(interval, trouble)).min(max_backoff)
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  const NOW: UnixMs = UnixMs(1_791_471_170_000);
  const INTERVAL: Duration = Duration::from_secs(120);
  const MAX: Duration = Duration::from_secs(14_400);
  /// No jitter in the middle of ±10 %.
  const EVEN: f64 = 0.5;

  #[rstest]
  #[case(0, 120)]
  #[case(1, 240)]
  #[case(2, 480)]
  #[case(6, 7_680)]
  #[case(7, 14_400)]
  #[case(16, 14_400)]
  #[case(u32::MAX, 14_400)]
  fn a_limit_without_a_time_waits_twice_the_interval_each_time_up_to_the_most(#[case] before: u32, #[case] secs: u64) {
    assert_eq!(limited(before, None, 0.0), secs * 1_000);
  }

  #[rstest]
  #[case::longer_than_the_doubling(3_600, 3_660)]
  #[case::shorter_than_the_doubling(30, 120)]
  #[case::just_longer(61, 121)]
  #[case::passed(-1, 120)]
  #[case::right_now(0, 120)]
  #[case::longer_than_the_most(86_400, 14_400)]
  fn githubs_own_time_holds_plus_a_minute(#[case] in_secs: i64, #[case] secs: u64) {
    assert_eq!(limited(0, Some(NOW.shifted_by_ms(in_secs * 1_000)), 0.0), secs * 1_000);
  }

  #[test]
  fn after_a_limit_nobody_wakes_early() {
    assert_eq!(limited(0, None, 0.0), 120_000);
    assert_eq!(limited(0, None, 1.0), 132_000);
    assert_eq!(limited(20, None, 1.0), 15_840_000);
  }

  #[rstest]
  #[case(0, 60)]
  #[case(1, 120)]
  #[case(2, 240)]
  #[case(5, 1_800)]
  #[case(u32::MAX, 1_800)]
  fn nothing_but_failures_wait_twice_a_minute_each_time_up_to_the_interval(#[case] before: u32, #[case] secs: u64) {
    assert_eq!(all_failed(before, EVEN), secs * 1_000);
  }

  #[test]
  fn after_failures_the_wait_varies_by_a_tenth_either_way() {
    assert_eq!(all_failed(0, 0.0), 54_000);
    assert_eq!(all_failed(0, 1.0), 66_000);
  }

  #[test]
  fn trouble_counts_rounds_and_a_good_one_clears_it() {
    let after = |before, end| backoff_after_round(before, end, INTERVAL, MAX, NOW, EVEN).map(|backoff| backoff.trouble);
    assert_eq!(after(4, RoundEnd::AllFailed), Some(5));
    assert_eq!(after(4, RoundEnd::RateLimited { retry_at: None }), Some(5));
    assert_eq!(after(4, RoundEnd::Good), None);
  }

  #[rstest]
  #[case(-1, false)]
  #[case(0, false)]
  #[case(1, true)]
  #[case(15_840, true)]
  #[case(15_841, false)]
  fn a_backoff_is_believed_up_to_a_tenth_more_than_the_most(#[case] left_secs: i64, #[case] lasts: bool) {
    let backoff = Backoff {
      until: NOW.shifted_by_ms(left_secs * 1_000),
      trouble: 1,
    };
    assert_eq!(backoff.lasts_at(NOW, MAX), lasts);
  }

  #[test]
  fn limits_of_a_minute_that_nothing_but_words_tell_of_come_to_double_at_the_shortest_interval() {
    let minute = Duration::from_secs(60);
    let end = RoundEnd::RateLimited {
      retry_at: Some(NOW.plus(minute)),
    };
    let waits = [0, 1, 2, 3, 4].map(|before| wait_of(backoff_after_round(before, end, minute, MAX, NOW, 0.0)) / 1_000);
    assert_eq!(waits, [120, 120, 240, 480, 960]);
  }

  #[test]
  fn doubling_stops_at_two_to_the_sixteenth() {
    let years = Duration::from_secs(400_000_000);
    let wait = |before| {
      wait_of(backoff_after_round(
        before,
        RoundEnd::RateLimited { retry_at: None },
        Duration::from_secs(60),
        years,
        NOW,
        0.0,
      ))
    };
    assert_eq!(wait(16), 60_000 << 16);
    assert_eq!(wait(17), 60_000 << 16);
  }

  fn limited(before: u32, retry_at: Option<UnixMs>, chance: f64) -> u64 {
    wait_of(backoff_after_round(
      before,
      RoundEnd::RateLimited { retry_at },
      INTERVAL,
      MAX,
      NOW,
      chance,
    ))
  }

  fn all_failed(before: u32, chance: f64) -> u64 {
    wait_of(backoff_after_round(
      before,
      RoundEnd::AllFailed,
      Duration::from_secs(1_800),
      MAX,
      NOW,
      chance,
    ))
  }

  fn wait_of(backoff: Option<Backoff>) -> u64 {
    u64::try_from(backoff.unwrap().until.after(NOW).as_millis()).unwrap()
  }
}
