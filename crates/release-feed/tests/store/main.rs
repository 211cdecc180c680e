//! What every store must do, and what Redis does in trouble, with real redis-server processes.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod behaviour;
mod listening;
mod notes;
mod restricted;
mod setups;
mod trouble;

use std::time::Duration;

use bytes::Bytes;
use release_feed::UnixMs;
use release_feed::shared::{GuardedWrite, TimeField};

const KEPT: Duration = Duration::from_secs(600);
const A_MINUTE: Duration = Duration::from_secs(60);

/// A write as of a release that was fetched then.
fn fetched(key: &str, at: UnixMs) -> GuardedWrite {
  write(key, TimeField::Fetched, at)
}

fn write(key: &str, time_field: TimeField, at: UnixMs) -> GuardedWrite {
  GuardedWrite {
    key: key.to_owned(),
    time_field,
    at,
    gap: Duration::ZERO,
    gap_once_finished: None,
    believed_ahead: A_MINUTE,
    requires_etag: None,
    fields: vec![
      ("v", Bytes::from_static(b"1")),
      (time_field.name(), at.0.to_string().into()),
    ],
    ttl: KEPT,
  }
}
