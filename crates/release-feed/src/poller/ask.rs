//! One question about one app: asking it, and what its answer changes.

use std::pin::pin;

use futures_util::future::{Either, select};
use rand::RngExt;
use tokio::time::Instant;
use tracing::{info, warn};

use super::poll::Poller;
use super::round::Round;
use crate::cache::{Change, Fetch};
use crate::catalog::AppKey;
use crate::clock::{Clock, UnixMs};
use crate::github::{Ask, ETag, Outcome, ReleaseAnswer, ReleaseSource};
use crate::release::ValidRelease;
use crate::shared::SharedStore;
use crate::status::GithubResult;

/// Up to so much more than what a failure asks for, so that not everybody comes at once.
const LEFT_ALONE_JITTER: f64 = 0.1;

/// What becomes of releases is logged under the poller's one name, which people filter by.
const LOG_TARGET: &str = "release_feed::poller::poll";

impl<S: ReleaseSource, C: Clock, F: SharedStore> Poller<S, C, F> {
  /// Asks, and takes over and shares what comes of it.
  pub(super) async fn ask(&mut self, key: &AppKey, round: &mut Round) {
    let catalog = self.feed.cache.catalog().clone();
    let Some(app) = catalog.get(key) else { return };
    let fetch = self.feed.cache.get(key).and_then(|entry| entry.fetch.clone());
    let asked = Instant::now();
    let outcome = {
      let ask = Ask {
        key,
        app,
        known: fetch.as_ref().and_then(Fetch::known),
      };
      let mut asking = pin!(self.source.latest_release(ask));
      loop {
        let announced = tokio::select! {
          biased;
          outcome = asking.as_mut() => break outcome,
          announced = self.coordination.announced() => announced,
        };
        let heeding = pin!(self.coordination.heed(announced, &mut self.feed));
        // Both go on: the answer has its own time limit.
        if let Either::Left((outcome, heeding)) = select(asking.as_mut(), heeding).await {
          heeding.await;
          break outcome;
        }
      }
    };
    let now = self.now();
    let result = GithubResult::of(&outcome);
    self.count(|counters| counters.time_request(asked.elapsed()));
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
        round.limited = Some(retry_at);
        self.count(|counters| counters.count_request(result));
        return;
      }
      Outcome::Failed(failure) => {
        round.failed += 1;
        round.failed_alone += u32::from(failure.concerns_the_app_alone());
        self.count(|counters| counters.count_request(result));
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
        return;
      }
    };
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
