//! Rate limits and outages: when everybody leaves GitHub alone, and for how long.

use std::time::Duration;

use release_feed::github::{FetchFailure, Outcome};
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
  let running = Plan::default().start(|source| {
    for key in ["a", "b", "c"] {
      source.always(key, limited(None));
    }
  });
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
  let running = Plan::default().start(|source| {
    source.queue("a", [limited(None), released("v1"), limited(None)]);
    source.queue("b", [limited(None)]);
  });
  running.pass(2 * HOUR).await;
  let between_rounds = gaps(&running.source.asked()).into_iter().filter(|gap| *gap > secs(10));
  for (gap, wait) in between_rounds.zip([120, 240, 90, 120]) {
    let latest = Duration::from_secs(wait).mul_f64(1.1) + secs(LONGEST_TICK);
    assert!(gap >= secs(wait - 3) && gap <= latest, "{gap:?} for {wait} s");
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
  assert_others_keep_their_pace(&running, &["b", "c"], 3);
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

#[tokio::test(start_paused = true)]
async fn an_app_that_is_always_limited_is_asked_last_and_ever_more_seldom() {
  for retry_in_secs in [None, Some(600)] {
    let running = Plan::default().start(|source| {
      source.always(
        "a",
        limited(retry_in_secs.map(|secs| START.shifted_by_ms(secs * 1_000))),
      );
    });
    running.pass(secs(900)).await;
    for key in ["b", "c"] {
      assert_eq!(running.tag(key), "v1");
    }
    running.pass(24 * HOUR).await;
    let asked = running.source.asked();
    let after_the_first_day = |gap: &Duration| *gap >= 2 * HOUR;
    assert!(gaps(&running.source.asked_of("a")).iter().any(after_the_first_day));
    // Each limit makes everybody wait, as the contract wants; ever fewer of them do.
    let limits = running.source.asked_of("a").len();
    let polls = asked.len() - limits;
    assert!(limits <= 12, "{limits} limits");
    assert!(polls >= 1_200, "{polls} answers for the others");
    running.stop().await;
  }
}

#[rstest]
#[case::that_fails(failed())]
#[case::whose_token_is_refused(Outcome::Failed(FetchFailure::TokenRefused))]
#[case::that_is_a_page(Outcome::Failed(FetchFailure::HtmlPage { status: 503 }))]
#[tokio::test(start_paused = true)]
async fn an_app_that_always_fails_by_itself_delays_nobody(#[case] outcome: Outcome) {
  let running = Plan::default().start(|source| source.always("a", outcome));
  running.pass(12 * HOUR).await;
  let waits = gaps(&running.source.asked_of("a"));
  let doubling = [30, 90, 90, 90];
  for (wait, least) in waits.iter().zip(doubling) {
    assert!(
      *wait >= secs(least) && *wait <= secs(least + LONGEST_TICK + 3),
      "{waits:?}"
    );
  }
  assert_others_keep_their_pace(&running, &["b", "c"], 3);
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_outage_that_begins_after_one_app_failed_is_backed_off_from() {
  let running = Plan::default().start(|source| source.always("a", failed()));
  running.pass(HOUR).await;
  for key in ["b", "c"] {
    running.source.always(key, failed());
  }
  running.pass(2 * HOUR).await;
  // Every round fails, and comes an interval after the one before; one request each for three apps.
  let asked = running.source.asked_since(HOUR + secs(600));
  assert!(asked.len() <= 3 * 55, "{} requests in less than two hours", asked.len());
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_app_whose_answers_hang_delays_nobody() {
  let names: Vec<String> = (0..30).map(|number| format!("h{number}=H=o/h{number}")).collect();
  let apps = format!("{},x=X=o/x,y=Y=o/y", names.join(","));
  let plan = Plan {
    apps: apps.leak(),
    ..Plan::default()
  };
  let running = plan.start(|source| {
    for number in 0..14 {
      let key = format!("h{number}");
      source.always(&key, failed());
      source.set_latency_of(&key, secs(30));
    }
  });
  // Cold: fourteen that hang are in the way for three seconds each, not for thirty.
  running.pass(secs(14 * 3 + 1)).await;
  assert_eq!((running.tag("x"), running.tag("y")), ("v1".to_owned(), "v1".to_owned()));
  running.pass(6 * HOUR).await;
  assert_others_keep_their_pace(&running, &["h20", "x", "y"], 45);
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn no_more_than_sixteen_are_out_at_once_and_what_hangs_is_given_up_at_a_stop() {
  let names: Vec<String> = (0..40).map(|number| format!("h{number:02}=H=o/h{number}")).collect();
  let plan = Plan {
    apps: names.join(",").leak(),
    ..Plan::default()
  };
  let running = plan.start(|source| source.set_latency(HOUR));
  running.pass(HOUR - secs(1)).await;
  assert_eq!(running.source.asked().len(), 16);
  running.stop().await;
}

/// They are asked about an interval apart, as always: a look and the rest of a round later at the most.
fn assert_others_keep_their_pace(running: &Running, keys: &[&str], rest_of_a_round_secs: u64) {
  for key in keys {
    let gaps = gaps(&running.source.asked_of(key));
    let latest = secs(90 + LONGEST_TICK + rest_of_a_round_secs);
    assert!(gaps.iter().all(|gap| *gap <= latest), "{key}: {gaps:?}");
  }
}
