//! A real fleet: four processes and another program share one real redis-server and one stand-in GitHub, each over a link that can be
//! broken, while launchers poll all of them all the time.

#![expect(
  clippy::unwrap_used,
  clippy::print_stdout,
  reason = "a test may panic, and tell what it measured"
)]

mod cost;
mod launchers;
mod other_program;
mod sightings;
mod stage;
mod starting;
mod troubles;
