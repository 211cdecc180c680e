//! Redis (or Valkey) as the store: one server, one behind Sentinels, or a cluster.
//!
//! Connections are the store's own, made when they are needed and dropped after any error, so that nothing of a broken call is left
//! behind. Every call ends within ten seconds.

mod address;
mod address_error;
mod address_parts;
mod call_span;
mod commands;
mod connection;
mod listener;
mod notes;
mod probe;
mod replies;
mod scripts;
mod store;
mod trouble;
mod watched;

pub use address::RedisAddress;
pub use address_error::AddressError;
pub use listener::RedisListener;
pub use probe::{Announcing, RedisProbe, RedisReport, WayOfWriting};
pub use store::RedisStore;
