//! `launchfeed doctor` from outside: the real program beside a stand-in GitHub, a real Redis and a real server, all of them in trouble.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod address;
mod github;
mod private_address;
mod redis;
mod settings;
mod stage;
mod state;
mod token;
mod traces;
mod whole;
