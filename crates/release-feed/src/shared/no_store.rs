//! No store: an instance that shares nothing.

use super::guarded_write::GuardedWrite;
use super::shared_store::{Reading, SharedStore, StoreError};

/// Of which there is none.
#[derive(Clone, Copy, Debug)]
pub enum NoStore {}

impl SharedStore for NoStore {
  async fn read(&mut self, _: &[String], _: Option<&str>) -> Result<Reading, StoreError> {
    match *self {}
  }

  async fn write(&mut self, _: &GuardedWrite) -> Result<bool, StoreError> {
    match *self {}
  }

  async fn delete_if(&mut self, _: &str, _: &str, _: &str) -> Result<bool, StoreError> {
    match *self {}
  }

  async fn announce(&mut self, _: &str) -> Result<(), StoreError> {
    match *self {}
  }
}
