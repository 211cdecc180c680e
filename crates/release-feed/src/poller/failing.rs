//! Which apps fail, since when and why, for whoever looks at the status.

use std::collections::HashMap;

use crate::catalog::AppKey;
use crate::clock::UnixMs;
use crate::schedule::Failure;
use crate::status::FailureStatus;

/// By app: what this instance saw of the failures that last.
#[derive(Debug, Default)]
pub(super) struct Failing(HashMap<AppKey, Seen>);

#[derive(Debug)]
struct Seen {
  since: UnixMs,
  last_at: UnixMs,
  reason: String,
}

impl Failing {
  /// A request failed.
  pub(super) fn failed(&mut self, key: &AppKey, at: UnixMs, reason: String) {
    let since = self.0.get(key).map_or(at, |seen| seen.since);
    let seen = Seen {
      since,
      last_at: at,
      reason,
    };
    self.0.insert(key.clone(), seen);
  }

  /// What fails no longer is forgotten.
  pub(super) fn keep_only(&mut self, still_fails: impl Fn(&AppKey) -> bool) {
    self.0.retain(|key, _| still_fails(key));
  }

  /// What is to be said of the failures that are on record.
  pub(super) fn status(&self, key: &AppKey, failure: Failure) -> FailureStatus {
    let seen = self.0.get(key);
    FailureStatus {
      count: failure.count,
      since: seen.map_or(failure.at, |seen| seen.since.min(failure.at)),
      last_at: failure.at,
      // Of a later one, which another instance met, the reason isn't known.
      reason: seen
        .filter(|seen| seen.last_at >= failure.at)
        .map(|seen| seen.reason.clone()),
    }
  }

  /// Moves every time by that much.
  pub(super) fn shift_times(&mut self, milliseconds: i64) {
    for seen in self.0.values_mut() {
      seen.since = seen.since.shifted_by_ms(milliseconds);
      seen.last_at = seen.last_at.shifted_by_ms(milliseconds);
    }
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn the_first_failure_tells_since_when_and_the_last_one_why() {
    let (mut failing, key) = (Failing::default(), key());
    failing.failed(&key, UnixMs(1), "first".to_owned());
    failing.failed(&key, UnixMs(5), "second".to_owned());
    let status = failing.status(&key, failure(5, 2));
    assert_eq!((status.count, status.since, status.last_at), (2, UnixMs(1), UnixMs(5)));
    assert_eq!(status.reason.as_deref(), Some("second"));
    failing.keep_only(|_| false);
    failing.failed(&key, UnixMs(9), "third".to_owned());
    assert_eq!(failing.status(&key, failure(9, 1)).since, UnixMs(9));
  }

  #[test]
  fn of_another_instances_failure_the_reason_is_not_known() {
    let (mut failing, key) = (Failing::default(), key());
    assert_eq!(failing.status(&key, failure(5, 2)).since, UnixMs(5));
    failing.failed(&key, UnixMs(1), "ours".to_owned());
    let status = failing.status(&key, failure(7, 2));
    assert_eq!((status.since, status.reason), (UnixMs(1), None));
  }

  #[test]
  fn times_move_with_a_clock_that_was_set_back() {
    let (mut failing, key) = (Failing::default(), key());
    failing.failed(&key, UnixMs(100), "why".to_owned());
    failing.shift_times(-60);
    let status = failing.status(&key, failure(40, 1));
    assert_eq!((status.since, status.reason.as_deref()), (UnixMs(40), Some("why")));
  }

  fn key() -> AppKey {
    "demo".parse().unwrap()
  }

  fn failure(at: i64, count: u32) -> Failure {
    Failure { at: UnixMs(at), count }
  }
}
