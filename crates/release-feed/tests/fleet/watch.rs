//! What must hold at every moment, whatever goes wrong. The first breach is kept, with the time at which it happened.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use release_feed::shared::{BACKOFF_KEY, SharedMemory, app_key};
use release_feed::{Clock, UnixMs};
use tokio::time::Instant;

use super::github::key;
use super::link::Link;

const CLAIM_GAP: Duration = Duration::from_secs(60);
/// Two instances compare their clocks with the store's to about a second each.
const CLOCKS_DIFFER: Duration = Duration::from_secs(3);
/// Between looking and asking.
const LOOK_TO_ASK: Duration = Duration::from_secs(2);
const HOUR: Duration = Duration::from_secs(3_600);

/// Sees every request, write and answer.
#[derive(Clone)]
pub(crate) struct Watch(Arc<Mutex<State>>);

struct State {
  started: Instant,
  memory: Arc<SharedMemory>,
  true_clock: Arc<dyn Clock>,
  links: Vec<Link>,
  /// Of each instance whether it has ever known how many there are.
  knows_number: Vec<bool>,
  asks: Vec<Ask>,
  /// By app: the last ask that was claimed, since the store last forgot.
  claimed: HashMap<usize, Duration>,
  backoff_set: Duration,
  /// By instance: until when GitHub told it to wait, by the true time.
  limited: HashMap<usize, UnixMs>,
  fetched: HashMap<usize, i64>,
  requests_per_hour: usize,
  breach: Option<String>,
}

#[derive(Clone, Copy, Debug)]
struct Ask {
  at: Duration,
  instance: usize,
  app: usize,
  is_counted: bool,
}

impl Watch {
  pub(crate) fn new(
    memory: Arc<SharedMemory>,
    true_clock: Arc<dyn Clock>,
    links: Vec<Link>,
    requests_per_hour: usize,
  ) -> Self {
    Self(Arc::new(Mutex::new(State {
      started: Instant::now(),
      memory,
      true_clock,
      knows_number: vec![false; links.len()],
      links,
      asks: Vec::new(),
      claimed: HashMap::new(),
      backoff_set: Duration::ZERO,
      limited: HashMap::new(),
      fetched: HashMap::new(),
      requests_per_hour,
      breach: None,
    })))
  }

  /// An instance asks GitHub.
  pub(crate) fn asked(&self, instance: usize, app: usize) {
    let mut state = self.state();
    let at = state.started.elapsed();
    let now = state.true_clock.now();
    let is_coordinated = state.links[instance].is_reached();
    if is_coordinated {
      state.knows_number[instance] = true;
      let entry = state.memory.get(&app_key(&key(app).parse().unwrap()));
      // The store may have forgotten the claim already, and with it who asks.
      if entry.text("claimed_ms").is_some()
        && let Some(before) = state.claimed.insert(app, at)
        && at - before + CLOCKS_DIFFER < CLAIM_GAP
      {
        let apart = at - before;
        state.broken(&format!(
          "app {app} was asked about twice within {apart:?}, last by {instance}"
        ));
      }
      let backoff = state.memory.get(BACKOFF_KEY);
      let until = backoff.time("until_ms", now, Duration::from_secs(1 << 20));
      let is_known = at > state.backoff_set + LOOK_TO_ASK;
      if is_known && until.is_some_and(|until| until > now.plus(CLOCKS_DIFFER)) {
        state.broken(&format!("{instance} asked about app {app} during the backoff of all"));
      }
    }
    if state
      .limited
      .get(&instance)
      .is_some_and(|until| *until > now.plus(CLOCKS_DIFFER))
    {
      state.broken(&format!("{instance} asked about app {app} before GitHub's time"));
    }
    let is_counted = state.knows_number[instance];
    state.asks.push(Ask {
      at,
      instance,
      app,
      is_counted,
    });
    let recent = state.asks.iter().rev().take_while(|ask| ask.at + HOUR > at);
    let (mut count, mut all_counted) = (0, true);
    for ask in recent {
      count += 1;
      all_counted &= ask.is_counted;
    }
    if all_counted && count > state.requests_per_hour {
      state.broken(&format!("{count} requests within an hour"));
    }
  }

  pub(crate) fn requests(&self) -> usize {
    self.state().asks.len()
  }

  pub(crate) fn requests_about(&self, app: usize) -> usize {
    self.state().asks.iter().filter(|ask| ask.app == app).count()
  }

  pub(crate) fn requests_by(&self, instance: usize) -> usize {
    self.state().asks.iter().filter(|ask| ask.instance == instance).count()
  }

  /// GitHub told an instance to wait.
  pub(crate) fn was_limited(&self, instance: usize, until: UnixMs) {
    self.state().limited.insert(instance, until);
  }

  /// An instance may not know any more what it was told.
  pub(crate) fn forgets(&self, instance: usize, knows_number: bool) {
    let mut state = self.state();
    state.limited.remove(&instance);
    state.knows_number[instance] &= knows_number;
  }

  /// Its clock was set, so that it takes GitHub's time for another.
  pub(crate) fn clock_was_set(&self, instance: usize) {
    self.state().limited.remove(&instance);
  }

  /// Somebody set the backoff of all.
  pub(crate) fn backoff_was_set(&self) {
    let mut state = self.state();
    state.backoff_set = state.started.elapsed();
  }

  /// The store lost everything.
  pub(crate) fn store_forgot(&self) {
    let mut state = self.state();
    state.claimed.clear();
    state.fetched.clear();
  }

  /// No entry goes back in time.
  pub(crate) fn check_store(&self, apps: usize) {
    let mut state = self.state();
    let now = state.true_clock.now();
    for app in 0..apps {
      let entry = state.memory.get(&app_key(&key(app).parse().unwrap()));
      let Some(fetched) = entry.time("fetched_ms", now, Duration::from_secs(1 << 30)) else {
        continue;
      };
      if let Some(before) = state.fetched.insert(app, fetched.0)
        && fetched.0 < before
      {
        state.broken(&format!(
          "the entry of app {app} went back by {} ms",
          before - fetched.0
        ));
      }
    }
  }

  pub(crate) fn broken(&self, what: &str) {
    self.state().broken(what);
  }

  pub(crate) fn breach(&self) -> Option<String> {
    self.state().breach.clone()
  }

  fn state(&self) -> MutexGuard<'_, State> {
    self.0.lock().unwrap()
  }
}

impl State {
  fn broken(&mut self, what: &str) {
    let at = self.started.elapsed().as_secs();
    self
      .breach
      .get_or_insert_with(|| format!("{}:{:02}:{:02} {what}", at / 3_600, at / 60 % 60, at % 60));
  }
}
