//! A fleet with everything that happens to it.

use std::sync::Arc;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use release_feed::catalog::parse_app_list;
use release_feed::shared::{BACKOFF_KEY, SharedMemory};
use release_feed::{Clock, VirtualClock};
use tokio::time::{Instant, sleep};

use super::github::{GitHub, Mood, catalog_text, key};
use super::instance::{Common, Instance, START};
use super::link::{Condition, Link};
use super::trouble::{Counts, Trouble};
use super::watch::Watch;

pub(crate) const INTERVAL: Duration = Duration::from_secs(120);
const MAX_BACKOFF: Duration = Duration::from_secs(1_800);
/// Everything is looked at that often.
const STEP: Duration = Duration::from_secs(5);
/// On average there is a new trouble after that many steps.
const STEPS_PER_TROUBLE: f64 = 24.0;
const LONGEST_TROUBLE: Duration = Duration::from_secs(900);
const MAX_SKEW_MS: i64 = 600_000;
/// Of a clock that goes wrong: 200 millionths.
const MAX_DRIFT_MS_PER_STEP: f64 = 1.0;
/// Everybody has looked, though calls may hang at first.
const ALL_HAVE_LOOKED: Duration = Duration::from_secs(60);

/// What a world is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
  pub(crate) seed: u64,
  pub(crate) instances: usize,
  pub(crate) apps: usize,
  /// How much of it clocks may be wrong by.
  pub(crate) has_skew: bool,
}

pub(crate) struct World {
  plan: Plan,
  chance: StdRng,
  pub(crate) common: Common,
  pub(crate) instances: Vec<Instance>,
  drifts: Vec<f64>,
  drifted: Vec<f64>,
  mends: Vec<(Instant, Mend)>,
  pub(crate) counts: Counts,
}

/// The end of a trouble.
#[derive(Clone, Copy, Debug)]
enum Mend {
  Start(usize),
  Link(usize),
  Store { is_empty: bool },
  GitHub,
}

impl World {
  pub(crate) fn new(plan: Plan) -> Self {
    let mut chance = StdRng::seed_from_u64(plan.seed);
    let true_clock = Arc::new(VirtualClock::starting_at(START));
    let memory = SharedMemory::new(Arc::clone(&true_clock));
    let links: Vec<Link> = (0..plan.instances).map(|_| Link::new(chance.random())).collect();
    // What all ask together, and as much again for each that is cut off: a fifth and four fifths.
    let usual = plan.apps * 3_600 / usize::try_from(INTERVAL.as_secs()).unwrap();
    let requests_per_hour = usual * 6;
    let watch_clock: Arc<dyn Clock> = Arc::clone(&true_clock) as Arc<dyn Clock>;
    let watch = Watch::new(Arc::clone(&memory), watch_clock, links.clone(), requests_per_hour);
    let common = Common {
      catalog: Arc::new(parse_app_list(&catalog_text(plan.apps)).0),
      apps: plan.apps,
      github: GitHub::new(plan.apps, chance.random()),
      memory,
      watch,
      true_clock,
      interval: INTERVAL,
      max_backoff: MAX_BACKOFF,
      requests_per_hour: u32::try_from(requests_per_hour).unwrap(),
    };
    let mut instances: Vec<Instance> = links
      .into_iter()
      .enumerate()
      .map(|(number, link)| Instance::new(common.clone(), number, link, chance.random()))
      .collect();
    let mut drifts = vec![0.0; plan.instances];
    if plan.has_skew {
      for (instance, drift) in instances.iter_mut().zip(&mut drifts) {
        instance
          .clock
          .set_by_ms(chance.random_range(-MAX_SKEW_MS..=MAX_SKEW_MS));
        *drift = chance.random_range(-MAX_DRIFT_MS_PER_STEP..=MAX_DRIFT_MS_PER_STEP);
      }
    }
    Self {
      plan,
      chance,
      common,
      instances,
      drifted: vec![0.0; plan.instances],
      drifts,
      mends: Vec::new(),
      counts: Counts::default(),
    }
  }

  pub(crate) fn start_all(&mut self) {
    self.instances.iter_mut().for_each(Instance::start);
  }

  /// Lets time pass, and looks at everything.
  pub(crate) async fn pass(&mut self, time: Duration) {
    let end = Instant::now() + time;
    while Instant::now() < end {
      self.step().await;
    }
  }

  /// The same while things go wrong. Ends early at the first breach.
  pub(crate) async fn suffer(&mut self, time: Duration) {
    let end = Instant::now() + time;
    while Instant::now() < end && self.common.watch.breach().is_none() {
      self.step().await;
      if self.chance.random_bool(1.0 / STEPS_PER_TROUBLE) {
        let trouble = Trouble::ALL[self.chance.random_range(0..Trouble::ALL.len())];
        self.begin(trouble);
      }
    }
  }

  /// Ends every trouble; then everybody must come to know the same within two intervals.
  pub(crate) async fn recover(&mut self) {
    for (_, mend) in std::mem::take(&mut self.mends) {
      self.mend(mend);
    }
    self.pass(ALL_HAVE_LOOKED).await;
    self.pass(self.backoff_left()).await;
    // Whoever asked last at the end of the backoff may have set another.
    self.pass(2 * INTERVAL).await;
    self.pass(self.backoff_left()).await;
    for (number, instance) in self.instances.iter().enumerate() {
      let Some(publication) = instance.publication() else {
        self.common.watch.broken(&format!("{number} was not started again"));
        continue;
      };
      let feed = publication.current();
      for app in 0..self.plan.apps {
        let expected = format!("v{}", self.common.github.version(app));
        let release = feed.app(&key(app)).and_then(|app| app.latest_release.as_ref());
        if release.is_none_or(|release| release.tag != expected) {
          let tag = release.map_or("nothing", |release| &release.tag);
          let what = format!("{number} says {tag} of app {app} long after {expected}");
          self.common.watch.broken(&what);
        }
      }
    }
  }

  fn backoff_left(&self) -> Duration {
    let backoff = self.common.memory.get(BACKOFF_KEY);
    let now = self.common.true_clock.now();
    let until = backoff.time("until_ms", now, 2 * MAX_BACKOFF);
    until.map_or(Duration::ZERO, |until| until.after(now))
  }

  async fn step(&mut self) {
    sleep(STEP).await;
    let due: Vec<Mend> = self
      .mends
      .extract_if(.., |(at, _)| *at <= Instant::now())
      .map(|(_, mend)| mend)
      .collect();
    for mend in due {
      self.mend(mend);
    }
    for (number, instance) in self.instances.iter_mut().enumerate() {
      self.drifted[number] += self.drifts[number];
      let whole = self.drifted[number].trunc();
      self.drifted[number] -= whole;
      instance.clock.set_by_ms(whole as i64);
      instance.check();
    }
    self.common.watch.check_store(self.plan.apps);
  }

  fn begin(&mut self, trouble: Trouble) {
    let number = self.chance.random_range(0..self.instances.len());
    let lasts = Duration::from_secs(self.chance.random_range(5..LONGEST_TROUBLE.as_secs()));
    let until = Instant::now() + lasts;
    let link = &self.instances[number].link;
    match trouble {
      Trouble::Crash | Trouble::CrashAndForget => {
        if !self.instances[number].is_alive() {
          return;
        }
        self.instances[number].die(trouble == Trouble::Crash);
        let restart = Instant::now() + Duration::from_secs(self.chance.random_range(0..120));
        self.mends.push((restart, Mend::Start(number)));
      }
      Trouble::Cut | Trouble::Hung | Trouble::Losing | Trouble::ReadOnly => {
        if link.condition() != Condition::Whole {
          return;
        }
        link.set(match trouble {
          Trouble::Cut => Condition::Cut,
          Trouble::Hung => Condition::Hung,
          Trouble::Losing => Condition::Losing,
          _ => Condition::ReadOnly,
        });
        self.mends.push((until, Mend::Link(number)));
      }
      Trouble::StoreAway | Trouble::StoreLost => {
        let condition = if self.chance.random_bool(0.5) {
          Condition::Cut
        } else {
          Condition::Hung
        };
        self.instances.iter().for_each(|instance| instance.link.set(condition));
        let is_empty = trouble == Trouble::StoreLost;
        self.mends.push((until, Mend::Store { is_empty }));
      }
      Trouble::Flush => self.forget(),
      Trouble::GitHubDown => {
        if self.common.github.mood() != Mood::Well {
          return;
        }
        self.common.github.set_mood(Mood::Down);
        self.mends.push((until, Mend::GitHub));
      }
      Trouble::RateLimit => {
        if self.common.github.mood() != Mood::Well {
          return;
        }
        let end = self.common.true_clock.now().plus(lasts);
        self.common.github.set_mood(Mood::Limiting(end));
        self.mends.push((until, Mend::GitHub));
      }
      Trouble::ClockSet => {
        let skew = self.instances[number].clock.now().0 - self.common.true_clock.now().0;
        let target = self.chance.random_range(-MAX_SKEW_MS..=MAX_SKEW_MS);
        self.instances[number].set_clock_by_ms(target - skew);
      }
      Trouble::Release => self.common.github.release(self.chance.random_range(0..self.plan.apps)),
    }
    self.counts.count(trouble);
  }

  fn mend(&mut self, mend: Mend) {
    match mend {
      Mend::Start(number) => self.instances[number].start(),
      Mend::Link(number) => self.instances[number].link.set(Condition::Whole),
      Mend::Store { is_empty } => {
        if is_empty {
          self.forget();
        }
        self
          .instances
          .iter()
          .for_each(|instance| instance.link.set(Condition::Whole));
      }
      Mend::GitHub => self.common.github.set_mood(Mood::Well),
    }
  }

  fn forget(&self) {
    self.common.memory.clear();
    self.common.watch.store_forgot();
  }
}
