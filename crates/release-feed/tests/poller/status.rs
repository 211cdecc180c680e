//! What the poller says of itself.

use release_feed::schedule::RoundEnd;
use release_feed::status::{AppStatus, GithubResult, Mode, RedisStatus};

use crate::simulation::*;

#[tokio::test(start_paused = true)]
async fn before_it_has_asked_it_names_the_apps_and_knows_nothing() {
  let running = Plan::default().start(|source| source.set_latency(secs(5)));
  let status = running.board.feed();
  assert_eq!(status.as_of, Some(START));
  assert_eq!(status.apps.len(), 3);
  assert!(
    status
      .apps
      .values()
      .all(|app| app.fetched_at.is_none() && app.release.is_none())
  );
  assert_eq!(
    (status.fleet.mode, &status.fleet.redis),
    (Mode::Alone, &RedisStatus::Off)
  );
  assert_eq!((status.polling.interval, status.polling.last_round), (INTERVAL, None));
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn each_answer_is_told_when_it_comes_and_not_after_the_round() {
  let running = Plan::default().start(|source| source.set_latency(secs(5)));
  running.pass(secs(6)).await;
  assert!(app(&running, "a").fetched_at.is_some());
  assert!(app(&running, "b").fetched_at.is_none());
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn failures_are_told_with_their_number_their_beginning_and_the_last_reason() {
  let running = Plan::default().start(|source| source.queue("a", [released("v1"), failed(), failed(), failed()]));
  running.pass(secs(10)).await;
  assert_eq!(app(&running, "a").failure, None);
  let fetched_at = app(&running, "a").fetched_at;
  running.pass(INTERVAL * 3).await;
  let failing = app(&running, "a");
  let failure = failing.failure.clone().unwrap();
  assert_eq!(failure.count, 3, "{failure:?}");
  assert!(failure.since < failure.last_at, "{failure:?}");
  assert!(failure.reason.is_some(), "{failure:?}");
  assert_eq!(
    (failing.fetched_at, failing.release.unwrap().tag.as_str()),
    (fetched_at, "v1")
  );
  running.pass(HOUR).await;
  assert_eq!(app(&running, "a").failure, None);
  let counters = running.board.counters();
  let failures: u64 = GithubResult::ALL
    .iter()
    .filter(|result| result.as_str().starts_with("failed_"))
    .map(|result| counters.requests(*result))
    .sum();
  assert_eq!((failures, counters.requests(GithubResult::Changed)), (3, 3));
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_is_set_back_moves_what_is_told() {
  let running = Plan::default().start(|source| source.always("a", failed()));
  running.pass(secs(300)).await;
  let before = app(&running, "a").failure.unwrap();
  running.clock.set_by_ms(-3_600_000);
  running.pass(secs(60)).await;
  let after = app(&running, "a").failure.unwrap();
  let moved = before.since.0 - after.since.0;
  assert!((3_599_000..=3_601_000).contains(&moved), "{moved}");
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_rate_limit_is_told_with_the_round_and_the_backoff() {
  let running = Plan::default().start(|source| source.queue("a", [limited(None)]));
  running.pass(secs(10)).await;
  let polling = running.board.feed().polling.clone();
  let round = polling.last_round.unwrap();
  assert_eq!(round.end, RoundEnd::RateLimited { retry_at: None });
  assert_eq!(polling.backoff.unwrap().trouble, 1);
  let counters = running.board.counters();
  assert_eq!(counters.rounds(RoundEnd::RateLimited { retry_at: None }), 1);
  assert_eq!(counters.requests(GithubResult::RateLimited), 1);
  running.pass(HOUR).await;
  let polling = running.board.feed().polling.clone();
  assert_eq!(
    (polling.last_round.unwrap().end, polling.backoff),
    (RoundEnd::Good, None)
  );
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_refused_token_lengthens_the_interval_that_is_told() {
  let running = Plan::default().start(|source| source.refuse_token());
  running.pass(secs(10)).await;
  let status = running.board.feed();
  assert!(status.github.is_token_refused);
  assert_eq!(status.polling.interval, secs(1_800));
  running.stop().await;
}

fn app(running: &Running, key: &str) -> AppStatus {
  running.board.feed().apps[&key.parse().unwrap()].clone()
}
