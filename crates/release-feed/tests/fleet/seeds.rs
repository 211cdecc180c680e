//! Hours of trouble from seeds.

use std::env;
use std::num::NonZero;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use tokio::runtime::Builder;

use super::trouble::Counts;
use super::world::{Plan, World};

/// `123` or `500..10500`.
const SEEDS: &str = "LAUNCHFEED_SIMULATION_SEEDS";
const USUAL_SEEDS: Range<u64> = 0..500;
/// Of each kind of trouble, in the usual seeds.
const LEAST_OF_EACH: u32 = 100;
const APPS: usize = 4;
const VIRTUAL_HOURS: Duration = Duration::from_secs(6 * 3_600);

#[test]
fn six_hours_of_every_trouble_break_no_rule_from_any_seed() {
  let seeds = seeds();
  let is_usual = seeds == USUAL_SEEDS;
  let next = AtomicU64::new(seeds.start);
  let total = Mutex::new((Counts::default(), 0));
  let breaches = Mutex::new(Vec::new());
  thread::scope(|scope| {
    for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
      scope.spawn(|| {
        loop {
          let seed = next.fetch_add(1, Ordering::Relaxed);
          if seed >= seeds.end || !breaches.lock().unwrap().is_empty() {
            break;
          }
          let (counts, requests, breach) = live(seed);
          let mut total = total.lock().unwrap();
          total.0 += counts;
          total.1 += requests;
          if let Some(breach) = breach {
            breaches.lock().unwrap().push(format!("{SEEDS}={seed}: {breach}"));
          }
        }
      });
    }
  });
  let (counts, requests) = total.into_inner().unwrap();
  println!("{} seeds, {requests} requests,{counts}", seeds.end - seeds.start);
  let breaches = breaches.into_inner().unwrap();
  assert!(
    breaches.is_empty(),
    "replay with\n{}",
    breaches
      .iter()
      .map(|breach| format!(
        "{} cargo nextest run -p release-feed --test fleet seeds",
        breach.split_once(": ").unwrap().0
      ))
      .chain(breaches.clone())
      .collect::<Vec<_>>()
      .join("\n")
  );
  assert!(
    !is_usual || counts.fewest() >= LEAST_OF_EACH,
    "too little trouble:{counts}"
  );
}

fn live(seed: u64) -> (Counts, usize, Option<String>) {
  let runtime = Builder::new_current_thread()
    .enable_time()
    .start_paused(true)
    .build()
    .unwrap();
  runtime.block_on(async {
    let plan = Plan {
      seed,
      instances: 2 + usize::try_from(seed % 7).unwrap(),
      apps: APPS,
      has_skew: true,
    };
    let mut world = World::new(plan);
    world.start_all();
    world.suffer(VIRTUAL_HOURS).await;
    if world.common.watch.breach().is_none() {
      world.recover().await;
    }
    (world.counts, world.common.watch.requests(), world.common.watch.breach())
  })
}

fn seeds() -> Range<u64> {
  let Ok(seeds) = env::var(SEEDS) else { return USUAL_SEEDS };
  let number = |text: &str| {
    text
      .parse::<u64>()
      .unwrap_or_else(|_| panic!("{SEEDS}={seeds}: expected 123 or 500..10500"))
  };
  match seeds.split_once("..") {
    Some((start, end)) => number(start)..number(end),
    None => number(&seeds)..number(&seeds) + 1,
  }
}
