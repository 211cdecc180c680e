//! What `docs/fleet.md` has to copy is right: a login with no more rights than it gives can do everything.

use std::collections::HashMap;
use std::slice;
use std::time::{Duration, Instant};

use bytes::Bytes;
use redis::{Client, FromRedisValue, Value, cmd, from_redis_value};
use release_feed::shared::{GuardedWrite, Note, NotePlace, Reading, RedisAddress, RedisStore, SharedStore, StoreError};
use testkit::{DEADLINE, RedisCluster, RedisServer};
use tokio::time::sleep;

use super::behaviour::behaves;
use super::fetched;
use super::listening::{announce_until_heard, heard};
use super::setups::{Setup, hset};

/// With the very lines that operators copy.
const DOCS: &str = include_str!("../../../../docs/fleet.md");
const LOGIN: &str = "launchfeed:PASSWORD";
/// What is not needed where scripts are allowed, and where they aren't.
const FOR_WATCH: [&str; 4] = ["watch", "unwatch", "multi", "exec"];
const FOR_SCRIPTS: [&str; 2] = ["eval", "evalsha"];
const FOR_CLUSTERS: &str = "+cluster|slots";
const FOR_SENTINELS: &str = "+role";
/// Finer than what is waited for.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

#[test]
fn each_documented_address_is_one() {
  let quoted = DOCS.split('`').skip(1).step_by(2);
  let addresses = quoted.filter(|text| text.contains("://") && !text.ends_with("://") && !text.contains(' '));
  let read: Vec<String> = addresses
    .map(|url| {
      RedisAddress::parse(url)
        .unwrap_or_else(|error| panic!("{url} {error}"))
        .to_string()
    })
    .collect();
  assert_eq!(read.len(), 4, "{read:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn with_scripts_no_more_is_needed_than_is_documented() {
  let server = RedisServer::start();
  allow(&server, "", &FOR_WATCH);
  let setup = Restricted::new(Place::Single(server), "", 0);
  behaves(&setup).await;
  listens_through_silence(&setup).await;
  assert_eq!(setup.denied(), [""; 0]);
  assert_eq!(setup.never_called(), ["select", "watch", "unwatch", "multi", "exec"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_scripts_in_a_database_under_a_prefix_no_more_is_needed_than_is_documented() {
  // A server before Redis 7 allows each new user every channel.
  let server = RedisServer::start_with(&["--acl-pubsub-default", "allchannels"]);
  allow(&server, "staging:", &FOR_SCRIPTS);
  let setup = Restricted::new(Place::Single(server), "staging:", 3);
  behaves(&setup).await;
  listens_through_silence(&setup).await;
  assert_eq!(setup.denied(), ["evalsha"]);
  assert_eq!(setup.never_called(), ["eval", "evalsha"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_needs_one_more_right() {
  for (without, denied) in [(&FOR_WATCH[..], vec![]), (&FOR_SCRIPTS[..], vec!["evalsha"])] {
    let cluster = RedisCluster::start();
    for node in &cluster.nodes {
      allow(node, "", without);
      let refused = opened(&format!("redis-cluster://{LOGIN}@127.0.0.1:{}", node.port())).await;
      assert!(matches!(refused, Err(StoreError::Refused(_))), "{refused:?}");
      node.command::<()>(&["ACL", "LOG", "RESET"]);
      also_allow(node, FOR_CLUSTERS);
    }
    let setup = Restricted::new(Place::Cluster(cluster), "", 0);
    behaves(&setup).await;
    let mut changes = heard(&setup.url(), "");
    announce_until_heard(&setup.url(), "", &mut changes).await;
    assert_eq!(setup.denied(), denied);
  }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_master_behind_sentinels_needs_one_more_right_as_they_do() {
  let master = RedisServer::start();
  let sentinel = RedisServer::start_sentinel(&master);
  sentinel.command::<()>(&[
    "ACL",
    "SETUSER",
    "default",
    "reset",
    "on",
    ">theirs",
    "+sentinel|masters",
    "+role",
  ]);
  allow(&master, "", &FOR_WATCH);
  let url = |password: &str| {
    format!(
      "redis-sentinel://{LOGIN}@127.0.0.1:{}/2?master=fleet&sentinel_password={password}",
      sentinel.port()
    )
  };
  let refused = opened(&url("theirs")).await;
  assert!(
    matches!(&refused, Err(StoreError::Refused(why)) if why.contains("role")),
    "{refused:?}"
  );
  also_allow(&master, FOR_SENTINELS);
  assert!(opened(&url("wrong")).await.is_err());
  let mut store = named(&url("theirs"), "");
  let now = store.read(&[], Some("me")).await.unwrap().now;
  assert!(store.write(&fetched("a", now)).await.unwrap());
  let mut changes = heard(&url("theirs"), "");
  announce_until_heard(&url("theirs"), "", &mut changes).await;
}

/// Reads once from there.
async fn opened(url: &str) -> Result<Reading, StoreError> {
  named(url, "").read(&[], None).await
}

/// The documented line as it is, but for the prefix and some commands.
fn allow(server: &RedisServer, prefix: &str, without: &[&str]) {
  let words = login_line();
  let words = words.iter().filter(|word| {
    let command = word.strip_prefix('+');
    command.is_none_or(|command| !without.contains(&command))
  });
  let words: Vec<String> = words
    .map(|word| match word.split_at(1) {
      (sign @ ("~" | "&"), pattern) => format!("{sign}{prefix}{pattern}"),
      _ => (*word).to_owned(),
    })
    .collect();
  let words: Vec<&str> = words.iter().map(String::as_str).collect();
  server.command::<()>(&words);
}

fn also_allow(server: &RedisServer, right: &str) {
  let more = documented().find(|words| words.last() == Some(&right));
  server.command::<()>(&more.unwrap_or_else(|| panic!("docs/fleet.md has no line that allows {right}")));
}

fn login_line() -> Vec<&'static str> {
  let line = documented().find(|words| words.contains(&"on"));
  line.expect("docs/fleet.md has no line with a login")
}

/// Each line of the documentation that allows something.
fn documented() -> impl Iterator<Item = Vec<&'static str>> {
  let lines = DOCS.lines().filter(|line| line.starts_with("ACL SETUSER launchfeed "));
  lines.map(|line| line.split_whitespace().collect())
}

/// A subscription is there, is asked after in the silence, and still is there.
async fn listens_through_silence(setup: &Restricted) {
  let mut changes = heard(&setup.url(), &setup.prefix);
  announce_until_heard(&setup.url(), &setup.prefix, &mut changes).await;
  let started = Instant::now();
  while setup.calls("ping") == 0 {
    assert!(started.elapsed() < DEADLINE, "the subscription is never asked after");
    sleep(BETWEEN_LOOKS).await;
  }
  announce_until_heard(&setup.url(), &setup.prefix, &mut changes).await;
  assert_eq!(setup.calls("subscribe"), 1, "the subscription was lost meanwhile");
}

/// With that login, and a way round it.
struct Restricted {
  place: Place,
  prefix: String,
  database: u8,
}

enum Place {
  Single(RedisServer),
  Cluster(RedisCluster),
}

impl Restricted {
  fn new(place: Place, prefix: &str, database: u8) -> Self {
    Self {
      place,
      prefix: prefix.to_owned(),
      database,
    }
  }

  fn url(&self) -> String {
    match &self.place {
      Place::Single(server) => format!("redis://{LOGIN}@127.0.0.1:{}/{}", server.port(), self.database),
      Place::Cluster(cluster) => cluster.url().replace("://", &format!("://{LOGIN}@")),
    }
  }

  fn servers(&self) -> &[RedisServer] {
    match &self.place {
      Place::Single(server) => slice::from_ref(server),
      Place::Cluster(cluster) => &cluster.nodes,
    }
  }

  /// What the servers refused, each once. Not what the client library says of itself, whose refusal it doesn't mind: a server before
  /// Redis 7.2 doesn't know it, and 7.0 doesn't even call that a refusal.
  fn denied(&self) -> Vec<String> {
    let logs = self.servers().iter().map(|server| {
      let log: Vec<Value> = server.command(&["ACL", "LOG"]);
      log.into_iter().map(|entry| {
        let entry: HashMap<String, String> = from_redis_value(entry).unwrap();
        entry["object"].clone()
      })
    });
    let mut denied: Vec<String> = logs
      .flatten()
      .filter(|command| !["client", "client|setinfo"].contains(&command.as_str()))
      .collect();
    denied.sort();
    denied.dedup();
    denied
  }

  /// What the documented line allows, and nobody ever called.
  fn never_called(&self) -> Vec<&'static str> {
    let commands = login_line().into_iter().filter_map(|word| word.strip_prefix('+'));
    commands.filter(|command| self.calls(command) == 0).collect()
  }

  fn calls(&self, command: &str) -> u64 {
    let calls = self.servers().iter().map(|server| {
      let info: String = server.command(&["INFO", "commandstats"]);
      let line = info.lines().find_map(|line| {
        line
          .strip_prefix(&format!("cmdstat_{command}:calls="))
          .map(str::to_owned)
      });
      line.map_or(0, |line| line.split(',').next().unwrap().parse::<u64>().unwrap())
    });
    calls.sum()
  }

  /// Without that login, in the same database.
  fn command<T: FromRedisValue>(&self, words: &[&str]) -> T {
    match &self.place {
      Place::Single(server) => {
        let client = Client::open(format!("{}/{}", server.url(), self.database)).unwrap();
        let mut connection = client.get_connection().unwrap();
        cmd(words[0]).arg(&words[1..]).query(&mut connection).unwrap()
      }
      Place::Cluster(cluster) => cluster.command(words),
    }
  }

  fn key(&self, name: &str) -> String {
    format!("{}{}", self.prefix, app_key(name))
  }
}

impl Setup for Restricted {
  type Store = Named;

  fn store(&self) -> Named {
    named(&self.url(), &self.prefix)
  }

  fn put(&self, key: &str, fields: &[(&str, &str)]) {
    self.command::<()>(&hset(&self.key(key), fields));
  }

  fn get(&self, key: &str, field: &str) -> Option<String> {
    self.command(&["HGET", &self.key(key), field])
  }
}

/// A store for which every key is an app's, as keys are outside of tests.
struct Named(RedisStore);

fn named(url: &str, prefix: &str) -> Named {
  Named(RedisStore::new(RedisAddress::parse(url).unwrap(), prefix))
}

fn app_key(name: &str) -> String {
  format!("craftApps:releases:app:{name}")
}

impl SharedStore for Named {
  async fn read_with(
    &mut self,
    keys: &[String],
    notes: &[NotePlace],
    present: Option<&str>,
  ) -> Result<Reading, StoreError> {
    let keys: Vec<String> = keys.iter().map(|key| app_key(key)).collect();
    self.0.read_with(&keys, notes, present).await
  }

  async fn write(&mut self, write: &GuardedWrite) -> Result<bool, StoreError> {
    let mut write = write.clone();
    write.key = app_key(&write.key);
    self.0.write(&write).await
  }

  async fn delete_if(&mut self, key: &str, field: &str, value: &str) -> Result<bool, StoreError> {
    self.0.delete_if(&app_key(key), field, value).await
  }

  async fn recall(&mut self, places: &[NotePlace]) -> Result<Vec<Option<Bytes>>, StoreError> {
    self.0.recall(places).await
  }

  async fn note(&mut self, notes: &[Note]) -> Result<(), StoreError> {
    self.0.note(notes).await
  }

  async fn announce(&mut self, message: &str) -> Result<(), StoreError> {
    self.0.announce(message).await
  }
}
