//! The poller against a simulated GitHub, hours of it in paused time.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod backing_off;
mod budget;
mod clock_steps;
mod logging;
mod publishing;
mod saving;
mod simulation;
mod status;
mod when_to_ask;
