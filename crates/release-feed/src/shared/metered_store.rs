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
    let asked = Instant::now();
    let reading = self.store.read_with(keys, notes, present).await;
    self
      .counters
      .count_call(RedisCall::Read, asked.elapsed(), reading.is_ok());
    reading
  }

  async fn write(&mut self, write: &GuardedWrite) -> Result<bool, StoreError> {
    let asked = Instant::now();
    let written = self.store.write(write).await;
    self
      .counters
      .count_call(RedisCall::Write, asked.elapsed(), written.is_ok());
    written
  }

  async fn delete_if(&mut self, key: &str, field: &str, value: &str) -> Result<bool, StoreError> {
    let asked = Instant::now();
    let deleted = self.store.delete_if(key, field, value).await;
    self
      .counters
      .count_call(RedisCall::Delete, asked.elapsed(), deleted.is_ok());
    deleted
  }

  async fn recall(&mut self, places: &[NotePlace]) -> Result<Vec<Option<Bytes>>, StoreError> {
    let asked = Instant::now();
    let recalled = self.store.recall(places).await;
    self
      .counters
      .count_call(RedisCall::Recall, asked.elapsed(), recalled.is_ok());
    recalled
  }

  async fn note(&mut self, notes: &[Note]) -> Result<(), StoreError> {
    let asked = Instant::now();
    let noted = self.store.note(notes).await;
    self
      .counters
      .count_call(RedisCall::Note, asked.elapsed(), noted.is_ok());
    noted
  }

  async fn announce(&mut self, message: &str) -> Result<(), StoreError> {
    let asked = Instant::now();
    let announced = self.store.announce(message).await;
    self
      .counters
      .count_call(RedisCall::Announce, asked.elapsed(), announced.is_ok());
    announced
  }
}
