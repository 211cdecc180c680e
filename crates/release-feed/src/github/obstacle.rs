//! How far a request came that failed on the network, in words for whoever has to mend it.

use std::error::Error;
use std::{fmt, io};

use super::fetch_latest_release::causes;

/// What stood in the way.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Obstacle {
  /// The host's name is nobody's, or nobody could be asked.
  Name,
  /// Nobody answers at the address.
  Connection,
  /// The proxy takes nothing on.
  Proxy,
  /// Whoever answers can't show that it is who it should be.
  Tls,
  /// It took too long.
  Time,
  /// Connected, and then the answer broke off or was none.
  Answer,
}

/// A request that failed on the network. Shows no address.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NetworkFailure {
  /// What stood in the way, as far as the client says it.
  pub obstacle: Obstacle,
  /// What the system or the client says.
  pub why: String,
}

impl NetworkFailure {
  /// What an error of the client means.
  pub fn of(error: &reqwest::Error) -> Self {
    let why = causes(error);
    let obstacle = obstacle(error, &why);
    // The client's own name for the step says less than ours.
    let said = why.strip_prefix("client error").and_then(|rest| rest.split_once(": "));
    Self {
      obstacle,
      why: said.map_or(why.clone(), |(_, said)| said.to_owned()),
    }
  }
}

impl fmt::Display for NetworkFailure {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let what = match self.obstacle {
      Obstacle::Name => "the name can't be resolved",
      Obstacle::Connection => "no connection",
      Obstacle::Proxy => "the proxy makes no connection",
      Obstacle::Tls => "the connection isn't secure",
      Obstacle::Time => "no answer in time",
      Obstacle::Answer => "the answer broke off",
    };
    write!(f, "{what} ({})", self.why)
  }
}

fn obstacle(error: &reqwest::Error, why: &str) -> Obstacle {
  if why.contains("tunnel") || why.contains("SOCKS") {
    Obstacle::Proxy
  } else if is_of_tls(error) {
    Obstacle::Tls
  } else if why.contains("dns error") {
    Obstacle::Name
  } else if error.is_connect() {
    Obstacle::Connection
  } else if error.is_timeout() {
    Obstacle::Time
  } else {
    Obstacle::Answer
  }
}

fn is_of_tls(error: &reqwest::Error) -> bool {
  let mut cause = error.source();
  while let Some(error) = cause {
    if holds_tls(error) {
      return true;
    }
    cause = error.source();
  }
  false
}

/// The cryptography's errors travel inside of the system's, more than one deep, which don't give them as their source.
fn holds_tls(mut error: &(dyn Error + 'static)) -> bool {
  loop {
    if error.is::<rustls::Error>() {
      return true;
    }
    match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
      Some(inner) => error = inner,
      None => return false,
    }
  }
}
