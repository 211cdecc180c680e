//! What is published, and when.

use std::time::Duration;

use crate::simulation::*;

#[tokio::test(start_paused = true)]
async fn an_app_is_published_as_soon_as_it_is_known_while_the_round_goes_on() {
  let running = Plan::default().start(|source| source.set_latency(secs(10)));
  running.pass(secs(11)).await;
  assert_eq!(running.tag("a"), "v1");
  assert_eq!(running.answer().release_info.apps["b"].app_last_fetched, None);
  assert!(!running.is_complete());
  running.pass(secs(20)).await;
  assert!(running.is_complete());
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn times_alone_are_published_at_most_once_a_minute_and_never_left_behind() {
  let running = Plan::default().start(|_| ());
  running.pass(secs(10)).await;
  let mut bodies = vec![running.body()];
  let mut changed_at = Vec::new();
  for second in 0..3_600_u32 {
    running.pass(secs(1)).await;
    let body = running.body();
    if bodies.last() != Some(&body) {
      bodies.push(body);
      changed_at.push(second);
    }
  }
  assert!(
    changed_at.windows(2).all(|pair| pair[1] - pair[0] >= 60),
    "{changed_at:?}"
  );
  assert!(changed_at.len() >= 25, "{changed_at:?}");
  assert!(running.age_secs("a") <= 90 + 33 + 63, "{}", running.age_secs("a"));
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn the_same_reading_under_another_etag_is_no_change_and_the_new_etag_is_sent_from_then_on() {
  let running = Plan::default().start(|source| {
    source.queue(
      "a",
      [
        released_as("v1", "\"1\""),
        released_as("v1", "\"2\""),
        released_as("v1", "\"3\""),
      ],
    );
  });
  running.pass(secs(1)).await;
  let first = running.body();
  // The second answer comes within two minutes; what is published then moves in its times alone.
  running.pass(secs(280)).await;
  let etags: Vec<_> = running
    .source
    .asked_of("a")
    .into_iter()
    .map(|asked| asked.etag)
    .collect();
  assert_eq!(etags[..3], [None, Some("\"1\"".to_owned()), Some("\"2\"".to_owned())]);
  let tags = |body: &[u8]| {
    serde_json::from_slice::<feed_types::ReleaseInfoAnswer>(body)
      .unwrap()
      .release_info
      .apps["a"]
      .latest_release
      .clone()
  };
  assert_eq!(tags(&first), tags(&running.body()));
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_new_release_is_published_at_once() {
  let running = Plan::default().start(|source| source.queue("b", [released("v1"), released("v2")]));
  running.pass(secs(60)).await;
  assert_eq!(running.tag("b"), "v1");
  while running.source.asked_of("b").len() < 2 {
    running.pass(Duration::from_millis(100)).await;
  }
  assert_eq!(running.tag("b"), "v2");
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_repository_without_a_release_says_when_that_was_seen() {
  let running = Plan::default().start(|source| source.always("b", release_feed::github::Outcome::NoRelease));
  running.pass(secs(10)).await;
  let app = running.answer().release_info.apps["b"].clone();
  assert_eq!(app.latest_release, None);
  assert!(app.app_last_fetched.is_some());
  assert!(running.is_complete());
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn after_a_failure_the_last_good_release_stays_with_its_time() {
  let running = Plan::default().start(|source| source.queue("b", [released("v1")]));
  running.pass(secs(1)).await;
  running.source.always("b", failed());
  running.pass(secs(500)).await;
  assert!(running.source.asked_of("b").len() >= 4);
  assert_eq!(running.tag("b"), "v1");
  assert_eq!(
    running.answer().release_info.apps["b"]
      .app_last_fetched
      .unwrap()
      .unix_ms(),
    START.0
  );
  running.stop().await;
}
