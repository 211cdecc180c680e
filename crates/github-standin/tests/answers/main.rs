//! The stand-in from outside, byte for byte: it answers as GitHub does, and as it is told.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod as_told;
mod as_usual;
mod asking;
mod handle;
mod limits_and_tokens;
