//! One instance of a fleet: it is started, dies, and is started again with what it saved or without.

use std::sync::Arc;
use std::time::Duration;

use rand::SeedableRng;
use rand::rngs::StdRng;
use release_feed::answer::{FeedPublisher, Publication};
use release_feed::catalog::Catalog;
use release_feed::github::Identity;
use release_feed::poller::{Feed, FeedParts, Poller, PollerSettings, RequestsPerHour};
use release_feed::release::{ReleaseRules, WebBase};
use release_feed::shared::{Fleet, FleetParts, SharedMemory};
use release_feed::snapshot::{Restored, Snapshot, SnapshotSender};
use release_feed::{BaseUrl, Clock, UnixMs, VirtualClock};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::github::{Asker, GitHub, key};
use super::link::{Condition, Link, LinkedStore};
use super::watch::Watch;

/// Times in an answer wander by that much, instances comparing clocks with the store's.
const CLOCKS_DIFFER_MS: i64 = 3_000;
/// A clock that was set back by less is not noticed: what was remembered before seems that much newer until it is fetched again.
const UNNOTICED_MS: i64 = 60_000;
/// An instance looks at its clock whenever it looks or asks, which calls that hang may delay.
const NOTICES_ITS_CLOCK: Duration = Duration::from_secs(120);
const MAX_ANNOUNCED: usize = 64;

/// What is the same for all.
#[derive(Clone)]
pub(crate) struct Common {
  pub(crate) catalog: Arc<Catalog>,
  pub(crate) apps: usize,
  pub(crate) github: Arc<GitHub>,
  pub(crate) memory: Arc<SharedMemory>,
  pub(crate) watch: Watch,
  pub(crate) true_clock: Arc<VirtualClock>,
  pub(crate) interval: Duration,
  pub(crate) max_backoff: Duration,
  pub(crate) requests_per_hour: u32,
}

pub(crate) struct Instance {
  common: Common,
  number: usize,
  pub(crate) link: Link,
  pub(crate) clock: Arc<VirtualClock>,
  lives: u64,
  seed: u64,
  life: Option<Life>,
  saved: Option<Arc<Snapshot>>,
}

/// From one start to the next death.
struct Life {
  tasks: [JoinHandle<()>; 2],
  snapshots: watch::Receiver<Option<Arc<Snapshot>>>,
  publication: Publication,
  /// By app: the newest fetch time that was seen in an answer.
  newest: Vec<Option<i64>>,
  /// What the answer says before then was said by another clock.
  times_hold_from: Instant,
  /// How much older a fetch may seem than one before it.
  seems_older_ms: i64,
  was_complete: bool,
}

impl Instance {
  pub(crate) fn new(common: Common, number: usize, link: Link, seed: u64) -> Self {
    let clock = Arc::new(VirtualClock::starting_at(common.true_clock.now()));
    Self {
      common,
      number,
      link,
      clock,
      lives: 0,
      seed,
      life: None,
      saved: None,
    }
  }

  pub(crate) fn is_alive(&self) -> bool {
    self.life.is_some()
  }

  pub(crate) fn publication(&self) -> Option<&Publication> {
    self.life.as_ref().map(|life| &life.publication)
  }

  pub(crate) fn start(&mut self) {
    self.lives += 1;
    self.link.starts_anew();
    let restored = match self.saved.clone() {
      Some(saved) => Arc::unwrap_or_clone(saved).restore(
        Arc::clone(&self.common.catalog),
        &rules(),
        "anonymous",
        self.clock.now(),
      ),
      None => Restored::nothing(Arc::clone(&self.common.catalog)),
    };
    let (publisher, publication) = FeedPublisher::uncompressed(restored.cache.answer()).unwrap();
    let (snapshots, saved) = SnapshotSender::to_memory();
    let instances = restored.instances;
    let feed = Feed::new(FeedParts {
      restored,
      asked_as: "anonymous".to_owned(),
      publisher,
      snapshots,
    });
    let (clock, true_clock) = (Arc::clone(&self.clock), Arc::clone(&self.common.true_clock));
    let asker = Asker {
      github: Arc::clone(&self.common.github),
      watch: self.common.watch.clone(),
      instance: self.number,
      behind_ms: Arc::new(move || true_clock.now().0 - clock.now().0),
    };
    let settings = PollerSettings {
      polling_enabled: true,
      interval: self.common.interval,
      interval_without_token: self.common.interval,
      requests_per_hour: RequestsPerHour {
        usual: self.common.requests_per_hour,
        without_token: self.common.requests_per_hour,
      },
      max_backoff: self.common.max_backoff,
    };
    let fleet = Fleet::new(
      FleetParts {
        store: LinkedStore {
          store: self.common.memory.store(),
          link: self.link.clone(),
          watch: self.common.watch.clone(),
        },
        clock: Arc::clone(&self.clock) as Arc<dyn Clock>,
        instance: format!("{}-{}", self.number, self.lives),
        host: format!("host-{}", self.number),
        catalog: Arc::clone(&self.common.catalog),
        rules: rules(),
        max_backoff: self.common.max_backoff,
        askers: vec![Identity::anonymous()],
      },
      instances,
    );
    let chance = StdRng::seed_from_u64(self.seed.wrapping_mul(31).wrapping_add(self.lives));
    let (announced, changes) = mpsc::channel(MAX_ANNOUNCED);
    let poller = Poller::new(settings, Arc::new(asker), Arc::clone(&self.clock), chance, feed).in_fleet(fleet, changes);
    let listening = tokio::spawn(listen(Arc::clone(&self.common.memory), self.link.clone(), announced));
    self.life = Some(Life {
      tasks: [tokio::spawn(poller.run(CancellationToken::new())), listening],
      snapshots: saved,
      publication,
      newest: vec![None; self.common.apps],
      times_hold_from: Instant::now(),
      seems_older_ms: CLOCKS_DIFFER_MS,
      was_complete: false,
    });
  }

  /// As by SIGKILL. What it had saved stays, unless its disk is lost too.
  pub(crate) fn die(&mut self, keeps_snapshot: bool) {
    let Some(life) = self.life.take() else { return };
    life.tasks.iter().for_each(JoinHandle::abort);
    let saved = life.snapshots.borrow().clone();
    self.saved = saved.or(self.saved.take()).filter(|_| keeps_snapshot);
    self.common.watch.forgets(self.number, keeps_snapshot);
  }

  /// Sets its clock, by which the times in its answers move too.
  pub(crate) fn set_clock_by_ms(&mut self, milliseconds: i64) {
    self.clock.set_by_ms(milliseconds);
    if let Some(life) = &mut self.life {
      life.newest.fill(None);
      life.times_hold_from = Instant::now() + NOTICES_ITS_CLOCK;
      life.seems_older_ms = CLOCKS_DIFFER_MS + UNNOTICED_MS;
    }
    self.common.watch.clock_was_set(self.number);
  }

  /// Within a life nobody goes back to an older fetch, and an answer that was complete stays so.
  pub(crate) fn check(&mut self) {
    let skew = self.clock.now().0 - self.common.true_clock.now().0;
    let (number, watch) = (self.number, &self.common.watch);
    let Some(life) = &mut self.life else { return };
    let feed = life.publication.current();
    if life.was_complete && !feed.all().is_complete() {
      watch.broken(&format!("the answer of {number} was complete and is no more"));
    }
    life.was_complete |= feed.all().is_complete();
    if Instant::now() < life.times_hold_from {
      return;
    }
    for (app, newest) in life.newest.iter_mut().enumerate() {
      let answered = feed.app(&key(app)).and_then(|app| app.app_last_fetched);
      let Some(at) = answered.map(|at| at.unix_ms() - skew) else {
        continue;
      };
      if let Some(newest) = newest.filter(|newest| at + life.seems_older_ms < *newest) {
        watch.broken(&format!(
          "{number} went back to a fetch of app {app} that is {} ms older",
          newest - at
        ));
      }
      *newest = Some(newest.map_or(at, |newest| newest.max(at)));
    }
  }
}

async fn listen(memory: Arc<SharedMemory>, link: Link, announced: mpsc::Sender<String>) {
  let mut announcements = memory.listen();
  while let Ok(key) = announcements.recv().await {
    if link.condition() == Condition::Whole {
      // A full queue means that a look is due anyway.
      let _ = announced.try_send(key);
    }
  }
}

fn rules() -> ReleaseRules {
  ReleaseRules {
    web: WebBase::new(BaseUrl::read("https://github.com").unwrap()),
  }
}

/// A moment for all simulations: 2026-10-08T14:52:50Z.
pub(crate) const START: UnixMs = UnixMs(1_791_471_170_000);
