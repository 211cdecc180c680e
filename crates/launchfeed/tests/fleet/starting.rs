//! A new instance among others, and a new release.

use std::time::{Duration, Instant};

use feed_types::UtcTime;
use release_feed::{Clock, SystemClock};
use serde_json::Value;
use testkit::{RedisServer, ServerBuilder};
use tokio::time::sleep;

use super::stage::*;

/// Finer than what is measured.
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);

#[tokio::test(flavor = "multi_thread")]
async fn a_new_instance_asks_nobody_and_a_new_release_reaches_all_at_once() {
  let (github, redis) = backstage().await;
  let first = Instance::start(&github, &redis);
  first.server.log().wait_for(&["round", "mode="]);
  let asked = github.request_count();
  let mut instances = vec![first];
  for _ in 0..4 {
    let started = Instant::now();
    let instance = Instance::start(&github, &redis);
    instance.wait_until_complete();
    println!("a complete answer {:.0?} after the start", started.elapsed());
    instances.push(instance);
  }
  assert_eq!(github.request_count(), asked, "a new instance asked GitHub");
  let (expected, etag, times) = said(&instances[0]);
  for instance in &instances {
    let (answer, its_etag, its_times) = said(instance);
    assert_eq!((answer, its_etag), (expected.clone(), etag.clone()));
    // Each tells Redis's times by its own clock, so that the same moment may fall into the next second.
    let apart = times.iter().zip(&its_times).map(|(one, other)| one.abs_diff(*other));
    assert!(apart.max() <= Some(1_000), "{times:?} {its_times:?}");
  }
  github.set_latest(&repo(5), sample(5, "v2.0"));
  let waiting = Instant::now();
  while instances.iter().all(|instance| instance.tag_of(5) != "v2.0") {
    assert!(waiting.elapsed() < testkit::DEADLINE * 2, "nobody sees the new release");
    sleep(BETWEEN_LOOKS).await;
  }
  let seen = Instant::now();
  while !instances.iter().all(|instance| instance.tag_of(5) == "v2.0") {
    assert!(seen.elapsed() < testkit::DEADLINE, "not all see the new release");
  }
  println!("seen by all {:.0?} after the first", seen.elapsed());
  let found = instances.iter().map(|instance| {
    instance
      .server
      .log()
      .count(&["another instance found", "app=app5", "v2.0"])
  });
  assert_eq!(found.sum::<usize>(), 4, "all but the one that asked");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_github_leaves_a_token_is_known_to_an_instance_that_never_asked() {
  let (github, redis) = backstage().await;
  let now = SystemClock.now().0 / 1_000;
  let reset = u64::try_from(now).unwrap() + 1_800;
  github.set_rate_limit_of(Some("ghp_hunter2"), 5_000, 321, reset);
  let first = Instance::start(&github, &redis);
  first.server.log().wait_for(&["round", "mode="]);
  let asked = github.request_count();
  let second = Instance::start(&github, &redis);
  second.wait_until_complete();
  assert_eq!(github.request_count(), asked, "a new instance asked GitHub");
  let remaining = |instance: &Instance| {
    let status = instance.server.admin_request("GET", "/status").json();
    status["github"]["askers"][0]["budget"]["remaining"].as_u64()
  };
  let left = 321 - u64::try_from(asked).unwrap();
  assert_eq!(remaining(&first), Some(left));
  let waiting = Instant::now();
  while remaining(&second) != Some(left) {
    assert!(waiting.elapsed() < testkit::DEADLINE * 2, "{:?}", remaining(&second));
    sleep(BETWEEN_LOOKS).await;
  }
}

/// An instance's answer without its times, its ETag, and the times in milliseconds.
fn said(instance: &Instance) -> (Value, Option<String>, Vec<i64>) {
  let response = instance.server.request("GET", PATH);
  let etag = response.header("etag").map(str::to_owned);
  let mut answer: Value = serde_json::from_slice(&response.body).unwrap();
  let info = &mut answer["release_info"];
  let mut told = vec![info["last_fetched"].take()];
  for app in info["apps"].as_object_mut().unwrap().values_mut() {
    told.push(app["app_last_fetched"].take());
  }
  let times = told
    .iter()
    .map(|time| time.as_str().unwrap().parse::<UtcTime>().unwrap().unix_ms());
  (answer, etag, times.collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn over_tls_a_server_must_be_one_that_somebody_vouches_for() {
  let (github, _) = backstage().await;
  let (redis, tls_port, certificate) = RedisServer::start_with_tls();
  let state = testkit::temporary_folder();
  let instance = || {
    ServerBuilder::new(env!("CARGO_BIN_EXE_launchfeed"), "serve")
      .against(&github.api_url(), state.path())
      .args(["--apps", "app0=App=acme/app0"])
      .env("LAUNCHFEED_REDIS_URL", format!("rediss://localhost:{tls_port}"))
  };
  let mut trusting = instance().env("SSL_CERT_FILE", &certificate).start();
  trusting.log().wait_for(&["round", "coordinated"]);
  let keys: Vec<String> = redis.command(&["KEYS", "craftApps:*"]);
  assert_eq!(keys, ["craftApps:releases:app:app0"]);
  trusting.kill();
  std::fs::remove_dir_all(state.path()).unwrap();
  let wary = instance().start();
  wary.log().wait_for(&["Redis:", "fails"]);
  wary.log().wait_for(&["round", "standalone"]);
}
