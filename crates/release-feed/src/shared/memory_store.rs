//! A store in memory, by the same rules: for tests and simulations.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tokio::sync::broadcast;

use super::fields::Fields;
use super::guarded_write::GuardedWrite;
use super::keys::INSTANCE_TTL;
use super::notes::{Note, NotePlace};
use super::shared_store::{Reading, SharedStore, StoreError};
use crate::clock::{Clock, UnixMs};

/// Announcements that a listener may be behind; older ones are lost to it.
const MAX_BEHIND: usize = 256;

/// What instances share.
pub struct SharedMemory {
  clock: Box<dyn Clock>,
  state: Mutex<State>,
  announcements: broadcast::Sender<String>,
}

/// One instance's way to it.
#[derive(Clone)]
pub struct MemoryStore(Arc<SharedMemory>);

#[derive(Default)]
struct State {
  hashes: HashMap<String, (Fields, UnixMs)>,
  notes: HashMap<NotePlace, (Bytes, UnixMs)>,
  instances: HashMap<String, UnixMs>,
}

impl SharedMemory {
  /// Nothing yet, with a clock of its own.
  pub fn new(clock: impl Clock + 'static) -> Arc<Self> {
    Arc::new(Self {
      clock: Box::new(clock),
      state: Mutex::default(),
      announcements: broadcast::channel(MAX_BEHIND).0,
    })
  }

  /// A way to it.
  pub fn store(self: &Arc<Self>) -> MemoryStore {
    MemoryStore(Arc::clone(self))
  }

  /// What is announced from now on.
  pub fn listen(&self) -> broadcast::Receiver<String> {
    self.announcements.subscribe()
  }

  /// Puts a hash there as another program would, for as long as it is kept; empty fields delete it.
  pub fn put(&self, key: &str, fields: Fields, until: UnixMs) {
    let mut state = self.state();
    if fields.is_absent() {
      state.hashes.remove(key);
    } else {
      state.hashes.insert(key.to_owned(), (fields, until));
    }
  }

  /// A hash as it is now.
  pub fn get(&self, key: &str) -> Fields {
    self.state().hash(key, self.clock.now())
  }

  /// Forgets everything.
  pub fn clear(&self) {
    *self.state() = State::default();
  }

  fn state(&self) -> MutexGuard<'_, State> {
    self.state.lock().unwrap_or_else(PoisonError::into_inner)
  }
}

impl State {
  fn notes(&self, places: &[NotePlace], now: UnixMs) -> Vec<Option<Bytes>> {
    let value = |place: &NotePlace| {
      let (value, _) = self.notes.get(place).filter(|(_, until)| *until > now)?;
      Some(value.clone())
    };
    places.iter().map(value).collect()
  }

  fn hash(&self, key: &str, now: UnixMs) -> Fields {
    let kept = self.hashes.get(key).filter(|(_, until)| *until > now);
    kept.map(|(fields, _)| fields.clone()).unwrap_or_default()
  }
}

impl SharedStore for MemoryStore {
  async fn read_with(
    &mut self,
    keys: &[String],
    notes: &[NotePlace],
    present: Option<&str>,
  ) -> Result<Reading, StoreError> {
    let now = self.0.clock.now();
    let mut state = self.0.state();
    if let Some(id) = present {
      state.instances.insert(id.to_owned(), now.plus(INSTANCE_TTL));
    }
    state.instances.retain(|_, until| *until > now);
    Ok(Reading {
      now,
      hashes: keys.iter().map(|key| state.hash(key, now)).collect(),
      notes: state.notes(notes, now),
      instances: u32::try_from(state.instances.len()).ok(),
    })
  }

  async fn write(&mut self, write: &GuardedWrite) -> Result<bool, StoreError> {
    let now = self.0.clock.now();
    let mut state = self.0.state();
    let mut stored = state.hash(&write.key, now);
    if !write.is_allowed(&stored, now) {
      return Ok(false);
    }
    if !stored.is_ours() {
      stored = Fields::default();
    }
    for (name, value) in &write.fields {
      stored.set(name, value.clone());
    }
    state.hashes.insert(write.key.clone(), (stored, now.plus(write.ttl)));
    Ok(true)
  }

  async fn delete_if(&mut self, key: &str, field: &str, value: &str) -> Result<bool, StoreError> {
    let now = self.0.clock.now();
    let mut state = self.0.state();
    let holds = state.hash(key, now).text(field) == Some(value);
    if holds {
      state.hashes.remove(key);
    }
    Ok(holds)
  }

  async fn recall(&mut self, places: &[NotePlace]) -> Result<Vec<Option<Bytes>>, StoreError> {
    let now = self.0.clock.now();
    Ok(self.0.state().notes(places, now))
  }

  async fn note(&mut self, notes: &[Note]) -> Result<(), StoreError> {
    let now = self.0.clock.now();
    let mut state = self.0.state();
    for note in notes {
      let value = (note.value.clone(), now.plus(note.ttl));
      state.notes.insert(note.place.clone(), value);
    }
    Ok(())
  }

  async fn announce(&mut self, message: &str) -> Result<(), StoreError> {
    // Nobody listening is no trouble.
    let _ = self.0.announcements.send(message.to_owned());
    Ok(())
  }
}
