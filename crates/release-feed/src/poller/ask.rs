//! What the answer to one question about one app changes.

use std::time::Duration;

use rand::RngExt;
use tracing::{info, warn};

use super::asking::Answered;
use super::limited_apps::LimitedApps;
use super::poll::Poller;
use super::round::Round;
use crate::cache::{Change, Wait};
use crate::catalog::{AppKey, CatalogApp};
use crate::clock::{Clock, UnixMs};
use crate::github::{ETag, FetchFailure, Outcome, ReleaseAnswer, ReleaseSource};
use crate::release::ValidRelease;
use crate::schedule::wait_after_limit;
use crate::shared::SharedStore;
use crate::status::GithubResult;

/// Up to so much more than what a failure asks for, so that not everybody comes at once.
const LEFT_ALONE_JITTER: f64 = 0.1;

/// What becomes of releases is logged under the poller's one name, which people filter by.
const LOG_TARGET: &str = "release_feed::poller::poll";

impl<S: ReleaseSource, C: Clock, F: SharedStore> Poller<S, C, F> {
  /// Takes over and shares what came of a question.
  pub(super) async fn take_in(&mut self, answered: Answered, round: &mut Round) {
    let Answered { key, outcome, took } = answered;
    self.note_answer(&key, outcome, took, round).await;
    self.report();
  }

  async fn note_answer(&mut self, key: &AppKey, outcome: Outcome, took: Duration, round: &mut Round) {
    let catalog = self.feed.cache.catalog().clone();
    let Some(app) = catalog.get(key) else { return };
    let now = self.now();
    let result = GithubResult::of(&outcome);
    self.count(|counters| counters.time_request(took));
    let counted = self.source.pays_for_confirmations() || !matches!(outcome, Outcome::NotModified { .. });
    self.cost_share.note(counted, catalog.len());
    let is_told = matches!(outcome, Outcome::Release(_) | Outcome::NoRelease);
    let change = match outcome {
      Outcome::Release(answer) => {
        let ValidRelease { release, left_out } = &answer.valid;
        self.said.left_out(key, &release.tag, left_out);
        self.record_release(key, *answer, now)
      }
      Outcome::NoRelease => self.record_no_release(key, now),
      Outcome::NotModified { named } => self.record_confirmation(key, &named, now).await,
      Outcome::RateLimited { retry_at } => {
        self.count(|counters| counters.count_request(result));
        round.limited = Some(retry_at);
        self.note_limit(key, retry_at, now).await;
        return;
      }
      Outcome::Failed(failure) => {
        self.count(|counters| counters.count_request(result));
        self.note_failure(key, app, failure, now, round).await;
        return;
      }
    };
    self.limited_apps.answered(key);
    match change {
      Some(Change::Content) => round.fetched += 1,
      _ => round.unchanged += 1,
    }
    let result = match (result, change) {
      (GithubResult::Unchanged, Some(Change::Content)) => GithubResult::Changed,
      (result, _) => result,
    };
    self.count(|counters| counters.count_request(result));
    self.said.succeeded(key, &app.repo);
    self.note_completeness();
    self.feed.changed(change.unwrap_or(Change::Time));
    if is_told && let Some(change) = change {
      self.coordination.share_fetch(key, &self.feed, change).await;
    }
  }

  async fn note_failure(
    &mut self,
    key: &AppKey,
    app: &CatalogApp,
    failure: FetchFailure,
    now: UnixMs,
    round: &mut Round,
  ) {
    let failed_before = self.feed.cache.get(key).and_then(|entry| entry.failure);
    let is_its_own = failure.concerns_the_app_alone()
      || failed_before.is_some_and(|before| self.others_were_answered_since(key, before.at));
    round.failed += 1;
    round.failed_alone += u32::from(is_its_own);
    self.failing.failed(key, now, failure.to_string());
    let has_answer = self.feed.cache.get(key).is_some_and(|entry| entry.fetch.is_some());
    self.said.failed(key, &app.repo, &failure, has_answer);
    let jitter = 1.0 + LEFT_ALONE_JITTER * self.chance.random::<f64>();
    let left_alone_for = failure.leaves_alone_for().map(|wait| wait.mul_f64(jitter));
    if let Some(entry) = self.feed.cache.get_mut(key) {
      let recorded = entry.record_failure(now, left_alone_for);
      let wait = entry.wait;
      self.coordination.share_failure(key, recorded, wait).await;
    }
  }

  /// Everybody waits after a rate limit. An app that meets one each time, while GitHub answers for others in between, waits longer than everybody
  /// and each time twice as long, so that it seldom makes the others wait.
  async fn note_limit(&mut self, key: &AppKey, retry_at: Option<UnixMs>, now: UnixMs) {
    let met_before = self.limited_apps.last_met(key);
    let is_alone = met_before.is_some_and(|met| self.others_were_answered_since(key, met));
    let times_alone = self.limited_apps.met(key, now, is_alone);
    if times_alone == 0 || self.source.used_up_until().is_some_and(|until| until > now) {
      return;
    }
    let trouble = self.feed.backoff.map_or(0, |backoff| backoff.trouble).saturating_add(1);
    let everybodys = wait_after_limit(trouble, retry_at, self.usual_interval(), self.max_backoff(), now);
    let wait = Wait {
      since: now,
      until: now.plus(LimitedApps::wait(everybodys, times_alone)),
    };
    if let Some(entry) = self.feed.cache.get_mut(key) {
      entry.wait = Some(wait);
      self.coordination.share_wait(key, wait).await;
    }
    let until = wait.until.to_utc_time().map(|until| until.to_string());
    info!(
      app = %key,
      times = times_alone,
      until = until.as_deref().unwrap_or("none"),
      "GitHub limits requests for this app alone and answers for others: it is left alone"
    );
  }

  /// Whether GitHub answered for another app after that, as far as the fleet knows.
  fn others_were_answered_since(&self, key: &AppKey, since: UnixMs) -> bool {
    let mut others = self.feed.cache.entries().filter(|(other, _)| *other != key);
    others.any(|(_, entry)| entry.fetch.as_ref().is_some_and(|fetch| fetch.at >= since))
  }

  /// What was named is current, unless another release came from the fleet meanwhile.
  async fn record_confirmation(&mut self, key: &AppKey, named: &ETag, now: UnixMs) -> Option<Change> {
    let entry = self.feed.cache.get_mut(key)?;
    let validators = entry.fetch.as_ref().map(|fetch| fetch.validators.clone());
    let Some(validators) = validators.filter(|validators| validators.contains(named)) else {
      return Some(Change::Time);
    };
    let change = entry.record_confirmation(now);
    self.coordination.share_confirmation(key, now, validators.last()).await;
    Some(change)
  }

  fn record_release(&mut self, key: &AppKey, answer: ReleaseAnswer, now: UnixMs) -> Option<Change> {
    let entry = self.feed.cache.get_mut(key)?;
    let before = entry
      .fetch
      .as_ref()
      .and_then(|fetch| Some(fetch.release.as_deref()?.tag.clone()));
    let release = &answer.valid.release;
    let (tag, assets) = (release.tag.clone(), release.assets.len());
    let change = entry.record_release(now, answer);
    if change == Change::Content {
      info!(target: LOG_TARGET, app = %key, from = before.as_deref().unwrap_or("none"), to = %tag, assets, "the latest release changed");
    }
    Some(change)
  }

  fn record_no_release(&mut self, key: &AppKey, now: UnixMs) -> Option<Change> {
    let entry = self.feed.cache.get_mut(key)?;
    let before = entry.fetch.as_ref().and_then(|fetch| fetch.release.clone());
    let change = entry.record_no_release(now);
    match before {
      _ if change == Change::Time => {}
      Some(release) => {
        warn!(target: LOG_TARGET, app = %key, dropped = %release.tag, "the repository has no release any more; the one that was served is dropped")
      }
      None => info!(target: LOG_TARGET, app = %key, "the repository has no release"),
    }
    Some(change)
  }
}
