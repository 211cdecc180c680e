//! A Redis URL taken apart, behind its scheme.
//!
//! Not by the rules of URLs alone, which know one host only: `login@host:port,host:port/database?name=value`.

use std::fmt;

use percent_encoding::percent_decode_str;
use redis::{ConnectionAddr, ConnectionInfo, IntoConnectionInfo, RedisConnectionInfo};
use url::Host;

use super::address_error::AddressError;

pub(super) struct Parts<'u> {
  login: &'u str,
  hosts: &'u str,
  /// With its slash, where there is one.
  path: &'u str,
  query: &'u str,
}

/// A server that is reached over the network.
pub(super) struct Server {
  host: Host,
  port: u16,
}

impl<'u> Parts<'u> {
  pub(super) fn of(rest: &'u str) -> Result<Self, AddressError> {
    let (rest, fragment) = split(rest, '#');
    let (rest, query) = split(rest, '?');
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let query = query.unwrap_or_default();
    if path.contains('@') || fragment.is_some_and(|fragment| fragment.contains('@')) {
      return Err(AddressError::Unencoded);
    }
    refuse_fragment(fragment)?;
    let (login, hosts) = authority.rsplit_once('@').unwrap_or(("", authority));
    Ok(Self {
      login,
      hosts,
      path,
      query,
    })
  }

  /// Hands over each parameter, by its name.
  pub(super) fn parameters(
    &self,
    mut take: impl FnMut(&str, String) -> Result<(), AddressError>,
  ) -> Result<(), AddressError> {
    parameters(self.query, |name, value, whole| {
      // Part of a password, and then a host's name, rather than a parameter that was meant.
      take(name, value).map_err(|error| {
        if whole.contains('@') {
          AddressError::Unencoded
        } else {
          error
        }
      })
    })
  }

  pub(super) fn has_many_hosts(&self) -> bool {
    self.hosts.contains(',')
  }

  pub(super) fn servers(&self, usual_port: u16) -> Result<Vec<Server>, AddressError> {
    let hosts = self.hosts.split(',');
    hosts.map(|host| Server::read(host.trim(), usual_port)).collect()
  }

  pub(super) fn database(&self) -> Result<i64, AddressError> {
    let path = self.path.strip_prefix('/').unwrap_or(self.path);
    database(path.strip_suffix('/').unwrap_or(path))
  }

  pub(super) fn login(&self) -> Result<RedisConnectionInfo, AddressError> {
    match self.login.split_once(':') {
      Some((user, password)) => login(Some(decoded(user)?), Some(decoded(password)?)),
      None => login(Some(decoded(self.login)?), None),
    }
  }
}

impl Server {
  fn read(text: &str, usual_port: u16) -> Result<Self, AddressError> {
    // Colons in brackets are an address's own.
    let end = text.find(']').map_or(0, |bracket| bracket + 1);
    let (host, port) = match text[end..].rfind(':') {
      Some(colon) => (&text[..end + colon], &text[end + colon + 1..]),
      None => (text, ""),
    };
    if host.is_empty() {
      return Err(AddressError::NoHost);
    }
    let host = Host::parse(host).map_err(|_| AddressError::Host)?;
    let is_wildcard = match &host {
      Host::Domain(_) => false,
      Host::Ipv4(address) => address.is_unspecified(),
      Host::Ipv6(address) => address.is_unspecified(),
    };
    if is_wildcard {
      return Err(AddressError::Wildcard);
    }
    let port = match port {
      "" => usual_port,
      _ => number(port).filter(|port| *port > 0).ok_or(AddressError::Port)?,
    };
    Ok(Self { host, port })
  }

  pub(super) fn info(&self, tls: bool) -> Result<ConnectionInfo, AddressError> {
    // Without the brackets: it is given to the system's resolver.
    let host = match &self.host {
      Host::Domain(name) => name.clone(),
      Host::Ipv4(address) => address.to_string(),
      Host::Ipv6(address) => address.to_string(),
    };
    let address = if tls {
      ConnectionAddr::TcpTls {
        host,
        port: self.port,
        insecure: false,
        tls_params: None,
      }
    } else {
      ConnectionAddr::Tcp(host, self.port)
    };
    address.into_connection_info().map_err(|_| AddressError::Host)
  }
}

impl fmt::Display for Server {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{}:{}", self.host, self.port)
  }
}

/// A socket of this machine, and its path.
pub(super) fn socket(rest: &str) -> Result<(ConnectionInfo, String), AddressError> {
  let (rest, fragment) = split(rest, '#');
  refuse_fragment(fragment)?;
  let (path, query) = split(rest, '?');
  if !path.starts_with('/') {
    let has_login = path.contains('@');
    return Err(if has_login {
      AddressError::SocketLogin
    } else {
      AddressError::SocketPath
    });
  }
  let path = decoded(path)?;
  if path.ends_with('/') || path.chars().any(char::is_control) {
    return Err(AddressError::SocketPath);
  }
  let (mut user, mut password, mut number) = (None, None, 0);
  parameters(query.unwrap_or_default(), |name, value, _| {
    match name {
      "db" => number = database(&value)?,
      "user" => user = Some(value),
      "pass" => password = Some(value),
      _ => return Err(AddressError::SocketParameter),
    }
    Ok(())
  })?;
  let info = ConnectionAddr::Unix(path.clone().into())
    .into_connection_info()
    .map_err(|_| AddressError::SocketPath)?;
  Ok((info.set_redis_settings(login(user, password)?.set_db(number)), path))
}

fn parameters(
  query: &str,
  mut take: impl FnMut(&str, String, &str) -> Result<(), AddressError>,
) -> Result<(), AddressError> {
  for whole in query.split('&').filter(|whole| !whole.is_empty()) {
    let (name, value) = whole.split_once('=').unwrap_or((whole, ""));
    take(name, decoded(value)?, whole)?;
  }
  Ok(())
}

fn login(user: Option<String>, password: Option<String>) -> Result<RedisConnectionInfo, AddressError> {
  let settings = RedisConnectionInfo::default();
  let user = user.filter(|user| !user.is_empty());
  match (user, password) {
    (None, None) => Ok(settings),
    (None, Some(password)) if password.is_empty() => Ok(settings),
    (None, Some(password)) => Ok(settings.set_password(password)),
    // The client library wouldn't log in at all.
    (Some(_), None) => Err(AddressError::NoPassword),
    (Some(user), Some(password)) => Ok(settings.set_username(user).set_password(password)),
  }
}

fn database(text: &str) -> Result<i64, AddressError> {
  match text {
    "" => Ok(0),
    // More than Redis counts up to.
    _ => number::<i32>(text).map(i64::from).ok_or(AddressError::Database),
  }
}

/// Digits alone: no sign.
fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
  let are_digits = text.bytes().all(|byte| byte.is_ascii_digit());
  text.parse().ok().filter(|_| are_digits)
}

fn decoded(text: &str) -> Result<String, AddressError> {
  let text = percent_decode_str(text).decode_utf8();
  Ok(text.map_err(|_| AddressError::Encoding)?.into_owned())
}

fn refuse_fragment(fragment: Option<&str>) -> Result<(), AddressError> {
  match fragment {
    None => Ok(()),
    Some("insecure") => Err(AddressError::Insecure),
    Some(_) => Err(AddressError::Fragment),
  }
}

fn split(text: &str, at: char) -> (&str, Option<&str>) {
  text
    .split_once(at)
    .map_or((text, None), |(before, behind)| (before, Some(behind)))
}
