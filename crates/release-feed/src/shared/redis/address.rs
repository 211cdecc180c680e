//! Where Redis is, as a URL says it.

use std::fmt;

use redis::{ConnectionAddr, ConnectionInfo};
use secrecy::{ExposeSecret, SecretString};

use super::address_error::AddressError;
use super::address_parts::{Parts, Server, socket};

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

impl RedisAddress {
  /// Reads `redis://[user:password@]host[:port][/database]` (`rediss://` with TLS), `unix:///path[?db=…&user=…&pass=…]`,
  /// `redis-sentinel://[user:password@]host[:port],…[/database]?master=NAME[&sentinel_password=…]` or
  /// `redis-cluster://[user:password@]host[:port],…` (`rediss-…` with TLS). Whatever means something in a URL is percent-encoded in
  /// names and passwords; a `+` is a `+`.
  ///
  /// # Errors
  ///
  /// What is wrong, without anything of the URL.
  pub fn parse(url: &str) -> Result<Self, AddressError> {
    let (scheme, rest) = url.trim().split_once("://").ok_or(AddressError::Scheme)?;
    match scheme.to_ascii_lowercase().as_str() {
      "redis" => Self::single(false, rest),
      "rediss" => Self::single(true, rest),
      "unix" | "redis+unix" => Self::socket(rest),
      "redis-sentinel" => Self::sentinel(false, rest),
      "rediss-sentinel" => Self::sentinel(true, rest),
      "redis-cluster" => Self::cluster(false, rest),
      "rediss-cluster" => Self::cluster(true, rest),
      _ => Err(AddressError::Scheme),
    }
  }

  fn single(tls: bool, rest: &str) -> Result<Self, AddressError> {
    let parts = Parts::of(rest)?;
    let unknown = if parts.has_many_hosts() {
      AddressError::ManyHosts
    } else {
      AddressError::Parameter
    };
    parts.parameters(|_, _| Err(unknown))?;
    let [server] = parts
      .servers(REDIS_PORT)?
      .try_into()
      .map_err(|_| AddressError::ManyHosts)?;
    let login = parts.login()?.set_db(parts.database()?);
    Ok(Self {
      shown: format!("{}://{server}{}", scheme(tls), behind(login.db())),
      servers: Servers::Single(server.info(tls)?.set_redis_settings(login)),
    })
  }

  fn socket(rest: &str) -> Result<Self, AddressError> {
    let (info, path) = socket(rest)?;
    let database = match info.redis_settings().db() {
      0 => String::new(),
      database => format!("?db={database}"),
    };
    Ok(Self {
      shown: format!("unix://{path}{database}"),
      servers: Servers::Single(info),
    })
  }

  fn sentinel(tls: bool, rest: &str) -> Result<Self, AddressError> {
    let parts = Parts::of(rest)?;
    let (mut master, mut sentinel_password) = (None, None);
    parts.parameters(|name, value| {
      match name {
        "master" => master = Some(value),
        "sentinel_password" => sentinel_password = Some(value).filter(|value| !value.is_empty()),
        _ => return Err(AddressError::SentinelParameter),
      }
      Ok(())
    })?;
    let master = master.ok_or(AddressError::NoMaster)?;
    if master.is_empty() {
      return Err(AddressError::EmptyMaster);
    }
    if master.chars().any(char::is_control) {
      return Err(AddressError::Master);
    }
    let servers = parts.servers(SENTINEL_PORT)?;
    let nodes = infos(&servers, tls)?;
    let login = parts.login()?.set_db(parts.database()?);
    let (scheme, database) = (scheme(tls), behind(login.db()));
    Ok(Self {
      shown: format!("{scheme}-sentinel://{}{database}?master={master}", list(&servers)),
      servers: Servers::Sentinel(Sentinels {
        // What is not this one's is its host and port.
        login: nodes
          .first()
          .cloned()
          .ok_or(AddressError::NoHost)?
          .set_redis_settings(login),
        nodes,
        master,
        sentinel_password: sentinel_password.map(SecretString::from),
      }),
    })
  }

  fn cluster(tls: bool, rest: &str) -> Result<Self, AddressError> {
    let parts = Parts::of(rest)?;
    parts.parameters(|_, _| Err(AddressError::Parameter))?;
    if parts.database()? != 0 {
      return Err(AddressError::ClusterDatabase);
    }
    let (servers, login) = (parts.servers(REDIS_PORT)?, parts.login()?);
    let nodes = infos(&servers, tls)?.into_iter();
    Ok(Self {
      shown: format!("{}-cluster://{}", scheme(tls), list(&servers)),
      servers: Servers::Cluster(nodes.map(|node| node.set_redis_settings(login.clone())).collect()),
    })
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

fn infos(servers: &[Server], tls: bool) -> Result<Vec<ConnectionInfo>, AddressError> {
  servers.iter().map(|server| server.info(tls)).collect()
}

fn scheme(tls: bool) -> &'static str {
  if tls { "rediss" } else { "redis" }
}

/// The database as it stands behind hosts: not at all where it is the usual one.
fn behind(database: i64) -> String {
  if database == 0 {
    String::new()
  } else {
    format!("/{database}")
  }
}

fn list(servers: &[Server]) -> String {
  let servers: Vec<String> = servers.iter().map(Server::to_string).collect();
  servers.join(",")
}

#[cfg(test)]
mod tests {
  use std::path::Path;

  use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
  use proptest::{prop_assert, prop_assert_eq, proptest};
  use redis::{ConnectionAddr, RedisConnectionInfo};
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case("redis://localhost", "redis://localhost:6379")]
  #[case("REDIS://LocalHost:/", "redis://localhost:6379")]
  #[case(" redis://user:hunter2@h:7000/3\n", "redis://h:7000/3")]
  #[case("redis://:hunter2@[::1]:7000/0", "redis://[::1]:7000")]
  #[case("rediss://[::1]", "rediss://[::1]:6379")]
  #[case("rediss://my_redis.example", "rediss://my_redis.example:6379")]
  #[case("unix:///run/redis.sock", "unix:///run/redis.sock")]
  #[case("unix:///run/a%20b.sock?db=3&user=u&pass=hunter2@/+", "unix:///run/a b.sock?db=3")]
  #[case("redis-sentinel://a,b:7,c?master=m", "redis-sentinel://a:26379,b:7,c:26379?master=m")]
  #[case(
    "Rediss-Sentinel://u:hunter2@a:1/2?master=m&sentinel_password=hunter2@x",
    "rediss-sentinel://a:1/2?master=m"
  )]
  #[case("redis-cluster://u:hunter2@a:1, b", "redis-cluster://a:1,b:6379")]
  #[case("rediss-cluster://a/0", "rediss-cluster://a:6379")]
  fn an_address_is_read_and_shown_without_its_password(#[case] url: &str, #[case] shown: &str) {
    let address = RedisAddress::parse(url).unwrap();
    assert_eq!(address.to_string(), shown);
    assert_eq!(format!("{address:?}"), shown);
  }

  #[rstest]
  #[case("localhost:6379", AddressError::Scheme)]
  #[case("", AddressError::Scheme)]
  #[case("http://h", AddressError::Scheme)]
  #[case("unix:/run/redis.sock", AddressError::Scheme)]
  #[case("redis://", AddressError::NoHost)]
  #[case("redis://u:p@", AddressError::NoHost)]
  #[case("redis://:7000", AddressError::NoHost)]
  #[case("redis-cluster://", AddressError::NoHost)]
  #[case("redis-cluster://a,,b", AddressError::NoHost)]
  #[case("redis://a b", AddressError::Host)]
  #[case("redis://::1", AddressError::Host)]
  #[case("redis://::1:7000", AddressError::Host)]
  #[case("redis://[::1", AddressError::Host)]
  #[case("redis://[::1]7000", AddressError::Host)]
  #[case("redis://1.2.3.4.5", AddressError::Host)]
  #[case("redis://0.0.0.0", AddressError::Wildcard)]
  #[case("redis-cluster://a,[::]:7000", AddressError::Wildcard)]
  #[case("redis://a,b", AddressError::ManyHosts)]
  #[case("rediss://a,b?master=m", AddressError::ManyHosts)]
  #[case("redis://h:99999", AddressError::Port)]
  #[case("redis://h:0", AddressError::Port)]
  #[case("redis://h:-1", AddressError::Port)]
  #[case("redis://h:+1", AddressError::Port)]
  #[case("redis://user:password", AddressError::Port)]
  #[case("redis-sentinel://a:x?master=m", AddressError::Port)]
  #[case("redis://h/-1", AddressError::Database)]
  #[case("redis://h/+1", AddressError::Database)]
  #[case("redis://h/three", AddressError::Database)]
  #[case("redis://h/1/2", AddressError::Database)]
  #[case("redis://h/2147483648", AddressError::Database)]
  #[case("redis-sentinel://h/x?master=m", AddressError::Database)]
  #[case("redis-cluster://h/x", AddressError::Database)]
  #[case("redis-cluster://a/3", AddressError::ClusterDatabase)]
  #[case("unix:///run/redis.sock?db=-1", AddressError::Database)]
  #[case("redis-sentinel://a,b", AddressError::NoMaster)]
  #[case("redis-sentinel://a?sentinel_password=x", AddressError::NoMaster)]
  #[case("redis-sentinel://a?master=", AddressError::EmptyMaster)]
  #[case("redis-sentinel://a?master", AddressError::EmptyMaster)]
  #[case("redis-sentinel://a?master=a%0Ab", AddressError::Master)]
  #[case("redis-sentinel://a?master=m&db=3", AddressError::SentinelParameter)]
  #[case("redis-sentinel://a?mastr=m&sentinel_password=p@x", AddressError::SentinelParameter)]
  #[case("redis-cluster://a?x=1", AddressError::Parameter)]
  #[case("redis://h?db=3", AddressError::Parameter)]
  #[case("unix:///run/redis.sock?password=x", AddressError::SocketParameter)]
  #[case("rediss://h/#insecure", AddressError::Insecure)]
  #[case("redis://h#x", AddressError::Fragment)]
  #[case("redis-sentinel://h?master=m#x", AddressError::Fragment)]
  #[case("unix:///run/redis.sock#x", AddressError::Fragment)]
  #[case("unix://", AddressError::SocketPath)]
  #[case("unix:///", AddressError::SocketPath)]
  #[case("unix://run/redis.sock", AddressError::SocketPath)]
  #[case("unix://localhost/run/redis.sock", AddressError::SocketPath)]
  #[case("unix:///run/a%00b", AddressError::SocketPath)]
  #[case("unix:///run/a%0Ab", AddressError::SocketPath)]
  #[case("unix://u:p@/run/redis.sock", AddressError::SocketLogin)]
  #[case("unix:///run/redis.sock?pass=%FF", AddressError::Encoding)]
  #[case("redis://u:%FF@h", AddressError::Encoding)]
  #[case("redis://password@h", AddressError::NoPassword)]
  #[case("unix:///run/redis.sock?user=u", AddressError::NoPassword)]
  #[case::slash("redis://u:a/b@h", AddressError::Unencoded)]
  #[case::slash_behind_an_at("redis://u:a@b/c@h:6379/0", AddressError::Unencoded)]
  #[case::slash_behind_digits("redis://u:12/34@h", AddressError::Unencoded)]
  #[case::hash("redis://u:1#b@h/3", AddressError::Unencoded)]
  #[case::question_mark("redis://u:a?b@h", AddressError::Unencoded)]
  #[case::in_a_cluster("redis-cluster://u:a?b=c@h,i", AddressError::Unencoded)]
  #[case::with_sentinels("redis-sentinel://u:a?b@h?master=m", AddressError::Unencoded)]
  #[case::a_sentinels("redis-sentinel://h?master=m&sentinel_password=a#b", AddressError::Fragment)]
  fn what_is_no_address_says_why(#[case] url: &str, #[case] error: AddressError) {
    assert_eq!(RedisAddress::parse(url).unwrap_err(), error);
  }

  #[rstest]
  #[case("redis://u:p@h", Some("u"), Some("p"))]
  #[case("redis://:p@h", None, Some("p"))]
  #[case("redis://u:@h", Some("u"), Some(""))]
  #[case("redis://:@h", None, None)]
  #[case("redis://@h", None, None)]
  #[case("redis://h", None, None)]
  #[case("redis://u%40x:%2F%3f%23%25%40%3A+@h", Some("u@x"), Some("/?#%@:+"))]
  #[case("redis-cluster://u:a@b:c%d+ ü@h", Some("u"), Some("a@b:c%d+ ü"))]
  #[case("unix:///r.sock?user=u%26&pass=a+b%2B@/?=", Some("u&"), Some("a+b+@/?="))]
  fn a_login_is_decoded_and_stays_as_it_is_where_nothing_is_encoded(
    #[case] url: &str,
    #[case] user: Option<&str>,
    #[case] password: Option<&str>,
  ) {
    let address = RedisAddress::parse(url).unwrap();
    let login = login_of(&address);
    assert_eq!((login.username(), login.password()), (user, password));
  }

  proptest! {
    #[test]
    fn any_password_can_be_encoded_and_is_not_shown(password in "\\PC{1,20}") {
      let hidden = format!("hunter2{password}");
      let encoded = utf8_percent_encode(&hidden, NON_ALPHANUMERIC);
      for url in [
        format!("redis://u:{encoded}@h"),
        format!("redis-cluster://:{encoded}@h,i"),
        format!("unix:///r.sock?pass={encoded}"),
      ] {
        let address = RedisAddress::parse(&url).unwrap();
        prop_assert_eq!(login_of(&address).password(), Some(hidden.as_str()));
        let shown = format!("{address} {address:?}");
        prop_assert!(!shown.contains("hunter2"));
      }
    }

    #[test]
    fn nothing_makes_it_panic(rest in "[:/?#@,%\\[\\]=&a1. ü]{0,16}|\\PC{0,16}", scheme in 0..7_usize) {
      let scheme = ["redis", "rediss", "unix", "redis-sentinel", "rediss-sentinel", "redis-cluster", "rediss-cluster"][scheme];
      let _ = RedisAddress::parse(&format!("{scheme}://{rest}"));
      let _ = RedisAddress::parse(&format!("{scheme}://{rest}?master={rest}&db={rest}"));
    }
  }

  #[test]
  fn a_login_is_the_masters_and_not_the_sentinels() {
    let address = RedisAddress::parse("redis-sentinel://u:p@a,b/2?sentinel_password=a+%2B&master=m").unwrap();
    let Servers::Sentinel(sentinels) = address.servers else {
      panic!("not Sentinels")
    };
    assert_eq!(sentinels.nodes.len(), 2);
    assert_eq!(sentinels.nodes[0].redis_settings().password(), None);
    assert_eq!(sentinels.nodes[1].addr(), &ConnectionAddr::Tcp("b".to_owned(), 26_379));
    assert_eq!(sentinels.password(), Some("a++"));
    let login = sentinels.login.redis_settings();
    assert_eq!(
      (login.username(), login.password(), login.db()),
      (Some("u"), Some("p"), 2)
    );
  }

  #[test]
  fn with_tls_certificates_are_checked() {
    for url in [
      "rediss://h",
      "RedisS://h",
      "rediss-cluster://h",
      "rediss-sentinel://h?master=m",
    ] {
      let address = RedisAddress::parse(url).unwrap();
      let info = match address.servers {
        Servers::Single(info) => info,
        Servers::Cluster(mut nodes) => nodes.remove(0),
        Servers::Sentinel(sentinels) => sentinels.login,
      };
      assert!(
        matches!(info.addr(), ConnectionAddr::TcpTls { insecure: false, .. }),
        "{url}"
      );
    }
  }

  #[test]
  fn a_socket_has_a_path_and_a_database() {
    let address = RedisAddress::parse("redis+unix:///run/a%3Fb/redis.sock?db=2").unwrap();
    let Servers::Single(info) = address.servers else {
      panic!("not one server")
    };
    assert_eq!(
      info.addr(),
      &ConnectionAddr::Unix(Path::new("/run/a?b/redis.sock").to_owned())
    );
    assert_eq!(info.redis_settings().db(), 2);
  }

  fn login_of(address: &RedisAddress) -> &RedisConnectionInfo {
    match &address.servers {
      Servers::Single(info) => info.redis_settings(),
      Servers::Cluster(nodes) => nodes[0].redis_settings(),
      Servers::Sentinel(sentinels) => sentinels.login.redis_settings(),
    }
  }
}
