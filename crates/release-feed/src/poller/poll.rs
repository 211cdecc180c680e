//! One instance's loop: look every 30 s, ask about what is due, decide whether to leave GitHub alone.

use std::time::Duration;

use rand::RngExt;
use rand::rngs::StdRng;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use super::clock_watch::ClockWatch;
use super::feed::Feed;
use super::round::Round;
use super::said_once::SaidOnce;
use crate::cache::Change;
use crate::catalog::AppKey;
use crate::clock::{Clock, UnixMs};
use crate::github::{Ask, ETag, Outcome, ReleaseSource};
use crate::release::ValidRelease;
use crate::schedule::{backoff_after_round, pause_between_requests, tick_after};

const MODE: &str = "standalone";

/// When to ask.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PollerSettings {
  /// Whether to ask at all.
  pub polling_enabled: bool,
  /// How old a release may get.
  pub interval: Duration,
  /// The same while a token isn't taken; never shorter.
  pub interval_without_token: Duration,
  /// The longest wait after rate limits.
  pub max_backoff: Duration,
}

/// Owns what is known and keeps it current. No globals: clock, chance and the source of releases are its own.
#[derive(Debug)]
pub struct Poller<S, C> {
  settings: PollerSettings,
  source: S,
  clock: C,
  chance: StdRng,
  feed: Feed,
  said: SaidOnce,
  clock_watch: ClockWatch,
  ever_complete: bool,
}

impl<S: ReleaseSource, C: Clock> Poller<S, C> {
  /// A poller that has not looked yet.
  pub fn new(settings: PollerSettings, source: S, clock: C, chance: StdRng, feed: Feed) -> Self {
    let clock_watch = ClockWatch::start(&clock);
    let ever_complete = feed.cache.is_complete();
    Self {
      settings,
      source,
      clock,
      chance,
      feed,
      said: SaidOnce::default(),
      clock_watch,
      ever_complete,
    }
  }

  /// Looks at once and then every 30 s (±10 %) until stopped; then saves what has not been saved. A request under way is dropped.
  pub async fn run(mut self, stop: CancellationToken) {
    let looking = async {
      loop {
        let started = Instant::now();
        self.look().await;
        sleep_until(started + tick_after(self.chance.random())).await;
      }
    };
    stop.run_until_cancelled(looking).await;
    self.said.say_failures();
    self.feed.finish();
  }

  async fn look(&mut self) {
    let now = self.now();
    let max_backoff = self.settings.max_backoff.max(self.interval());
    let backing_off = self
      .feed
      .backoff
      .is_some_and(|backoff| backoff.lasts_at(now, max_backoff));
    if self.settings.polling_enabled && !backing_off {
      self.round(now).await;
    }
    self.feed.refresh();
  }

  async fn round(&mut self, now: UnixMs) {
    let started = Instant::now();
    let mut round = Round::default();
    for (number, key) in self.feed.cache.due(self.interval(), now).into_iter().enumerate() {
      if number > 0 {
        sleep(pause_between_requests(
          self.interval(),
          self.feed.cache.catalog().len(),
          self.ever_complete,
        ))
        .await;
      }
      self.ask(&key, &mut round).await;
      if round.limited.is_some() {
        break;
      }
    }
    self.said.say_failures();
    let Some(end) = round.end() else { return };
    let now = self.now();
    let trouble = self.feed.backoff.map_or(0, |backoff| backoff.trouble);
    let interval = self.interval();
    let max_backoff = self.settings.max_backoff.max(interval);
    let backoff = backoff_after_round(trouble, end, interval, max_backoff, now, self.chance.random());
    self.feed.set_backoff(backoff);
    // Whoever reads the line may read the answer.
    self.feed.settled().await;
    round.log(MODE, backoff, started.elapsed());
  }

  async fn ask(&mut self, key: &AppKey, round: &mut Round) {
    let catalog = self.feed.cache.catalog().clone();
    let Some(app) = catalog.get(key) else { return };
    let etag = self
      .feed
      .cache
      .get(key)
      .and_then(|entry| entry.fetch.as_ref()?.etag.clone());
    let outcome = self
      .source
      .latest_release(Ask {
        key,
        app,
        etag: etag.as_ref(),
      })
      .await;
    let now = self.now();
    let change = match outcome {
      Outcome::Release { valid, etag } => self.record_release(key, valid, etag, now),
      Outcome::NoRelease => self.record_no_release(key, now),
      Outcome::NotModified => self.feed.cache.get_mut(key).map(|entry| entry.record_confirmation(now)),
      Outcome::RateLimited { retry_at } => {
        round.limited = Some(retry_at);
        return;
      }
      Outcome::Failed(failure) => {
        round.failed += 1;
        let has_answer = self.feed.cache.get(key).is_some_and(|entry| entry.fetch.is_some());
        self.said.failed(key, &app.repo, &failure, has_answer);
        if let Some(entry) = self.feed.cache.get_mut(key) {
          entry.record_failure(now, failure.leaves_alone_for());
        }
        return;
      }
    };
    match change {
      Some(Change::Content) => round.fetched += 1,
      _ => round.unchanged += 1,
    }
    self.said.succeeded(key, &app.repo);
    self.ever_complete = self.ever_complete || self.feed.cache.is_complete();
    self.feed.changed(change.unwrap_or(Change::Time));
  }

  fn record_release(&mut self, key: &AppKey, valid: ValidRelease, etag: Option<ETag>, now: UnixMs) -> Option<Change> {
    let ValidRelease { release, left_out } = valid;
    self.said.left_out(key, &release.tag, left_out);
    let entry = self.feed.cache.get_mut(key)?;
    let before = entry
      .fetch
      .as_ref()
      .and_then(|fetch| Some(fetch.release.as_deref()?.tag.clone()));
    let (tag, assets) = (release.tag.clone(), release.assets.len());
    let change = entry.record_fetch(now, etag, Some(release));
    if change == Change::Content {
      info!(app = %key, from = before.as_deref().unwrap_or("none"), to = %tag, assets, "the latest release changed");
    }
    Some(change)
  }

  fn record_no_release(&mut self, key: &AppKey, now: UnixMs) -> Option<Change> {
    let entry = self.feed.cache.get_mut(key)?;
    let before = entry.fetch.as_ref().and_then(|fetch| fetch.release.clone());
    let change = entry.record_fetch(now, None, None);
    match before {
      _ if change == Change::Time => {}
      Some(release) => {
        warn!(app = %key, dropped = %release.tag, "the repository has no release any more; the one that was served is dropped")
      }
      None => info!(app = %key, "the repository has no release"),
    }
    Some(change)
  }

  fn interval(&self) -> Duration {
    let PollerSettings {
      interval,
      interval_without_token,
      ..
    } = self.settings;
    if self.source.is_token_refused() {
      interval.max(interval_without_token)
    } else {
      interval
    }
  }

  /// The time, after making sure that nothing remembered lies in the future because of a clock that was set back.
  fn now(&mut self) -> UnixMs {
    if let Some(step) = self.clock_watch.step_back(&self.clock) {
      warn!(
        by_ms = step,
        "the clock was set back: remembered times are moved with it"
      );
      self.feed.shift_times(step);
    }
    self.clock.now()
  }
}
