//! Apps, GitHub, the fleet and the snapshot.

use std::fmt;
use std::time::Duration;

use release_feed::UnixMs;
use release_feed::github::{AskerStatus, BudgetLeft, Identity};
use release_feed::schedule::RoundEnd;
use release_feed::status::{Counters, FeedStatus, GithubResult, Mode, RedisCall, RedisStatus, SnapshotStatus};

use super::exposition::Exposition;
use super::table::{
  ANSWER_COLD, APP_DATA_AGE, APP_FAILURES, APP_RELEASE, FLEET_CLAIMS, FLEET_INSTANCES, FLEET_MODE, GITHUB_BUDGET_LIMIT,
  GITHUB_BUDGET_REMAINING, GITHUB_BUDGET_RESET, GITHUB_REQUEST_DURATION, GITHUB_REQUESTS, GITHUB_TOKEN_REFUSED,
  POLL_BACKOFF, POLL_INTERVAL, POLL_LAST_SIGN, POLL_ROUNDS, POLL_TROUBLE, REDIS_CALL_DURATION, REDIS_CALLS,
  REDIS_ROUND_TRIP, REDIS_STATE, SNAPSHOT_AGE, SNAPSHOT_FAILING,
};

const ROUND_ENDS: [(&str, RoundEnd); 3] = [
  ("good", RoundEnd::Good),
  ("failed", RoundEnd::AllFailed),
  ("rate_limited", RoundEnd::RateLimited { retry_at: None }),
];

pub(super) fn write_apps(to: &mut Exposition<'_>, feed: &FeedStatus, now: UnixMs) -> fmt::Result {
  let is_cold = feed.as_of.is_none() || feed.apps.values().any(|app| app.fetched_at.is_none());
  to.gauge(&ANSWER_COLD, Some(u64::from(is_cold)))?;
  to.write(&APP_DATA_AGE, |samples| {
    let mut fetched = feed.apps.iter().filter_map(|(key, app)| Some((key, app.fetched_at?)));
    fetched.try_for_each(|(key, at)| samples.gauge(&[key.as_str()], since(at, now)))
  })?;
  to.write(&APP_FAILURES, |samples| {
    feed.apps.iter().try_for_each(|(key, app)| {
      let failures = app.failure.as_ref().map_or(0, |failure| failure.count);
      samples.gauge(&[key.as_str()], failures)
    })
  })?;
  to.write(&APP_RELEASE, |samples| {
    let mut released = feed
      .apps
      .iter()
      .filter_map(|(key, app)| Some((key, &app.repo, app.release.as_ref()?)));
    released.try_for_each(|(key, repo, release)| samples.info(&[key.as_str(), repo, &release.tag, &release.version]))
  })
}

pub(super) fn write_github(
  to: &mut Exposition<'_>,
  feed: &FeedStatus,
  counters: &Counters,
  now: UnixMs,
) -> fmt::Result {
  to.write(&GITHUB_REQUESTS, |samples| {
    GithubResult::ALL
      .iter()
      .try_for_each(|result| samples.counter(&[result.as_str()], counters.requests(*result)))
  })?;
  to.write(&GITHUB_REQUEST_DURATION, |samples| {
    samples.histogram(&[], &counters.request_durations())
  })?;
  write_budgets(to, &feed.github.askers, now)
}

fn write_budgets(to: &mut Exposition<'_>, askers: &[AskerStatus], now: UnixMs) -> fmt::Result {
  let known = |asker: &'_ AskerStatus| Some((asker.identity.clone(), asker.budget?));
  let budgets: Vec<(Identity, BudgetLeft)> = askers.iter().filter_map(known).collect();
  to.write(&GITHUB_BUDGET_LIMIT, |samples| {
    let mut budgets = budgets.iter();
    budgets.try_for_each(|(identity, budget)| samples.gauge(&[identity.as_str()], budget.limit))
  })?;
  to.write(&GITHUB_BUDGET_REMAINING, |samples| {
    let mut budgets = budgets.iter();
    budgets.try_for_each(|(identity, budget)| samples.gauge(&[identity.as_str()], budget.remaining))
  })?;
  to.write(&GITHUB_BUDGET_RESET, |samples| {
    let mut resets = budgets
      .iter()
      .filter_map(|(identity, budget)| Some((identity, budget.reset_at?)));
    resets.try_for_each(|(identity, at)| samples.gauge(&[identity.as_str()], until(at, now)))
  })?;
  to.write(&GITHUB_TOKEN_REFUSED, |samples| {
    let mut askers = askers.iter();
    askers.try_for_each(|asker| samples.gauge(&[asker.identity.as_str()], u64::from(asker.is_refused)))
  })
}

pub(super) fn write_polling(
  to: &mut Exposition<'_>,
  feed: &FeedStatus,
  counters: &Counters,
  now: UnixMs,
) -> fmt::Result {
  let backoff = feed.polling.backoff;
  to.gauge(&POLL_INTERVAL, Some(feed.polling.interval.as_secs_f64()))?;
  to.gauge(
    &POLL_BACKOFF,
    Some(backoff.map_or(0.0, |backoff| until(backoff.until, now))),
  )?;
  to.gauge(&POLL_TROUBLE, Some(backoff.map_or(0, |backoff| backoff.trouble)))?;
  to.write(&POLL_ROUNDS, |samples| {
    ROUND_ENDS
      .iter()
      .try_for_each(|(word, end)| samples.counter(&[word], counters.rounds(*end)))
  })?;
  to.gauge(&POLL_LAST_SIGN, feed.as_of.map(|as_of| since(as_of, now)))
}

pub(super) fn write_fleet(to: &mut Exposition<'_>, feed: &FeedStatus, counters: &Counters) -> fmt::Result {
  let fleet = &feed.fleet;
  to.one_of(&FLEET_MODE, &Mode::ALL.map(Mode::as_str), fleet.mode.as_str())?;
  to.gauge(&FLEET_INSTANCES, fleet.instances)?;
  to.write(&FLEET_CLAIMS, |samples| {
    samples.counter(&["won"], counters.claims(true))?;
    samples.counter(&["lost"], counters.claims(false))
  })?;
  to.one_of(&REDIS_STATE, &RedisStatus::WORDS, fleet.redis.as_str())?;
  to.write(&REDIS_CALLS, |samples| {
    RedisCall::ALL.iter().try_for_each(|call| {
      samples.counter(&[call.as_str(), "ok"], counters.calls(*call, true))?;
      samples.counter(&[call.as_str(), "failed"], counters.calls(*call, false))
    })
  })?;
  to.write(&REDIS_CALL_DURATION, |samples| {
    samples.histogram(&[], &counters.call_durations())
  })?;
  to.gauge(&REDIS_ROUND_TRIP, counters.last_call().map(|took| took.as_secs_f64()))
}

pub(super) fn write_snapshot(to: &mut Exposition<'_>, snapshot: &SnapshotStatus, now: UnixMs) -> fmt::Result {
  to.gauge(&SNAPSHOT_AGE, snapshot.saved_at.map(|at| since(at, now)))?;
  to.gauge(&SNAPSHOT_FAILING, Some(u64::from(snapshot.trouble.is_some())))
}

fn since(at: UnixMs, now: UnixMs) -> f64 {
  now.after(at).as_secs_f64()
}

fn until(at: UnixMs, now: UnixMs) -> f64 {
  Duration::as_secs_f64(&at.after(now))
}
