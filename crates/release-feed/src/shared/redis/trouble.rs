//! What an error of the client library means to us.

use std::time::Duration;

use redis::{RedisError, ServerErrorKind};

use crate::shared::shared_store::StoreError;

/// Longest part of an error that is passed on.
const MAX_TEXT: usize = 200;

/// An error as the store reports it. Says what the server or the system said, nothing of addresses or logins.
pub(super) fn store_error(error: &RedisError) -> StoreError {
  store_error_within(error, super::connection::ROUND_TRIP)
}

/// The same of something that was given that much time.
pub(super) fn store_error_within(error: &RedisError, limit: Duration) -> StoreError {
  if error.is_timeout() {
    return StoreError::TimedOut(limit.as_secs());
  }
  if error.is_io_error() || error.is_connection_dropped() || error.is_connection_refusal() {
    return StoreError::Unreachable(text_of(error));
  }
  StoreError::Refused(text_of(error))
}

/// Whether the server forbids scripts or doesn't know them, and will the next time too. Being busy, full or read-only is no refusal.
pub(super) fn refuses_scripts(error: &RedisError) -> bool {
  let text = text_of(error);
  let about_a_command = text.contains("command") || text.contains("script");
  (error.code() == Some("NOPERM") && about_a_command)
    || text.contains("unknown command")
    || text.contains("can't run this command")
    || text.contains("not allowed after non deterministic")
}

/// Whether the server doesn't have the script that was called by its digest.
pub(super) fn lacks_script(error: &RedisError) -> bool {
  error.code() == Some("NOSCRIPT")
}

/// Where a cluster keeps the key that was asked for.
pub(super) fn moved_to(error: &RedisError) -> Option<(String, u16)> {
  let is_moved = error.kind() == redis::ErrorKind::Server(ServerErrorKind::Moved);
  let (host, port) = error.redirect_node().filter(|_| is_moved)?;
  let (host, port) = host
    .rsplit_once(':')
    .map_or((host, port.to_string()), |(host, port)| (host, port.to_owned()));
  Some((host.trim_matches(['[', ']']).to_owned(), port.parse().ok()?))
}

/// As the server said it, where it was the server.
fn text_of(error: &RedisError) -> String {
  let text = match (error.code(), error.detail()) {
    (Some(code), Some(detail)) => format!("{code} {detail}"),
    // Without the library's own name for the kind.
    _ => error.to_string().replacen(&format!(" - {:?}", error.kind()), "", 1),
  };
  text
    .chars()
    .map(|c| if c.is_control() { ' ' } else { c })
    .take(MAX_TEXT)
    .collect()
}
