//! One instance's part in the fleet: what it reads of the others, what it tells them, and whether it has to go on alone.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use feed_types::Release;
use tokio::time::Instant;
use tracing::warn;

use super::entry::{BY, FAILURES, SharedEntry, UnusableEntry, V, VERSION, fetch_fields, read_count, read_release};
use super::fields::Fields;
use super::guarded_write::{GuardedWrite, TimeField};
use super::keys::{APP_TTL, BACKOFF_KEY, BACKOFF_TTL, app_key};
use super::offset::Offset;
use super::shared_store::{Reading, SharedStore, StoreError};
use super::trouble::Trouble;
use crate::cache::Fetch;
use crate::catalog::{AppKey, Catalog};
use crate::clock::{CLOCK_TOLERANCE, Clock, UnixMs};
use crate::github::ETag;
use crate::release::ReleaseRules;
use crate::schedule::{Backoff, Failure, longest_believed};
use crate::status::{RedisStatus, RedisTrouble};

/// A claim lapses by itself; nobody claims again before.
const CLAIM_GAP: Duration = Duration::from_secs(60);
/// The same for an urgent ask once the one before it has ended.
const URGENT_GAP: Duration = Duration::from_secs(5);
pub(super) const TROUBLE: &str = "trouble";
/// What follows from trouble with reading and writing.
const ALONE: &str = "this instance goes on alone until it works again";

/// Who takes part, and by which rules.
#[derive(Debug)]
pub struct FleetParts<S> {
  /// Where things are shared.
  pub store: S,
  /// Tells this instance from every other one.
  pub instance: String,
  /// This machine's clock.
  pub clock: Arc<dyn Clock>,
  /// The host's name, for people who look.
  pub host: String,
  /// The apps.
  pub catalog: Arc<Catalog>,
  /// What a release must be, wherever it comes from.
  pub rules: ReleaseRules,
  /// The longest wait after rate limits.
  pub max_backoff: Duration,
}

/// One instance's part in a fleet. Times that come in and go out are this machine's.
#[derive(Debug)]
pub struct Fleet<S> {
  parts: FleetParts<S>,
  offset: Offset,
  reading: Trouble,
  writing: Trouble,
  announcing: Trouble,
  instances: Option<u32>,
  /// Whether the store has ever answered.
  was_reached: bool,
  /// As it is stored, so that what is cleared is what was read.
  backoff_until: Option<String>,
  unusable: HashMap<AppKey, UnusableEntry>,
  /// As they were read last: what hasn't changed isn't read again at every look.
  releases: HashMap<AppKey, (Bytes, ReadRelease)>,
}

type ReadRelease = Result<Option<Arc<Release>>, UnusableEntry>;

/// What the fleet knows at a moment.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Seen {
  /// By app, in the order of the keys.
  pub entries: Vec<(AppKey, SharedEntry)>,
  /// Until when nobody asks.
  pub backoff: Option<Backoff>,
}

/// How urgent an ask is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Urgency {
  /// It is due by its age.
  Usual,
  /// Something is known to have changed.
  Urgent,
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Claim {
  /// This instance asks.
  Won,
  /// Another one does, or has just done.
  Lost,
  /// Nobody can be asked: this instance goes on alone.
  Alone,
}

impl<S: SharedStore> Fleet<S> {
  /// An instance that has not looked yet. `instances` is how many there were when that was last known.
  pub fn new(parts: FleetParts<S>, instances: Option<u32>) -> Self {
    Self {
      parts,
      offset: Offset::default(),
      reading: Trouble::of("reading what the fleet shares", ALONE),
      writing: Trouble::of("writing what the fleet shares", ALONE),
      announcing: Trouble::of(
        "announcing what changed",
        "others see it at their next look, not at once",
      ),
      instances,
      was_reached: false,
      backoff_until: None,
      unusable: HashMap::new(),
      releases: HashMap::new(),
    }
  }

  /// Whether the last call failed, so that nothing is coordinated.
  pub fn is_alone(&self) -> bool {
    self.reading.lasts() || self.writing.lasts()
  }

  /// How it goes with the store, for whoever looks at `now`.
  pub fn store_status(&self, now: UnixMs) -> RedisStatus {
    let fails = |what, trouble: &Trouble| {
      let trouble = trouble.status(now)?;
      Some(RedisStatus::Fails { what, trouble })
    };
    let usual = if self.was_reached {
      RedisStatus::Works
    } else {
      RedisStatus::Unknown
    };
    fails(RedisTrouble::Reading, &self.reading)
      .or_else(|| fails(RedisTrouble::Writing, &self.writing))
      .or_else(|| fails(RedisTrouble::Announcing, &self.announcing))
      .unwrap_or(usual)
  }

  /// How many instances there are, or were when that was last known.
  pub fn instances(&self) -> Option<u32> {
    self.instances
  }

  /// Everything, in one round trip, which also tells that this instance is there. `None` where that fails.
  pub async fn look(&mut self) -> Option<Seen> {
    let apps: Vec<AppKey> = self.parts.catalog.apps().map(|(key, _)| key.clone()).collect();
    self.read(&apps, true).await
  }

  /// Some apps and the backoff, in one round trip. `None` where that fails. Those that aren't in the catalog are left out.
  pub async fn look_at(&mut self, keys: &[AppKey]) -> Option<Seen> {
    let known = keys.iter().filter(|key| self.parts.catalog.get(key).is_some());
    let known: Vec<AppKey> = known.cloned().collect();
    self.read(&known, false).await
  }

  /// Sets out to ask about an app.
  pub async fn claim(&mut self, key: &AppKey, urgency: Urgency) -> Claim {
    let now = self.parts.clock.now();
    let gap_once_finished = (urgency == Urgency::Urgent).then_some(URGENT_GAP);
    let write = GuardedWrite {
      gap: CLAIM_GAP,
      gap_once_finished,
      ..self.app_write(key, TimeField::Claimed, now)
    };
    match self.write(&write).await {
      Some(true) => Claim::Won,
      Some(false) => Claim::Lost,
      None => Claim::Alone,
    }
  }

  /// Shares an answer of GitHub's, and says whether it was the newest.
  pub async fn share_fetch(&mut self, key: &AppKey, fetch: &Fetch) -> bool {
    let mut write = self.app_write(key, TimeField::Fetched, fetch.at);
    write.fields.extend(fetch_fields(fetch));
    self.write(&write).await == Some(true)
  }

  /// Shares a confirmation of the release that is shared under this ETag, or under none.
  pub async fn share_confirmation(&mut self, key: &AppKey, at: UnixMs, etag: Option<&ETag>) {
    let write = GuardedWrite {
      requires_etag: Some(etag.map_or("", ETag::as_str).to_owned()),
      ..self.app_write(key, TimeField::Fetched, at)
    };
    self.write(&write).await;
  }

  /// Shares a failure.
  pub async fn share_failure(&mut self, key: &AppKey, failure: Failure) {
    let mut write = self.app_write(key, TimeField::Failed, failure.at);
    write.fields.push((FAILURES, failure.count.to_string().into()));
    self.write(&write).await;
  }

  /// Shares a backoff, unless a longer one is shared.
  pub async fn share_backoff(&mut self, backoff: Backoff) {
    self.follow_clock();
    let until = self.offset.to_store(backoff.until);
    let until_text = until.0.to_string();
    let write = GuardedWrite {
      key: BACKOFF_KEY.to_owned(),
      time_field: TimeField::Until,
      at: until,
      gap: Duration::ZERO,
      gap_once_finished: None,
      believed_ahead: longest_believed(self.parts.max_backoff),
      requires_etag: None,
      fields: vec![
        (V, Bytes::from_static(VERSION)),
        (TimeField::Until.name(), until_text.clone().into()),
        (TROUBLE, backoff.trouble.to_string().into()),
        (BY, self.parts.host.clone().into()),
      ],
      ttl: BACKOFF_TTL,
    };
    if self.write(&write).await == Some(true) {
      self.backoff_until = Some(until_text);
    }
  }

  /// Deletes the backoff that was read last, after a good round. One that somebody has set since stays.
  pub async fn clear_backoff(&mut self) {
    let Some(until) = self.backoff_until.take() else { return };
    let deleted = self
      .parts
      .store
      .delete_if(BACKOFF_KEY, TimeField::Until.name(), &until)
      .await;
    self.note_write(&deleted);
  }

  /// Tells the others that an app's release changed. Where only that is forbidden, they find it by themselves.
  pub async fn announce(&mut self, key: &AppKey) {
    match self.parts.store.announce(key.as_str()).await {
      Ok(()) => self.announcing.succeeded(),
      Err(error @ StoreError::Refused(_)) => self.announcing.failed(&error),
      Err(error) => self.writing.failed(&error),
    }
  }

  async fn read(&mut self, apps: &[AppKey], present: bool) -> Option<Seen> {
    let mut keys: Vec<String> = apps.iter().map(app_key).collect();
    keys.push(BACKOFF_KEY.to_owned());
    let asked = Instant::now();
    let id = present.then_some(self.parts.instance.as_str());
    let reading = match self.parts.store.read(&keys, id).await {
      Ok(reading) => reading,
      Err(error) => {
        self.reading.failed(&error);
        return None;
      }
    };
    self.reading.succeeded();
    self.was_reached = true;
    self
      .offset
      .observe(reading.now, asked, self.parts.clock.now(), Instant::now());
    if present && reading.instances.is_some() {
      self.instances = reading.instances;
      // That this instance is there was written, too.
      self.writing.succeeded();
    }
    Some(self.understand(apps, reading))
  }

  fn understand(&mut self, apps: &[AppKey], reading: Reading) -> Seen {
    let Reading { now, mut hashes, .. } = reading;
    let backoff = hashes.pop().unwrap_or_default();
    let backoff = self.understand_backoff(&backoff, now);
    let mut entries = Vec::with_capacity(apps.len());
    for (key, fields) in apps.iter().zip(&hashes) {
      let (entry, unusable) = SharedEntry::read(fields, |json| self.read_release(key, json), now);
      self.note_unusable(key, unusable);
      entries.push((key.clone(), self.with_our_times(entry)));
    }
    Seen { entries, backoff }
  }

  fn read_release(&mut self, key: &AppKey, json: &Bytes) -> ReadRelease {
    if let Some((was, release)) = self.releases.get(key)
      && was == json
    {
      return release.clone();
    }
    let app = self.parts.catalog.get(key);
    let app = app.ok_or_else(|| UnusableEntry::Release("the app isn't in the catalog".to_owned()))?;
    let release = read_release(json, key, app, &self.parts.rules);
    self.releases.insert(key.clone(), (json.clone(), release.clone()));
    release
  }

  fn understand_backoff(&mut self, fields: &Fields, now: UnixMs) -> Option<Backoff> {
    self.backoff_until = fields.text(TimeField::Until.name()).map(str::to_owned);
    let until = fields.time(TimeField::Until.name(), now, longest_believed(self.parts.max_backoff))?;
    Some(Backoff {
      until: self.offset.to_ours(until),
      trouble: read_count(fields.get(TROUBLE)),
    })
  }

  fn with_our_times(&self, mut entry: SharedEntry) -> SharedEntry {
    if let Some(fetch) = &mut entry.fetch {
      fetch.at = self.offset.to_ours(fetch.at);
    }
    if let Some(failure) = &mut entry.failure {
      failure.at = self.offset.to_ours(failure.at);
    }
    entry
  }

  /// Says each thing once, until it changes.
  fn note_unusable(&mut self, key: &AppKey, unusable: Option<UnusableEntry>) {
    let Some(why) = unusable else {
      self.unusable.remove(key);
      return;
    };
    if self.unusable.get(key) != Some(&why) {
      warn!(app = %key, %why, "what the fleet shares of this app can't be used, so it is asked about anew");
      self.unusable.insert(key.clone(), why);
    }
  }

  /// A write of one time, with everything that goes with each.
  fn app_write(&mut self, key: &AppKey, time_field: TimeField, at: UnixMs) -> GuardedWrite {
    let now = self.follow_clock();
    // Nothing has happened later than now, whatever was remembered by a clock that was set back since.
    let at = self.offset.to_store(at.min(now));
    GuardedWrite {
      key: app_key(key),
      time_field,
      at,
      gap: Duration::ZERO,
      gap_once_finished: None,
      believed_ahead: CLOCK_TOLERANCE,
      requires_etag: None,
      fields: vec![
        (V, Bytes::from_static(VERSION)),
        (time_field.name(), at.0.to_string().into()),
        (BY, self.parts.host.clone().into()),
      ],
      ttl: APP_TTL,
    }
  }

  /// This machine's time, by which the store's is known.
  fn follow_clock(&mut self) -> UnixMs {
    let now = self.parts.clock.now();
    self.offset.follow(now, Instant::now());
    now
  }

  async fn write(&mut self, write: &GuardedWrite) -> Option<bool> {
    if write.at.0 <= 0 {
      // Before 1970 by the server's clock: nobody could read it.
      return Some(false);
    }
    let written = self.parts.store.write(write).await;
    self.note_write(&written);
    written.ok()
  }

  /// What the guard kept from being written proves nothing: a server that refuses writes says the same.
  fn note_write(&mut self, written: &Result<bool, StoreError>) {
    match written {
      Ok(true) => self.writing.succeeded(),
      Ok(false) => {}
      Err(error) => self.writing.failed(error),
    }
  }
}

#[cfg(test)]
mod tests {
  use tokio::time::advance;

  use super::*;
  use crate::base_url::BaseUrl;
  use crate::clock::VirtualClock;
  use crate::release::WebBase;
  use crate::shared::memory_store::{MemoryStore, SharedMemory};
  use crate::status::Trouble as TroubleStatus;

  const START: UnixMs = UnixMs(1_791_471_170_000);
  const MINUTE: Duration = Duration::from_secs(60);
  const OOM: &str = "answered with an error: OOM no memory";
  const NOPERM: &str = "answered with an error: NOPERM no";

  #[tokio::test(start_paused = true)]
  async fn before_the_first_answer_nothing_is_known_of_the_store_and_then_it_works() {
    let mut fleet = fleet();
    assert_eq!(status(&fleet), RedisStatus::Unknown);
    fleet.look().await.unwrap();
    assert_eq!(status(&fleet), RedisStatus::Works);
  }

  #[tokio::test(start_paused = true)]
  async fn what_cannot_be_written_is_told_since_the_first_time_with_the_last_reason_until_a_write_succeeds() {
    let mut fleet = looked().await;
    store(&mut fleet).writing = Some(StoreError::TimedOut(5));
    assert_eq!(fleet.claim(&app(), Urgency::Usual).await, Claim::Alone);
    let since = fleet.parts.clock.now();
    advance(MINUTE).await;
    store(&mut fleet).writing = refused("OOM no memory");
    fleet.share_failure(&app(), failure(&fleet)).await;
    assert_eq!(status(&fleet), fails(RedisTrouble::Writing, since, OOM));
    assert!(fleet.is_alone());
    store(&mut fleet).writing = None;
    assert_eq!(fleet.claim(&app(), Urgency::Usual).await, Claim::Won);
    assert_eq!(status(&fleet), RedisStatus::Works);
  }

  #[tokio::test(start_paused = true)]
  async fn that_somebody_else_was_first_says_nothing_of_whether_writing_works() {
    let (mut fleet, mut other) = (looked().await, fleet());
    store(&mut other).memory = store(&mut fleet).memory.clone();
    assert_eq!(other.claim(&app(), Urgency::Usual).await, Claim::Won);
    store(&mut fleet).writing = refused("OOM no memory");
    fleet.claim(&app(), Urgency::Usual).await;
    store(&mut fleet).writing = None;
    assert_eq!(fleet.claim(&app(), Urgency::Usual).await, Claim::Lost);
    assert_eq!(status(&fleet), fails(RedisTrouble::Writing, START, OOM));
    // A look tells that this instance is there, which is written.
    fleet.look().await.unwrap();
    assert_eq!(status(&fleet), RedisStatus::Works);
  }

  #[tokio::test(start_paused = true)]
  async fn what_cannot_be_announced_is_told_until_an_announcement_is_made_and_coordination_goes_on() {
    let mut fleet = looked().await;
    store(&mut fleet).announcing = refused("NOPERM no");
    fleet.announce(&app()).await;
    assert_eq!(status(&fleet), fails(RedisTrouble::Announcing, START, NOPERM));
    assert!(!fleet.is_alone());
    assert_eq!(fleet.claim(&app(), Urgency::Usual).await, Claim::Won);
    fleet.look().await.unwrap();
    assert_eq!(status(&fleet), fails(RedisTrouble::Announcing, START, NOPERM));
    store(&mut fleet).announcing = None;
    fleet.announce(&app()).await;
    assert_eq!(status(&fleet), RedisStatus::Works);
  }

  #[tokio::test(start_paused = true)]
  async fn an_announcement_that_gets_nowhere_is_trouble_with_writing() {
    let mut fleet = looked().await;
    store(&mut fleet).announcing = Some(StoreError::TimedOut(5));
    fleet.announce(&app()).await;
    let error = "didn't answer within 5 s";
    assert_eq!(status(&fleet), fails(RedisTrouble::Writing, START, error));
  }

  #[tokio::test(start_paused = true)]
  async fn of_several_troubles_the_worst_is_told() {
    let mut fleet = looked().await;
    store(&mut fleet).announcing = refused("NOPERM no");
    fleet.announce(&app()).await;
    store(&mut fleet).writing = refused("OOM no memory");
    fleet.share_failure(&app(), failure(&fleet)).await;
    assert_eq!(status(&fleet), fails(RedisTrouble::Writing, START, OOM));
    store(&mut fleet).reading = Some(StoreError::Unreachable("broken pipe".to_owned()));
    assert_eq!(fleet.look().await, None);
    let error = "can't be reached: broken pipe";
    assert_eq!(status(&fleet), fails(RedisTrouble::Reading, START, error));
    store(&mut fleet).reading = None;
    fleet.look().await.unwrap();
    assert_eq!(status(&fleet), fails(RedisTrouble::Announcing, START, NOPERM));
  }

  /// A store that fails as it is told to.
  struct Moody {
    memory: MemoryStore,
    reading: Option<StoreError>,
    writing: Option<StoreError>,
    announcing: Option<StoreError>,
  }

  impl SharedStore for Moody {
    async fn read(&mut self, keys: &[String], present: Option<&str>) -> Result<Reading, StoreError> {
      self.reading.clone().map_or(Ok(()), Err)?;
      self.memory.read(keys, present).await
    }

    async fn write(&mut self, write: &GuardedWrite) -> Result<bool, StoreError> {
      self.writing.clone().map_or(Ok(()), Err)?;
      self.memory.write(write).await
    }

    async fn delete_if(&mut self, key: &str, field: &str, value: &str) -> Result<bool, StoreError> {
      self.writing.clone().map_or(Ok(()), Err)?;
      self.memory.delete_if(key, field, value).await
    }

    async fn announce(&mut self, message: &str) -> Result<(), StoreError> {
      self.announcing.clone().map_or(Ok(()), Err)?;
      self.memory.announce(message).await
    }
  }

  fn fleet() -> Fleet<Moody> {
    let store = Moody {
      memory: SharedMemory::new(VirtualClock::starting_at(START)).store(),
      reading: None,
      writing: None,
      announcing: None,
    };
    let parts = FleetParts {
      store,
      instance: "1".to_owned(),
      clock: Arc::new(VirtualClock::starting_at(START)),
      host: "host".to_owned(),
      catalog: Arc::new(Catalog::craft_apps()),
      rules: ReleaseRules {
        web: WebBase::new(BaseUrl::read("https://github.com").unwrap()),
      },
      max_backoff: Duration::from_secs(14_400),
    };
    Fleet::new(parts, None)
  }

  /// An instance that has read what is shared.
  async fn looked() -> Fleet<Moody> {
    let mut fleet = fleet();
    fleet.look().await.unwrap();
    fleet
  }

  fn store(fleet: &mut Fleet<Moody>) -> &mut Moody {
    &mut fleet.parts.store
  }

  fn status(fleet: &Fleet<Moody>) -> RedisStatus {
    fleet.store_status(fleet.parts.clock.now())
  }

  fn fails(what: RedisTrouble, since: UnixMs, error: &str) -> RedisStatus {
    let error = error.to_owned();
    RedisStatus::Fails {
      what,
      trouble: TroubleStatus { since, error },
    }
  }

  fn refused(text: &str) -> Option<StoreError> {
    Some(StoreError::Refused(text.to_owned()))
  }

  fn failure(fleet: &Fleet<Moody>) -> Failure {
    Failure {
      at: fleet.parts.clock.now(),
      count: 1,
    }
  }

  fn app() -> AppKey {
    "photocraft".parse().unwrap()
  }
}
