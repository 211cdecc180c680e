//! This process as one instance of a fleet.

use std::sync::Arc;

use anyhow::Context;
use rand::TryRng;
use rand::rngs::SysRng;
use release_feed::SystemClock;
use release_feed::github::{Identity, Token};
use release_feed::shared::{Fleet, FleetParts, MeteredStore, RedisListener, RedisStore};
use release_feed::status::StatusBoard;
use tokio::sync::mpsc;

use crate::config::{GithubSettings, RedisSettings, Settings};
use crate::github::release_rules;
use crate::outcome::Failure;

/// Announcements that may wait; more than that, and a look is due anyway.
const MAX_ANNOUNCED: usize = 256;
/// A host's name is shown to people who look; no more of it.
const MAX_HOST_CHARS: usize = 64;

/// An instance's part in a fleet, what it hears of the others, and the task that listens.
pub(crate) type Joined = (Fleet<MeteredStore<RedisStore>>, mpsc::Receiver<String>, RedisListener);

/// Joins a fleet. Nothing is connected yet. `instances` is how many there were when that was last known; calls are counted on the board.
pub(crate) fn join(
  settings: &Settings,
  redis: &RedisSettings,
  instances: Option<u32>,
  board: &StatusBoard,
) -> Result<Joined, Failure> {
  let id = SysRng
    .try_next_u64()
    .context("the system's source of randomness")
    .map_err(Failure::Failed)?;
  let host = host();
  let (announced, changes) = mpsc::channel(MAX_ANNOUNCED);
  let listener = RedisListener::new(redis.address.clone(), &redis.prefix, announced);
  let parts = FleetParts {
    store: MeteredStore::new(
      RedisStore::new(redis.address.clone(), &redis.prefix),
      board.counters().clone(),
    ),
    instance: format!("{host}-{id:016x}"),
    clock: Arc::new(SystemClock),
    host,
    catalog: Arc::new(settings.source.catalog.clone()),
    rules: release_rules(&settings.source.github),
    max_backoff: settings.polling.max_backoff,
    askers: askers(&settings.source.github),
  };
  Ok((Fleet::new(parts, instances), changes, listener))
}

/// As whom this instance asks: with its tokens, and without while none is taken.
fn askers(github: &GithubSettings) -> Vec<Identity> {
  let tokens = github.tokens.iter().map(Token::identity);
  tokens.chain([Identity::anonymous()]).collect()
}

fn host() -> String {
  let names = rustix::system::uname();
  let name = names.nodename().to_string_lossy();
  let shown: String = name
    .chars()
    .filter(|c| c.is_ascii_graphic())
    .take(MAX_HOST_CHARS)
    .collect();
  if shown.is_empty() { "unknown".to_owned() } else { shown }
}
