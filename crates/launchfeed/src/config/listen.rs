//! The addresses to listen on.

use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use super::findings::Findings;
use super::setting::{ADMIN_LISTEN, LISTEN};
use super::values::text;

/// Only this machine: what stands in front of it decides who else may ask.
const DEFAULT: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080);
/// Only this machine: it isn't for everybody to see.
const ADMIN_DEFAULT: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8081);

const EXPECTED: &str = "an IP address or localhost, and a port, like 127.0.0.1:8080 or [::1]:8080";
const ADMIN_EXPECTED: &str = "an IP address or localhost, and a port, like 127.0.0.1:8081, or none";
const ANOTHER: &str = "another port, or none";

/// Where metrics and health are asked for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum AdminListen {
  /// Nowhere.
  Off,
  /// There.
  At(SocketAddr),
  /// There, or on any free port where somebody else listens there already.
  Preferably(SocketAddr),
}

/// Names are not looked up: what a resolver says at start would decide who can reach the server.
pub(super) fn listen(value: Option<&OsString>, findings: &mut Findings) -> SocketAddr {
  let Some(address) = text(LISTEN, value, findings) else {
    return DEFAULT;
  };
  read(address).unwrap_or_else(|| {
    findings.unusable(LISTEN, address, "is no address to listen on", EXPECTED);
    DEFAULT
  })
}

/// `None` where it isn't given.
pub(super) fn admin_listen(value: Option<&OsString>, findings: &mut Findings) -> Option<AdminListen> {
  let address = text(ADMIN_LISTEN, value, findings)?;
  if ["none", "off"].iter().any(|word| address.eq_ignore_ascii_case(word)) {
    return Some(AdminListen::Off);
  }
  let read = read(address).map(AdminListen::At);
  if read.is_none() {
    findings.unusable(ADMIN_LISTEN, address, "is no address to listen on", ADMIN_EXPECTED);
  }
  read
}

impl AdminListen {
  /// Where nobody says anything else.
  pub const DEFAULT: Self = Self::At(ADMIN_DEFAULT);
  /// The same for whoever can do without that port.
  pub const DEFAULT_IF_FREE: Self = Self::Preferably(ADMIN_DEFAULT);

  /// Refuses an address that is the public one, too: whichever came second would be told that another program has it.
  pub(super) fn apart_from(self, public: SocketAddr, findings: &mut Findings) -> Self {
    if let Self::At(private) = self
      && overlaps(private, public)
    {
      let why = format!("can't be listened on beside {LISTEN}");
      findings.unusable(ADMIN_LISTEN, &private.to_string(), why, ANOTHER);
    }
    self
  }
}

fn read(address: &str) -> Option<SocketAddr> {
  let localhost = address
    .rsplit_once(':')
    .filter(|(host, _)| host.eq_ignore_ascii_case("localhost"))
    .and_then(|(_, port)| port.parse().ok())
    .map(|port| SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port));
  localhost.or_else(|| address.parse().ok())
}

fn overlaps(one: SocketAddr, other: SocketAddr) -> bool {
  let same_port = one.port() == other.port() && one.port() != 0;
  let anywhere = one.ip().is_unspecified() || other.ip().is_unspecified();
  same_port && (one.ip() == other.ip() || anywhere)
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case::default(None, "127.0.0.1:8080")]
  #[case::blank(Some(" "), "127.0.0.1:8080")]
  #[case(Some("0.0.0.0:80"), "0.0.0.0:80")]
  #[case(Some(" [::1]:9000 "), "[::1]:9000")]
  #[case(Some("localhost:9000"), "127.0.0.1:9000")]
  #[case(Some("LocalHost:0"), "127.0.0.1:0")]
  fn an_address_is_an_ip_address_or_localhost_with_a_port(#[case] value: Option<&str>, #[case] expected: &str) {
    let mut findings = Findings::default();
    let address = listen(value.map(OsString::from).as_ref(), &mut findings);
    assert_eq!(address.to_string(), expected);
    assert_eq!(findings.errors(), [""; 0]);
  }

  #[rstest]
  #[case(":8080")]
  #[case("8080")]
  #[case("127.0.0.1")]
  #[case("localhost")]
  #[case("localhost:")]
  #[case("localhost:65536")]
  #[case("localhost:-1")]
  #[case("127.0.0.1:65536")]
  #[case("example.org:80")]
  #[case("::1:8080x")]
  #[case("http://127.0.0.1:8080")]
  fn anything_else_is_refused(#[case] value: &str) {
    let mut findings = Findings::default();
    listen(Some(&value.into()), &mut findings);
    admin_listen(Some(&value.into()), &mut findings);
    assert_eq!(
      findings.errors(),
      [
        format!("LAUNCHFEED_LISTEN (--listen): {value:?} is no address to listen on; expected {EXPECTED}"),
        format!(
          "LAUNCHFEED_ADMIN_LISTEN (--admin-listen): {value:?} is no address to listen on; expected {ADMIN_EXPECTED}"
        )
      ]
    );
  }

  #[rstest]
  #[case::not_given(None, None)]
  #[case::blank(Some(" "), None)]
  #[case::none(Some("none"), Some(AdminListen::Off))]
  #[case::off(Some(" OFF "), Some(AdminListen::Off))]
  #[case::any_port(Some("localhost:0"), Some(AdminListen::At("127.0.0.1:0".parse().unwrap())))]
  fn the_private_address_may_be_none(#[case] value: Option<&str>, #[case] expected: Option<AdminListen>) {
    let mut findings = Findings::default();
    assert_eq!(
      admin_listen(value.map(OsString::from).as_ref(), &mut findings),
      expected
    );
    assert_eq!(findings.errors(), [""; 0]);
  }

  #[rstest]
  #[case::the_same("127.0.0.1:8081", "127.0.0.1:8081", true)]
  #[case::anywhere("127.0.0.1:8081", "0.0.0.0:8081", true)]
  #[case::another_port("127.0.0.1:8081", "127.0.0.1:8080", false)]
  #[case::another_address("127.0.0.1:8081", "127.0.0.2:8081", false)]
  #[case::any_free_ones("127.0.0.1:0", "127.0.0.1:0", false)]
  fn both_addresses_must_differ(#[case] private: &str, #[case] public: &str, #[case] is_refused: bool) {
    let mut findings = Findings::default();
    AdminListen::At(private.parse().unwrap()).apart_from(public.parse().unwrap(), &mut findings);
    assert_eq!(findings.errors().len(), usize::from(is_refused));
  }
}
