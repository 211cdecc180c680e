//! A store whose calls are counted and timed.

use std::sync::Arc;

use tokio::time::Instant;

use super::guarded_write::GuardedWrite;
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
  async fn read(&mut self, keys: &[String], present: Option<&str>) -> Result<Reading, StoreError> {
    let asked = Instant::now();
    let reading = self.store.read(keys, present).await;
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

  async fn announce(&mut self, message: &str) -> Result<(), StoreError> {
    let asked = Instant::now();
    let announced = self.store.announce(message).await;
    self
      .counters
      .count_call(RedisCall::Announce, asked.elapsed(), announced.is_ok());
    announced
  }
}
