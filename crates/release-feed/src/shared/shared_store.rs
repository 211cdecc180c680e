//! What a store of hashes must be able to do.

use std::future::Future;

use bytes::Bytes;

use super::fields::Fields;
use super::guarded_write::GuardedWrite;
use super::notes::{Note, NotePlace};
use crate::clock::UnixMs;

/// What was read in one round trip.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Reading {
  /// The store's own time.
  pub now: UnixMs,
  /// The hashes in the order of the keys that were asked for.
  pub hashes: Vec<Fields>,
  /// The notes in the order of the places that were asked for; absent where they can't be read.
  pub notes: Vec<Option<Bytes>>,
  /// How many instances are there, this one included; none where that isn't known.
  pub instances: Option<u32>,
}

/// Why a call didn't succeed. Says nothing of addresses or passwords.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum StoreError {
  /// No connection, or it broke.
  #[error("can't be reached: {0}")]
  Unreachable(String),
  /// It didn't answer in time.
  #[error("didn't answer within {0} s")]
  TimedOut(u64),
  /// It answered with something that isn't what it was asked for.
  #[error("answered with something that can't be read: {0}")]
  Unreadable(String),
  /// It answered with an error.
  #[error("answered with an error: {0}")]
  Refused(String),
}

/// Where a fleet shares its hashes. Every call ends in bounded time (10 s), whatever the other side does.
pub trait SharedStore: Send {
  /// Reads hashes and notes, and announces `present` (this instance's id, where there is one) in the same round trip. A key of another
  /// type, and one that can't be read, reads as absent alone.
  fn read_with(
    &mut self,
    keys: &[String],
    notes: &[NotePlace],
    present: Option<&str>,
  ) -> impl Future<Output = Result<Reading, StoreError>> + Send;

  /// The same without notes.
  fn read(
    &mut self,
    keys: &[String],
    present: Option<&str>,
  ) -> impl Future<Output = Result<Reading, StoreError>> + Send {
    self.read_with(keys, &[], present)
  }

  /// Writes if the guard allows it, and says whether it did.
  fn write(&mut self, write: &GuardedWrite) -> impl Future<Output = Result<bool, StoreError>> + Send;

  /// Deletes a hash if that field still holds that value, and says whether it did.
  fn delete_if(&mut self, key: &str, field: &str, value: &str)
  -> impl Future<Output = Result<bool, StoreError>> + Send;

  /// Reads notes, in the order of their places. One that isn't there, that is too long or whose key is of another type, is absent.
  fn recall(&mut self, places: &[NotePlace]) -> impl Future<Output = Result<Vec<Option<Bytes>>, StoreError>> + Send;

  /// Leaves notes; of two for one place the last counts. A key of another type is replaced.
  fn note(&mut self, notes: &[Note]) -> impl Future<Output = Result<(), StoreError>> + Send;

  /// Tells every instance that listens.
  fn announce(&mut self, message: &str) -> impl Future<Output = Result<(), StoreError>> + Send;
}
