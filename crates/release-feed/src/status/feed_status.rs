//! What the poller and the writer of snapshots say of themselves.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::catalog::AppKey;
use crate::clock::UnixMs;
use crate::github::{AskerStatus, BudgetLeft};
use crate::schedule::{Backoff, RoundEnd};

/// All that the poller knows, as of a moment. Times are this machine's.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct FeedStatus {
  /// When that was; none before the poller has run.
  pub as_of: Option<UnixMs>,
  /// Every app of the catalog.
  pub apps: BTreeMap<AppKey, AppStatus>,
  /// When GitHub is asked.
  pub polling: PollingStatus,
  /// What GitHub says of us.
  pub github: GithubStatus,
  /// This instance among others.
  pub fleet: FleetStatus,
}

/// One app.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct AppStatus {
  /// The repository, as the catalog names it.
  pub repo: String,
  /// When GitHub last gave or confirmed what is served; none if it never did.
  pub fetched_at: Option<UnixMs>,
  /// The release that is served; none where there is none, or nothing is known.
  pub release: Option<ServedRelease>,
  /// The failures since.
  pub failure: Option<FailureStatus>,
  /// Not asked about before then.
  pub left_alone_until: Option<UnixMs>,
  /// Files of the release that are served without a SHA-256, since GitHub and its checksum files contradict each other.
  pub checksum_conflicts: Vec<String>,
}

/// A release, by its names.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ServedRelease {
  /// The tag.
  pub tag: String,
  /// The version.
  pub version: String,
}

/// Failures in a row.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FailureStatus {
  /// How many, by any instance.
  pub count: u32,
  /// When the first of them was, as far as this instance knows.
  pub since: UnixMs,
  /// When the last of them was.
  pub last_at: UnixMs,
  /// Why, as the log says it; none where another instance, or this one before a restart, met it.
  pub reason: Option<String>,
}

/// When GitHub is asked.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct PollingStatus {
  /// Whether it is asked at all.
  pub enabled: bool,
  /// How old a release may get, as of now.
  pub interval: Duration,
  /// Until when it is left alone, and how many rounds in a row met trouble; it may lie in the past.
  pub backoff: Option<Backoff>,
  /// The last round with requests.
  pub last_round: Option<RoundStatus>,
}

/// A round with requests.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct RoundStatus {
  /// When it ended.
  pub ended_at: UnixMs,
  /// How it ended.
  pub end: RoundEnd,
  /// Apps whose release changed.
  pub fetched: u32,
  /// Apps whose release is what we knew.
  pub unchanged: u32,
  /// Apps about which asking failed.
  pub failed: u32,
}

/// What GitHub says of us.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct GithubStatus {
  /// Requests that are left to all who ask, as its last answers said.
  pub budget: Option<BudgetLeft>,
  /// Until when nothing is left to anybody, so that nobody asks.
  pub used_up_until: Option<UnixMs>,
  /// Whether there are tokens, none of which it takes.
  pub is_token_refused: bool,
  /// Each token, and nobody where requests go without one.
  pub askers: Vec<AskerStatus>,
}

/// This instance among others.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct FleetStatus {
  /// How it acts.
  pub mode: Mode,
  /// How many instances there are, or were when that was last known.
  pub instances: Option<u32>,
  /// What goes on with Redis.
  pub redis: RedisStatus,
}

/// How an instance acts.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Mode {
  /// It shares nothing, as it was told.
  #[default]
  Alone,
  /// It shares what it knows, and asks in turn.
  Coordinated,
  /// It would share, and can't.
  Standalone,
}

/// What goes on with Redis.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum RedisStatus {
  /// There is none.
  #[default]
  Off,
  /// Nothing was asked of it yet.
  Unknown,
  /// It works.
  Works,
  /// It doesn't.
  Fails {
    /// What it doesn't do.
    what: RedisTrouble,
    /// Since when, and why.
    trouble: Trouble,
  },
}

/// What Redis doesn't do.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RedisTrouble {
  /// Nothing can be read.
  Reading,
  /// Nothing can be written.
  Writing,
  /// Nothing can be announced, so that others see what changed at their next look.
  Announcing,
}

/// Something that fails.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Trouble {
  /// Since when.
  pub since: UnixMs,
  /// Why it failed last. Holds no addresses and no secrets.
  pub error: String,
}

/// What is known of the snapshot.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct SnapshotStatus {
  /// When it was last written, by this process or an earlier one.
  pub saved_at: Option<UnixMs>,
  /// Why it can't be written.
  pub trouble: Option<Trouble>,
}

impl Mode {
  /// Every one.
  pub const ALL: [Self; 3] = [Self::Alone, Self::Coordinated, Self::Standalone];

  /// The word for it.
  pub fn as_str(self) -> &'static str {
    match self {
      Self::Alone => "alone",
      Self::Coordinated => "coordinated",
      Self::Standalone => "standalone",
    }
  }
}

impl RedisStatus {
  /// Every word.
  pub const WORDS: [&str; 6] = [
    "off",
    "unknown",
    "ok",
    "reading_fails",
    "writing_fails",
    "announcing_fails",
  ];

  /// The word for it.
  pub fn as_str(&self) -> &'static str {
    match self {
      Self::Off => "off",
      Self::Unknown => "unknown",
      Self::Works => "ok",
      Self::Fails {
        what: RedisTrouble::Reading,
        ..
      } => "reading_fails",
      Self::Fails {
        what: RedisTrouble::Writing,
        ..
      } => "writing_fails",
      Self::Fails {
        what: RedisTrouble::Announcing,
        ..
      } => "announcing_fails",
    }
  }
}
