//! One instance's way to the store, which can be cut, hang, lose answers, and be refused writes.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use bytes::Bytes;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use release_feed::shared::{BACKOFF_KEY, GuardedWrite, MemoryStore, Note, NotePlace, Reading, SharedStore, StoreError};
use tokio::time::sleep;

use super::watch::Watch;

/// A call ends by then.
const CALL_TIMEOUT: Duration = Duration::from_secs(10);

/// How the way is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Condition {
  Whole,
  /// Nothing arrives, and that shows at once.
  Cut,
  /// Nothing arrives, and nothing comes back.
  Hung,
  /// Everything arrives; half of the answers don't.
  Losing,
  /// Reading works, writing is refused.
  ReadOnly,
}

/// The way, whose condition anybody can change. Clones share it.
#[derive(Clone)]
pub(crate) struct Link(Arc<Mutex<State>>);

struct State {
  condition: Condition,
  /// The last look succeeded, and nothing failed since.
  is_reached: bool,
  calls: usize,
  chance: StdRng,
}

pub(crate) struct LinkedStore {
  pub(crate) store: MemoryStore,
  pub(crate) link: Link,
  pub(crate) watch: Watch,
}

impl Link {
  pub(crate) fn new(seed: u64) -> Self {
    Self(Arc::new(Mutex::new(State {
      condition: Condition::Whole,
      is_reached: false,
      calls: 0,
      chance: StdRng::seed_from_u64(seed),
    })))
  }

  pub(crate) fn set(&self, condition: Condition) {
    self.state().condition = condition;
  }

  pub(crate) fn condition(&self) -> Condition {
    self.state().condition
  }

  /// Whether the instance knows of nothing that keeps it from the store.
  pub(crate) fn is_reached(&self) -> bool {
    self.state().is_reached
  }

  /// Round trips that were set out on.
  pub(crate) fn calls(&self) -> usize {
    self.state().calls
  }

  pub(crate) fn starts_anew(&self) {
    self.state().is_reached = false;
  }

  fn state(&self) -> MutexGuard<'_, State> {
    self.0.lock().unwrap()
  }

  async fn pass<T>(&self, is_write: bool, call: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    let (condition, there, back, loses) = {
      let mut state = self.state();
      state.calls += 1;
      let there = Duration::from_millis(state.chance.random_range(1..25));
      let back = Duration::from_millis(state.chance.random_range(1..25));
      let loses = state.chance.random_bool(0.5);
      (state.condition, there, back, loses)
    };
    sleep(there).await;
    let answered = match condition {
      Condition::Cut => Err(StoreError::Unreachable("connection refused".to_owned())),
      Condition::ReadOnly if is_write => Err(StoreError::Refused("READONLY".to_owned())),
      Condition::Hung => {
        sleep(CALL_TIMEOUT).await;
        Err(timed_out())
      }
      Condition::Losing => {
        let answered = call.await;
        if loses {
          sleep(CALL_TIMEOUT).await;
          Err(timed_out())
        } else {
          answered
        }
      }
      Condition::Whole | Condition::ReadOnly => call.await,
    };
    sleep(back).await;
    if answered.is_err() {
      self.state().is_reached = false;
    }
    answered
  }
}

impl SharedStore for LinkedStore {
  async fn read_with(
    &mut self,
    keys: &[String],
    notes: &[NotePlace],
    present: Option<&str>,
  ) -> Result<Reading, StoreError> {
    let link = self.link.clone();
    let mut reading = link.pass(false, self.store.read_with(keys, notes, present)).await;
    if link.condition() == Condition::ReadOnly
      && let Ok(reading) = &mut reading
    {
      reading.instances = None;
    }
    if present.is_some() && reading.is_ok() {
      link.state().is_reached = true;
    }
    reading
  }

  async fn write(&mut self, write: &GuardedWrite) -> Result<bool, StoreError> {
    let link = self.link.clone();
    let watch = self.watch.clone();
    let writing = async {
      let written = self.store.write(write).await;
      if write.key == BACKOFF_KEY && written == Ok(true) {
        watch.backoff_was_set();
      }
      written
    };
    link.pass(true, writing).await
  }

  async fn delete_if(&mut self, key: &str, field: &str, value: &str) -> Result<bool, StoreError> {
    let link = self.link.clone();
    link.pass(true, self.store.delete_if(key, field, value)).await
  }

  async fn recall(&mut self, places: &[NotePlace]) -> Result<Vec<Option<Bytes>>, StoreError> {
    let link = self.link.clone();
    link.pass(false, self.store.recall(places)).await
  }

  async fn note(&mut self, notes: &[Note]) -> Result<(), StoreError> {
    let link = self.link.clone();
    link.pass(true, self.store.note(notes)).await
  }

  async fn announce(&mut self, message: &str) -> Result<(), StoreError> {
    let link = self.link.clone();
    link.pass(true, self.store.announce(message)).await
  }
}

fn timed_out() -> StoreError {
  StoreError::TimedOut(CALL_TIMEOUT.as_secs())
}
