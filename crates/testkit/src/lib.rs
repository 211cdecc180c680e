//! Starts the real server, talks HTTP to it, breaks it off. Only ever a dev-dependency.
//!
//! Nothing here waits by sleeping: what a test waits for is a line of the log, an answer or an exit, each with a deadline after which
//! the test fails and shows the whole log.

#![expect(
  clippy::unwrap_used,
  clippy::print_stderr,
  reason = "only tests use it, and a test may panic"
)]

mod http_client;
mod link;
mod log_lines;
mod redis_server;
mod secrets;
mod server;
mod state;

pub use http_client::{HttpAnswer, HttpConnection, request};
pub use link::{Link, LinkMode};
pub use log_lines::LogLines;
pub use redis_server::{RedisCluster, RedisServer, free_port};
pub use secrets::{SECRET_MARK, assert_no_secret};
pub use server::{Server, ServerBuilder, temporary_folder};
pub use state::age_snapshot;

use std::time::Duration;

/// How long anything may take before a test gives up; far more than it takes on a busy machine.
pub const DEADLINE: Duration = Duration::from_secs(60);
