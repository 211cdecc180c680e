//! A store whose calls are counted and timed.

use std::sync::Arc;

use bytes::Bytes;
use tokio::time::Instant;

use super::guarded_write::GuardedWrite;
use super::notes::{Note, NotePlace};
use super::shared_store::{Reading, SharedStore, StoreError};
use crate::status::{Counters, RedisCall};

/// Another store, and who counts its calls.
#[derive(Debug)]
pub struct MeteredStore<S> {
  store: S,
  counters: Arc<Counters>,
}

impl<S> MeteredStore<S> {
  /// That store, counted there.
  pub fn new(store: S, counters: Arc<Counters>) -> Self {
    Self { store, counters }
  }
}

impl<S: SharedStore> SharedStore for MeteredStore<S> {
  async fn read_with(
    &mut self,
    keys: &[String],
    notes: &[NotePlace],
    present: Option<&str>,
  ) -> Result<Reading, StoreError> {
    counted(
      &self.counters,
      RedisCall::Read,
      self.store.read_with(keys, notes, present),
    )
    .await
  }

  async fn write(&mut self, write: &GuardedWrite) -> Result<bool, StoreError> {
    counted(&self.counters, RedisCall::Write, self.store.write(write)).await
  }

  async fn delete_if(&mut self, key: &str, field: &str, value: &str) -> Result<bool, StoreError> {
    counted(
      &self.counters,
      RedisCall::Delete,
      self.store.delete_if(key, field, value),
    )
    .await
  }

  async fn recall(&mut self, places: &[NotePlace]) -> Result<Vec<Option<Bytes>>, StoreError> {
    counted(&self.counters, RedisCall::Recall, self.store.recall(places)).await
  }

  async fn note(&mut self, notes: &[Note]) -> Result<(), StoreError> {
    counted(&self.counters, RedisCall::Note, self.store.note(notes)).await
  }

  async fn announce(&mut self, message: &str) -> Result<(), StoreError> {
    counted(&self.counters, RedisCall::Announce, self.store.announce(message)).await
  }
}

/// Makes a call, and counts it when it has ended.
async fn counted<T>(
  counters: &Counters,
  call: RedisCall,
  made: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
  let asked = Instant::now();
  let ended = made.await;
  counters.count_call(call, asked.elapsed(), ended.is_ok());
  ended
}
