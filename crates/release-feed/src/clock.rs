//! Time as a value: what a moment is, how old it counts, and where "now" comes from.
//!
//! Everything that decides takes `now` as a [`UnixMs`]; only the edges ask a [`Clock`]. Waiting is tokio's business, so that a
//! test can pause it; [`VirtualClock`] is the wall clock that moves with it.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use feed_types::UtcTime;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

/// How far ahead of ours another clock's time may be and still count as "just now". Beyond it some clock was wrong.
pub const CLOCK_TOLERANCE: Duration = Duration::from_secs(60);

/// A moment: milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct UnixMs(pub i64);

impl UnixMs {
  /// How old this moment is at `now`. Up to [`CLOCK_TOLERANCE`] ahead counts as age zero; further ahead it counts as absent,
  /// which is `None`.
  pub fn age_at(self, now: UnixMs) -> Option<Duration> {
    let age_ms = i128::from(now.0) - i128::from(self.0);
    if age_ms < -(CLOCK_TOLERANCE.as_millis() as i128) {
      return None;
    }
    Some(duration_of_ms(age_ms.max(0)))
  }

  /// How long it is from `now` to this moment; zero when it has passed.
  pub fn after(self, now: UnixMs) -> Duration {
    duration_of_ms((i128::from(self.0) - i128::from(now.0)).max(0))
  }

  /// This moment plus a duration, at most the end of time.
  #[must_use]
  pub fn plus(self, duration: Duration) -> UnixMs {
    UnixMs(
      self
        .0
        .saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)),
    )
  }

  /// This moment moved by a number of milliseconds, either way.
  #[must_use]
  pub fn shifted_by_ms(self, milliseconds: i64) -> UnixMs {
    UnixMs(self.0.saturating_add(milliseconds))
  }

  /// The moment as the answer writes it; `None` outside the years 0 to 9999.
  pub fn to_utc_time(self) -> Option<UtcTime> {
    UtcTime::from_unix_ms(self.0)
  }
}

fn duration_of_ms(milliseconds: i128) -> Duration {
  Duration::from_millis(u64::try_from(milliseconds).unwrap_or(u64::MAX))
}

/// Where "now" comes from.
pub trait Clock: Debug + Send + Sync {
  /// The present moment by the wall clock, which may jump either way.
  fn now(&self) -> UnixMs;
}

impl<C: Clock + ?Sized> Clock for Arc<C> {
  fn now(&self) -> UnixMs {
    (**self).now()
  }
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
  #[expect(
    clippy::disallowed_methods,
    reason = "this is the one place where the machine's clock is read"
  )]
  fn now(&self) -> UnixMs {
    let milliseconds = match SystemTime::now().duration_since(UNIX_EPOCH) {
      Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
      Err(before) => i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |since| -since),
    };
    UnixMs(milliseconds)
  }
}

/// A wall clock that moves with tokio's timer, and that can be set: hours pass in no time while tokio's time is paused.
#[derive(Debug)]
pub struct VirtualClock {
  started_at: UnixMs,
  started: Instant,
  set_by_ms: AtomicI64,
}

impl VirtualClock {
  /// A clock that shows `now` at this moment.
  pub fn starting_at(now: UnixMs) -> Self {
    Self {
      started_at: now,
      started: Instant::now(),
      set_by_ms: AtomicI64::new(0),
    }
  }

  /// Sets the clock forward, or back when negative.
  pub fn set_by_ms(&self, milliseconds: i64) {
    self.set_by_ms.fetch_add(milliseconds, Ordering::SeqCst);
  }
}

impl Clock for VirtualClock {
  fn now(&self) -> UnixMs {
    self
      .started_at
      .plus(self.started.elapsed())
      .shifted_by_ms(self.set_by_ms.load(Ordering::SeqCst))
  }
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case::past(1_000_000, Some(5_000))]
  #[case::now(1_005_000, Some(0))]
  #[case::a_minute_ahead(1_065_000, Some(0))]
  #[case::more_than_a_minute_ahead(1_065_001, None)]
  #[case::the_end_of_time(i64::MAX, None)]
  fn a_time_up_to_a_minute_ahead_is_age_zero_and_further_ahead_is_absent(
    #[case] time: i64,
    #[case] age_ms: Option<u64>,
  ) {
    assert_eq!(
      UnixMs(time).age_at(UnixMs(1_005_000)),
      age_ms.map(Duration::from_millis)
    );
  }

  #[test]
  fn no_arithmetic_overflows() {
    assert!(UnixMs(i64::MIN).age_at(UnixMs(i64::MAX)).is_some());
    assert_eq!(UnixMs(i64::MAX).plus(Duration::MAX), UnixMs(i64::MAX));
    assert_eq!(UnixMs(i64::MIN).after(UnixMs(i64::MAX)), Duration::ZERO);
    assert_eq!(UnixMs(i64::MIN).shifted_by_ms(-1), UnixMs(i64::MIN));
    assert_eq!(UnixMs(i64::MAX).to_utc_time(), None);
  }
}
