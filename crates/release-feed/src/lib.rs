//! The heart of Launchfeed: asks GitHub about a family of apps as seldom as it can, remembers the last good answer, and publishes
//! it already encoded.

pub mod answer;
pub mod catalog;
mod clock;

pub use clock::{CLOCK_TOLERANCE, Clock, SystemClock, UnixMs, VirtualClock};
