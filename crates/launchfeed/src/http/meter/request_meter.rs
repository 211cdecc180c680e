//! The counts of all connections together.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;

use release_feed::status::ReadDurations;

use super::recorded::{Encoding, Recorded, STATUSES};
use super::route::Route;
use super::shard::Shard;

/// More threads than that share.
const MAX_SHARDS: usize = 16;

/// Counts requests. Each connection counts in one of a few shards; whoever reads adds them up.
#[derive(Debug)]
pub struct RequestMeter {
  shards: Box<[Shard]>,
  next: AtomicUsize,
}

/// Where a connection counts; its end is noticed when this is dropped.
#[derive(Debug)]
pub struct ConnectionMeter {
  meter: Arc<RequestMeter>,
  shard: usize,
}

/// What was counted up to a moment.
#[derive(Clone, Debug, Default)]
pub struct RequestTotals {
  /// Route, status (none for those that aren't told apart) and encoding with the number of requests, where there were any or usually
  /// are.
  pub requests: Vec<(Route, Option<u16>, Encoding, u64)>,
  /// Route and encoding with the bytes of bodies, where there were any.
  pub body_bytes: Vec<(Route, Encoding, u64)>,
  /// How long answers of a route took to make.
  pub durations: Vec<(Route, ReadDurations)>,
  /// Connections that are open.
  pub connections: u64,
}

impl Default for RequestMeter {
  fn default() -> Self {
    let shards = available_parallelism().map_or(1, usize::from).min(MAX_SHARDS);
    Self {
      shards: (0..shards).map(|_| Shard::default()).collect(),
      next: AtomicUsize::new(0),
    }
  }
}

impl RequestMeter {
  /// For a connection that begins.
  pub fn connection(self: &Arc<Self>) -> ConnectionMeter {
    let shard = self.next.fetch_add(1, Ordering::Relaxed) % self.shards.len();
    self.shards[shard].connected(1);
    ConnectionMeter {
      meter: Arc::clone(self),
      shard,
    }
  }

  /// Everything so far. What is counted at the same time is in it or isn't.
  pub fn totals(&self) -> RequestTotals {
    let mut totals = RequestTotals::default();
    for route in Route::ALL {
      let mut durations = ReadDurations::default();
      for shard in &self.shards {
        durations.add(&shard.durations(route).read());
      }
      totals.durations.push((route, durations));
      for encoding in Encoding::ALL {
        let bytes = self.sum(|shard| shard.body_bytes(route, encoding));
        if bytes > 0 {
          totals.body_bytes.push((route, encoding, bytes));
        }
        let statuses = STATUSES.iter().copied().map(Some).chain([None]);
        for (place, status) in statuses.enumerate() {
          let requests = self.sum(|shard| shard.requests(route, place, encoding));
          if requests > 0 || is_usual(route, status, encoding) {
            totals.requests.push((route, status, encoding, requests));
          }
        }
      }
    }
    let connections: i64 = self.shards.iter().map(Shard::connections).sum();
    totals.connections = u64::try_from(connections).unwrap_or(0);
    totals
  }

  fn sum(&self, count: impl Fn(&Shard) -> u64) -> u64 {
    self.shards.iter().map(count).sum()
  }
}

/// What nearly all requests are is told from the start: a series that begins with its first request hides that one from whoever looks
/// for growth.
fn is_usual(route: Route, status: Option<u16>, encoding: Encoding) -> bool {
  let is_body = encoding != Encoding::None;
  route == Route::ReleaseInfo && status == Some(if is_body { 200 } else { 304 })
}

impl ConnectionMeter {
  pub(in crate::http) fn record(&self, recorded: Recorded) {
    self.shard().record(recorded);
  }

  fn shard(&self) -> &Shard {
    &self.meter.shards[self.shard]
  }
}

impl Drop for ConnectionMeter {
  fn drop(&mut self) {
    self.shard().connected(-1);
  }
}

impl RequestTotals {
  /// Requests that were answered with that status, on any route.
  pub fn with_status(&self, status: u16) -> u64 {
    let counted = self.requests.iter().filter(|(_, known, ..)| *known == Some(status));
    counted.map(|(.., count)| count).sum()
  }

  /// All requests.
  pub fn all(&self) -> u64 {
    self.requests.iter().map(|(.., count)| count).sum()
  }
}

#[cfg(test)]
mod tests {
  use std::time::Duration;

  use axum::http::StatusCode;

  use super::*;

  #[test]
  fn what_connections_count_adds_up_whichever_shard_it_is_in() {
    let meter = Arc::new(RequestMeter::default());
    let connections: Vec<ConnectionMeter> = (0..40).map(|_| meter.connection()).collect();
    for connection in &connections {
      connection.record(recorded(StatusCode::OK, 100));
      connection.record(recorded(StatusCode::IM_A_TEAPOT, 0));
    }
    let totals = meter.totals();
    let counted: Vec<_> = totals
      .requests
      .iter()
      .filter(|(.., count)| *count > 0)
      .copied()
      .collect();
    assert_eq!(
      counted,
      [
        (Route::App, Some(200), Encoding::Gzip, 40),
        (Route::App, None, Encoding::Gzip, 40)
      ]
    );
    assert_eq!(totals.body_bytes, [(Route::App, Encoding::Gzip, 4_000)]);
    assert_eq!(
      (totals.all(), totals.with_status(200), totals.with_status(304)),
      (80, 40, 0)
    );
    let (_, durations) = &totals.durations[Route::App as usize];
    assert_eq!(durations.count(), 80);
    assert_eq!(totals.connections, 40);
  }

  #[test]
  fn the_usual_is_told_before_it_happens() {
    let totals = RequestMeter::default().totals();
    let usual = totals.requests.iter();
    let usual: Vec<_> = usual
      .map(|(_, status, encoding, count)| (*status, encoding.as_str(), *count))
      .collect();
    assert_eq!(
      usual,
      [
        (Some(304), "none", 0),
        (Some(200), "identity", 0),
        (Some(200), "gzip", 0),
        (Some(200), "zstd", 0),
        (Some(200), "br", 0)
      ]
    );
  }

  #[test]
  fn a_connection_that_ends_is_open_no_longer() {
    let meter = Arc::new(RequestMeter::default());
    let (first, second) = (meter.connection(), meter.connection());
    drop(first);
    assert_eq!(meter.totals().connections, 1);
    drop(second);
    assert_eq!(meter.totals().connections, 0);
  }

  fn recorded(status: StatusCode, body_bytes: u64) -> Recorded {
    Recorded {
      route: Route::App,
      status,
      encoding: Encoding::Gzip,
      body_bytes,
      took: Duration::from_micros(10),
    }
  }
}
