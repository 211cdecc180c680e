//! What an error of the client library means to us.

use std::time::Duration;

use redis::{ErrorKind, RedisError, ServerErrorKind};

use crate::shared::shared_store::StoreError;

/// Longest part of an error that is passed on.
const MAX_TEXT: usize = 200;
/// How servers of several makers say that there is no such command for us.
const UNAVAILABLE: [&str; 5] = ["not support", "unsupported", "not available", "not allowed", "disabled"];

/// An error as the store reports it, with the server's or the system's words as they came: `RedisAddress::hide` makes them fit to be shown.
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
  if error.code().is_some() || error.kind() == ErrorKind::AuthenticationFailed {
    return StoreError::Refused(text_of(error));
  }
  StoreError::Unreadable(text_of(error))
}

/// Whether the same connection will do after an error: it concerns what was asked for, and not the server that was asked.
pub(super) fn leaves_connection_good(error: &StoreError) -> bool {
  matches!(error, StoreError::Refused(text) if text.starts_with("NOPERM ") || text.starts_with("OOM "))
}

/// Whether the server forbids scripts or doesn't know them, and will the next time too. Being busy, full or read-only is no refusal.
pub(super) fn refuses_scripts(error: &RedisError) -> bool {
  let text = shown(&text_of(error)).to_lowercase();
  match error.code() {
    // To run a command, that is; a key or a channel is something else.
    Some("NOPERM") => !text.contains("to access"),
    Some("ERR") => {
      let is_about_scripts = text.contains("eval") || text.contains("script");
      text.starts_with("err unknown command")
        || text.contains("can't run this command")
        || text.contains("acl failure in script") && text.contains("command")
        || text.contains("not allowed after non deterministic")
        || is_about_scripts && UNAVAILABLE.iter().any(|words| text.contains(words))
    }
    _ => false,
  }
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

/// A text from elsewhere as it is shown, without secrets already: what lies across the cut isn't known for one any more.
pub(super) fn shown(text: &str) -> String {
  let chars = text.chars().map(|c| if c.is_control() { ' ' } else { c });
  chars.take(MAX_TEXT).collect()
}

/// As the server said it, where it was the server.
fn text_of(error: &RedisError) -> String {
  match (error.code(), error.detail()) {
    (Some(code), Some(detail)) => format!("{code} {detail}"),
    // Without the library's own name for the kind.
    _ => error.to_string().replacen(&format!(" - {:?}", error.kind()), "", 1),
  }
}

#[cfg(test)]
mod tests {
  use redis::make_extension_error;
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case(
    "NOPERM",
    "this user has no permissions to run the 'evalsha' command or its subcommand"
  )]
  #[case("NOPERM", "User plain has no permissions to run the 'eval' command")]
  #[case("NOPERM", "<plain> has no ACL permissions")]
  #[case("ERR", "unknown command 'EVALSHA', with args beginning with: ")]
  #[case("ERR", "unknown command `evalsha`, with args beginning with: ")]
  #[case(
    "ERR",
    "The user executing the script can't run this command or subcommand script: 1"
  )]
  #[case(
    "ERR",
    "ACL failure in script: User plain has no permissions to run the 'hget' command script: 1"
  )]
  #[case("ERR", "command eval not support for your account")]
  #[case("ERR", "unsupported command 'EVALSHA'")]
  #[case("ERR", "Command is not available: 'EVALSHA'")]
  #[case("ERR", "Write commands not allowed after non deterministic commands")]
  fn a_server_without_scripts_is_known_by_its_words(#[case] code: &str, #[case] words: &str) {
    assert!(refuses_scripts(&error(code, words)));
  }

  #[rstest]
  #[case("NOPERM", "this user has no permissions to access one of the keys used as arguments")]
  #[case("NOPERM", "No permissions to access a key")]
  #[case("NOPERM", "User plain has no permissions to access the 'a' channel")]
  #[case(
    "BUSY",
    "Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE."
  )]
  #[case("OOM", "command not allowed when used memory > 'maxmemory'.")]
  #[case("READONLY", "You can't write against a read only replica script: 1.")]
  #[case("LOADING", "Redis is loading the dataset in memory")]
  #[case(
    "MASTERDOWN",
    "Link with MASTER is down and replica-serve-stale-data is set to 'no'."
  )]
  #[case("ERR", "proxy error: unknown command set for backend")]
  #[case("ERR", "ACL failure in script: No permissions to access a key script: 1")]
  fn trouble_is_no_refusal(#[case] code: &str, #[case] words: &str) {
    assert!(!refuses_scripts(&error(code, words)));
  }

  fn error(code: &str, words: &str) -> RedisError {
    make_extension_error(code.to_owned(), Some(words.to_owned()))
  }
}
