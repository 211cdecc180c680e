//! The program and its server from outside: processes, sockets, exit codes.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a test's helpers fails the test")]

mod names;
mod openapi;
mod program;
mod server;
mod settings;
#[cfg(unix)]
mod signals;
