//! One instance's loop: look every 30 s, ask about what is due, decide whether to leave GitHub alone.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use rand::RngExt;
use rand::rngs::StdRng;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, warn};

use super::asking::{Asking, SLOW_AFTER};
use super::clock_watch::ClockWatch;
use super::coordination::{Coordination, Turn};
use super::cost_share::CostShare;
use super::failing::Failing;
use super::feed::Feed;
use super::limited_apps::LimitedApps;
use super::round::Round;
use super::round_queue::RoundQueue;
use super::said_once::SaidOnce;
use crate::catalog::AppKey;
use crate::clock::{Clock, UnixMs};
use crate::github::ReleaseSource;
use crate::schedule::{TICK, backoff_after_round, pause_between_requests, tick_after};
use crate::shared::{Fleet, NoStore, SharedStore};
use crate::status::{RoundStatus, StatusBoard};

/// When to ask.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PollerSettings {
  /// Whether to ask at all.
  pub polling_enabled: bool,
  /// How old a release may get.
  pub interval: Duration,
  /// The same while a token isn't taken; never shorter.
  pub interval_without_token: Duration,
  /// Requests an hour that GitHub allows all instances together, and while a token isn't taken.
  pub requests_per_hour: RequestsPerHour,
  /// The longest wait after rate limits.
  pub max_backoff: Duration,
}

/// How many requests GitHub allows.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct RequestsPerHour {
  /// As it was asked to.
  pub usual: u32,
  /// Without a token.
  pub without_token: u32,
}

impl RequestsPerHour {
  /// What the real GitHub allows, to those with a token and to others.
  pub fn of_github(has_token: bool) -> Self {
    Self::of_tokens(usize::from(has_token))
  }

  /// The same with so many tokens.
  pub fn of_tokens(tokens: usize) -> Self {
    let (of_a_token, without_token) = (5_000_u32, 60);
    let tokens = u32::try_from(tokens).unwrap_or(u32::MAX);
    Self {
      usual: of_a_token.saturating_mul(tokens).max(without_token),
      without_token,
    }
  }
}

/// Owns what is known and keeps it current. No globals: clock, chance and the source of releases are its own.
#[derive(Debug)]
pub struct Poller<S, C, F = NoStore> {
  pub(super) settings: PollerSettings,
  pub(super) source: Arc<S>,
  pub(super) clock: C,
  pub(super) chance: StdRng,
  pub(super) feed: Feed,
  pub(super) coordination: Coordination<F>,
  pub(super) said: SaidOnce,
  pub(super) cost_share: CostShare,
  /// Until when nobody asks since nothing is left, as the log says.
  pub(super) used_up_said: Option<UnixMs>,
  pub(super) failing: Failing,
  pub(super) limited_apps: LimitedApps,
  pub(super) last_round: Option<RoundStatus>,
  /// Where to say how it goes; none where nobody looks.
  pub(super) board: Option<StatusBoard>,
  clock_watch: ClockWatch,
  ever_complete: bool,
}

impl<S: ReleaseSource, C: Clock> Poller<S, C> {
  /// A poller that has not looked yet, and shares nothing.
  pub fn new(settings: PollerSettings, source: Arc<S>, clock: C, chance: StdRng, feed: Feed) -> Self {
    let clock_watch = ClockWatch::start(&clock);
    let ever_complete = feed.cache.is_complete();
    Self {
      settings,
      source,
      clock,
      chance,
      feed,
      coordination: Coordination::none(),
      said: SaidOnce::default(),
      cost_share: CostShare::default(),
      used_up_said: None,
      failing: Failing::default(),
      limited_apps: LimitedApps::default(),
      last_round: None,
      board: None,
      clock_watch,
      ever_complete,
    }
  }

  /// The same, which says on the board how it goes, from now on.
  #[must_use]
  pub fn reporting_to(mut self, board: StatusBoard) -> Self {
    self.board = Some(board);
    self.report();
    self
  }

  /// The same as one of a fleet. `changes` brings the keys of apps whose releases others found.
  pub fn in_fleet<F: SharedStore>(self, fleet: Fleet<F>, changes: mpsc::Receiver<String>) -> Poller<S, C, F> {
    let Self {
      settings,
      source,
      clock,
      chance,
      feed,
      coordination: _,
      said,
      cost_share,
      used_up_said,
      failing,
      limited_apps,
      last_round,
      board,
      clock_watch,
      ever_complete,
    } = self;
    Poller {
      settings,
      source,
      clock,
      chance,
      feed,
      coordination: Coordination::with(fleet, changes),
      said,
      cost_share,
      used_up_said,
      failing,
      limited_apps,
      last_round,
      board,
      clock_watch,
      ever_complete,
    }
  }
}

impl<S: ReleaseSource, C: Clock, F: SharedStore> Poller<S, C, F> {
  /// Looks at once and then every 30 s (±10 %) until stopped; then saves what has not been saved. A request under way is dropped.
  pub async fn run(mut self, stop: CancellationToken) {
    self.report();
    let looking = async {
      loop {
        let started = Instant::now();
        self.look().await;
        let next = started + tick_after(self.chance.random());
        self.heed_until(next).await;
      }
    };
    stop.run_until_cancelled(looking).await;
    self.said.say_failures();
    self.feed.finish();
  }

  async fn look(&mut self) {
    self.look_around().await;
    let now = self.now();
    if self.settings.polling_enabled && !self.is_backing_off(now) && !self.is_used_up(now) {
      self.round(now).await;
    }
    self.feed.refresh();
    self.report();
  }

  /// Takes over what the fleet knows.
  async fn look_around(&mut self) {
    let max_backoff = self.max_backoff();
    self.now();
    let budgets = self.coordination.look(&mut self.feed, &self.clock, max_backoff).await;
    for (asker, budget) in budgets {
      self.source.heed_budget(&asker, budget);
    }
    self.note_completeness();
    self.report();
  }

  /// Waits, and takes over what is announced meanwhile.
  async fn heed_until(&mut self, end: Instant) {
    loop {
      let announced = tokio::select! {
        biased;
        () = sleep_until(end) => return,
        announced = self.coordination.announced() => announced,
      };
      self.heed(announced).await;
    }
  }

  /// The same in a round, whose answers are taken in as they come. Also ends when that is so, and at a rate limit.
  async fn attend(
    &mut self,
    asking: &mut Asking,
    round: &mut Round,
    end: Instant,
    is_enough: impl Fn(&Asking) -> bool,
  ) {
    while round.limited.is_none() && !is_enough(asking) {
      tokio::select! {
        biased;
        () = sleep_until(end) => return,
        answered = asking.next() => self.take_in(answered, round).await,
        announced = self.coordination.announced() => self.heed(announced).await,
      }
    }
  }

  async fn heed(&mut self, announced: BTreeSet<String>) {
    self.now();
    self.coordination.heed(announced, &mut self.feed).await;
    self.note_completeness();
    self.report();
  }

  fn due(&self, now: UnixMs) -> Vec<AppKey> {
    self.limited_apps.last(self.feed.cache.due(self.freshness(), now))
  }

  async fn round(&mut self, now: UnixMs) {
    let due = self.due(now);
    if due.is_empty() {
      return;
    }
    let span = Round::span();
    let round = self.ask_about(due).instrument(span.clone()).await;
    round.note_in(&span, self.coordination.mode());
  }

  async fn ask_about(&mut self, due: Vec<AppKey>) -> Round {
    let started = Instant::now();
    let mut round = Round::default();
    let mut asking = Asking::default();
    let mut is_first = true;
    let mut queue = RoundQueue::of(due);
    let mut looked = started;
    loop {
      if let Some(key) = queue.next() {
        if !is_first {
          let apps = self.feed.cache.catalog().len();
          let pause = pause_between_requests(self.interval(), apps, self.ever_complete);
          let nothing_else = |_: &Asking| false;
          self
            .attend(&mut asking, &mut round, Instant::now() + pause, nothing_else)
            .await;
        }
        if round.limited.is_some() {
          break;
        }
        match self.turn(&key).await {
          Turn::Ours | Turn::Alone => {}
          Turn::Lost | Turn::NotDue => continue,
          Turn::Over => break,
        }
        is_first = false;
        self.ask(&key, &mut asking, &mut round).await;
      } else if asking.is_empty() {
        break;
      } else {
        self
          .attend(&mut asking, &mut round, looked + TICK, Asking::is_empty)
          .await;
      }
      let now = self.now();
      if round.limited.is_some() || self.is_used_up(now) {
        break;
      }
      if looked.elapsed() >= TICK {
        // A round over many apps lasts longer than from one look to the next.
        looked = Instant::now();
        self.look_around().await;
        let now = self.now();
        queue.add(self.due(now));
      }
    }
    drop(asking);
    self.said.say_failures();
    let Some(end) = round.end() else { return round };
    let now = self.now();
    let trouble = self.feed.backoff.map_or(0, |backoff| backoff.trouble);
    let (interval, max_backoff) = (self.usual_interval(), self.max_backoff());
    let backoff = backoff_after_round(trouble, end, interval, max_backoff, now, self.chance.random());
    self.feed.set_backoff(backoff);
    self.coordination.share_backoff(backoff).await;
    self.coordination.share_budgets(&self.source.budgets()).await;
    // Whoever reads the line may read the answer, and the status.
    self.feed.settled().await;
    self.last_round = Some(round.status(now, end));
    self.count(|counters| counters.count_round(end));
    self.report();
    let instances = self.coordination.instances();
    round.log(self.coordination.mode(), instances, backoff, started.elapsed());
    round
  }

  /// Asks, and waits for the answer unless it is a slow one; then the next app is asked about meanwhile.
  async fn ask(&mut self, key: &AppKey, asking: &mut Asking, round: &mut Round) {
    let fetch = self.feed.cache.get(key).and_then(|entry| entry.fetch.clone());
    let catalog = Arc::clone(self.feed.cache.catalog());
    asking.ask(Arc::clone(&self.source), catalog, key.clone(), fetch);
    let slow_at = Instant::now() + SLOW_AFTER;
    self.attend(asking, round, slow_at, |asking| !asking.is_out(key)).await;
    while !asking.has_room() && round.limited.is_none() {
      self
        .attend(asking, round, Instant::now() + TICK, Asking::has_room)
        .await;
    }
  }

  /// Whose turn it is to ask about an app that was due when the round began.
  async fn turn(&mut self, key: &AppKey) -> Turn {
    let (freshness, max_backoff) = (self.freshness(), self.max_backoff());
    let turn = self
      .coordination
      .turn(key, &mut self.feed, &self.clock, freshness, max_backoff)
      .await;
    self.note_completeness();
    if matches!(turn, Turn::Ours | Turn::Lost) {
      self.count(|counters| counters.count_claim(turn == Turn::Ours));
    }
    let now = self.now();
    // The fleet may have been lost just now, and whoever is alone asks more seldom.
    if turn == Turn::Alone && !self.feed.cache.is_due(key, self.freshness(), now) {
      return Turn::NotDue;
    }
    turn
  }

  pub(super) fn note_completeness(&mut self) {
    self.ever_complete = self.ever_complete || self.feed.cache.is_complete();
  }

  /// The time, after making sure that nothing remembered lies in the future because of a clock that was set back.
  pub(super) fn now(&mut self) -> UnixMs {
    if let Some(step) = self.clock_watch.step_back(&self.clock) {
      warn!(
        by_ms = step,
        "the clock was set back: remembered times are moved with it"
      );
      self.feed.shift_times(step);
      self.failing.shift_times(step);
      self.limited_apps.shift_times(step);
    }
    self.clock.now()
  }
}
