//! When to ask. Pure: every function takes the time and the chance that it needs.

mod backoff;
mod budget;
mod due;
mod pace;

pub use backoff::{Backoff, RoundEnd, backoff_after_round, longest_believed, wait_after_limit};
pub use budget::{RequestsLeft, interval_within_budget};
pub use due::{Failure, Freshness, is_due};
pub use pace::{TICK, interval_alone, pause_between_requests, tick_after};
