//! The time of day, for `Date` and for the hour after which the rate limit starts again. Nothing else depends on it.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now.
#[expect(
  clippy::disallowed_methods,
  reason = "the stand-in is another machine's clock; a test that needs a certain `Date` sets the header"
)]
pub(crate) fn now() -> SystemTime {
  SystemTime::now()
}

/// Unix seconds; 0 for a time before 1970.
pub(crate) fn unix_secs(time: SystemTime) -> u64 {
  time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
