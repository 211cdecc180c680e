//! A part of the counts, on cache lines of its own.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use release_feed::status::Durations;

use super::recorded::{Encoding, OTHER_STATUS, Recorded, place_of};
use super::route::Route;

/// An answer takes microseconds, unless the machine is overloaded.
pub(super) const BOUNDS: [Duration; 8] = [
  Duration::from_micros(50),
  Duration::from_micros(250),
  Duration::from_millis(1),
  Duration::from_millis(5),
  Duration::from_millis(25),
  Duration::from_millis(100),
  Duration::from_secs(1),
  Duration::from_secs(10),
];
const ROUTES: usize = Route::ALL.len();
const ENCODINGS: usize = Encoding::ALL.len();

/// Two connections that count in different shards write to no common cache line; 128 bytes, since lines are fetched in pairs.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Shard {
  requests: [[[AtomicU64; ENCODINGS]; OTHER_STATUS + 1]; ROUTES],
  body_bytes: [[AtomicU64; ENCODINGS]; ROUTES],
  durations: [Durations<{ BOUNDS.len() }>; ROUTES],
  connections: AtomicI64,
}

impl Default for Shard {
  fn default() -> Self {
    static UP_TO: [Duration; BOUNDS.len()] = BOUNDS;
    Self {
      requests: Default::default(),
      body_bytes: Default::default(),
      durations: std::array::from_fn(|_| Durations::new(&UP_TO)),
      connections: AtomicI64::new(0),
    }
  }
}

impl Shard {
  pub(super) fn record(&self, recorded: Recorded) {
    let Recorded {
      route,
      status,
      encoding,
      body_bytes,
      took,
    } = recorded;
    let (route, encoding) = (route as usize, encoding as usize);
    self.requests[route][place_of(status)][encoding].fetch_add(1, Ordering::Relaxed);
    if body_bytes > 0 {
      self.body_bytes[route][encoding].fetch_add(body_bytes, Ordering::Relaxed);
    }
    self.durations[route].record(took);
  }

  pub(super) fn connected(&self, more: i64) {
    self.connections.fetch_add(more, Ordering::Relaxed);
  }

  pub(super) fn requests(&self, route: Route, status: usize, encoding: Encoding) -> u64 {
    self.requests[route as usize][status][encoding as usize].load(Ordering::Relaxed)
  }

  pub(super) fn body_bytes(&self, route: Route, encoding: Encoding) -> u64 {
    self.body_bytes[route as usize][encoding as usize].load(Ordering::Relaxed)
  }

  pub(super) fn durations(&self, route: Route) -> &Durations<{ BOUNDS.len() }> {
    &self.durations[route as usize]
  }

  pub(super) fn connections(&self) -> i64 {
    self.connections.load(Ordering::Relaxed)
  }
}
