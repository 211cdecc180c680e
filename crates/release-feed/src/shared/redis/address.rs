//! Where Redis is, as a URL says it.

use std::fmt;

use redis::{ConnectionAddr, ConnectionInfo, IntoConnectionInfo};
use secrecy::{ExposeSecret, SecretString};
use url::Url;

/// Sentinels' usual port.
const SENTINEL_PORT: u16 = 26_379;
const REDIS_PORT: u16 = 6_379;

/// Where Redis is and how to log in. Never shows a password.
#[derive(Clone)]
pub struct RedisAddress {
  pub(super) servers: Servers,
  shown: String,
}

#[derive(Clone)]
pub(super) enum Servers {
  /// One server.
  Single(ConnectionInfo),
  /// Whatever the Sentinels say is the master.
  Sentinel(Sentinels),
  /// Some of a cluster's nodes.
  Cluster(Vec<ConnectionInfo>),
}

#[derive(Clone)]
pub(super) struct Sentinels {
  pub(super) nodes: Vec<ConnectionInfo>,
  /// What the Sentinels call the master.
  pub(super) master: String,
  /// How to log in to the master: its host and port are not this one's.
  pub(super) login: ConnectionInfo,
  /// The Sentinels' own password.
  pub(super) sentinel_password: Option<SecretString>,
}

/// Why a URL is none of a Redis. Shows nothing of it.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum AddressError {
  /// Another scheme, or none.
  #[error(
    "starts with none of redis://, rediss://, unix://, redis-sentinel://, rediss-sentinel://, redis-cluster:// and rediss-cluster://"
  )]
  Scheme,
  /// Not to be read.
  #[error("can't be read as {0}")]
  Form(&'static str),
  /// Sentinels look after many masters.
  #[error("doesn't name the Sentinels' master: add ?master=NAME")]
  NoMaster,
  /// Something behind the question mark that means nothing.
  #[error("has a parameter that is not known; Sentinel addresses have master and sentinel_password, others have none")]
  Parameter,
  /// A cluster has database 0 only.
  #[error("names a database; a cluster has none but 0")]
  ClusterDatabase,
}

impl RedisAddress {
  /// Reads `redis://[user:password@]host[:port][/database]` (`rediss://` with TLS), `unix:///path`,
  /// `redis-sentinel://[user:password@]host[:port],…[/database]?master=NAME[&sentinel_password=…]` or
  /// `redis-cluster://[user:password@]host[:port],…` (`rediss-…` with TLS).
  pub fn parse(url: &str) -> Result<Self, AddressError> {
    let url = url.trim();
    let (scheme, rest) = url.split_once("://").ok_or(AddressError::Scheme)?;
    match scheme {
      "redis" | "rediss" | "unix" | "redis+unix" => Self::single(scheme, url),
      "redis-sentinel" => Self::sentinel("redis", rest),
      "rediss-sentinel" => Self::sentinel("rediss", rest),
      "redis-cluster" => Self::cluster("redis", rest),
      "rediss-cluster" => Self::cluster("rediss", rest),
      _ => Err(AddressError::Scheme),
    }
  }

  fn single(scheme: &str, url: &str) -> Result<Self, AddressError> {
    const FORM: AddressError = AddressError::Form("redis://[user:password@]host[:port][/database]");
    let is_socket = scheme.ends_with("unix");
    let parsed = Url::parse(url).map_err(|_| FORM)?;
    if !is_socket && (parsed.query().is_some() || parsed.fragment().is_some()) {
      return Err(AddressError::Parameter);
    }
    let info = url.into_connection_info().map_err(|_| FORM)?;
    let shown = format!("{scheme}://{}", info.addr());
    Ok(Self {
      servers: Servers::Single(info),
      shown,
    })
  }

  fn sentinel(scheme: &str, rest: &str) -> Result<Self, AddressError> {
    let parts = Parts::of(rest);
    let (mut master, mut sentinel_password) = (None, None);
    for (name, value) in url::form_urlencoded::parse(parts.query.as_bytes()) {
      match &*name {
        "master" if !value.is_empty() => master = Some(value.into_owned()),
        "sentinel_password" => sentinel_password = Some(SecretString::from(value.into_owned())),
        _ => return Err(AddressError::Parameter),
      }
    }
    let master = master.ok_or(AddressError::NoMaster)?;
    let nodes = parts.nodes(scheme, "", SENTINEL_PORT, "")?;
    // What is not this one's is its host and port.
    let login = parts.nodes(scheme, parts.login, REDIS_PORT, parts.path)?.swap_remove(0);
    Ok(Self {
      shown: format!("{scheme}-sentinel://{}?master={master}", parts.hosts),
      servers: Servers::Sentinel(Sentinels {
        nodes,
        master,
        login,
        sentinel_password,
      }),
    })
  }

  fn cluster(scheme: &str, rest: &str) -> Result<Self, AddressError> {
    let parts = Parts::of(rest);
    if !parts.query.is_empty() {
      return Err(AddressError::Parameter);
    }
    if !matches!(parts.path, "" | "/" | "/0") {
      return Err(AddressError::ClusterDatabase);
    }
    Ok(Self {
      shown: format!("{scheme}-cluster://{}", parts.hosts),
      servers: Servers::Cluster(parts.nodes(scheme, parts.login, REDIS_PORT, "")?),
    })
  }
}

/// A URL with many hosts, behind its scheme.
struct Parts<'u> {
  /// With its `@`, where there is one.
  login: &'u str,
  hosts: &'u str,
  /// With its slash, where there is one.
  path: &'u str,
  query: &'u str,
}

impl<'u> Parts<'u> {
  fn of(rest: &'u str) -> Self {
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let authority_end = rest.find('/').unwrap_or(rest.len());
    let (authority, path) = rest.split_at(authority_end);
    let hosts_start = authority.rfind('@').map_or(0, |at| at + 1);
    let (login, hosts) = authority.split_at(hosts_start);
    Self {
      login,
      hosts,
      path,
      query,
    }
  }

  fn nodes(&self, scheme: &str, login: &str, port: u16, path: &str) -> Result<Vec<ConnectionInfo>, AddressError> {
    const FORM: AddressError = AddressError::Form("host[:port],host[:port],…");
    let node = |host: &str| {
      let mut url = Url::parse(&format!("{scheme}://{login}{host}{path}")).map_err(|_| FORM)?;
      if url.host_str().is_none_or(str::is_empty) {
        return Err(FORM);
      }
      if url.port().is_none() {
        url.set_port(Some(port)).map_err(|()| FORM)?;
      }
      url.into_connection_info().map_err(|_| FORM)
    };
    self.hosts.split(',').map(|host| node(host.trim())).collect()
  }
}

impl RedisAddress {
  pub(super) fn uses_tls(&self) -> bool {
    let info = match &self.servers {
      Servers::Single(info) => Some(info),
      Servers::Sentinel(sentinels) => Some(&sentinels.login),
      Servers::Cluster(nodes) => nodes.first(),
    };
    info.is_some_and(|info| matches!(info.addr(), ConnectionAddr::TcpTls { .. }))
  }
}

impl Sentinels {
  pub(super) fn password(&self) -> Option<&str> {
    self.sentinel_password.as_ref().map(ExposeSecret::expose_secret)
  }
}

/// Where it is, without how to log in.
impl fmt::Display for RedisAddress {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(&self.shown)
  }
}

impl fmt::Debug for RedisAddress {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(&self.shown)
  }
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case("redis://localhost", "redis://localhost:6379")]
  #[case(" redis://user:hunter2@h:7000/3\n", "redis://h:7000")]
  #[case("redis://:hunter2@[::1]:7000", "redis://::1:7000")]
  #[case("rediss://h", "rediss://h:6379")]
  #[case("unix:///run/redis.sock", "unix:///run/redis.sock")]
  #[case("redis-sentinel://a,b:7,c?master=m", "redis-sentinel://a,b:7,c?master=m")]
  #[case(
    "rediss-sentinel://u:hunter2@a:1/2?master=m&sentinel_password=hunter2",
    "rediss-sentinel://a:1?master=m"
  )]
  #[case("redis-cluster://u:hunter2@a:1,b", "redis-cluster://a:1,b")]
  #[case("rediss-cluster://a/0", "rediss-cluster://a")]
  fn an_address_is_read_and_shown_without_its_password(#[case] url: &str, #[case] shown: &str) {
    let address = RedisAddress::parse(url).unwrap();
    assert_eq!(address.to_string(), shown);
    assert_eq!(format!("{address:?}"), shown);
  }

  #[rstest]
  #[case("localhost:6379", AddressError::Scheme)]
  #[case("", AddressError::Scheme)]
  #[case("http://h", AddressError::Scheme)]
  #[case("redis-sentinel://a,b", AddressError::NoMaster)]
  #[case("redis-sentinel://a?master=", AddressError::Parameter)]
  #[case("redis-sentinel://a?master=m&db=3", AddressError::Parameter)]
  #[case("redis-cluster://a/3", AddressError::ClusterDatabase)]
  #[case("redis-cluster://a?x=1", AddressError::Parameter)]
  #[case("redis://h?db=3", AddressError::Parameter)]
  #[case("rediss://h/#insecure", AddressError::Parameter)]
  fn what_is_no_address_says_why(#[case] url: &str, #[case] error: AddressError) {
    assert_eq!(RedisAddress::parse(url).unwrap_err(), error);
  }

  #[rstest]
  #[case("redis://")]
  #[case("redis://h/three")]
  #[case("redis://h:99999")]
  #[case("redis-cluster://")]
  #[case("redis-cluster://a,,b")]
  #[case("redis-sentinel://a:x?master=m")]
  fn what_can_not_be_read_shows_the_form(#[case] url: &str) {
    assert!(matches!(RedisAddress::parse(url).unwrap_err(), AddressError::Form(_)));
  }

  #[test]
  fn a_login_is_the_masters_and_not_the_sentinels() {
    let address = RedisAddress::parse("redis-sentinel://u:p@a,b/2?master=m").unwrap();
    let Servers::Sentinel(sentinels) = address.servers else {
      panic!("not Sentinels")
    };
    assert_eq!(sentinels.nodes.len(), 2);
    assert_eq!(sentinels.nodes[0].redis_settings().password(), None);
    let login = sentinels.login.redis_settings();
    assert_eq!(
      (login.username(), login.password(), login.db()),
      (Some("u"), Some("p"), 2)
    );
  }
}
