//! Redis that is gone, hangs, is full, is read-only, or lies.

use std::time::{Duration, Instant};

use release_feed::github::Identity;
use release_feed::shared::{Claim, INSTANCES_KEY, RedisAddress, RedisStore, SharedStore, StoreError, Urgency, app_key};
use release_feed::{Clock, SystemClock};
use testkit::{DEADLINE, Link, LinkMode, RedisServer};

use super::setups::{Guard, Setup, Single};
use super::{A_MINUTE, fetched, fleet};

const KEY: &str = "craftApps:releases:app:a";

#[tokio::test]
async fn a_server_that_is_gone_is_said_to_be_and_found_again() {
  let mut setup = Single::new(Guard::Scripts);
  let mut store = setup.store();
  store.read(&[], None).await.unwrap();
  setup.server.kill();
  for _ in 0..3 {
    assert!(matches!(
      store.read(&[], None).await.unwrap_err(),
      StoreError::Unreachable(_)
    ));
  }
  setup.server.start_again();
  store.read(&[], None).await.unwrap();
}

#[tokio::test]
async fn a_server_that_hangs_costs_bounded_time_and_is_found_again() {
  let setup = Single::new(Guard::Scripts);
  let mut store = setup.store();
  let now = store.read(&[], None).await.unwrap().now;
  setup.server.freeze();
  let started = Instant::now();
  assert_eq!(store.read(&[], None).await.unwrap_err(), StoreError::TimedOut(5));
  assert!(matches!(
    store.write(&fetched(KEY, now)).await.unwrap_err(),
    StoreError::TimedOut(_)
  ));
  assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
  setup.server.thaw();
  assert!(store.write(&fetched(KEY, now.plus(A_MINUTE / 2))).await.unwrap());
}

#[tokio::test]
async fn a_full_server_is_an_error_and_no_refusal_of_scripts() {
  for guard in [Guard::Scripts, Guard::Watch] {
    let setup = Single::new(guard);
    let mut store = setup.store();
    let now = store.read(&[], None).await.unwrap().now;
    setup.server.command::<()>(&["CONFIG", "SET", "maxmemory", "1"]);
    let error = store.write(&fetched(KEY, now)).await.unwrap_err();
    assert!(
      matches!(&error, StoreError::Refused(text) if text.contains("OOM") || text.contains("memory")),
      "{error}"
    );
    assert_eq!(store.read(&[KEY.to_owned()], Some("me")).await.unwrap().instances, None);
    setup.server.command::<()>(&["CONFIG", "SET", "maxmemory", "0"]);
    setup.server.command::<()>(&["CONFIG", "RESETSTAT"]);
    assert!(store.write(&fetched(KEY, now)).await.unwrap());
    let calls: String = setup.server.command(&["INFO", "commandstats"]);
    assert_eq!(calls.contains("cmdstat_evalsha"), guard == Guard::Scripts, "{calls}");
  }
}

#[tokio::test]
async fn a_read_only_replica_is_read_and_refuses_writes() {
  let setup = Single::new(Guard::Scripts);
  let mut store = setup.store();
  let now = store.read(&[], None).await.unwrap().now;
  assert!(store.write(&fetched(KEY, now)).await.unwrap());
  setup.server.command::<()>(&["REPLICAOF", "127.0.0.1", "1"]);
  let reading = store.read(&[KEY.to_owned()], Some("me")).await.unwrap();
  assert_eq!(reading.hashes[0].time("fetched_ms", now, A_MINUTE), Some(now));
  assert_eq!(reading.instances, None);
  let error = store.write(&fetched(KEY, now)).await.unwrap_err();
  assert!(
    matches!(&error, StoreError::Refused(text) if text.contains("READONLY") || text.contains("replica")),
    "{error}"
  );
  setup.server.command::<()>(&["REPLICAOF", "NO", "ONE"]);
  assert!(store.write(&fetched(KEY, now)).await.unwrap());
}

#[tokio::test]
async fn a_wrong_password_is_told_and_not_shown() {
  let setup = Single::new(Guard::Scripts);
  let url = format!("redis://plain:not-hunter2@127.0.0.1:{}", setup.server.port());
  let mut store = RedisStore::new(RedisAddress::parse(&url).unwrap(), "");
  let error = store.read(&[], None).await.unwrap_err();
  assert!(
    matches!(&error, StoreError::Refused(text) if text.to_lowercase().contains("password")),
    "{error}"
  );
  assert!(!format!("{error} {store:?}").contains("hunter2"));
}

#[tokio::test]
async fn whoever_may_not_announce_still_shares() {
  let setup = Single::new(Guard::Scripts);
  setup.server.command::<()>(&[
    "ACL",
    "SETUSER",
    "mute",
    "on",
    ">hunter2",
    "~*",
    "resetchannels",
    "+@all",
  ]);
  let url = format!("redis://mute:hunter2@127.0.0.1:{}", setup.server.port());
  let store = RedisStore::new(RedisAddress::parse(&url).unwrap(), "");
  let mut fleet = fleet(store, [Identity::anonymous()]);
  let app = "photocraft".parse().unwrap();
  for _ in 0..2 {
    assert_ne!(fleet.claim(&app, Urgency::Usual).await, Claim::Alone);
    fleet.announce(&app).await;
    assert!(!fleet.is_alone());
  }
  setup
    .server
    .command::<()>(&["ACL", "SETUSER", "mute", "-hset", "-evalsha"]);
  setup.server.command::<()>(&["DEL", &app_key(&app)]);
  assert_eq!(fleet.claim(&app, Urgency::Usual).await, Claim::Alone);
}

#[tokio::test]
async fn nothing_is_written_where_transactions_are_refused() {
  let setup = Single::new(Guard::Scripts);
  setup.server.command::<()>(&[
    "ACL",
    "SETUSER",
    "limited",
    "on",
    ">hunter2",
    "~*",
    "&*",
    "+@all",
    "-@scripting",
    "-multi",
  ]);
  let url = format!("redis://limited:hunter2@127.0.0.1:{}", setup.server.port());
  let mut store = RedisStore::new(RedisAddress::parse(&url).unwrap(), "");
  for _ in 0..2 {
    let error = store.write(&fetched(KEY, SystemClock.now())).await.unwrap_err();
    assert!(
      matches!(&error, StoreError::Refused(text) if text.contains("multi")),
      "{error}"
    );
    assert_eq!(setup.get(KEY, "fetched_ms"), None);
  }
}

#[tokio::test]
async fn instances_from_the_far_future_are_not_counted() {
  let setup = Single::new(Guard::Scripts);
  setup
    .server
    .command::<()>(&["ZADD", INSTANCES_KEY, "9e14", "ghost", "9e14", "another"]);
  assert_eq!(setup.store().read(&[], Some("me")).await.unwrap().instances, Some(1));
}

#[tokio::test]
async fn a_port_that_speaks_no_tls_is_said_to() {
  let setup = Single::new(Guard::Scripts);
  let url = format!("rediss://127.0.0.1:{}", setup.server.port());
  let mut store = RedisStore::new(RedisAddress::parse(&url).unwrap(), "");
  let error = store.read(&[], None).await.unwrap_err().to_string();
  assert!(error.contains("does this port speak TLS?"), "{error}");
}

#[tokio::test]
async fn a_connection_that_is_not_made_is_said_to_have_taken_three_seconds() {
  let server = RedisServer::start();
  let link = Link::to(server.port());
  link.set(LinkMode::Hung);
  let url = format!("redis://127.0.0.1:{}", link.port());
  let mut store = RedisStore::new(RedisAddress::parse(&url).unwrap(), "");
  let started = Instant::now();
  assert_eq!(store.read(&[], None).await.unwrap_err(), StoreError::TimedOut(3));
  assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_server_that_forgot_everything_is_written_to_again() {
  let setup = Single::new(Guard::Scripts);
  let mut store = setup.store();
  let now = store.read(&[], None).await.unwrap().now;
  assert!(store.write(&fetched(KEY, now)).await.unwrap());
  setup.server.command::<()>(&["FLUSHALL"]);
  setup.server.command::<()>(&["SCRIPT", "FLUSH"]);
  assert!(store.read(&[KEY.to_owned()], None).await.unwrap().hashes[0].is_absent());
  assert!(store.write(&fetched(KEY, now)).await.unwrap());
}

#[tokio::test]
async fn a_key_of_another_type_reads_as_absent_alone_and_is_replaced() {
  for guard in [Guard::Scripts, Guard::Refused, Guard::Watch] {
    let setup = Single::new(guard);
    let mut store = setup.store();
    let now = store.read(&[], None).await.unwrap().now;
    setup.server.command::<()>(&["SET", "wrong", "text"]);
    setup.server.command::<()>(&["RPUSH", "list", "text"]);
    assert!(store.write(&fetched("right", now)).await.unwrap());
    let keys = ["wrong", "right", "list"].map(str::to_owned);
    let hashes = store.read(&keys, None).await.unwrap().hashes;
    assert_eq!(
      hashes.iter().map(|hash| hash.is_absent()).collect::<Vec<_>>(),
      [true, false, true]
    );
    assert!(!store.delete_if("wrong", "v", "1").await.unwrap());
    assert!(store.write(&fetched("wrong", now)).await.unwrap());
    assert!(store.write(&fetched("list", now)).await.unwrap());
    assert_eq!(setup.get("wrong", "v").as_deref(), Some("1"));
  }
}

#[tokio::test]
async fn instances_are_counted_again_after_somebody_else_took_their_key() {
  let setup = Single::new(Guard::Scripts);
  let mut store = setup.store();
  setup.server.command::<()>(&["SET", INSTANCES_KEY, "text"]);
  assert_eq!(store.read(&[], Some("me")).await.unwrap().instances, None);
  assert_eq!(store.read(&[], Some("me")).await.unwrap().instances, Some(1));
}

#[tokio::test]
async fn a_field_of_ten_megabytes_reads_as_absent() {
  let setup = Single::new(Guard::Scripts);
  let mut store = setup.store();
  setup.put(KEY, &[("v", "1"), ("etag", ""), ("release", &"x".repeat(10_000_000))]);
  let reading = store.read(&[KEY.to_owned()], None).await.unwrap();
  assert!(reading.hashes[0].get("release").is_none() && reading.hashes[0].get("etag").is_some());
}

#[tokio::test]
async fn keys_carry_the_prefix_a_time_to_live_and_the_chosen_database() {
  let setup = Single::new(Guard::Scripts);
  let url = format!("{}/3", setup.server.url());
  let mut store = RedisStore::new(RedisAddress::parse(&url).unwrap(), "stage:");
  let now = store.read(&[], Some("me")).await.unwrap().now;
  assert!(store.write(&fetched(KEY, now)).await.unwrap());
  let mut connection = setup.server.connection();
  let (mut keys, ttl): (Vec<String>, i64) = redis::pipe()
    .cmd("SELECT")
    .arg(3)
    .ignore()
    .cmd("KEYS")
    .arg("*")
    .cmd("PTTL")
    .arg(format!("stage:{KEY}"))
    .query(&mut connection)
    .unwrap();
  keys.sort();
  assert_eq!(
    keys,
    [format!("stage:{KEY}"), "stage:launchfeed:releases:instances".to_owned()]
  );
  assert!((1..=600_000).contains(&ttl), "{ttl}");
}

#[tokio::test]
async fn a_look_is_one_round_trip() {
  let setup = Single::new(Guard::Scripts);
  let mut store = setup.store();
  let keys: Vec<String> = (0..13).map(|app| format!("app:{app}")).collect();
  store.read(&keys, Some("me")).await.unwrap();
  let events = |server: &RedisServer| -> u64 {
    let info: String = server.command(&["INFO", "stats"]);
    let line = info
      .lines()
      .find(|line| line.starts_with("total_reads_processed:"))
      .unwrap();
    line.split(':').nth(1).unwrap().trim().parse().unwrap()
  };
  // What looking at the statistics costs by itself.
  let (first, second) = (events(&setup.server), events(&setup.server));
  store.read(&keys, Some("me")).await.unwrap();
  assert_eq!(events(&setup.server) - second, second - first + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_sentinel_the_new_master_is_found() {
  let mut master = RedisServer::start();
  let replica = RedisServer::start_with(&["--replicaof", "127.0.0.1", &master.port().to_string()]);
  let started = Instant::now();
  while !replica
    .command::<String>(&["INFO", "replication"])
    .contains("master_link_status:up")
  {
    assert!(started.elapsed() < DEADLINE, "the replica doesn't follow");
  }
  let sentinel = RedisServer::start_sentinel(&master);
  while !sentinel.command::<String>(&["INFO", "sentinel"]).contains("slaves=1") {
    assert!(started.elapsed() < DEADLINE, "the Sentinel doesn't see the replica");
  }
  let url = format!("redis-sentinel://127.0.0.1:{}?master=fleet", sentinel.port());
  let mut store = RedisStore::new(RedisAddress::parse(&url).unwrap(), "");
  let now = store.read(&[], None).await.unwrap().now;
  assert!(store.write(&fetched(KEY, now)).await.unwrap());
  let _: i64 = master.command(&["WAIT", "1", "5000"]);
  master.kill();
  let started = Instant::now();
  let later = fetched(KEY, now.plus(A_MINUTE / 2));
  while store.write(&later).await.is_err() {
    assert!(started.elapsed() < DEADLINE, "the new master isn't found");
  }
  let at: String = replica.command(&["HGET", KEY, "fetched_ms"]);
  assert_eq!(at, later.at.0.to_string());
}
