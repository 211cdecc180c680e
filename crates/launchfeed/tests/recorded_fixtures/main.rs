//! What GitHub really answered, recorded, served to the real program, and what the program makes of it.
//!
//! The recordings aren't part of this repository: `LAUNCHFEED_FIXTURES` names their folder. What must come out is worked out here
//! from the recorded JSON by code of this suite alone, so that a mistake of the product's own readers can't hide itself.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(
  clippy::print_stdout,
  reason = "what came out of each recording is for people to read too"
)]

mod exchanges;
mod expected;
mod facts;
mod fixtures;
mod photocraft;
mod platform;
mod releases;
mod stage;
