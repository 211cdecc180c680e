//! The stand-in as its users meet it: over HTTP, and through its handle.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod asking;
mod handle;
mod limits_and_tokens;
mod scripted;
mod usual;
