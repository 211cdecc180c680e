//! GitHub's primary limit: shown in every answer of the API, enforced only when a test sets one.

use std::collections::HashMap;

use crate::tokens::token_of;

const ANONYMOUS_PER_HOUR: u32 = 60;
const AUTHORISED_PER_HOUR: u32 = 5000;
const WINDOW_SECS: u64 = 3600;

/// What the `x-ratelimit-…` headers say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RateView {
  pub(crate) limit: u32,
  pub(crate) remaining: u32,
  pub(crate) used: u32,
  /// Unix seconds.
  pub(crate) reset: u64,
}

/// One set limit for all, or one for each token, or a count for each `Authorization`.
#[derive(Default)]
pub(crate) struct RateLimits {
  set: Option<RateView>,
  /// By token, or none for those who say nothing.
  set_of: HashMap<Option<String>, RateView>,
  /// Counted requests by the value of `Authorization`, which is why this has no `Debug`.
  counted: HashMap<Option<String>, u64>,
}

impl RateView {
  fn left(limit: u32, remaining: u32, reset: u64) -> Self {
    Self {
      limit,
      remaining,
      used: limit.saturating_sub(remaining),
      reset,
    }
  }

  /// As it stands once everything is used.
  pub(crate) fn used_up_until(self, reset: u64) -> Self {
    Self {
      remaining: 0,
      used: self.limit,
      reset,
      ..self
    }
  }
}

impl RateLimits {
  pub(crate) fn set(&mut self, limit: u32, remaining: u32, reset: u64) {
    self.set = Some(RateView::left(limit, remaining, reset));
  }

  /// The same for one token alone, or for those without one.
  pub(crate) fn set_of(&mut self, token: Option<&str>, limit: u32, remaining: u32, reset: u64) {
    let view = RateView::left(limit, remaining, reset);
    self.set_of.insert(token.map(str::to_owned), view);
  }

  pub(crate) fn clear(&mut self) {
    self.set = None;
    self.set_of.clear();
  }

  /// Until when (Unix seconds) a set limit refuses whoever asks, if it does.
  pub(crate) fn refuses_until(&self, authorization: Option<&str>) -> Option<u64> {
    let own = self.set_of.get(&authorization.map(|value| token_of(value).to_owned()));
    let set = own.copied().or(self.set);
    set.filter(|set| set.remaining == 0).map(|set| set.reset)
  }

  /// Counts a request, if it is of a kind that counts, and tells what its answer says.
  pub(crate) fn next_view(&mut self, authorization: Option<&str>, counts: bool, now: u64) -> RateView {
    let own = self
      .set_of
      .get_mut(&authorization.map(|value| token_of(value).to_owned()));
    if let Some(set) = own.or(self.set.as_mut()) {
      if counts {
        set.remaining = set.remaining.saturating_sub(1);
        set.used = set.used.saturating_add(1).min(set.limit);
      }
      return *set;
    }
    let count = self.counted.entry(authorization.map(str::to_owned)).or_default();
    *count += u64::from(counts);
    let limit = if authorization.is_some() {
      AUTHORISED_PER_HOUR
    } else {
      ANONYMOUS_PER_HOUR
    };
    // Nothing is enforced, so nobody shall read a 0 here: the count starts again before.
    let used = u32::try_from(*count % u64::from(limit)).unwrap_or_default();
    RateView {
      limit,
      remaining: limit - used,
      used,
      reset: (now / WINDOW_SECS + 1) * WINDOW_SECS,
    }
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  const NOW: u64 = 1_767_225_600;

  #[test]
  fn by_default_60_or_5000_an_hour_are_counted_for_each_authorization() {
    let mut limits = RateLimits::default();
    let anonymous = limits.next_view(None, true, NOW);
    assert_eq!(
      anonymous,
      RateView {
        limit: 60,
        remaining: 59,
        used: 1,
        reset: NOW + 3600
      }
    );
    assert_eq!(limits.next_view(Some("Bearer a"), true, NOW).remaining, 4999);
    assert_eq!(limits.next_view(Some("Bearer b"), false, NOW).remaining, 5000);
  }

  #[test]
  fn without_a_set_limit_nothing_is_ever_used_up() {
    let mut limits = RateLimits::default();
    for _ in 0..200 {
      assert_ne!(limits.next_view(None, true, NOW).remaining, 0);
    }
    assert_eq!(limits.refuses_until(None), None);
  }

  #[test]
  fn a_set_limit_counts_down_for_everyone_and_then_refuses() {
    let mut limits = RateLimits::default();
    limits.set(60, 2, NOW);
    assert_eq!(limits.next_view(None, true, NOW).remaining, 1);
    assert_eq!(limits.next_view(None, false, NOW).remaining, 1);
    assert_eq!(limits.refuses_until(None), None);
    let last = limits.next_view(Some("Bearer a"), true, NOW);
    assert_eq!(
      last,
      RateView {
        limit: 60,
        remaining: 0,
        used: 60,
        reset: NOW
      }
    );
    assert_eq!(limits.refuses_until(None), Some(NOW));
    limits.clear();
    assert_eq!(limits.refuses_until(None), None);
  }

  #[test]
  fn a_limit_of_one_token_is_nobody_elses() {
    let mut limits = RateLimits::default();
    limits.set_of(Some("a"), 5000, 1, NOW);
    limits.set_of(None, 60, 0, NOW + 7);
    assert_eq!(limits.next_view(Some("Bearer a"), true, NOW).remaining, 0);
    assert_eq!(limits.refuses_until(Some("token a")), Some(NOW));
    assert_eq!(limits.refuses_until(Some("Bearer b")), None);
    assert_eq!(limits.refuses_until(None), Some(NOW + 7));
  }
}
