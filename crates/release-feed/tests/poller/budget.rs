//! Few requests left: the interval stretches, and nobody asks once there are none.

use crate::simulation::*;

const LONGEST_TICK: u64 = 33;

#[tokio::test(start_paused = true)]
async fn with_plenty_left_nothing_changes() {
  let running = Plan::default().start(|source| source.set_budget(5_000, 5_000, HOUR));
  running.pass(secs(600)).await;
  assert_eq!(running.board.feed().polling.interval, INTERVAL);
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn with_little_left_the_interval_stretches_and_is_told_and_the_rest_lasts_to_the_reset() {
  let running = Plan::default().start(|source| {
    source.pay_for_confirmations();
    source.set_budget(60, 30, HOUR);
  });
  running.pass(secs(20)).await;
  // Three of them are spent: 3 × 3600 s / (0.8 × 27).
  let interval = running.board.feed().polling.interval.as_secs();
  assert!((490..=500).contains(&interval), "{interval}");
  running.pass(HOUR - secs(30)).await;
  // So far nobody had to wait for longer than the interval that held when it was longest, give or take a look.
  for key in ["a", "b", "c"] {
    let gaps = gaps(&running.source.asked_of(key));
    assert!(gaps.iter().all(|gap| *gap <= secs(600 + LONGEST_TICK)), "{gaps:?}");
  }
  assert!(running.source.asked().len() >= 18, "{}", running.source.asked().len());
  // Then there are 60 again, for an interval of 225 s.
  running.pass(HOUR).await;
  let later = running.source.asked_since(HOUR + secs(300));
  assert!(later.len() >= 36, "{}", later.len());
  assert_eq!(running.source.asked_in_vain(), 0);
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn confirmations_that_are_free_do_not_stretch_it_for_long() {
  let running = Plan::default().start(|source| source.set_budget(5_000, 60, HOUR));
  running.pass(secs(20)).await;
  assert!(running.board.feed().polling.interval > INTERVAL);
  running.pass(secs(1_200)).await;
  assert_eq!(running.board.feed().polling.interval, INTERVAL);
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn once_nothing_is_left_nobody_asks_before_the_reset() {
  let running = Plan::default().start(|source| {
    source.pay_for_confirmations();
    source.set_budget(60, 2, secs(1_000));
  });
  running.pass(secs(999)).await;
  // The round ended with the last request that there was.
  assert_eq!(running.source.asked().len(), 2);
  running.pass(secs(1 + LONGEST_TICK)).await;
  assert!(running.source.asked().len() >= 3);
  assert_eq!(running.source.asked_in_vain(), 0);
  assert_eq!(running.board.feed().polling.backoff, None);
  running.stop().await;
}
