//! Rate limits and outages: when everybody leaves GitHub alone, and for how long.

use std::time::Duration;

use rstest::rstest;

use crate::simulation::*;

const LONGEST_TICK: u64 = 33;

#[tokio::test(start_paused = true)]
async fn a_rate_limit_ends_the_round_and_what_succeeded_in_it_stays() {
  let running = Plan::default().start(|source| source.always("b", limited(None)));
  running.pass(secs(60)).await;
  let asked: Vec<String> = running.source.asked().into_iter().map(|asked| asked.key).collect();
  assert_eq!(asked, ["a", "b"]);
  assert_eq!(running.tag("a"), "v1");
  assert_eq!(running.answer().release_info.apps["b"].app_last_fetched, None);
  running.stop().await;
}

#[rstest]
#[case::soon_enough_that_the_doubling_holds(30, 120)]
#[case::in_ten_minutes(600, 660)]
#[case::in_an_hour(3_600, 3_660)]
#[case::in_a_day_which_is_more_than_the_most(86_400, 14_400)]
#[tokio::test(start_paused = true)]
async fn nobody_comes_back_before_githubs_own_time_and_a_minute(#[case] reset_secs: i64, #[case] wait: u64) {
  let retry_at = START.shifted_by_ms(reset_secs * 1_000);
  let running = Plan::default().start(|source| source.queue("a", [limited(Some(retry_at))]));
  running.pass(5 * HOUR).await;
  let asked = running.source.asked();
  let second = asked[1].after;
  let latest = Duration::from_secs(wait).mul_f64(1.1) + secs(LONGEST_TICK);
  assert!(second >= secs(wait) && second <= latest, "{second:?}");
  // A good round cleared it: the next one comes at its usual time.
  assert!(
    asked[4].after - asked[3].after <= secs(90 + LONGEST_TICK),
    "{:?}",
    &asked[..5]
  );
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn limits_without_a_time_wait_twice_the_interval_each_time_up_to_the_most() {
  let running = Plan::default().start(|source| source.always("a", limited(None)));
  running.pass(24 * HOUR).await;
  let gaps = gaps(&running.source.asked());
  for (gap, wait) in gaps
    .iter()
    .zip([120, 240, 480, 960, 1_920, 3_840, 7_680, 14_400, 14_400])
  {
    let latest = Duration::from_secs(wait).mul_f64(1.1) + secs(LONGEST_TICK);
    assert!(*gap >= secs(wait) && *gap <= latest, "{gap:?} for {wait} s");
  }
  assert!(gaps.len() >= 9, "{gaps:?}");
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn when_everything_fails_the_rounds_come_twice_as_far_apart_up_to_the_interval() {
  let running = Plan::default().start(|source| {
    for key in ["a", "b", "c"] {
      source.always(key, failed());
    }
  });
  running.pass(HOUR).await;
  let gaps = gaps(&running.source.asked_of("a"));
  // Once the backoff is at the interval, so is each app's own wait.
  for (gap, wait) in gaps.iter().zip([60, 120, 120, 120]) {
    let (earliest, latest) = (secs(wait).mul_f64(0.9), secs(wait).mul_f64(1.1) + secs(LONGEST_TICK));
    assert!(*gap >= earliest && *gap <= latest, "{gap:?} for {wait} s");
  }
  assert!(gaps.len() >= 20, "{gaps:?}");
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_outage_changes_nothing_in_the_answer_and_ends_with_the_first_success() {
  let running = Plan::default().start(|_| ());
  running.pass(secs(60)).await;
  let before = running.answer();
  for key in ["a", "b", "c"] {
    running.source.always(key, failed());
  }
  running.pass(12 * HOUR).await;
  assert_eq!(running.answer(), before);
  running.source.as_usual();
  running.source.queue("a", [released("v2")]);
  running.pass(secs(200)).await;
  assert_eq!(running.tag("a"), "v2");
  assert!(running.answer().release_info.last_fetched > before.release_info.last_fetched);
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_good_round_between_two_limits_starts_the_doubling_anew() {
  let running =
    Plan::default().start(|source| source.queue("a", [limited(None), limited(None), released("v1"), limited(None)]));
  running.pass(2 * HOUR).await;
  let gaps = gaps(&running.source.asked_of("a"));
  for (gap, wait) in gaps.iter().zip([120, 240, 90, 120]) {
    let latest = Duration::from_secs(wait).mul_f64(1.1) + secs(LONGEST_TICK);
    assert!(*gap >= secs(wait) && *gap <= latest, "{gap:?} for {wait} s in {gaps:?}");
  }
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_limit_counts_whatever_else_succeeded_and_failures_beside_successes_do_not() {
  let running = Plan::default().start(|source| {
    source.queue("a", [failed()]);
    source.queue("c", [limited(None)]);
  });
  running.pass(secs(100)).await;
  assert_eq!(running.source.asked().len(), 3);
  running.source.always("a", failed());
  running.pass(HOUR).await;
  // With one app failing and the others fine nobody backs off: the others keep their pace.
  let later = running.source.asked_of("b");
  let settled: Vec<_> = later.into_iter().filter(|asked| asked.after > secs(400)).collect();
  assert!(
    gaps(&settled).iter().all(|gap| *gap <= secs(90 + LONGEST_TICK + 3)),
    "{:?}",
    gaps(&settled)
  );
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_unhappy_repository_is_left_alone_for_an_hour_and_delays_nobody() {
  let running = Plan::default().start(|source| source.always("a", failed_alone()));
  running.pass(6 * HOUR).await;
  let waits = gaps(&running.source.asked_of("a"));
  assert!(waits.len() >= 4, "{waits:?}");
  for wait in &waits {
    let latest = HOUR.mul_f64(1.1) + secs(LONGEST_TICK);
    assert!(*wait >= HOUR && *wait <= latest, "{wait:?}");
  }
  assert!(
    waits.iter().any(|wait| *wait > HOUR + secs(LONGEST_TICK)),
    "no jitter in {waits:?}"
  );
  for key in ["b", "c"] {
    let gaps = gaps(&running.source.asked_of(key));
    assert!(gaps.iter().all(|gap| *gap <= secs(90 + LONGEST_TICK + 3)), "{gaps:?}");
  }
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_round_that_holds_nothing_but_one_apps_own_trouble_is_no_outage() {
  let plan = Plan {
    apps: "a=A=o/a",
    ..Plan::default()
  };
  let running = plan.start(|source| source.always("a", failed_alone()));
  running.pass(secs(60)).await;
  assert_eq!(running.board.feed().polling.backoff, None);
  assert_eq!(running.source.asked().len(), 1);
  running.stop().await;
}
