//! What is counted from the start of the process on.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::durations::{Durations, ReadDurations};
use super::github_result::GithubResult;
use crate::schedule::RoundEnd;

const GITHUB_BOUNDS: [Duration; 9] = [
  Duration::from_millis(25),
  Duration::from_millis(50),
  Duration::from_millis(100),
  Duration::from_millis(250),
  Duration::from_millis(500),
  Duration::from_secs(1),
  Duration::from_millis(2_500),
  Duration::from_secs(10),
  Duration::from_secs(30),
];
const REDIS_BOUNDS: [Duration; 9] = [
  Duration::from_micros(500),
  Duration::from_millis(1),
  Duration::from_micros(2_500),
  Duration::from_millis(5),
  Duration::from_millis(10),
  Duration::from_millis(50),
  Duration::from_millis(250),
  Duration::from_secs(1),
  Duration::from_secs(5),
];
/// Of a duration that isn't known yet.
const NONE: u64 = u64::MAX;

/// What is asked of Redis.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RedisCall {
  /// To read what is shared.
  Read,
  /// To write under a guard.
  Write,
  /// To delete under a guard.
  Delete,
  /// To announce a change.
  Announce,
  /// To read what we share beyond the contract.
  Recall,
  /// To write that.
  Note,
}

/// Counts that any task may add to. They only ever grow.
#[derive(Debug)]
pub struct Counters {
  github: [AtomicU64; GithubResult::ALL.len()],
  github_durations: Durations<{ GITHUB_BOUNDS.len() }>,
  claims_won: AtomicU64,
  claims_lost: AtomicU64,
  rounds: [AtomicU64; 3],
  redis_calls: [[AtomicU64; 2]; RedisCall::ALL.len()],
  redis_durations: Durations<{ REDIS_BOUNDS.len() }>,
  redis_last_nanos: AtomicU64,
}

impl RedisCall {
  /// Every one, in its order.
  pub const ALL: [Self; 6] = [
    Self::Read,
    Self::Write,
    Self::Delete,
    Self::Announce,
    Self::Recall,
    Self::Note,
  ];

  /// The word for it.
  pub fn as_str(self) -> &'static str {
    match self {
      Self::Read => "read",
      Self::Write => "write",
      Self::Delete => "delete",
      Self::Announce => "announce",
      Self::Recall => "recall",
      Self::Note => "note",
    }
  }
}

impl Default for Counters {
  fn default() -> Self {
    static GITHUB: [Duration; GITHUB_BOUNDS.len()] = GITHUB_BOUNDS;
    static REDIS: [Duration; REDIS_BOUNDS.len()] = REDIS_BOUNDS;
    Self {
      github: Default::default(),
      github_durations: Durations::new(&GITHUB),
      claims_won: AtomicU64::new(0),
      claims_lost: AtomicU64::new(0),
      rounds: Default::default(),
      redis_calls: Default::default(),
      redis_durations: Durations::new(&REDIS),
      redis_last_nanos: AtomicU64::new(NONE),
    }
  }
}

impl Counters {
  /// A request to GitHub ended.
  pub(crate) fn count_request(&self, result: GithubResult) {
    add_one(&self.github[result as usize]);
  }

  /// A request to GitHub took that long.
  pub(crate) fn time_request(&self, took: Duration) {
    self.github_durations.record(took);
  }

  /// Who asks was decided.
  pub(crate) fn count_claim(&self, is_won: bool) {
    add_one(if is_won { &self.claims_won } else { &self.claims_lost });
  }

  /// A round with requests ended.
  pub(crate) fn count_round(&self, end: RoundEnd) {
    add_one(&self.rounds[place_of(end)]);
  }

  /// Redis answered, or didn't.
  pub(crate) fn count_call(&self, call: RedisCall, took: Duration, is_ok: bool) {
    add_one(&self.redis_calls[call as usize][usize::from(is_ok)]);
    self.redis_durations.record(took);
    if is_ok {
      let nanos = u64::try_from(took.as_nanos()).unwrap_or(NONE);
      self.redis_last_nanos.store(nanos, Ordering::Relaxed);
    }
  }

  /// Requests to GitHub that ended so.
  pub fn requests(&self, result: GithubResult) -> u64 {
    read(&self.github[result as usize])
  }

  /// How long requests to GitHub took.
  pub fn request_durations(&self) -> ReadDurations {
    self.github_durations.read()
  }

  /// Claims that this instance won, or lost to another.
  pub fn claims(&self, won: bool) -> u64 {
    read(if won { &self.claims_won } else { &self.claims_lost })
  }

  /// Rounds with requests that ended so; GitHub's own time doesn't count.
  pub fn rounds(&self, end: RoundEnd) -> u64 {
    read(&self.rounds[place_of(end)])
  }

  /// Calls to Redis that succeeded, or didn't.
  pub fn calls(&self, call: RedisCall, succeeded: bool) -> u64 {
    read(&self.redis_calls[call as usize][usize::from(succeeded)])
  }

  /// How long calls to Redis took, connecting included.
  pub fn call_durations(&self) -> ReadDurations {
    self.redis_durations.read()
  }

  /// How long the last call to Redis took that succeeded.
  pub fn last_call(&self) -> Option<Duration> {
    let nanos = read(&self.redis_last_nanos);
    (nanos != NONE).then(|| Duration::from_nanos(nanos))
  }
}

fn place_of(end: RoundEnd) -> usize {
  match end {
    RoundEnd::Good => 0,
    RoundEnd::AllFailed => 1,
    RoundEnd::RateLimited { .. } => 2,
  }
}

fn add_one(count: &AtomicU64) {
  count.fetch_add(1, Ordering::Relaxed);
}

fn read(count: &AtomicU64) -> u64 {
  count.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn each_thing_is_counted_by_itself() {
    let counters = Counters::default();
    assert_eq!(counters.last_call(), None);
    counters.count_request(GithubResult::NotModified);
    counters.count_claim(false);
    counters.count_round(RoundEnd::RateLimited { retry_at: None });
    counters.count_call(RedisCall::Write, Duration::from_millis(3), true);
    counters.count_call(RedisCall::Write, Duration::from_secs(5), false);
    let requests: u64 = GithubResult::ALL.iter().map(|result| counters.requests(*result)).sum();
    assert_eq!((requests, counters.requests(GithubResult::NotModified)), (1, 1));
    assert_eq!((counters.claims(true), counters.claims(false)), (0, 1));
    assert_eq!(
      (
        counters.rounds(RoundEnd::Good),
        counters.rounds(RoundEnd::RateLimited { retry_at: None })
      ),
      (0, 1)
    );
    assert_eq!(
      (
        counters.calls(RedisCall::Write, true),
        counters.calls(RedisCall::Write, false)
      ),
      (1, 1)
    );
    assert_eq!(counters.calls(RedisCall::Read, true), 0);
    assert_eq!(counters.call_durations().count(), 2);
    assert_eq!(counters.last_call(), Some(Duration::from_millis(3)));
  }
}
