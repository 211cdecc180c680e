//! The address to listen on.

use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use super::findings::Findings;
use super::setting::LISTEN;
use super::values::text;

/// Only this machine: what stands in front of it decides who else may ask.
const DEFAULT: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080);

const EXPECTED: &str = "an IP address or localhost, and a port, like 127.0.0.1:8080 or [::1]:8080";

/// Names are not looked up: what a resolver says at start would decide who can reach the server.
pub(super) fn listen(value: Option<&OsString>, findings: &mut Findings) -> SocketAddr {
  let Some(address) = text(LISTEN, value, findings) else {
    return DEFAULT;
  };
  let localhost = address
    .rsplit_once(':')
    .filter(|(host, _)| host.eq_ignore_ascii_case("localhost"))
    .and_then(|(_, port)| port.parse().ok())
    .map(|port| SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port));
  localhost.or_else(|| address.parse().ok()).unwrap_or_else(|| {
    findings.unusable(LISTEN, address, "is no address to listen on", EXPECTED);
    DEFAULT
  })
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
    assert_eq!(
      findings.errors(),
      [format!(
        "LAUNCHFEED_LISTEN (--listen): {value:?} is no address to listen on; expected {EXPECTED}"
      )]
    );
  }
}
