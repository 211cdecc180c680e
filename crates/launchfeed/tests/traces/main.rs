//! The real program and a collector of traces, in health and in trouble.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod collector;
mod doctor;
mod requests;
mod spans;
mod stage;
mod trouble;
