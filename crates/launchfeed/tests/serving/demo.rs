//! `launchfeed demo`.

use testkit::{RedisServer, request};

use crate::stage::*;

#[tokio::test(flavor = "multi_thread")]
async fn the_demonstration_serves_the_sample_family_and_says_where() {
  let mut demo = program("demo")
    .args(["--listen", "127.0.0.1:0"])
    .env("CRAFT_APPS_RELEASE_GITHUB_TOKEN", "ghp_hunter2")
    .start();
  let address = demo.address();
  demo.output().wait_for(&["sample data"]);
  demo.output().wait_for(&[&format!("http://{address}{PATH}")]);
  demo.output().wait_for(&[&format!("http://{address}/docs")]);
  demo.log().wait_for(&["round", "fetched=13", "failed=0"]);
  let get = request(address, "GET", PATH);
  let apps = get.json()["release_info"]["apps"].clone();
  let counts: Vec<usize> = apps
    .as_object()
    .unwrap()
    .values()
    .map(|app| app["latest_release"]["assets"].as_array().unwrap().len())
    .collect();
  assert_eq!(counts, [22, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23]);
  assert!(!get.json()["release_info"]["last_fetched"].is_null());
  let head = request(address, "HEAD", PATH);
  assert_eq!(head.headers_but_date(), get.headers_but_date());
  demo.interrupt();
  assert!(demo.wait().success(), "{}", demo.log().text());
}

#[tokio::test(flavor = "multi_thread")]
async fn demonstrations_share_with_each_other_and_never_with_a_real_fleet() {
  let redis = RedisServer::start();
  let demo = || {
    program("demo")
      .args(["--listen", "127.0.0.1:0"])
      .env("LAUNCHFEED_REDIS_URL", format!("{}/2", redis.url()))
      .env("LAUNCHFEED_REDIS_PREFIX", "staging:")
      .start()
  };
  let first = demo();
  let where_it_is = format!("redis=redis://127.0.0.1:{}/2 ", redis.port());
  first
    .log()
    .wait_for(&["listening", &where_it_is, "redis_prefix=\"launchfeed-demo:staging:\""]);
  first.log().wait_for(&["round", "coordinated", "fetched=13"]);
  let other = demo();
  other.log().wait_for(&["another instance found", "app=photocraft"]);
  other.log().wait_for(&["another instance found", "app=wordcraft"]);
  let (keys, elsewhere): (Vec<String>, Vec<String>) = redis::pipe()
    .cmd("SELECT")
    .arg(2)
    .ignore()
    .cmd("KEYS")
    .arg("*")
    .cmd("SELECT")
    .arg(0)
    .ignore()
    .cmd("KEYS")
    .arg("*")
    .query(&mut redis.connection())
    .unwrap();
  assert_eq!(elsewhere, [""; 0]);
  // Of each app the contract's hash and what we note beside it; the instances; and the validators of whoever asked.
  assert_eq!(keys.len(), 13 + 13 + 1 + 1, "{keys:?}");
  assert!(
    keys.iter().all(|key| key.starts_with("launchfeed-demo:staging:")),
    "{keys:?}"
  );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_demonstration_shares_nothing_where_that_is_switched_off() {
  let redis = RedisServer::start();
  let demo = program("demo")
    .args(["--listen", "127.0.0.1:0"])
    .env("LAUNCHFEED_REDIS_URL", redis.url())
    .env("CRAFT_APPS_RELEASE_COORDINATION_ENABLED", "false")
    .start();
  demo.log().wait_for(&["WARN", "LAUNCHFEED_REDIS_URL", "has no effect"]);
  demo.log().wait_for(&["round", "standalone", "fetched=13"]);
  assert_eq!(demo.log().count(&["listening", "redis"]), 0);
  assert_eq!(redis.command::<u64>(&["DBSIZE"]), 0);
}
