//! What a fleet costs GitHub, and how soon everybody knows.

use std::time::Duration;

use super::github::key;
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
      tokio::time::sleep(Duration::from_millis(10)).await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
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
  let before = world.common.watch.requests();
  world.instances[2].start();
  tokio::time::sleep(Duration::from_millis(200)).await;
  let feed = world.instances[2].publication().unwrap().current();
  assert!(feed.all().is_complete());
  assert_eq!(world.common.watch.requests(), before);
}

async fn requests_of_a_day(instances: usize) -> usize {
  let mut world = world(instances);
  world.start_all();
  world.pass(24 * HOUR).await;
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
