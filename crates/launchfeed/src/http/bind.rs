//! Takes the address to listen on.

use std::io;
use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpSocket};

use crate::config::Setting;

/// An address that can't be listened on. One line.
#[derive(Debug, thiserror::Error)]
#[error("{setting}: can't listen on {address}: {}", reason(.error))]
pub struct BindError {
  setting: Setting,
  address: SocketAddr,
  error: io::Error,
}

/// Listens on the address of a setting.
///
/// # Errors
///
/// When it is taken, isn't this machine's, or is not permitted.
pub async fn bind(setting: Setting, address: SocketAddr) -> Result<TcpListener, BindError> {
  TcpListener::bind(address).await.map_err(|error| BindError {
    setting,
    address,
    error,
  })
}

/// Whether the address of a setting could be listened on. Nobody can connect to it meanwhile, and it is free again afterwards.
///
/// # Errors
///
/// As [`bind`]'s.
pub(crate) fn can_bind(setting: Setting, address: SocketAddr) -> Result<(), BindError> {
  let bound = || {
    let socket = if address.is_ipv4() {
      TcpSocket::new_v4()
    } else {
      TcpSocket::new_v6()
    }?;
    // As a listener has it: connections that are just over hinder nobody.
    if cfg!(unix) {
      socket.set_reuseaddr(true)?;
    }
    socket.bind(address)
  };
  bound().map_err(|error| BindError {
    setting,
    address,
    error,
  })
}

impl BindError {
  /// Whether another program listens there.
  pub(crate) fn is_in_use(&self) -> bool {
    self.error.kind() == io::ErrorKind::AddrInUse
  }
}

fn reason(error: &io::Error) -> String {
  match error.kind() {
    io::ErrorKind::AddrInUse => "another program listens there already".to_owned(),
    io::ErrorKind::PermissionDenied => "not permitted (ports below 1024 need rights)".to_owned(),
    io::ErrorKind::AddrNotAvailable => "it is no address of this machine".to_owned(),
    _ => error.to_string(),
  }
}

#[cfg(test)]
mod tests {
  use super::*;
  use crate::config::LISTEN;

  #[tokio::test]
  async fn an_address_in_use_is_one_clear_line() {
    let first = bind(LISTEN, "127.0.0.1:0".parse().unwrap()).await.unwrap();
    let address = first.local_addr().unwrap();
    let error = bind(LISTEN, address).await.unwrap_err();
    assert!(error.is_in_use());
    assert_eq!(
      error.to_string(),
      format!("LAUNCHFEED_LISTEN (--listen): can't listen on {address}: another program listens there already")
    );
  }

  #[tokio::test]
  async fn whoever_only_asks_is_told_the_same_and_leaves_it_free() {
    let first = bind(LISTEN, "127.0.0.1:0".parse().unwrap()).await.unwrap();
    let address = first.local_addr().unwrap();
    assert!(can_bind(LISTEN, address).unwrap_err().is_in_use());
    drop(first);
    can_bind(LISTEN, address).unwrap();
    bind(LISTEN, address).await.unwrap();
    assert!(
      !can_bind(LISTEN, "192.0.2.1:0".parse().unwrap())
        .unwrap_err()
        .is_in_use()
    );
  }

  #[tokio::test]
  async fn an_address_of_another_machine_is_one_clear_line() {
    // From the block that is kept for documentation.
    let error = bind(LISTEN, "192.0.2.1:0".parse().unwrap()).await.unwrap_err();
    assert!(!error.is_in_use());
    let error = error.to_string();
    assert!(
      error.ends_with("can't listen on 192.0.2.1:0: it is no address of this machine"),
      "{error}"
    );
  }
}
