//! The one HTTP client: timeouts, no redirects, our name.

use std::time::Duration;

use reqwest::{Client, ClientBuilder, redirect::Policy};

/// `launchfeed/<version>`; GitHub refuses requests without a name.
const USER_AGENT: &str = concat!("launchfeed/", env!("CARGO_PKG_VERSION"));

/// How long a request may take.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Timeouts {
  /// Until the connection stands, TLS included.
  pub connect: Duration,
  /// From the first step to the last byte of the body.
  pub whole: Duration,
}

impl Default for Timeouts {
  /// The contract's: 10 s to connect, 30 s in all.
  fn default() -> Self {
    Self {
      connect: Duration::from_secs(10),
      whole: Duration::from_secs(30),
    }
  }
}

/// No client could be made: the machine has no certificates that it trusts.
#[derive(Debug, thiserror::Error)]
#[error(
  "the HTTP client can't start ({0}): install the system's CA certificates (Debian: apt install ca-certificates)"
)]
pub struct ClientError(String);

/// Chooses the cryptography behind TLS for this process. Call it first thing; a second call changes nothing.
pub fn install_tls_provider() {
  // An error says that a provider is installed already, which is all that is needed.
  let _ = rustls::crypto::ring::default_provider().install_default();
}

/// Makes the client. Needs [`install_tls_provider`] before it.
///
/// # Errors
///
/// When the machine's certificates can't be read.
pub fn build_http_client(timeouts: Timeouts) -> Result<Client, ClientError> {
  build(builder(timeouts))
}

/// The same for whoever wants to see answers as they travel: compression is neither asked for nor taken off.
///
/// # Errors
///
/// When the machine's certificates can't be read.
pub fn build_plain_http_client(timeouts: Timeouts) -> Result<Client, ClientError> {
  build(builder(timeouts).gzip(false))
}

/// The same for whoever asks now and then: no connection is kept after an answer.
///
/// # Errors
///
/// When the machine's certificates can't be read.
pub fn build_one_shot_client(timeouts: Timeouts) -> Result<Client, ClientError> {
  build(builder(timeouts).pool_max_idle_per_host(0))
}

fn builder(timeouts: Timeouts) -> ClientBuilder {
  #[expect(clippy::disallowed_methods, reason = "this is the factory")]
  Client::builder()
    .user_agent(USER_AGENT)
    .connect_timeout(timeouts.connect)
    .timeout(timeouts.whole)
    .redirect(Policy::none())
    .gzip(true)
}

fn build(builder: ClientBuilder) -> Result<Client, ClientError> {
  builder
    .build()
    .map_err(|error| ClientError(super::fetch_latest_release::causes(&error)))
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn connecting_takes_ten_seconds_at_most_and_everything_thirty() {
    let Timeouts { connect, whole } = Timeouts::default();
    assert_eq!((connect.as_secs(), whole.as_secs()), (10, 30));
  }
}
