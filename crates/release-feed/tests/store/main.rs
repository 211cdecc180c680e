//! What every store must do, and what Redis does in trouble, with real redis-server processes.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod behaviour;
mod listening;
mod notes;
mod restricted;
mod setups;
mod trouble;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use release_feed::catalog::Catalog;
use release_feed::github::Identity;
use release_feed::release::{ReleaseRules, WebBase};
use release_feed::shared::{Fleet, FleetParts, GuardedWrite, RedisStore, TimeField};
use release_feed::{BaseUrl, SystemClock, UnixMs};

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

/// An instance of the Craft Apps that asks GitHub as these.
fn fleet(store: RedisStore, askers: impl Into<Vec<Identity>>) -> Fleet<RedisStore> {
  Fleet::new(
    FleetParts {
      store,
      instance: "me".to_owned(),
      clock: Arc::new(SystemClock),
      host: "here".to_owned(),
      catalog: Arc::new(Catalog::craft_apps()),
      rules: ReleaseRules {
        web: WebBase::new(BaseUrl::read("https://github.com").unwrap()),
      },
      max_backoff: A_MINUTE,
      askers: askers.into(),
    },
    None,
  )
}
