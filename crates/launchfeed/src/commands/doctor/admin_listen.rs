//! The private address: whether it can be had or the running instance has it, and who can ask there.

use std::net::SocketAddr;

use super::finding::Finding;
use super::listen::{Holder, holder};
use crate::commands::health::readiness_at;
use crate::config::{ADMIN_LISTEN, AdminListen, Examined, reachable};
use crate::http::{BindError, can_bind};

pub(super) const NAME: &str = "admin_listen";

pub(super) async fn check(examined: &Examined) -> Vec<Finding> {
  let address = match examined.settings.admin_listen {
    AdminListen::Off => {
      let what = "none: metrics, health and status are switched off";
      return vec![Finding::ok(NAME, what)];
    }
    AdminListen::At(address) | AdminListen::Preferably(address) => address,
  };
  let had = match can_bind(ADMIN_LISTEN, address) {
    Ok(()) if address.port() == 0 => Finding::ok(NAME, format_args!("{address}: any free port")),
    Ok(()) => Finding::ok(NAME, format_args!("{address} is free")),
    Err(error) if error.is_in_use() => who_has_it(examined, address, error).await,
    Err(error) => Finding::wrong(NAME, error, format_args!("choose another address with {ADMIN_LISTEN}")),
  };
  [had].into_iter().chain(open_to_others(address)).collect()
}

/// Who listens there shows what it is; whether it is the instance of these settings, the state folder does.
async fn who_has_it(examined: &Examined, address: SocketAddr, error: BindError) -> Finding {
  let Ok(readiness) = readiness_at(&reachable(address).to_string()).await else {
    let advice = format!("stop that program, or choose another address with {ADMIN_LISTEN} (none switches it off)");
    return Finding::wrong(NAME, error, advice);
  };
  match holder(examined).await {
    Holder::Nobody => Finding::wrong(
      NAME,
      format_args!("{error}: another instance of launchfeed, which is {readiness}"),
      format_args!(
        "give this one an address of its own with {ADMIN_LISTEN}; if it is this server, give doctor the same --state-dir"
      ),
    ),
    Holder::Instance(_) | Holder::Unknown => Finding::ok(
      NAME,
      format_args!("a running instance has {address}, and is {readiness}"),
    ),
  }
}

/// There is no login.
fn open_to_others(address: SocketAddr) -> Option<Finding> {
  (!address.ip().to_canonical().is_loopback()).then(|| {
    Finding::warning(
      NAME,
      format_args!("{address} isn't for this machine alone: whoever reaches it reads metrics, health and status"),
      format_args!(
        "see to it that the network lets only those in who operate the server, or set {} to a loopback address",
        ADMIN_LISTEN.variable
      ),
    )
  })
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case("127.0.0.1:8081", false)]
  #[case("127.3.2.1:0", false)]
  #[case("[::1]:8081", false)]
  #[case("[::ffff:127.0.0.1]:8081", false)]
  #[case("0.0.0.0:8081", true)]
  #[case("[::]:8081", true)]
  #[case("[::ffff:10.0.0.1]:8081", true)]
  #[case("192.0.2.1:8081", true)]
  fn whatever_is_no_loopback_address_is_open_to_others(#[case] address: &str, #[case] is_open: bool) {
    assert_eq!(open_to_others(address.parse().unwrap()).is_some(), is_open);
  }
}
