//! How many requests GitHub still allows, as its answers say.

use std::time::Duration;

use http::HeaderMap;

use super::refusal::{is_about_us, reset_at, text};
use crate::clock::UnixMs;

/// How long a period is: what is said of one is true no longer than that.
const PERIOD: Duration = Duration::from_secs(60 * 60);
/// How far two readings of one and the same reset may lie apart: `Date` has whole seconds, and clocks differ a little.
const SAME_RESET_WITHIN: Duration = Duration::from_secs(60);
const LIMIT: &str = "x-ratelimit-limit";
const REMAINING: &str = "x-ratelimit-remaining";

/// How many requests GitHub allows whoever asked, as of an answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct BudgetLeft {
  /// In each period.
  pub limit: u64,
  /// In what is left of the present one.
  pub remaining: u64,
  /// When the next one begins, by our clock; none where GitHub doesn't say.
  pub reset_at: Option<UnixMs>,
  /// When the answer came.
  pub as_of: UnixMs,
}

impl BudgetLeft {
  /// What an answer's headers say; `None` where they don't say how many there are, count something else, or can't be read.
  pub(super) fn read(headers: &HeaderMap, now: UnixMs) -> Option<Self> {
    if !is_about_us(headers) {
      return None;
    }
    Some(Self {
      limit: text(headers, LIMIT)?.parse().ok()?,
      remaining: text(headers, REMAINING)?.parse().ok()?,
      reset_at: reset_at(headers, now),
      as_of: now,
    })
  }

  /// Until when nothing is left; `None` where something is, or where nobody knows until when. A period is an hour, so nobody waits
  /// longer than that for a time that an answer made up.
  pub fn used_up_until(&self, now: UnixMs) -> Option<UnixMs> {
    let reset_at = self
      .reset_at
      .filter(|_| self.remaining == 0 && self.is_current_at(now))?;
    Some(reset_at.min(self.as_of.plus(PERIOD))).filter(|until| *until > now)
  }

  /// How many are left at `now`: all of them once the period is over.
  pub fn remaining_at(&self, now: UnixMs) -> u64 {
    if self.is_current_at(now) {
      self.remaining
    } else {
      self.limit
    }
  }

  /// How long what is left must last; a whole period where a new one has begun.
  pub fn time_left_at(&self, now: UnixMs) -> Duration {
    match self.reset_at {
      Some(reset_at) if self.is_current_at(now) => reset_at.after(now).min(PERIOD),
      _ => PERIOD,
    }
  }

  /// Of two that were said of one and the same asker, the one to go by: in the same period the lower one, else the newer one.
  #[must_use]
  pub fn or_heeded(self, other: Self) -> Self {
    let newer = if other.as_of > self.as_of { other } else { self };
    let is_same_period = match (self.reset_at, other.reset_at) {
      (Some(one), Some(other)) => one.after(other).max(other.after(one)) <= SAME_RESET_WITHIN,
      _ => false,
    };
    if is_same_period {
      Self {
        remaining: self.remaining.min(other.remaining),
        ..newer
      }
    } else {
      newer
    }
  }

  /// Whether the period that it speaks of goes on. One that is said to come from the future is none.
  fn is_current_at(&self, now: UnixMs) -> bool {
    let is_recent = self.as_of.age_at(now).is_some_and(|age| age <= PERIOD);
    is_recent && self.reset_at.is_none_or(|reset_at| reset_at > now)
  }
}

#[cfg(test)]
mod tests {
  use http::{HeaderName, HeaderValue};
  use rstest::rstest;

  use super::*;

  /// 2026-10-08T14:52:50Z.
  const NOW: UnixMs = UnixMs(1_791_471_170_000);

  #[test]
  fn the_reset_is_told_by_our_clock() {
    let headers = headers(&[
      ("x-ratelimit-limit", "5000"),
      ("x-ratelimit-remaining", "4999"),
      ("x-ratelimit-reset", "1791467670"),
      ("date", "Thu, 08 Oct 2026 13:52:50 GMT"),
    ]);
    let expected = BudgetLeft {
      limit: 5_000,
      remaining: 4_999,
      reset_at: Some(NOW.shifted_by_ms(100_000)),
      as_of: NOW,
    };
    assert_eq!(BudgetLeft::read(&headers, NOW), Some(expected));
  }

  #[rstest]
  #[case::nothing(&[])]
  #[case::no_limit(&[("x-ratelimit-remaining", "1")])]
  #[case::no_number(&[("x-ratelimit-limit", "60"), ("x-ratelimit-remaining", "many")])]
  #[case::of_another_kind(&[("x-ratelimit-limit", "30"), ("x-ratelimit-remaining", "1"), ("x-ratelimit-resource", "search")])]
  #[case::negative(&[("x-ratelimit-limit", "-60"), ("x-ratelimit-remaining", "1")])]
  fn what_is_not_said_is_not_known(#[case] pairs: &[(&'static str, &'static str)]) {
    assert_eq!(BudgetLeft::read(&headers(pairs), NOW), None);
  }

  #[test]
  fn what_is_used_up_is_so_until_the_reset_and_an_hour_at_most() {
    let left = |remaining, reset_secs: i64| BudgetLeft {
      remaining,
      ..budget(reset_secs)
    };
    let at = |secs: i64| NOW.shifted_by_ms(secs * 1_000);
    assert_eq!(left(0, 100).used_up_until(NOW), Some(at(100)));
    assert_eq!(left(0, 100).used_up_until(at(100)), None);
    assert_eq!(left(1, 100).used_up_until(NOW), None);
    assert_eq!(left(0, 86_400).used_up_until(NOW), Some(at(3_600)));
    assert_eq!(left(0, 100).used_up_until(at(-61)), None);
    let untold = BudgetLeft {
      reset_at: None,
      ..left(0, 100)
    };
    assert_eq!(untold.used_up_until(NOW), None);
  }

  #[test]
  fn a_new_period_has_everything_for_a_whole_hour() {
    let at = |secs: i64| NOW.shifted_by_ms(secs * 1_000);
    let told = |secs| {
      (
        budget(100).remaining_at(at(secs)),
        budget(100).time_left_at(at(secs)).as_secs(),
      )
    };
    assert_eq!((told(0), told(99), told(100)), ((40, 100), (40, 1), (60, 3_600)));
  }

  #[test]
  fn of_two_the_lower_in_one_period_counts_and_else_the_newer() {
    let of = |remaining, reset_secs: i64, as_of_secs: i64| BudgetLeft {
      remaining,
      as_of: NOW.shifted_by_ms(as_of_secs * 1_000),
      ..budget(reset_secs)
    };
    let heeded = |one: BudgetLeft, other: BudgetLeft| {
      assert_eq!(one.or_heeded(other), other.or_heeded(one));
      one.or_heeded(other)
    };
    assert_eq!(heeded(of(10, 100, 0), of(30, 130, 5)), of(10, 130, 5));
    assert_eq!(heeded(of(30, 100, 0), of(10, 100, -5)), of(10, 100, 0));
    assert_eq!(heeded(of(0, 100, 0), of(59, 3_700, 101)), of(59, 3_700, 101));
  }

  fn budget(reset_secs: i64) -> BudgetLeft {
    BudgetLeft {
      limit: 60,
      remaining: 40,
      reset_at: Some(NOW.shifted_by_ms(reset_secs * 1_000)),
      as_of: NOW,
    }
  }

  fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
    let pairs = pairs
      .iter()
      .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
    pairs.collect()
  }
}
