//! What can be wrong with a URL of Redis.

/// Why a URL is none of a Redis. Shows nothing of it: whatever is in a wrong place may be a password.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum AddressError {
  /// Another scheme, or none.
  #[error(
    "starts with none of redis://, rediss://, unix://, redis-sentinel://, rediss-sentinel://, redis-cluster:// and rediss-cluster://"
  )]
  Scheme,
  /// An `@` where none belongs, so that a login is taken for something else.
  #[error(
    "has an @ behind a /, ? or #, as if a user or password had one of these in it: there / is written %2F, ? %3F, # %23 and % %25"
  )]
  Unencoded,
  /// A user without a colon.
  #[error("has a user without a password: write user:password@, or :password@ where there is no user")]
  NoPassword,
  /// Encoded bytes that are no text.
  #[error("isn't UTF-8 once its percent signs are decoded; a % that stands for itself is written %25")]
  Encoding,
  /// Nothing where a host belongs.
  #[error("names no host, or an empty one")]
  NoHost,
  /// Something else where a host belongs.
  #[error("names a host that can't be one; an IPv6 address stands in brackets")]
  Host,
  /// Where a server listens, and nobody finds it.
  #[error("names 0.0.0.0 or [::] as the host: name the one at which others reach it")]
  Wildcard,
  /// Several, where one is meant.
  #[error(
    "names several hosts: nodes of a cluster stand behind redis-cluster:// (or rediss-cluster://), \
     Sentinels behind redis-sentinel:// (or rediss-sentinel://)"
  )]
  ManyHosts,
  /// Not within 1 to 65535.
  #[error("has a port that is no number from 1 to 65535; a login stands before the host, and an @ between them")]
  Port,
  /// Not a whole number from 0 on.
  #[error("has a database, behind the hosts' /, that is no number from 0 on")]
  Database,
  /// A cluster has database 0 only.
  #[error("names a database; a cluster has none but 0")]
  ClusterDatabase,
  /// Sentinels look after many masters.
  #[error("doesn't name the Sentinels' master: add ?master=NAME")]
  NoMaster,
  /// Nothing where the name belongs.
  #[error("has an empty name behind master=: it is what the Sentinels call their master")]
  EmptyMaster,
  /// Nobody is called that.
  #[error("has control characters in the name behind master=")]
  Master,
  /// Something behind the question mark, where nothing belongs.
  #[error(
    "has a parameter behind a ?; only redis-sentinel:// and unix:// addresses have any (the database is /1 behind the host)"
  )]
  Parameter,
  /// Something behind the question mark that means nothing.
  #[error("has a parameter that isn't known; a Sentinel address has master and sentinel_password")]
  SentinelParameter,
  /// The same of a socket.
  #[error("has a parameter that isn't known; a unix:// address has db, user and pass")]
  SocketParameter,
  /// No place in the file system.
  #[error("names no socket by its whole path, as unix:///run/redis/redis.sock does, with three slashes")]
  SocketPath,
  /// Not where sockets have theirs.
  #[error("has a login before the path; a socket's stands behind it: unix:///path?user=…&pass=…")]
  SocketLogin,
  /// Certificates are always checked.
  #[error(
    "asks with #insecure that certificates aren't checked, which they always are: let the system trust the server's"
  )]
  Insecure,
  /// Something behind a hash sign.
  #[error("has a part behind a #, where nothing belongs; in a password # is written %23")]
  Fragment,
}
