//! Whom `health` asks.

use std::ffi::OsStr;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Args, Command};
use url::Url;

use super::args::AdminArgs;
use super::findings::{ConfigErrors, Findings};
use super::listen::{AdminListen, admin_listen};
use super::setting::ADMIN_LISTEN;
use super::settings::{Resolved, resolved};

const EXPECTED_URL: &str = "expected the private listener's address, like http://127.0.0.1:8081";
const EXPECTED_ADDRESS: &str = "the address that the instance listens on, or --url";

/// What `health` can be told.
#[derive(Args, Clone, Debug, Default)]
pub struct HealthArgs {
  /// Where the instance listens.
  #[command(flatten)]
  pub admin: AdminArgs,
  /// Ask there instead, such as on another machine: http://HOST:PORT [default: what the instance on this machine listens on]
  #[arg(long, value_name = "URL", value_parser = AuthorityParser)]
  pub url: Option<String>,
}

/// The settings of `health`.
#[derive(Clone, Debug)]
pub struct HealthSettings {
  /// Host and port to ask, as in a URL.
  pub authority: String,
}

impl HealthArgs {
  /// Reads the settings of `health`.
  ///
  /// # Errors
  ///
  /// Every value that can't be used.
  pub fn resolve(&self) -> Result<Resolved<HealthSettings>, ConfigErrors> {
    let mut findings = Findings::default();
    let authority = match &self.url {
      Some(authority) => authority.clone(),
      None => address_of(&self.admin, &mut findings),
    };
    resolved(HealthSettings { authority }, findings)
  }
}

/// Reads whom to ask. What can't be used may hold a password, and isn't said back.
#[derive(Clone, Copy, Debug)]
struct AuthorityParser;

impl TypedValueParser for AuthorityParser {
  type Value = String;

  fn parse_ref(&self, command: &Command, _: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
    let authority = value.to_str().map_or(Err(EXPECTED_URL), authority_of);
    authority.map_err(|expected| {
      let why = format!("--url: the value, which isn't shown, can't be used; {expected}\n");
      clap::Error::raw(ErrorKind::ValueValidation, why).with_cmd(command)
    })
  }
}

/// Host and port of a URL without TLS, login, path and query.
fn authority_of(text: &str) -> Result<String, &'static str> {
  let url = Url::parse(text).ok();
  let is_plain = |url: &Url| {
    url.scheme() == "http"
      && url.username().is_empty()
      && url.password().is_none()
      && matches!(url.path(), "" | "/")
      && url.query().is_none()
  };
  let authority = url.filter(is_plain).and_then(|url| {
    let port = url.port_or_known_default()?;
    Some(format!("{}:{port}", url.host_str()?))
  });
  authority.ok_or(EXPECTED_URL)
}

fn address_of(args: &AdminArgs, findings: &mut Findings) -> String {
  let listen = admin_listen(args.admin_listen.as_ref(), findings).unwrap_or(AdminListen::DEFAULT);
  match listen {
    AdminListen::Off => {
      findings.unusable(ADMIN_LISTEN, "none", "leaves nobody to ask", EXPECTED_ADDRESS);
      String::new()
    }
    AdminListen::At(address) if address.port() == 0 => {
      let why = "doesn't say which port was taken";
      findings.unusable(ADMIN_LISTEN, &address.to_string(), why, EXPECTED_ADDRESS);
      String::new()
    }
    AdminListen::At(address) | AdminListen::Preferably(address) => reachable(address).to_string(),
  }
}

/// Who listens everywhere is found on this machine.
pub(crate) fn reachable(address: SocketAddr) -> SocketAddr {
  let ip = match address.ip() {
    IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
    IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
    ip => ip,
  };
  SocketAddr::new(ip, address.port())
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case::default(None, None, "127.0.0.1:8081")]
  #[case::as_listened(Some("127.0.0.1:9000"), None, "127.0.0.1:9000")]
  #[case::anywhere(Some("0.0.0.0:9000"), None, "127.0.0.1:9000")]
  #[case::anywhere_in_ipv6(Some("[::]:9000"), None, "[::1]:9000")]
  #[case::url(Some("none"), Some("http://example.org:9000/"), "example.org:9000")]
  #[case::url_without_port(None, Some("http://example.org"), "example.org:80")]
  fn the_private_listener_is_asked(#[case] listen: Option<&str>, #[case] url: Option<&str>, #[case] expected: &str) {
    let resolved = args(listen, url).resolve().unwrap();
    assert_eq!(resolved.settings.authority, expected);
  }

  #[rstest]
  #[case::switched_off(Some("none"), None)]
  #[case::any_port(Some("127.0.0.1:0"), None)]
  #[case::no_address(Some("nowhere"), None)]
  fn what_can_not_be_asked_is_refused(#[case] listen: Option<&str>, #[case] url: Option<&str>) {
    assert_eq!(args(listen, url).resolve().unwrap_err().0.len(), 1);
  }

  #[rstest]
  #[case::tls("https://example.org")]
  #[case::path("http://example.org/readyz")]
  #[case::login("http://user:pass@example.org")]
  #[case::query("http://example.org/?key=1")]
  #[case::no_url("example.org")]
  #[case::blank("")]
  fn an_address_is_a_plain_url(#[case] url: &str) {
    assert_eq!(authority_of(url), Err(EXPECTED_URL));
  }

  fn args(listen: Option<&str>, url: Option<&str>) -> HealthArgs {
    HealthArgs {
      admin: AdminArgs {
        admin_listen: listen.map(Into::into),
      },
      url: url.map(|url| authority_of(url).unwrap()),
    }
  }
}
