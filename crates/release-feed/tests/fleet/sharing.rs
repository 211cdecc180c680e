//! What a fleet costs GitHub, and how soon everybody knows.

use std::time::Duration;

use release_feed::Clock;
use release_feed::shared::{SharedStore, app_key};

use tokio::time::{Instant, sleep};

use super::github::key;
use super::link::Condition;
use super::world::{Plan, World};

const HOUR: Duration = Duration::from_secs(3_600);
const APPS: usize = 13;

#[tokio::test(start_paused = true)]
async fn fifty_instances_cost_github_about_what_one_does() {
  let alone = requests_of_a_day(1).await;
  let together = requests_of_a_day(50).await;
  println!("a day of one instance: {alone} requests; of fifty: {together}");
  assert!(together * 100 <= alone * 105, "{together} requests instead of {alone}");
}

#[tokio::test(start_paused = true)]
async fn what_one_instance_finds_all_have_within_a_second() {
  let mut world = world(8);
  world.start_all();
  world.pass(HOUR).await;
  let (mut in_time, mut late) = (0, 0);
  for change in 0..50 {
    let app = change % APPS;
    world.common.github.release(app);
    let expected = format!("v{}", world.common.github.version(app));
    let knowing = |world: &World| {
      let knows = |instance: &&super::instance::Instance| {
        let feed = instance.publication().unwrap().current();
        let release = feed
          .app(&key(app))
          .and_then(|app| app.latest_release.as_ref().map(|release| release.tag == expected));
        release == Some(true)
      };
      world.instances.iter().filter(knows).count()
    };
    while knowing(&world) == 0 {
      sleep(Duration::from_millis(10)).await;
    }
    sleep(Duration::from_secs(1)).await;
    let known = knowing(&world);
    in_time += known;
    late += world.instances.len() - known;
  }
  println!("within a second: {in_time}, later: {late}");
  assert!(late * 99 <= in_time, "{late} of {} were late", in_time + late);
}

#[tokio::test(start_paused = true)]
async fn a_new_instance_has_the_fleets_answer_before_it_asks_anything() {
  let mut world = world(3);
  world.instances[0].start();
  world.instances[1].start();
  world.pass(HOUR).await;
  world.instances[2].start();
  let started = Instant::now();
  while !world.instances[2].publication().unwrap().current().all().is_complete() {
    assert!(started.elapsed() < Duration::from_millis(200), "it knows nothing yet");
    sleep(Duration::from_millis(1)).await;
  }
  assert_eq!(world.common.watch.requests_by(2), 0);
}

#[tokio::test(start_paused = true)]
async fn a_fleet_whose_store_is_away_for_hours_stays_under_the_limit() {
  let mut world = world(8);
  world.start_all();
  world.pass(HOUR).await;
  let before = world.common.watch.requests();
  world
    .instances
    .iter()
    .for_each(|instance| instance.link.set(Condition::Cut));
  world.pass(4 * HOUR).await;
  assert_eq!(world.common.watch.breach(), None);
  let asked = world.common.watch.requests() - before;
  let limit = usize::try_from(world.common.requests_per_hour).unwrap();
  assert!(asked > 4 * limit / 2, "nobody asks any more: {asked}");
}

#[tokio::test(start_paused = true)]
async fn after_a_failure_of_one_all_wait() {
  let mut world = world(5);
  world.start_all();
  world.pass(HOUR).await;
  world.common.github.fail(3);
  let before = world.common.watch.requests_about(3);
  world.pass(HOUR).await;
  let asked = world.common.watch.requests_about(3) - before;
  // Every 90 s after the second failure, and up to a look later.
  assert!((28..=42).contains(&asked), "{asked} requests");
}

#[tokio::test(start_paused = true)]
async fn a_confirmation_of_what_was_overtaken_meanwhile_confirms_nothing() {
  let mut world = world(1);
  world.start_all();
  world.pass(HOUR).await;
  world.common.github.set_latency(Duration::from_secs(10));
  let before = world.common.watch.requests_about(0);
  while world.common.watch.requests_about(0) == before {
    sleep(Duration::from_millis(10)).await;
  }
  let at = world.common.true_clock.now().plus(Duration::from_secs(2));
  let newer = r#"{"tag":"v2","name":"v2","html_url":"","notes_markdown":"","assets":[]}"#;
  let fetched_ms = at.0.to_string();
  let fields = [
    ("v", "1"),
    ("fetched_ms", &fetched_ms),
    ("etag", "\"theirs\""),
    ("release", newer),
  ];
  let fields = fields
    .map(|(name, value)| (name, value.to_owned()))
    .into_iter()
    .collect();
  let key = key(0).parse().unwrap();
  world.common.memory.put(&app_key(&key), fields, at.plus(HOUR));
  world.common.memory.store().announce(key.as_str()).await.unwrap();
  sleep(Duration::from_secs(20)).await;
  let feed = world.instances[0].publication().unwrap().current();
  let app = feed.app(key.as_str()).unwrap();
  assert_eq!(app.latest_release.as_ref().unwrap().tag, "v2");
  assert_eq!(app.app_last_fetched.unwrap().unix_ms(), at.0 / 1_000 * 1_000);
  assert_eq!(world.common.memory.get(&app_key(&key)).text("etag"), Some("\"theirs\""));
}

#[tokio::test(start_paused = true)]
async fn a_look_with_nothing_due_is_one_round_trip() {
  let mut world = world(1);
  world.start_all();
  // All are fetched by then, and due again a minute and a half later.
  world.pass(Duration::from_secs(20)).await;
  let link = world.instances[0].link.clone();
  let before = link.calls();
  world.pass(Duration::from_secs(60)).await;
  let looks = link.calls() - before;
  assert!((1..=3).contains(&looks), "{looks} calls in two looks");
}

async fn requests_of_a_day(instances: usize) -> usize {
  let mut world = world(instances);
  world.start_all();
  sleep(24 * HOUR).await;
  assert_eq!(world.common.watch.breach(), None);
  world.common.watch.requests()
}

fn world(instances: usize) -> World {
  World::new(Plan {
    seed: 7,
    instances,
    apps: APPS,
    has_skew: false,
  })
}
