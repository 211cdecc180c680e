//! The stores, each with a way round it.

use std::sync::Arc;

use redis::FromRedisValue;
use release_feed::shared::{Fields, MemoryStore, RedisAddress, RedisStore, SharedMemory, SharedStore};
use release_feed::{Clock, SystemClock};
use testkit::{RedisCluster, RedisServer};

use super::KEPT;

/// A user who may do everything but run scripts.
const NO_SCRIPTS: [&str; 8] = ["ACL", "SETUSER", "plain", "on", ">hunter2", "~*", "&*", "+@all"];

/// A place to share things, and a way to see and change it as another program would.
pub(crate) trait Setup {
  type Store: SharedStore;

  fn store(&self) -> Self::Store;
  /// Puts fields there; nothing else is changed.
  fn put(&self, key: &str, fields: &[(&str, &str)]);
  fn get(&self, key: &str, field: &str) -> Option<String>;
}

pub(crate) struct Memory(Arc<SharedMemory>);

impl Memory {
  pub(crate) fn new() -> Self {
    Self(SharedMemory::new(SystemClock))
  }
}

impl Setup for Memory {
  type Store = MemoryStore;

  fn store(&self) -> MemoryStore {
    self.0.store()
  }

  fn put(&self, key: &str, fields: &[(&str, &str)]) {
    let fields: Fields = fields.iter().map(|&(name, value)| (name, value.to_owned())).collect();
    self.0.put(key, fields, SystemClock.now().plus(KEPT));
  }

  fn get(&self, key: &str, field: &str) -> Option<String> {
    self.0.get(key).text(field).map(str::to_owned)
  }
}

/// How writes are guarded.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Guard {
  Scripts,
  /// The server refuses them.
  Refused,
  /// They aren't tried.
  Watch,
}

pub(crate) struct Single {
  pub(crate) server: RedisServer,
  guard: Guard,
}

impl Single {
  pub(crate) fn new(guard: Guard) -> Self {
    let server = RedisServer::start();
    let forbid = NO_SCRIPTS.into_iter().chain(["-@scripting"]);
    server.command::<()>(&forbid.collect::<Vec<_>>());
    Self { server, guard }
  }
}

impl Setup for Single {
  type Store = RedisStore;

  fn store(&self) -> RedisStore {
    let url = match self.guard {
      Guard::Refused => format!("redis://plain:hunter2@127.0.0.1:{}", self.server.port()),
      _ => self.server.url(),
    };
    guarded(RedisStore::new(RedisAddress::parse(&url).unwrap(), ""), self.guard)
  }

  fn put(&self, key: &str, fields: &[(&str, &str)]) {
    self.server.command::<()>(&hset(key, fields));
  }

  fn get(&self, key: &str, field: &str) -> Option<String> {
    self.server.command(&["HGET", key, field])
  }
}

pub(crate) struct Cluster {
  pub(crate) cluster: RedisCluster,
  guard: Guard,
}

impl Cluster {
  pub(crate) fn new(guard: Guard) -> Self {
    Self {
      cluster: RedisCluster::start(),
      guard,
    }
  }
}

impl Setup for Cluster {
  type Store = RedisStore;

  fn store(&self) -> RedisStore {
    let address = RedisAddress::parse(&self.cluster.url()).unwrap();
    guarded(RedisStore::new(address, ""), self.guard)
  }

  fn put(&self, key: &str, fields: &[(&str, &str)]) {
    self.cluster.command::<()>(&hset(key, fields));
  }

  fn get(&self, key: &str, field: &str) -> Option<String> {
    Option::<String>::from_redis_value(self.cluster.command(&["HGET", key, field])).unwrap()
  }
}

fn guarded(store: RedisStore, guard: Guard) -> RedisStore {
  if guard == Guard::Watch {
    store.without_scripts()
  } else {
    store
  }
}

pub(crate) fn hset<'a>(key: &'a str, fields: &[(&'a str, &'a str)]) -> Vec<&'a str> {
  let fields = fields.iter().flat_map(|&(name, value)| [name, value]);
  ["HSET", key].into_iter().chain(fields).collect()
}
