//! How many requests GitHub still allows, as its answers say.

use http::HeaderMap;

use super::refusal::{reset_at, text};
use crate::clock::UnixMs;

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
  /// What an answer's headers say; `None` where they don't say how many there are, or can't be read.
  pub(super) fn read(headers: &HeaderMap, now: UnixMs) -> Option<Self> {
    Some(Self {
      limit: text(headers, LIMIT)?.parse().ok()?,
      remaining: text(headers, REMAINING)?.parse().ok()?,
      reset_at: reset_at(headers, now),
      as_of: now,
    })
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
  #[case::negative(&[("x-ratelimit-limit", "-60"), ("x-ratelimit-remaining", "1")])]
  fn what_is_not_said_is_not_known(#[case] pairs: &[(&'static str, &'static str)]) {
    assert_eq!(BudgetLeft::read(&headers(pairs), NOW), None);
  }

  fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
    let pairs = pairs
      .iter()
      .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
    pairs.collect()
  }
}
