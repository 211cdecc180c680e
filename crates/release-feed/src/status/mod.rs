//! What an instance knows of itself, for those who operate it: plain data that the poller and the others publish as they go.
//!
//! Whoever looks (metrics, health, a status page) takes what was published last and computes ages from the clock. Nobody who publishes
//! waits for one who looks.

mod board;
mod counters;
mod durations;
mod feed_status;
mod github_result;

pub use board::StatusBoard;
pub use counters::{Counters, RedisCall};
pub use durations::{Durations, ReadDurations};
pub use feed_status::{
  AppStatus, FailureStatus, FeedStatus, FleetStatus, GithubStatus, Mode, PollingStatus, RedisStatus, RedisTrouble,
  RoundStatus, ServedRelease, SnapshotStatus, Trouble,
};
pub use github_result::GithubResult;
