//! What a fleet costs GitHub beside one instance by itself, and how soon all of it shows what one of it found.

use std::time::{Duration, Instant};

use github_standin::{SeenRequest, StandIn};

use super::sightings::{Seen, Sightings};
use super::stage::*;

/// The usual one with a token.
const INTERVAL_SECS: &str = "120";
const INSTANCES: usize = 5;
/// How often every app is asked about.
const TIMES: usize = 4;
/// Whoever hears nothing looks by itself after half a minute; this machine may be busy.
const HEARD_WITHIN: Duration = Duration::from_secs(10);

#[tokio::test(flavor = "multi_thread")]
async fn five_cost_github_what_one_does_and_show_at_once_what_one_of_them_found() {
  let ((its_github, its_redis), (github, redis)) = (backstage().await, backstage().await);
  let alone = Instance::start_at(&its_github, &its_redis, INTERVAL_SECS);
  let together: Vec<Instance> = (0..INSTANCES)
    .map(|_| Instance::start_at(&github, &redis, INTERVAL_SECS))
    .collect();
  alone.wait_until_complete();
  together.iter().for_each(Instance::wait_until_complete);
  let sightings = Sightings::watch(together.iter().map(|instance| instance.server.address()));
  tokio::join!(release_after_every_ask(&its_github), release_after_every_ask(&github));
  let (its_interval, interval) = (mean_interval(&its_github), mean_interval(&github));
  let cost = its_interval.as_secs_f64() / interval.as_secs_f64();
  println!("one asks every {its_interval:.1?}, five every {interval:.1?}: they cost {cost:.3} times what it costs");
  assert!(cost <= 1.05, "{cost}");
  for app in 0..APPS {
    // What the last of the asks found.
    let last = (key(app), format!("v1.{}", TIMES - 1));
    sightings.wait_for(&last, INSTANCES).await;
  }
  check_sightings(&sightings.stop());
}

/// There is always something new to be found, so that both are asked for the same.
async fn release_after_every_ask(github: &StandIn) {
  let mut next = 0;
  while (0..APPS).any(|app| asks_of(github, app).len() < TIMES) {
    github.wait_for_requests(next + 1).await;
    let asked = github.requests();
    for request in &asked[next..] {
      let app = (0..APPS).find(|app| request.repo.as_deref() == Some(&*repo(*app)));
      let app = app.expect("the family's apps alone are asked about");
      let version = asks_of(github, app).len();
      github.set_latest(&repo(app), sample(app, &format!("v1.{version}")));
    }
    next = asked.len();
  }
}

/// Between one ask about an app and the next one about it.
fn mean_interval(github: &StandIn) -> Duration {
  let (mut total, mut count) = (Duration::ZERO, 0);
  for app in 0..APPS {
    let times: Vec<Instant> = asks_of(github, app).iter().map(|request| request.received_at).collect();
    total += times[times.len() - 1] - times[0];
    count += u32::try_from(times.len()).unwrap() - 1;
  }
  total / count
}

fn asks_of(github: &StandIn, app: usize) -> Vec<SeenRequest> {
  let requests = github.requests().into_iter();
  requests
    .filter(|request| request.repo.as_deref() == Some(&*repo(app)))
    .collect()
}

fn check_sightings(seen: &Seen) {
  let (mut at_once, mut soon, mut late) = (0, 0, 0);
  for (app, found) in (0..APPS).flat_map(|app| (1..TIMES).map(move |found| (app, found))) {
    let times = &seen[&(key(app), format!("v1.{found}"))];
    for time in times {
      match *time - times[0] {
        after if after <= Duration::from_secs(1) => at_once += 1,
        after if after <= HEARD_WITHIN => soon += 1,
        _ => late += 1,
      }
    }
    late += INSTANCES - times.len();
  }
  println!("shown within a second of the first: {at_once}, within {HEARD_WITHIN:?}: {soon}, later: {late}");
  assert!(at_once + soon >= 100 && late * 99 <= at_once + soon, "{late} were late");
}
