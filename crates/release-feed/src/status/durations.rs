//! How long things took, as a histogram that any thread may add to.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Counts of durations up to each of some bounds, and beyond the last. Adding takes no lock.
#[derive(Debug)]
pub struct Durations<const BOUNDS: usize> {
  bounds: &'static [Duration; BOUNDS],
  counts: [AtomicU64; BOUNDS],
  beyond: AtomicU64,
  sum_nanos: AtomicU64,
}

/// What was counted up to a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadDurations {
  /// Upper bound in seconds (the last is infinite) and how many lie between it and the one before.
  pub buckets: Vec<(f64, u64)>,
  /// All of them together, in seconds.
  pub sum_secs: f64,
}

impl<const BOUNDS: usize> Durations<BOUNDS> {
  /// Nothing yet. Bounds ascend, and each belongs to what lies below it.
  pub const fn new(bounds: &'static [Duration; BOUNDS]) -> Self {
    Self {
      bounds,
      counts: [const { AtomicU64::new(0) }; BOUNDS],
      beyond: AtomicU64::new(0),
      sum_nanos: AtomicU64::new(0),
    }
  }

  /// Counts one.
  pub fn record(&self, duration: Duration) {
    let place = self.bounds.iter().position(|bound| duration <= *bound);
    place
      .map_or(&self.beyond, |place| &self.counts[place])
      .fetch_add(1, Ordering::Relaxed);
    let nanos = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
    self.sum_nanos.fetch_add(nanos, Ordering::Relaxed);
  }

  /// Reads it. What is added at the same time is in it or isn't.
  pub fn read(&self) -> ReadDurations {
    let below = self.bounds.iter().zip(&self.counts);
    let below = below.map(|(bound, count)| (bound.as_secs_f64(), count.load(Ordering::Relaxed)));
    let beyond = (f64::INFINITY, self.beyond.load(Ordering::Relaxed));
    ReadDurations {
      buckets: below.chain([beyond]).collect(),
      sum_secs: Duration::from_nanos(self.sum_nanos.load(Ordering::Relaxed)).as_secs_f64(),
    }
  }
}

impl ReadDurations {
  /// How many there were.
  pub fn count(&self) -> u64 {
    self.buckets.iter().map(|(_, count)| count).sum()
  }

  /// Adds another one with the same bounds.
  pub fn add(&mut self, other: &Self) {
    if self.buckets.is_empty() {
      *self = other.clone();
      return;
    }
    for ((_, count), (_, more)) in self.buckets.iter_mut().zip(&other.buckets) {
      *count += more;
    }
    self.sum_secs += other.sum_secs;
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  static BOUNDS: [Duration; 2] = [Duration::from_millis(1), Duration::from_secs(1)];

  #[test]
  fn each_duration_is_counted_at_the_first_bound_that_it_does_not_exceed() {
    let durations = Durations::new(&BOUNDS);
    for millis in [0, 1, 2, 1_000, 1_001] {
      durations.record(Duration::from_millis(millis));
    }
    let read = durations.read();
    assert_eq!(read.buckets, [(0.001, 2), (1.0, 2), (f64::INFINITY, 1)]);
    assert_eq!((read.count(), read.sum_secs), (5, 2.004));
  }

  #[test]
  fn what_is_read_of_several_adds_up() {
    let (one, other) = (Durations::new(&BOUNDS), Durations::new(&BOUNDS));
    one.record(Duration::from_millis(500));
    other.record(Duration::from_secs(2));
    let mut sum = ReadDurations::default();
    sum.add(&one.read());
    sum.add(&other.read());
    assert_eq!(sum.buckets, [(0.001, 0), (1.0, 1), (f64::INFINITY, 1)]);
    assert_eq!(sum.sum_secs, 2.5);
  }
}
