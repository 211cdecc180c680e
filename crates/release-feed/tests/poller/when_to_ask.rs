//! Cold starts, steady polling, failures of one app.

use std::collections::HashMap;
use std::sync::Arc;

use release_feed::cache::ReleaseCache;
use release_feed::catalog::Catalog;
use release_feed::github::{FetchFailure, Outcome};
use release_feed::poller::PollerSettings;

use crate::simulation::*;

/// The longest time from one look to the next.
const LONGEST_TICK: u64 = 33;
const CRAFT_APPS: u64 = 13;

#[tokio::test(start_paused = true)]
async fn a_cold_instance_asks_about_everything_at_once_and_then_rests() {
  let running = craft_apps().start(|source| source.set_latency(std::time::Duration::from_millis(50)));
  running.pass(std::time::Duration::from_millis(13 * 50 + 1)).await;
  assert_eq!(running.source.asked().len(), 13);
  assert!(running.is_complete());
  running.pass(secs(85)).await;
  assert_eq!(running.source.asked().len(), 13);
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn every_app_is_asked_once_an_interval_for_hours_with_the_etag_that_came_last() {
  let running = craft_apps().start(|_| ());
  running.pass(6 * HOUR).await;
  let asked = running.source.asked();
  assert!(asked.len() > 13 * 150, "{}", asked.len());
  for (key, _) in Catalog::craft_apps().apps() {
    let asked = running.source.asked_of(key.as_str());
    // Due at 90 s, looked at within 33 s, and then up to a second for each app before it, after a round as long.
    let longest = secs(90 + LONGEST_TICK + 2 * CRAFT_APPS);
    for gap in gaps(&asked) {
      assert!(gap >= secs(90) && gap <= longest, "{key}: {gap:?}");
    }
    assert_eq!(asked[0].etag, None);
    assert!(asked[1..].iter().all(|asked| asked.etag.as_deref() == Some("W/\"v1\"")));
  }
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn two_hundred_apps_are_asked_about_within_an_interval_and_spread_over_it() {
  const APPS: usize = 200;
  let apps: Vec<String> = (0..APPS).map(|app| format!("a{app}=A{app}=o/a{app}")).collect();
  let plan = Plan {
    apps: apps.join(",").leak(),
    ..Plan::default()
  };
  let running = plan.start(|source| source.set_latency(std::time::Duration::from_millis(50)));
  running.pass(secs(1_200)).await;
  let warm = running.source.asked_since(secs(600));
  let mut by_app: HashMap<&str, Vec<Asked>> = HashMap::new();
  for asked in &warm {
    by_app.entry(&asked.key).or_default().push(asked.clone());
  }
  assert_eq!(by_app.len(), APPS);
  // Due at 90 s, looked at within 33 s, and then after those that fell due before it, half an interval's pauses at most.
  let longest = by_app.values().flat_map(|asked| gaps(asked)).max().unwrap();
  assert!(longest <= secs(90 + LONGEST_TICK) + INTERVAL / 2, "{longest:?}");
  let most_within = |window: std::time::Duration| {
    let counts = warm.iter().enumerate().map(|(at, first)| {
      let until = first.after + window;
      warm[at..].iter().take_while(|asked| asked.after < until).count()
    });
    counts.max().unwrap()
  };
  // A pause of 0.3 s and an answer after 0.05 s.
  assert!(most_within(secs(10)) <= 30, "a burst of {}", most_within(secs(10)));
  println!(
    "longest {longest:?}, most {} in 120 s of {}",
    most_within(INTERVAL),
    warm.len()
  );
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn requests_are_a_second_apart_once_there_is_something_to_serve() {
  let running = craft_apps().start(|_| ());
  running.pass(HOUR).await;
  let later = running.source.asked_since(secs(60));
  assert!(gaps(&later).iter().all(|gap| *gap >= secs(1)), "{:?}", gaps(&later));
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn the_failures_of_one_app_wait_twice_as_long_each_and_bother_no_other() {
  let running = half_hourly().start(|source| source.always("b", failed()));
  running.pass(4 * HOUR).await;
  let gaps_of_b = gaps(&running.source.asked_of("b"));
  for (gap, wait) in gaps_of_b.iter().zip([30, 90, 210, 450, 930, 1_770, 1_770, 1_770]) {
    assert!(
      *gap >= secs(wait) && *gap <= secs(wait + LONGEST_TICK + 3),
      "{gap:?} for {wait} s"
    );
  }
  assert!(gaps_of_b.len() >= 8, "{gaps_of_b:?}");
  assert!(
    gaps(&running.source.asked_of("a"))
      .iter()
      .all(|gap| *gap >= secs(1_770))
  );
  assert_eq!(running.answer().release_info.apps["b"].app_last_fetched, None);
  assert!(!running.is_complete());
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_success_starts_the_count_of_failures_anew() {
  let running =
    half_hourly().start(|source| source.queue("b", [released("v1"), failed(), failed(), released("v1"), failed()]));
  running.pass(2 * HOUR).await;
  let gaps = gaps(&running.source.asked_of("b"));
  // A round in which the only request failed makes everybody wait for a minute (+ 10 %), or two.
  for (gap, (wait, backoff)) in gaps.iter().zip([(1_770, 0), (30, 66), (90, 132), (1_770, 0), (30, 66)]) {
    let latest = wait.max(backoff) + LONGEST_TICK + 3;
    assert!(
      *gap >= secs(wait) && *gap <= secs(latest),
      "{gap:?} for {wait} s in {gaps:?}"
    );
  }
  assert!(gaps.len() >= 5, "{gaps:?}");
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn with_polling_off_nobody_is_asked_and_the_answer_is_there() {
  let settings = PollerSettings {
    polling_enabled: false,
    ..Plan::default().settings
  };
  let running = Plan {
    settings,
    ..Plan::default()
  }
  .start(|_| ());
  running.pass(24 * HOUR).await;
  assert_eq!(running.source.asked(), []);
  assert_eq!(running.answer().release_info.apps.len(), 3);
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_was_restored_is_served_at_once_and_asked_about_when_it_is_due() {
  let mut cache = ReleaseCache::new(Arc::new(catalog(Plan::default().apps)));
  for (key, age_secs) in [("a", 10), ("b", 80), ("c", 1_000)] {
    let entry = cache.get_mut(&key.parse().unwrap()).unwrap();
    let Outcome::Release(answer) = released_as("v0", "\"old\"") else {
      panic!("no release")
    };
    entry.record_release(START.shifted_by_ms(-age_secs * 1_000), *answer);
  }
  let plan = Plan {
    restored: Some(cache),
    ..Plan::default()
  };
  let running = plan.start(|_| ());
  assert!(running.is_complete());
  assert_eq!(running.age_secs("c"), 1_000);
  running.pass(secs(1)).await;
  let first = running.source.asked();
  assert_eq!(first.iter().map(|asked| asked.key.as_str()).collect::<Vec<_>>(), ["c"]);
  assert_eq!(first[0].etag.as_deref(), Some("\"old\""));
  assert_eq!(
    running.age_secs("c"),
    1,
    "what was confirmed is said after the first round"
  );
  running.pass(secs(120)).await;
  let (a, b) = (running.source.asked_of("a"), running.source.asked_of("b"));
  assert!(
    a[0].after >= secs(80) && b[0].after >= secs(10) && b[0].after <= secs(10 + LONGEST_TICK),
    "{a:?} {b:?}"
  );
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn while_the_token_is_refused_the_interval_is_the_slower_one() {
  let running = Plan::default().start(|source| source.refuse_token());
  running.pass(3 * HOUR).await;
  let gaps = gaps(&running.source.asked_of("a"));
  assert!(
    gaps
      .iter()
      .all(|gap| *gap >= secs(1_770) && *gap <= secs(1_770 + LONGEST_TICK + 3)),
    "{gaps:?}"
  );
  assert!(gaps.len() >= 5, "{gaps:?}");
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_app_that_is_to_be_left_alone_is_not_asked_about_for_hours_and_the_others_are() {
  let taken_down = Outcome::Failed(FetchFailure::Status {
    status: 451,
    message: None,
  });
  let running = Plan::default().start(|source| source.queue("b", [taken_down]));
  running.pass(6 * HOUR).await;
  let of_b = running.source.asked_of("b");
  assert!(
    of_b[1].after >= 4 * HOUR && of_b[1].after <= 4 * HOUR + secs(LONGEST_TICK + 120),
    "{:?}",
    of_b[1]
  );
  assert!(running.source.asked_of("a").len() > 100);
  assert_eq!(running.tag("b"), "v1");
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn the_looks_of_two_instances_drift_apart() {
  let plan = |seed| Plan {
    seed,
    ..Plan::default()
  };
  let (one, other) = (plan(1).start(|_| ()), plan(2).start(|_| ()));
  one.pass(HOUR).await;
  assert_ne!(
    one.source.asked_of("a").last().unwrap().after,
    other.source.asked_of("a").last().unwrap().after
  );
  one.stop().await;
  other.stop().await;
}

/// As an instance without a token asks.
fn half_hourly() -> Plan {
  let settings = PollerSettings {
    interval: secs(1_800),
    ..Plan::default().settings
  };
  Plan {
    settings,
    ..Plan::default()
  }
}

fn craft_apps() -> Plan {
  Plan {
    restored: Some(ReleaseCache::new(Arc::new(Catalog::craft_apps()))),
    ..Plan::default()
  }
}
