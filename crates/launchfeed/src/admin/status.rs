//! The status as one document, for people and scripts. Its field names stay; times are RFC 3339, and what isn't known is null.

use std::collections::BTreeMap;
use std::time::Duration;

use feed_types::UtcTime;
use release_feed::UnixMs;
use release_feed::github::{AskerStatus, BudgetLeft};
use release_feed::schedule::RoundEnd;
use release_feed::status::{
  AppStatus, Counters, FeedStatus, GithubResult, RedisCall, RedisStatus, SnapshotStatus, Trouble,
};
use serde::Serialize;

use super::health::{Parts, Readiness};
use super::insight::Insight;
use super::process::ProcessStats;
use crate::http::RequestTotals;

/// All of it.
#[derive(Debug, Serialize)]
pub(super) struct StatusDocument {
  version: &'static str,
  now: Option<UtcTime>,
  started_at: Option<UtcTime>,
  uptime_seconds: u64,
  status: Readiness,
  parts: Parts,
  apps: BTreeMap<String, App>,
  github: Github,
  fleet: Fleet,
  redis: Redis,
  snapshot: Snapshot,
  http: Http,
  process: Process,
}

#[derive(Debug, Serialize)]
struct App {
  repo: String,
  tag: Option<String>,
  version: Option<String>,
  fetched_at: Option<UtcTime>,
  age_seconds: Option<u64>,
  failures: u32,
  failing_since: Option<UtcTime>,
  last_failed_at: Option<UtcTime>,
  last_failure: Option<String>,
  left_alone_until: Option<UtcTime>,
  checksum_conflicts: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Github {
  is_polled: bool,
  interval_seconds: u64,
  backoff_until: Option<UtcTime>,
  used_up_until: Option<UtcTime>,
  rounds_in_trouble: u32,
  is_token_refused: bool,
  budget: Option<Budget>,
  askers: Vec<Asker>,
  last_round: Option<Round>,
  requests: BTreeMap<&'static str, u64>,
}

#[derive(Debug, Serialize)]
struct Asker {
  /// The beginning of the token's digest, or `anonymous`.
  token: String,
  is_refused: bool,
  budget: Option<Budget>,
}

#[derive(Debug, Serialize)]
struct Budget {
  limit: u64,
  remaining: u64,
  reset_at: Option<UtcTime>,
  as_of: Option<UtcTime>,
}

#[derive(Debug, Serialize)]
struct Round {
  ended_at: Option<UtcTime>,
  is_rate_limited: bool,
  fetched: u32,
  unchanged: u32,
  failed: u32,
}

#[derive(Debug, Serialize)]
struct Fleet {
  mode: &'static str,
  instances: Option<u32>,
  claims_won: u64,
  claims_lost: u64,
}

#[derive(Debug, Serialize)]
struct Redis {
  state: &'static str,
  failing_since: Option<UtcTime>,
  error: Option<String>,
  round_trip_ms: Option<f64>,
  calls: u64,
  failed_calls: u64,
}

#[derive(Debug, Serialize)]
struct Snapshot {
  saved_at: Option<UtcTime>,
  age_seconds: Option<u64>,
  failing_since: Option<UtcTime>,
  error: Option<String>,
}

#[derive(Debug, Serialize)]
struct Http {
  requests: u64,
  not_modified: u64,
  /// Of all requests; null before the first.
  not_modified_share: Option<f64>,
  body_bytes: u64,
  connections: u64,
}

#[derive(Debug, Serialize)]
struct Process {
  resident_memory_bytes: Option<u64>,
  open_fds: Option<u64>,
  max_fds: Option<u64>,
  threads: Option<u64>,
  cpu_seconds: Option<f64>,
}

impl StatusDocument {
  pub(super) fn of(insight: &Insight) -> Self {
    let about = &insight.about;
    let (feed, snapshot, now) = (about.board.feed(), about.board.snapshot(), about.clock.now());
    let counters = about.board.counters();
    let health = about.health();
    let apps = feed.apps.iter();
    Self {
      version: env!("CARGO_PKG_VERSION"),
      now: now.to_utc_time(),
      started_at: about.started_at.to_utc_time(),
      uptime_seconds: now.after(about.started_at).as_secs(),
      status: health.status,
      parts: health.parts,
      apps: apps.map(|(key, app)| (key.to_string(), App::of(app, now))).collect(),
      github: Github::of(&feed, counters, now),
      fleet: Fleet {
        mode: feed.fleet.mode.as_str(),
        instances: feed.fleet.instances,
        claims_won: counters.claims(true),
        claims_lost: counters.claims(false),
      },
      redis: Redis::of(&feed.fleet.redis, counters),
      snapshot: Snapshot::of(&snapshot, now),
      http: Http::of(&about.meter.totals()),
      process: Process::of(insight.process.stats()),
    }
  }
}

impl App {
  fn of(app: &AppStatus, now: UnixMs) -> Self {
    let (release, failure) = (app.release.as_ref(), app.failure.as_ref());
    Self {
      repo: app.repo.clone(),
      tag: release.map(|release| release.tag.clone()),
      version: release.map(|release| release.version.clone()),
      fetched_at: time(app.fetched_at),
      age_seconds: app.fetched_at.map(|at| now.after(at).as_secs()),
      failures: failure.map_or(0, |failure| failure.count),
      failing_since: time(failure.map(|failure| failure.since)),
      last_failed_at: time(failure.map(|failure| failure.last_at)),
      last_failure: failure.and_then(|failure| failure.reason.clone()),
      left_alone_until: time(app.left_alone_until.filter(|until| *until > now)),
      checksum_conflicts: app.checksum_conflicts.clone(),
    }
  }
}

impl Github {
  fn of(feed: &FeedStatus, counters: &Counters, now: UnixMs) -> Self {
    let polling = &feed.polling;
    let lasting = polling.backoff.filter(|backoff| backoff.until > now);
    Self {
      is_polled: polling.enabled,
      interval_seconds: polling.interval.as_secs(),
      backoff_until: time(lasting.map(|backoff| backoff.until)),
      used_up_until: time(feed.github.used_up_until.filter(|until| *until > now)),
      rounds_in_trouble: polling.backoff.map_or(0, |backoff| backoff.trouble),
      is_token_refused: feed.github.is_token_refused,
      budget: feed.github.budget.map(Budget::from),
      askers: feed.github.askers.iter().map(Asker::from).collect(),
      last_round: polling.last_round.map(|round| Round {
        ended_at: round.ended_at.to_utc_time(),
        is_rate_limited: matches!(round.end, RoundEnd::RateLimited { .. }),
        fetched: round.fetched,
        unchanged: round.unchanged,
        failed: round.failed,
      }),
      requests: GithubResult::ALL
        .iter()
        .map(|result| (result.as_str(), counters.requests(*result)))
        .collect(),
    }
  }
}

impl From<&AskerStatus> for Asker {
  fn from(asker: &AskerStatus) -> Self {
    Self {
      token: asker.identity.to_string(),
      is_refused: asker.is_refused,
      budget: asker.budget.map(Budget::from),
    }
  }
}

impl From<BudgetLeft> for Budget {
  fn from(budget: BudgetLeft) -> Self {
    Self {
      limit: budget.limit,
      remaining: budget.remaining,
      reset_at: time(budget.reset_at),
      as_of: budget.as_of.to_utc_time(),
    }
  }
}

impl Redis {
  fn of(redis: &RedisStatus, counters: &Counters) -> Self {
    let trouble = match redis {
      RedisStatus::Fails { trouble, .. } => Some(trouble),
      _ => None,
    };
    let calls = |succeeded| {
      RedisCall::ALL
        .iter()
        .map(|call| counters.calls(*call, succeeded))
        .sum::<u64>()
    };
    let (succeeded, failed) = (calls(true), calls(false));
    Self {
      state: redis.as_str(),
      failing_since: since(trouble),
      error: error(trouble),
      round_trip_ms: counters.last_call().map(in_ms),
      calls: succeeded + failed,
      failed_calls: failed,
    }
  }
}

impl Snapshot {
  fn of(snapshot: &SnapshotStatus, now: UnixMs) -> Self {
    let trouble = snapshot.trouble.as_ref();
    Self {
      saved_at: time(snapshot.saved_at),
      age_seconds: snapshot.saved_at.map(|at| now.after(at).as_secs()),
      failing_since: since(trouble),
      error: error(trouble),
    }
  }
}

impl Http {
  fn of(totals: &RequestTotals) -> Self {
    let (requests, not_modified) = (totals.all(), totals.with_status(304));
    Self {
      requests,
      not_modified,
      not_modified_share: (requests > 0).then(|| not_modified as f64 / requests as f64),
      body_bytes: totals.body_bytes.iter().map(|(.., bytes)| bytes).sum(),
      connections: totals.connections,
    }
  }
}

impl Process {
  fn of(stats: ProcessStats) -> Self {
    Self {
      resident_memory_bytes: stats.resident_bytes,
      open_fds: stats.open_files,
      max_fds: stats.max_files,
      threads: stats.threads,
      cpu_seconds: stats.cpu.map(|cpu| cpu.as_secs_f64()),
    }
  }
}

fn time(at: Option<UnixMs>) -> Option<UtcTime> {
  at?.to_utc_time()
}

fn since(trouble: Option<&Trouble>) -> Option<UtcTime> {
  time(trouble.map(|trouble| trouble.since))
}

fn error(trouble: Option<&Trouble>) -> Option<String> {
  trouble.map(|trouble| trouble.error.clone())
}

fn in_ms(duration: Duration) -> f64 {
  duration.as_secs_f64() * 1_000.0
}
