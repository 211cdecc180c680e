//! A source that answers as told and remembers what it was asked, and a poller on it.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use bytes::Bytes;
use feed_types::{Release, ReleaseInfoAnswer};
use rand::SeedableRng;
use rand::rngs::StdRng;
use release_feed::answer::{Coding, Publication, feed_channel};
use release_feed::cache::ReleaseCache;
use release_feed::catalog::{Catalog, parse_app_list};
use release_feed::github::{
  Ask, BudgetLeft, ETag, FetchFailure, Forbidden, Identity, Outcome, ReleaseAnswer, ReleaseSource,
};
use release_feed::poller::{Feed, FeedParts, Poller, PollerSettings, RequestsPerHour};
use release_feed::release::ValidRelease;
use release_feed::snapshot::{Restored, SnapshotSender};
use release_feed::status::StatusBoard;
use release_feed::{Clock, UnixMs, VirtualClock};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

/// 2026-10-08T14:52:50Z.
pub(crate) const START: UnixMs = UnixMs(1_791_471_170_000);
pub(crate) const INTERVAL: Duration = Duration::from_secs(120);
pub(crate) const MAX_BACKOFF: Duration = Duration::from_secs(14_400);
pub(crate) const HOUR: Duration = Duration::from_secs(3_600);

/// One question that was asked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Asked {
  /// Since the start.
  pub(crate) after: Duration,
  pub(crate) key: String,
  pub(crate) etag: Option<String>,
}

/// Answers as told; without being told, the release `v1` to whoever doesn't know it and "not modified" to whoever does.
#[derive(Clone)]
pub(crate) struct Simulated(Arc<Mutex<State>>);

struct State {
  started: Instant,
  latency: Duration,
  latency_of: HashMap<String, Duration>,
  asked: Vec<Asked>,
  queued: HashMap<String, VecDeque<Outcome>>,
  always: HashMap<String, Outcome>,
  is_token_refused: bool,
  /// Counts down with every answer that counts; by the virtual clock, which starts at [`START`].
  budget: Option<BudgetLeft>,
  pays_for_confirmations: bool,
  /// Requests that were sent with nothing left.
  asked_in_vain: usize,
}

/// A poller at work.
pub(crate) struct Running {
  pub(crate) source: Simulated,
  pub(crate) clock: Arc<VirtualClock>,
  pub(crate) publication: Publication,
  pub(crate) board: StatusBoard,
  stop: CancellationToken,
  task: JoinHandle<()>,
}

/// What to run.
pub(crate) struct Plan {
  pub(crate) apps: &'static str,
  pub(crate) settings: PollerSettings,
  pub(crate) restored: Option<ReleaseCache>,
  pub(crate) snapshots: SnapshotSender,
  pub(crate) seed: u64,
}

impl Default for Plan {
  fn default() -> Self {
    Self {
      apps: "a=A=o/a,b=B=o/b,c=C=o/c",
      settings: PollerSettings {
        polling_enabled: true,
        interval: INTERVAL,
        interval_without_token: Duration::from_secs(1_800),
        max_backoff: MAX_BACKOFF,
        requests_per_hour: RequestsPerHour::of_github(true),
      },
      restored: None,
      snapshots: SnapshotSender::to_nowhere(),
      seed: 7,
    }
  }
}

impl Plan {
  pub(crate) fn start(self, prepare: impl FnOnce(&Simulated)) -> Running {
    let source = Simulated::new();
    prepare(&source);
    let clock = Arc::new(VirtualClock::starting_at(START));
    let cache = self
      .restored
      .unwrap_or_else(|| ReleaseCache::new(Arc::new(catalog(self.apps))));
    let (publisher, encoder, publication) = feed_channel(cache.answer()).unwrap();
    let feed = Feed::new(FeedParts {
      restored: Restored {
        cache,
        ..Restored::nothing(Arc::new(catalog(self.apps)))
      },
      asked_as: "anonymous".to_owned(),
      publisher,
      snapshots: self.snapshots,
    });
    tokio::spawn(encoder.run());
    let chance = StdRng::seed_from_u64(self.seed);
    let board = StatusBoard::default();
    let poller = Poller::new(
      self.settings,
      Arc::new(source.clone()),
      Arc::clone(&clock),
      chance,
      feed,
    )
    .reporting_to(board.clone());
    let stop = CancellationToken::new();
    let task = tokio::spawn(poller.run(stop.clone()));
    Running {
      source,
      clock,
      publication,
      board,
      stop,
      task,
    }
  }
}

impl Running {
  /// Lets that much time pass.
  pub(crate) async fn pass(&self, time: Duration) {
    sleep(time).await;
  }

  pub(crate) fn body(&self) -> Bytes {
    self.publication.current().all().body(Coding::Identity).clone()
  }

  pub(crate) fn is_complete(&self) -> bool {
    self.publication.current().all().is_complete()
  }

  pub(crate) fn answer(&self) -> ReleaseInfoAnswer {
    serde_json::from_slice(&self.body()).unwrap()
  }

  /// The tag that the answer gives for an app; panics where it says nothing or "no release".
  pub(crate) fn tag(&self, key: &str) -> String {
    self.answer().release_info.apps[key].latest_release.clone().unwrap().tag
  }

  /// The app's fetch time in the answer, as an age in whole seconds by the wall clock.
  pub(crate) fn age_secs(&self, key: &str) -> i64 {
    let at = self.answer().release_info.apps[key].app_last_fetched.unwrap().unix_ms();
    (self.clock.now().0 - at) / 1_000
  }

  pub(crate) async fn stop(self) {
    self.stop.cancel();
    self.task.await.unwrap();
  }
}

impl Simulated {
  fn new() -> Self {
    Self(Arc::new(Mutex::new(State {
      started: Instant::now(),
      latency: Duration::ZERO,
      latency_of: HashMap::new(),
      asked: Vec::new(),
      queued: HashMap::new(),
      always: HashMap::new(),
      is_token_refused: false,
      budget: None,
      pays_for_confirmations: false,
      asked_in_vain: 0,
    })))
  }

  pub(crate) fn set_latency(&self, latency: Duration) {
    self.state().latency = latency;
  }

  /// So long the answers for one app take.
  pub(crate) fn set_latency_of(&self, key: &str, latency: Duration) {
    self.state().latency_of.insert(key.to_owned(), latency);
  }

  /// The next answers for an app.
  pub(crate) fn queue(&self, key: &str, outcomes: impl IntoIterator<Item = Outcome>) {
    self.state().queued.entry(key.to_owned()).or_default().extend(outcomes);
  }

  /// Every answer for an app once its queue is empty.
  pub(crate) fn always(&self, key: &str, outcome: Outcome) {
    self.state().always.insert(key.to_owned(), outcome);
  }

  pub(crate) fn refuse_token(&self) {
    self.state().is_token_refused = true;
  }

  /// So many requests of so many are left, for so long.
  pub(crate) fn set_budget(&self, limit: u64, remaining: u64, time: Duration) {
    let now = self.now();
    self.state().budget = Some(BudgetLeft {
      limit,
      remaining,
      reset_at: Some(now.plus(time)),
      as_of: now,
    });
  }

  pub(crate) fn pay_for_confirmations(&self) {
    self.state().pays_for_confirmations = true;
  }

  pub(crate) fn asked_in_vain(&self) -> usize {
    self.state().asked_in_vain
  }

  fn now(&self) -> UnixMs {
    START.plus(self.state().started.elapsed())
  }

  /// Back to the usual answers.
  pub(crate) fn as_usual(&self) {
    let mut state = self.state();
    state.queued.clear();
    state.always.clear();
  }

  pub(crate) fn asked(&self) -> Vec<Asked> {
    self.state().asked.clone()
  }

  pub(crate) fn asked_of(&self, key: &str) -> Vec<Asked> {
    self.asked().into_iter().filter(|asked| asked.key == key).collect()
  }

  /// What was asked from then on.
  pub(crate) fn asked_since(&self, after: Duration) -> Vec<Asked> {
    self.asked().into_iter().filter(|asked| asked.after >= after).collect()
  }

  fn state(&self) -> MutexGuard<'_, State> {
    self.0.lock().unwrap()
  }

  fn answer(&self, ask: Ask<'_>) -> (Outcome, Duration) {
    let mut state = self.state();
    let key = ask.key.to_string();
    let validator = ask.etag_for(&Identity::anonymous()).cloned();
    let etag = validator.as_ref().map(|etag| etag.as_str().to_owned());
    let asked = Asked {
      after: state.started.elapsed(),
      key: key.clone(),
      etag,
    };
    state.asked.push(asked);
    let queued = state.queued.get_mut(&key).and_then(VecDeque::pop_front);
    let told = queued.or_else(|| state.always.get(&key).cloned());
    let usual = || validator.map_or_else(|| released("v1"), |named| Outcome::NotModified { named });
    let outcome = told.unwrap_or_else(usual);
    let counts = state.pays_for_confirmations || !matches!(outcome, Outcome::NotModified { .. });
    let now = START.plus(state.started.elapsed());
    let mut in_vain = false;
    if let Some(budget) = &mut state.budget {
      budget.as_of = now;
      if budget.reset_at.is_some_and(|reset_at| reset_at <= now) {
        (budget.remaining, budget.reset_at) = (budget.limit, Some(now.plus(HOUR)));
      }
      in_vain = budget.remaining == 0;
      budget.remaining = budget.remaining.saturating_sub(u64::from(counts));
    }
    state.asked_in_vain += usize::from(in_vain);
    let latency = state.latency_of.get(&key).copied().unwrap_or(state.latency);
    (outcome, latency)
  }
}

impl ReleaseSource for Simulated {
  async fn latest_release(&self, ask: Ask<'_>) -> Outcome {
    let (outcome, latency) = self.answer(ask);
    sleep(latency).await;
    outcome
  }

  fn is_token_refused(&self) -> bool {
    self.state().is_token_refused
  }

  fn pays_for_confirmations(&self) -> bool {
    self.state().pays_for_confirmations
  }

  fn budgets_in_force(&self) -> Vec<BudgetLeft> {
    self.state().budget.into_iter().collect()
  }

  fn used_up_until(&self) -> Option<UnixMs> {
    let now = self.now();
    self.state().budget.and_then(|budget| budget.used_up_until(now))
  }
}

pub(crate) fn catalog(apps: &str) -> Catalog {
  parse_app_list(apps).0
}

pub(crate) fn release(tag: &str) -> Release {
  Release {
    tag: tag.to_owned(),
    ..Release::default()
  }
}

/// The release with that tag, under an ETag that is made of it.
pub(crate) fn released(tag: &str) -> Outcome {
  released_as(tag, &format!("W/\"{tag}\""))
}

pub(crate) fn released_as(tag: &str, etag: &str) -> Outcome {
  let valid = ValidRelease {
    release: release(tag),
    left_out: Vec::new(),
  };
  Outcome::Release(Box::new(ReleaseAnswer {
    valid,
    etag: ETag::new(etag),
    ..ReleaseAnswer::default()
  }))
}

pub(crate) fn failed() -> Outcome {
  Outcome::Failed(FetchFailure::Network("down".to_owned()))
}

/// A failure that says nothing of the other apps.
pub(crate) fn failed_alone() -> Outcome {
  Outcome::Failed(FetchFailure::Forbidden {
    why: Forbidden::Denied,
    message: None,
  })
}

pub(crate) fn limited(retry_at: Option<UnixMs>) -> Outcome {
  Outcome::RateLimited { retry_at }
}

/// The times between one and the next.
pub(crate) fn gaps(asked: &[Asked]) -> Vec<Duration> {
  asked.windows(2).map(|pair| pair[1].after - pair[0].after).collect()
}

pub(crate) fn secs(seconds: u64) -> Duration {
  Duration::from_secs(seconds)
}
