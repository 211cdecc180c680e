//! What a fleet shares: one entry per app and one backoff, in hashes that other implementations of the contract read and write too.
//!
//! A [`SharedStore`] reads hashes and writes them under a guard; it knows nothing of releases. What the hashes mean is decided here,
//! in pure functions of what was read and of the store's own time.

mod entry;
mod fields;
mod fleet;
mod fleet_notes;
mod fleet_parts;
mod fleet_status;
mod guarded_write;
mod keys;
mod memory_store;
mod metered_store;
mod no_store;
mod notes;
mod offset;
mod redis;
mod shared_store;
mod survey;
mod trouble;

pub use entry::{FIELDS, SharedEntry, UnusableEntry};
pub use fields::{Fields, read_number, read_time};
pub use fleet::Fleet;
pub use fleet_parts::{Claim, FleetParts, Seen, Urgency};
pub use guarded_write::{GuardedWrite, TimeField};
pub use keys::{APP_TTL, BACKOFF_KEY, BACKOFF_TTL, CHANGES_CHANNEL, INSTANCE_TTL, INSTANCES_KEY, app_key};
pub use memory_store::{MemoryStore, SharedMemory};
pub use metered_store::MeteredStore;
pub use no_store::NoStore;
pub use notes::{Note, NotePlace};
pub use redis::{
  AddressError, Announcing, RedisAddress, RedisListener, RedisProbe, RedisReport, RedisStore, WayOfWriting,
};
pub use shared_store::{Reading, SharedStore, StoreError};
pub use survey::{Standing, Survey, SurveyRules};
