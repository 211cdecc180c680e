//! No store: an instance that shares nothing.

use bytes::Bytes;

use super::guarded_write::GuardedWrite;
use super::notes::{Note, NotePlace};
use super::shared_store::{Reading, SharedStore, StoreError};

/// Of which there is none.
#[derive(Clone, Copy, Debug)]
pub enum NoStore {}

impl SharedStore for NoStore {
  async fn read_with(&mut self, _: &[String], _: &[NotePlace], _: Option<&str>) -> Result<Reading, StoreError> {
    match *self {}
  }

  async fn write(&mut self, _: &GuardedWrite) -> Result<bool, StoreError> {
    match *self {}
  }

  async fn delete_if(&mut self, _: &str, _: &str, _: &str) -> Result<bool, StoreError> {
    match *self {}
  }

  async fn recall(&mut self, _: &[NotePlace]) -> Result<Vec<Option<Bytes>>, StoreError> {
    match *self {}
  }

  async fn note(&mut self, _: &[Note]) -> Result<(), StoreError> {
    match *self {}
  }

  async fn announce(&mut self, _: &str) -> Result<(), StoreError> {
    match *self {}
  }
}
