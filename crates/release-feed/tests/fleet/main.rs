//! Fleets on virtual time: many instances, one store, one GitHub, and every kind of trouble from a seed.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod github;
mod instance;
mod link;
mod seeds;
mod sharing;
mod trouble;
mod watch;
mod world;
