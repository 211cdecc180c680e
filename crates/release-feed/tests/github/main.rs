//! One request to GitHub over real HTTP, and what each answer means.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod answers;
mod asking;
mod bodies;
mod checksums;
mod choices;
mod refusals;
mod requests;
mod several_tokens;
