//! A new instance among others, and a new release.

use std::time::{Duration, Instant};

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
  let expected = format!("{:?}", instances[0].server.request("GET", PATH).body);
  for instance in &instances {
    assert_eq!(format!("{:?}", instance.server.request("GET", PATH).body), expected);
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
