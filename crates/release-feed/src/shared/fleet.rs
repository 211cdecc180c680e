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
use super::fleet_notes::Remembered;
use super::fleet_parts::{Claim, FleetParts, Seen, Urgency};
use super::guarded_write::{GuardedWrite, TimeField};
use super::keys::{APP_TTL, BACKOFF_KEY, BACKOFF_TTL, app_key};
use super::notes::{NotePlace, ReleaseHash};
use super::offset::Offset;
use super::shared_store::{Reading, SharedStore, StoreError};
use super::trouble::Trouble;
use crate::cache::{Fetch, Wait};
use crate::catalog::AppKey;
use crate::clock::{CLOCK_TOLERANCE, Clock, UnixMs};
use crate::github::{ETag, Identity};
use crate::schedule::{Backoff, Failure, longest_believed};

/// A claim lapses by itself; nobody claims again before.
const CLAIM_GAP: Duration = Duration::from_secs(60);
/// The same for an urgent ask once the one before it has ended.
const URGENT_GAP: Duration = Duration::from_secs(5);
pub(super) const TROUBLE: &str = "trouble";
/// What follows from trouble with reading and writing.
const ALONE: &str = "this instance goes on alone until it works again";

/// One instance's part in a fleet. Times that come in and go out are this machine's.
#[derive(Debug)]
pub struct Fleet<S> {
  pub(super) parts: FleetParts<S>,
  pub(super) offset: Offset,
  pub(super) reading: Trouble,
  pub(super) writing: Trouble,
  pub(super) noting: Trouble,
  pub(super) announcing: Trouble,
  instances: Option<u32>,
  /// Whether the store has ever answered.
  pub(super) was_reached: bool,
  /// As it is stored, so that what is cleared is what was read.
  backoff_until: Option<String>,
  unusable: HashMap<AppKey, UnusableEntry>,
  /// As they were read last: what hasn't changed isn't read again at every look.
  releases: HashMap<AppKey, Read>,
  /// For what notes were found.
  pub(super) remembered: HashMap<AppKey, Remembered>,
  /// How many requests were left as it was shared last.
  pub(super) shared_budgets: HashMap<Identity, u64>,
}

/// A release as it was read.
#[derive(Debug)]
struct Read {
  json: Bytes,
  hash: ReleaseHash,
  release: ReadRelease,
}

type ReadRelease = Result<Option<Arc<Release>>, UnusableEntry>;

impl<S: SharedStore> Fleet<S> {
  /// An instance that has not looked yet. `instances` is how many there were when that was last known.
  pub fn new(parts: FleetParts<S>, instances: Option<u32>) -> Self {
    Self {
      parts,
      offset: Offset::default(),
      reading: Trouble::of("reading what the fleet shares", ALONE),
      writing: Trouble::of("writing what the fleet shares", ALONE),
      noting: Trouble::of(
        "noting what goes beside releases",
        "the rest is shared; GitHub may be asked a little more",
      ),
      announcing: Trouble::of(
        "announcing what changed",
        "others see it at their next look, not at once",
      ),
      instances,
      was_reached: false,
      backoff_until: None,
      unusable: HashMap::new(),
      releases: HashMap::new(),
      remembered: HashMap::new(),
      shared_budgets: HashMap::new(),
    }
  }

  /// Whether the last call failed, so that nothing is coordinated.
  pub fn is_alone(&self) -> bool {
    self.reading.lasts() || self.writing.lasts()
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
    let (fields, hash) = fetch_fields(fetch);
    write.fields.extend(fields);
    let is_newest = self.write(&write).await == Some(true);
    if is_newest {
      self.leave_notes(key, hash, fetch).await;
    }
    is_newest
  }

  /// Shares a confirmation of the release that is shared under this ETag, or under none.
  pub async fn share_confirmation(&mut self, key: &AppKey, at: UnixMs, etag: Option<&ETag>) {
    let write = GuardedWrite {
      requires_etag: Some(etag.map_or("", ETag::as_str).to_owned()),
      ..self.app_write(key, TimeField::Fetched, at)
    };
    self.write(&write).await;
  }

  /// Shares a failure, and how long the app is left alone after it, where that is longer than the failure alone says.
  pub async fn share_failure(&mut self, key: &AppKey, failure: Failure, wait: Option<Wait>) {
    let mut write = self.app_write(key, TimeField::Failed, failure.at);
    write.fields.push((FAILURES, failure.count.to_string().into()));
    if self.write(&write).await == Some(true)
      && let Some(wait) = wait
    {
      self.share_wait(key, wait).await;
    }
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
    let beside = if present { self.beside_a_look(apps) } else { Vec::new() };
    let places: Vec<NotePlace> = beside.iter().map(|(_, place)| place.clone()).collect();
    let mut reading = match self.parts.store.read_with(&keys, &places, id).await {
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
    let (now, notes) = (reading.now, std::mem::take(&mut reading.notes));
    let mut seen = self.understand(apps, reading);
    self.take_notes(&mut seen, beside, notes, now);
    self.recall_unknown(&mut seen, now).await;
    Some(seen)
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
    Seen {
      entries,
      backoff,
      budgets: Vec::new(),
    }
  }

  fn read_release(&mut self, key: &AppKey, json: &Bytes) -> ReadRelease {
    if let Some(read) = self.releases.get(key)
      && read.json == json
    {
      return read.release.clone();
    }
    let app = self.parts.catalog.get(key);
    let app = app.ok_or_else(|| UnusableEntry::Release("the app isn't in the catalog".to_owned()))?;
    let release = read_release(json, key, app, &self.parts.rules);
    let read = Read {
      json: json.clone(),
      hash: ReleaseHash::of(json),
      release: release.clone(),
    };
    self.releases.insert(key.clone(), read);
    release
  }

  /// Of the text that was read last.
  pub(super) fn hash_of(&self, key: &AppKey) -> Option<&ReleaseHash> {
    self.releases.get(key).map(|read| &read.hash)
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
  pub(super) fn follow_clock(&mut self) -> UnixMs {
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
