//! The real program as operators and launchers meet it: started, asked, broken off, started again.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod check;
mod checksums;
mod choices;
mod contract;
mod demo;
mod log_lines;
mod outage;
mod stage;
mod starting;
mod survival;
mod tokens;
mod unread_log;
