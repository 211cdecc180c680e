//! Everything that may happen to Redis and the links to it, one after the other.

use std::time::{Duration, Instant};

use testkit::LinkMode;
use tokio::time::sleep;

use super::stage::*;

const ALL: [usize; 4] = [0, 1, 2, 3];
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

#[tokio::test(flavor = "multi_thread")]
async fn launchers_notice_nothing_of_links_that_break_and_of_a_redis_that_dies_hangs_or_forgets() {
  let started = Instant::now();
  let mut stage = Stage::set().await;
  stage.go_through(
    "links cut, slow and hung",
    &[0, 2],
    || {
      stage.instances[0].link.set(LinkMode::Cut);
      stage.instances[1].link.set(LinkMode::Slow(Duration::from_millis(300)));
      stage.instances[2].link.set(LinkMode::Hung);
    },
    || {
      stage
        .instances
        .iter()
        .for_each(|instance| instance.link.set(LinkMode::Whole))
    },
  );
  stage.go_through("Redis hangs", &ALL, || stage.redis.freeze(), || stage.redis.thaw());
  let pause = Duration::from_secs(100).as_millis().to_string();
  stage.go_through(
    "CLIENT PAUSE",
    &ALL,
    || stage.redis.command::<()>(&["CLIENT", "PAUSE", &pause, "ALL"]),
    || stage.redis.command::<()>(&["CLIENT", "UNPAUSE"]),
  );
  let lines: Vec<usize> = stage.instances.iter().map(Instance::lines).collect();
  stage.redis.kill();
  for (instance, lines) in stage.instances.iter().zip(&lines) {
    instance.wait_for_after(*lines, &["Redis:", "fails"]);
  }
  stage.redis.start_again();
  for (instance, lines) in stage.instances.iter().zip(&lines) {
    instance.wait_for_after(*lines, &["Redis:", "works again"]);
  }
  wait_until_whole(&stage, "kill -9").await;
  stage.redis.command::<()>(&["FLUSHALL"]);
  let wrong = format!("craftApps:releases:app:{}", key(3));
  stage.redis.command::<()>(&["SET", &wrong, "text"]);
  stage
    .redis
    .command::<()>(&["LPUSH", "craftApps:releases:backoff", "text"]);
  stage
    .redis
    .command::<()>(&["SET", "launchfeed:releases:instances", "text"]);
  let long = format!("craftApps:releases:app:{}", key(4));
  let now = redis_ms(&stage);
  let field = "x".repeat(10_000_000);
  stage.redis.command::<()>(&[
    "HSET",
    &long,
    "v",
    "1",
    "etag",
    "",
    "fetched_ms",
    &now,
    "release",
    &field,
  ]);
  wait_until_whole(&stage, "FLUSHALL, keys of another type and ten megabytes").await;
  finish(&mut stage, started);
}

#[tokio::test(flavor = "multi_thread")]
async fn launchers_notice_nothing_of_a_redis_that_refuses() {
  let started = Instant::now();
  let mut stage = Stage::set().await;
  // Whoever claims next finds out.
  let before: Vec<usize> = stage.instances.iter().map(Instance::lines).collect();
  stage.redis.command::<()>(&["CONFIG", "SET", "maxmemory", "1"]);
  wait_for_any(&stage, &before, &["writing what the fleet shares fails", "OOM"]).await;
  stage.redis.command::<()>(&["CONFIG", "SET", "maxmemory", "0"]);
  wait_for_any(&stage, &before, &["writing what the fleet shares works again"]).await;
  stage.launchers.check("maxmemory 1");
  let before: Vec<usize> = stage.instances.iter().map(Instance::lines).collect();
  stage.redis.command::<()>(&["REPLICAOF", "127.0.0.1", "1"]);
  wait_for_any(&stage, &before, &["writing what the fleet shares fails", "READONLY"]).await;
  stage.redis.command::<()>(&["REPLICAOF", "NO", "ONE"]);
  wait_for_any(&stage, &before, &["writing what the fleet shares works again"]).await;
  stage.launchers.check("a replica");
  let before: Vec<usize> = stage.instances.iter().map(Instance::lines).collect();
  stage.redis.command::<()>(&["ACL", "SETUSER", "default", "-@scripting"]);
  wait_for_any(&stage, &before, &["scripts are refused"]).await;
  let since = redis_ms(&stage);
  wait_until("writes without scripts", || fetched_ms(&stage, 1) > since).await;
  stage.redis.command::<()>(&["ACL", "SETUSER", "default", "+@scripting"]);
  stage.launchers.check("ACL without scripts");
  let locked = || {
    stage.redis.command::<()>(&["CONFIG", "SET", "requirepass", "hunter2"]);
    let mut connection = redis::Client::open(format!("redis://:hunter2@127.0.0.1:{}", stage.redis.port()))
      .unwrap()
      .get_connection()
      .unwrap();
    redis::cmd("CLIENT")
      .arg(&["KILL", "TYPE", "normal"])
      .exec(&mut connection)
      .unwrap();
  };
  let unlocked = || {
    let url = format!("redis://:hunter2@127.0.0.1:{}", stage.redis.port());
    let mut connection = redis::Client::open(url).unwrap().get_connection().unwrap();
    redis::cmd("CONFIG")
      .arg(&["SET", "requirepass", ""])
      .exec(&mut connection)
      .unwrap();
  };
  stage.go_through("wrong password", &ALL, locked, unlocked);
  for instance in &stage.instances {
    assert!(!instance.server.log().text().contains("hunter2"));
  }
  finish(&mut stage, started);
}

fn finish(stage: &mut Stage, started: Instant) {
  let polls = stage.launchers.stop();
  println!("{polls} polls, none failed or cold");
  assert!(polls > 1_000, "{polls} polls");
  stage.check_budget(started);
}

/// Every app's entry is there again and none is older than two intervals.
async fn wait_until_whole(stage: &Stage, after: &str) {
  let since = redis_ms(stage);
  wait_until(after, || (0..APPS).all(|app| fetched_ms(stage, app) > since)).await;
  stage.launchers.check(after);
}

async fn wait_until(what: &str, is_so: impl Fn() -> bool) {
  let started = Instant::now();
  while !is_so() {
    assert!(
      started.elapsed() < Duration::from_secs(240),
      "{what}: not all right in time"
    );
    sleep(BETWEEN_LOOKS).await;
  }
  println!("{what}: all right after {:.0?}", started.elapsed());
}

async fn wait_for_any(stage: &Stage, before: &[usize], words: &[&str]) {
  wait_until(&words.join(" … "), || {
    let said = |(instance, &before): (&Instance, &usize)| {
      let lines = instance.server.log().all();
      lines
        .iter()
        .skip(before)
        .any(|line| words.iter().all(|word| line.contains(word)))
    };
    stage.instances.iter().zip(before).any(said)
  })
  .await;
}

/// Zero-padded by nature: both have thirteen digits.
fn fetched_ms(stage: &Stage, app: usize) -> String {
  let key = format!("craftApps:releases:app:{}", key(app));
  let field: redis::RedisResult<Option<String>> = stage.redis.try_command(&["HGET", &key, "fetched_ms"]);
  let has_release: redis::RedisResult<usize> = stage.redis.try_command(&["HSTRLEN", &key, "release"]);
  let is_whole = has_release.is_ok_and(|length| (1..1_000_000).contains(&length));
  field.ok().flatten().filter(|_| is_whole).unwrap_or_default()
}

fn redis_ms(stage: &Stage) -> String {
  let (seconds, microseconds): (u64, u64) = stage.redis.command(&["TIME"]);
  (seconds * 1_000 + microseconds / 1_000).to_string()
}
