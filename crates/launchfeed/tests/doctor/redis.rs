//! Redis in every kind of trouble.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use release_feed::{Clock, SystemClock};
use testkit::{Link, LinkMode, RedisCluster, RedisServer, free_port};

use crate::stage::*;

/// A user with every right, from which some are taken.
const EVERYTHING: [&str; 8] = ["ACL", "SETUSER", "some", "on", ">hunter2hunter2", "~*", "&*", "+@all"];
/// What docs/fleet.md says that the login needs.
const NEEDED: &[&str] = &[
  "+time",
  "+hmget",
  "+hget",
  "+hset",
  "+type",
  "+del",
  "+pexpire",
  "+zadd",
  "+zcard",
  "+zremrangebyscore",
  "+publish",
  "+subscribe",
];

#[tokio::test(flavor = "multi_thread")]
async fn nobody_at_the_address_is_wrong() {
  let stage = Stage::set().await;
  let port = free_port();
  let visit = looked_at(&stage, &format!("redis://:{SECRET}@127.0.0.1:{port}"));
  visit.expect(
    "redis",
    "wrong",
    &[&format!("redis://127.0.0.1:{port}"), "can't be reached", "--redis-url"],
  );
  visit.expect_wrong(&["redis"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_hangs_is_wrong_in_bounded_time() {
  let (stage, server) = (Stage::set().await, RedisServer::start());
  let link = Link::to(server.port());
  link.set(LinkMode::Hung);
  let started = Instant::now();
  let visit = looked_at(&stage, &format!("redis://127.0.0.1:{}", link.port()));
  assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
  visit.expect("redis", "wrong", &["didn't answer within", "hangs"]);
  visit.expect("public_url", "ok", &[]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_and_a_missing_one_are_told() {
  let (stage, server) = (Stage::set().await, RedisServer::start_with(&["--requirepass", "right"]));
  for login in [format!(":{SECRET}@"), format!("user:{SECRET}@"), String::new()] {
    let visit = looked_at(&stage, &format!("redis://{login}127.0.0.1:{}", server.port()));
    visit.expect(
      "redis",
      "wrong",
      &["put the right user and password into LAUNCHFEED_REDIS_URL"],
    );
    visit.expect_wrong(&["redis"]);
  }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_program_in_its_place_is_wrong() {
  let stage = Stage::set().await;
  let url = stage.github.api_url().replace("http:", "redis:");
  looked_at(&stage, &url).expect("redis", "wrong", &[&url]);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_says_the_password_back_is_not_quoted() {
  let stage = Stage::set().await;
  let listener = TcpListener::bind("127.0.0.1:0").unwrap();
  let port = listener.local_addr().unwrap().port();
  let refusal = format!("-ERR unknown command 'AUTH', with args beginning with: '{SECRET}' \u{1b}[31m\u{202e}\r\n");
  thread::spawn(move || {
    for client in listener.incoming() {
      let (mut client, mut said) = (client.unwrap(), [0; 4096]);
      while let Ok(length @ 1..) = client.read(&mut said) {
        let said = String::from_utf8_lossy(&said[..length]);
        // The login is taken, and whatever is asked afterwards isn't known.
        let reply = if said.contains("TIME") { &refusal } else { "+OK\r\n" };
        let commands = said.lines().filter(|line| line.starts_with('*')).count();
        if client.write_all(reply.repeat(commands).as_bytes()).is_err() {
          break;
        }
      }
    }
  });
  let visit = looked_at(&stage, &format!("redis://:{SECRET}@127.0.0.1:{port}"));
  let found = visit.expect("redis", "wrong", &["unknown command 'AUTH'", "'***'"]);
  assert!(!found.what.contains(['\u{1b}', '\u{202e}']), "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_replica_is_wrong_and_read() {
  let (stage, server) = (Stage::set().await, RedisServer::start());
  server.command::<()>(&["REPLICAOF", "127.0.0.1", "1"]);
  let visit = looked_at(&stage, &server.url());
  visit.expect("redis", "ok", &[]);
  visit.expect("redis_writing", "wrong", &["READONLY", "redis-sentinel://"]);
  visit.expect("redis_instances", "wrong", &["READONLY"]);
  visit.expect("redis_entries", "ok", &["0 of 2 apps"]);
  visit.expect_wrong(&["redis_writing", "redis_instances"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_one_is_wrong() {
  let (stage, server) = (Stage::set().await, RedisServer::start());
  server.command::<()>(&["CONFIG", "SET", "maxmemory", "1"]);
  let visit = looked_at(&stage, &server.url());
  visit.expect("redis_writing", "wrong", &["OOM", "maxmemory"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_scripts_it_is_written_to_with_watch() {
  let stage = Stage::set().await;
  let (server, url) = with_login(&["-@scripting"]);
  let visit = looked_at(&stage, &url);
  visit.expect("redis_writing", "ok", &["WATCH", "NOPERM"]);
  visit.expect_wrong(&[]);
  assert_eq!(server.command::<Vec<String>>(&["KEYS", "*"]), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_scripts_and_watch_nothing_can_be_written() {
  let stage = Stage::set().await;
  let (_server, url) = with_login(&["-@scripting", "-watch"]);
  let visit = looked_at(&stage, &url);
  visit.expect("redis_writing", "wrong", &["NOPERM", "docs/fleet.md"]);
  visit.expect_wrong(&["redis_writing"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn announcements_that_are_forbidden_are_warned_of() {
  let stage = Stage::set().await;
  for (right, words) in [
    ("-publish", ["none can be made", "allow the login PUBLISH"]),
    ("-subscribe", ["can't be listened to", "allow the login SUBSCRIBE"]),
  ] {
    let (_server, url) = with_login(&[right]);
    let visit = looked_at(&stage, &url);
    visit.expect("redis_announcements", "warning", &words);
    visit.expect_wrong(&[]);
  }
  let (_server, url) = with_login(&["resetchannels", "&elsewhere"]);
  looked_at(&stage, &url).expect(
    "redis_announcements",
    "warning",
    &["NOPERM", "launchfeed:releases:changed"],
  );
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_that_cannot_be_read_are_wrong() {
  let stage = Stage::set().await;
  let (_server, url) = with_login(&["-hmget"]);
  looked_at(&stage, &url).expect("redis_entries", "wrong", &["NOPERM", "docs/fleet.md"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rights_that_the_documentation_lists_are_enough() {
  let stage = Stage::set().await;
  let writing: [&[&str]; 2] = [&["+evalsha", "+eval"], &["+watch", "+unwatch", "+multi", "+exec"]];
  for how in writing {
    let server = RedisServer::start();
    let mut rights = vec!["ACL", "SETUSER", "some", "reset", "on", ">hunter2hunter2"];
    rights.extend([
      "~craftApps:releases:*",
      "~launchfeed:releases:*",
      "&launchfeed:releases:changed",
    ]);
    rights.extend(NEEDED.iter().chain(how));
    server.command::<()>(&rights);
    let visit = looked_at(&stage, &format!("redis://some:{SECRET}@127.0.0.1:{}", server.port()));
    let found = visit.all();
    assert!(found.iter().all(|found| found.verdict == "ok"), "{found:#?}");
  }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_shared_is_counted_and_what_cannot_be_used_is_named() {
  let (stage, server) = (Stage::set().await, RedisServer::start());
  let now = SystemClock.now().0;
  let key = |app: &str| format!("stage:craftApps:releases:app:{app}");
  let alpha = [
    "HSET",
    &key("alpha"),
    "v",
    "1",
    "etag",
    "",
    "release",
    "null",
    "fetched_ms",
    &now.to_string(),
  ];
  server.command::<()>(&alpha);
  server.command::<()>(&["SET", &key("beta"), SECRET]);
  let until = (now + 600_000).to_string();
  server.command::<()>(&[
    "HSET",
    "stage:craftApps:releases:backoff",
    "v",
    "1",
    "trouble",
    "2",
    "until_ms",
    &until,
  ]);
  let (lately, gone) = ((now - 60_000).to_string(), (now - 180_000).to_string());
  server.command::<()>(&[
    "ZADD",
    "stage:launchfeed:releases:instances",
    &lately,
    "a",
    &lately,
    "b",
    &gone,
    "c",
  ]);
  let keys = server.command::<i64>(&["DBSIZE"]);
  let doctor = stage.doctor_with_token().env("LAUNCHFEED_REDIS_URL", server.url());
  let visit = visit(doctor.env("LAUNCHFEED_REDIS_PREFIX", "stage:"));
  visit.expect(
    "redis_entries",
    "warning",
    &["1 of 2 apps", "1 can't be used (beta: it is of another type)"],
  );
  visit.expect(
    "redis_backoff",
    "warning",
    &["leaves GitHub alone until 20", "2 rounds"],
  );
  visit.expect("redis_instances", "ok", &["2 instances"]);
  visit.expect_wrong(&[]);
  assert_eq!(server.command::<i64>(&["DBSIZE"]), keys);
  assert_eq!(
    server.command::<i64>(&["ZCARD", "stage:launchfeed:releases:instances"]),
    3
  );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_evicts_everything_is_warned_of() {
  let stage = Stage::set().await;
  let server = RedisServer::start_with(&["--maxmemory-policy", "allkeys-lru"]);
  looked_at(&stage, &server.url()).expect("redis_eviction", "warning", &["allkeys-lru", "give back"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_says_nothing_of_itself_is_well() {
  let stage = Stage::set().await;
  let (_server, url) = with_login(&["-info", "-config"]);
  let visit = looked_at(&stage, &url);
  let found = visit.expect("redis", "ok", &["a round trip takes"]);
  assert!(!found.what.contains("Redis "), "{found:?}");
  assert_eq!(visit.of("redis_eviction"), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_is_well() {
  let (stage, cluster) = (Stage::set().await, RedisCluster::start());
  let visit = looked_at(&stage, &cluster.url());
  let found = visit.all();
  assert!(found.iter().all(|found| found.verdict == "ok"), "{found:#?}");
  for node in &cluster.nodes {
    assert_eq!(node.command::<Vec<String>>(&["KEYS", "*"]), [""; 0]);
  }
}

#[tokio::test(flavor = "multi_thread")]
async fn switched_off_it_is_not_asked() {
  let (stage, server) = (Stage::set().await, RedisServer::start());
  let visit = visit(
    stage
      .doctor_with_token()
      .args(["--coordination-enabled", "false"])
      .env("LAUNCHFEED_REDIS_URL", server.url()),
  );
  visit.expect("redis", "not_applicable", &[]);
  assert!(
    visit
      .of("configuration")
      .iter()
      .any(|found| found.what.contains("--coordination-enabled"))
  );
}

fn looked_at(stage: &Stage, url: &str) -> Visit {
  visit(stage.doctor_with_token().env("LAUNCHFEED_REDIS_URL", url))
}

/// A server and a login that lacks those rights.
fn with_login(rights: &[&str]) -> (RedisServer, String) {
  let server = RedisServer::start();
  let login: Vec<&str> = EVERYTHING.iter().chain(rights).copied().collect();
  server.command::<()>(&login);
  let url = format!("redis://some:{SECRET}@127.0.0.1:{}", server.port());
  (server, url)
}
