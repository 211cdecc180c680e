//! The loop that looks, asks, remembers and publishes.

mod ask;
mod asking;
mod clock_watch;
mod coordination;
mod cost_share;
mod failing;
mod feed;
mod limited_apps;
mod pacing;
mod poll;
mod report;
mod round;
mod round_queue;
mod said_once;

pub use feed::{Feed, FeedParts};
pub use poll::{Poller, PollerSettings, RequestsPerHour};
