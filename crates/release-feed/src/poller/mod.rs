//! The loop that looks, asks, remembers and publishes.

mod clock_watch;
mod coordination;
mod feed;
mod poll;
mod round;
mod said_once;

pub use feed::{Feed, FeedParts};
pub use poll::{Poller, PollerSettings, RequestsPerHour};
