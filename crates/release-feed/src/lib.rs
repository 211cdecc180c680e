//! The heart of Launchfeed: asks GitHub about a family of apps as seldom as it can, remembers the last good answer, and publishes
//! it already encoded.
//!
//! The way of the data: [`github`] (an outcome) → [`poller`] (decides by [`schedule`], which is pure) → [`cache`] → one published
//! [`answer`]. The cache is kept on disk as a [`snapshot`]. Time, randomness and the source of releases are passed in.

pub mod answer;
mod base_url;
pub mod cache;
pub mod catalog;
mod clock;
pub mod github;
mod hex_digest;
pub mod poller;
pub mod release;
pub mod schedule;
mod secret_text;
pub mod settle;
pub mod shared;
pub mod snapshot;
pub mod status;

pub use base_url::BaseUrl;
pub use clock::{CLOCK_TOLERANCE, Clock, SystemClock, UnixMs, VirtualClock};
pub use secret_text::hide_secrets;
