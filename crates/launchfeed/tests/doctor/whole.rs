//! Everything together: what is looked at, in which order, in which form.

use std::time::Instant;

use github_standin::{Answer, SampleRelease, StandIn};
use testkit::{DEADLINE, RedisServer, ServerBuilder, free_port};

use crate::stage::*;

const CHECKS: [&str; 16] = [
  "configuration",
  "state_folder",
  "instance",
  "snapshot",
  "listen",
  "admin_listen",
  "github",
  "github_clock",
  "token",
  "budget",
  "redis",
  "redis_clock",
  "redis_writing",
  "redis_announcements",
  "redis_instances",
  "redis_entries",
];

#[tokio::test(flavor = "multi_thread")]
async fn where_all_is_well_everything_is_looked_at_and_nothing_is_left_behind() {
  let (stage, redis) = (Stage::set().await, RedisServer::start());
  let collector = StandIn::start().await.unwrap();
  collector.script_all_always(Answer::status(200).body(""));
  let doctor = stage.doctor_with_token().env("LAUNCHFEED_REDIS_URL", redis.url());
  let visit = visit(doctor.env("LAUNCHFEED_OTLP_ENDPOINT", collector.api_url()));
  let found = visit.all();
  let names: Vec<&str> = found.iter().map(|found| found.check.as_str()).collect();
  assert_eq!(names, [&CHECKS[..], &["traces", "public_url"]].concat());
  assert!(found.iter().all(|found| found.verdict == "ok"), "{found:#?}");
  visit.expect("configuration", "ok", &["2 apps of the list given", "every 120 s"]);
  visit.expect("budget", "ok", &["5000 of 5000", "need at most 60"]);
  visit.expect("redis", "ok", &[&redis.url(), "Redis ", " ms"]);
  visit.expect("redis_entries", "ok", &["0 of 2 apps"]);
  assert_eq!(redis.command::<Vec<String>>(&["KEYS", "*"]), [""; 0]);
  assert_eq!(std::fs::read_dir(stage.state.path()).unwrap().count(), 0);
  let asked = stage.github.requests();
  assert_eq!(asked.len(), 1, "{asked:?}");
  assert_eq!(asked[0].path, "/rate_limit");
}

#[tokio::test(flavor = "multi_thread")]
async fn people_read_a_line_for_each_finding_and_below_it_what_to_do() {
  let stage = Stage::set().await;
  let (status, output, notes) = stage.doctor().run();
  assert_eq!(status.code(), Some(0), "{output}{notes}");
  let lines: Vec<&str> = output.lines().collect();
  let at = lines
    .iter()
    .position(|line| line.starts_with("warning  token "))
    .unwrap();
  assert!(
    lines[at].contains("none: GitHub allows this address 60 requests an hour"),
    "{output}"
  );
  assert!(
    lines[at + 1]
      .trim_start()
      .starts_with("set CRAFT_APPS_RELEASE_GITHUB_TOKEN"),
    "{output}"
  );
  assert!(
    lines.contains(&"-        redis          none is set: this instance shares with nobody"),
    "{output}"
  );
  assert!(!output.contains('\u{1b}'), "{output:?}");
  assert_eq!(notes, "0 wrong, 1 warning");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_instance_is_seen_and_not_disturbed() {
  let (stage, redis) = (Stage::set().await, RedisServer::start());
  let release = SampleRelease::new("v1").asset("alpha-1.0-linux-x64.deb");
  stage.github.set_latest("acme/alpha", release);
  stage.github.set_no_release("acme/beta");
  let address = format!("127.0.0.1:{}", free_port());
  let with_settings = |program: ServerBuilder| {
    program
      .args([
        "--listen",
        &address,
        "--github-api-url",
        &stage.github.api_url(),
        "--apps",
        TWO_APPS,
      ])
      .args(["--state-dir".as_ref(), stage.state.path().as_os_str()])
      .env(TOKEN_VARIABLE, format!("ghp_{SECRET}"))
      .env("LAUNCHFEED_REDIS_URL", redis.url())
      .env("LAUNCHFEED_PUBLIC_URL", format!("http://{address}"))
  };
  let server = with_settings(ServerBuilder::new(env!("CARGO_BIN_EXE_launchfeed"), "serve")).start();
  server.log().wait_for(&["round", "failed=0"]);
  let path = stage.state.path().join("snapshot");
  let waiting = Instant::now();
  while std::fs::read_to_string(&path).is_ok_and(|snapshot| snapshot.matches("at_ms").count() < 2) {
    assert!(waiting.elapsed() < DEADLINE, "the snapshot isn't written");
  }
  let asked = stage.github.request_count();
  let shared = || redis.command::<Vec<String>>(&["HGETALL", "craftApps:releases:app:alpha"]);
  let before = shared();
  let holder = format!("process {}, listening on {address}", server.id());
  for _ in 0..3 {
    let visit = visit(with_settings(doctor()));
    visit.expect("instance", "ok", &["running", &holder]);
    visit.expect("listen", "ok", &[&holder]);
    visit.expect("snapshot", "ok", &["2 apps"]);
    visit.expect("redis_instances", "ok", &["1 instance in"]);
    visit.expect("redis_entries", "ok", &["2 of 2 apps"]);
    visit.expect("public_url", "ok", &["answers as it should"]);
    visit.expect_wrong(&[]);
  }
  assert_eq!(shared(), before);
  let mut names: Vec<_> = std::fs::read_dir(stage.state.path())
    .unwrap()
    .map(|entry| entry.unwrap().file_name())
    .collect();
  names.sort();
  assert_eq!(names, ["lock", "snapshot"]);
  assert_eq!(
    stage.github.request_count(),
    asked + 3,
    "more than the doctor's own requests"
  );
  assert_eq!(server.request("GET", "/v1/release_info").status, 200);
  let (second, _, refusal) = with_settings(ServerBuilder::new(env!("CARGO_BIN_EXE_launchfeed"), "serve")).run();
  assert_eq!(second.code(), Some(2), "{refusal}");
  assert!(refusal.contains(&holder), "{refusal}");
}
