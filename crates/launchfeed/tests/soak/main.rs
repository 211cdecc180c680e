//! The real program under everything at once for a while: every kind of request and client, releases that change, a Redis that comes
//! and goes, scrapes. Memory and open files stay as they are, and no answer fails.
//!
//! Two minutes, or as many seconds as `LAUNCHFEED_SOAK_SECS` says.

#![expect(
  clippy::unwrap_used,
  clippy::print_stdout,
  reason = "a test may panic, and tell what it measured"
)]

mod clients;
mod samples;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use github_standin::{SampleRelease, StandIn};
use serde_json::{Value, json};
use testkit::{Link, LinkMode, RedisServer, ServerBuilder};
use tokio::time::sleep;

use clients::Clients;
use samples::{Sample, Samples};

const APPS: usize = 13;
const USUAL_SECS: u64 = 120;
/// The least there is with a token: every app is asked about about once a minute.
const INTERVAL_SECS: &str = "60";
const EVERY: Duration = Duration::from_secs(1);
const FILES: [&str; 4] = [
  "windows-x64.msi",
  "macos-universal.dmg",
  "linux-x64.AppImage",
  "linux-arm64.deb",
];
/// What happens to the link to Redis, one after the other, each for so many seconds.
const FLAPPING: [(LinkMode, u64); 6] = [
  (LinkMode::Whole, 11),
  (LinkMode::Cut, 5),
  (LinkMode::Whole, 7),
  (LinkMode::Hung, 9),
  (LinkMode::Whole, 5),
  (LinkMode::Slow(Duration::from_millis(200)), 8),
];

#[tokio::test(flavor = "multi_thread")]
async fn under_a_mixed_load_memory_and_open_files_stay_flat_and_no_answer_fails() {
  let lasting = std::env::var("LAUNCHFEED_SOAK_SECS").map_or(USUAL_SECS, |secs| secs.parse().unwrap());
  let github = StandIn::start().await.unwrap();
  for app in 0..APPS {
    let release = FILES.iter().fold(SampleRelease::new("v1.0.0"), |release, file| {
      release.asset(&format!("app{app}-1.0.0-{file}"))
    });
    github.set_latest(&format!("acme/app{app}"), release);
  }
  let (redis, state) = (RedisServer::start(), testkit::temporary_folder());
  let link = Link::to(redis.port());
  let apps: Vec<String> = (0..APPS)
    .map(|app| format!("app{app}=App {app}=acme/app{app}"))
    .collect();
  let server = ServerBuilder::new(env!("CARGO_BIN_EXE_launchfeed"), "serve")
    .against(&github.api_url(), state.path())
    .args(["--apps", &apps.join(","), "--poll-interval-secs", INTERVAL_SECS])
    .env("CRAFT_APPS_RELEASE_GITHUB_TOKEN", "ghp_hunter2")
    .env("LAUNCHFEED_REDIS_URL", format!("redis://127.0.0.1:{}", link.port()))
    .start();
  server.log().wait_for(&["round", "mode="]);
  let clients = Clients::start(server.address(), server.admin_address());
  let (started, mut samples) = (Instant::now(), Samples::default());
  let mut second = 0;
  while started.elapsed() < Duration::from_secs(lasting) {
    sleep(EVERY).await;
    second += 1;
    share(&redis, usize::try_from(second).unwrap() % APPS, second);
    link.set(link_at(second));
    samples.push(Sample::of(&server));
  }
  let answers = clients.stop();
  let heard = server.log().count(&["another instance found the latest release"]);
  println!(
    "{answers} answers in {lasting} s, none failed; {heard} changes from others, {} requests to GitHub",
    github.request_count()
  );
  assert!(
    u64::try_from(heard).unwrap() > lasting / 4,
    "{heard} changes were heard of"
  );
  assert!(answers > lasting * 100, "{answers} answers");
  samples.check();
}

/// Shares a new release and announces it, as another instance that has found one.
fn share(redis: &RedisServer, app: usize, number: u64) {
  let (version, repo) = (format!("1.{number}.1"), format!("acme/app{app}"));
  let tag = format!("v{version}");
  let assets: Vec<Value> = FILES
    .iter()
    .map(|file| {
      let name = format!("app{app}-{version}-{file}");
      json!({
        "name": name,
        "size_bytes": 1_000_000 + number,
        "download_url": format!("https://github.com/{repo}/releases/download/{tag}/{name}"),
        "sha256": null,
        "platform": null,
      })
    })
    .collect();
  let release = json!({
    "tag": tag,
    "version": version,
    "name": format!("App {app} {version}"),
    "published_at": "2026-10-08T14:52:50Z",
    "html_url": format!("https://github.com/{repo}/releases/tag/{tag}"),
    "prerelease": false,
    "notes_markdown": format!("What is new in {number}. ").repeat(100),
    "assets": assets,
  });
  let (seconds, microseconds): (u64, u64) = redis.command(&["TIME"]);
  let now = (seconds * 1_000 + microseconds / 1_000).to_string();
  let key = format!("craftApps:releases:app:app{app}");
  let release = release.to_string();
  redis.command::<()>(&[
    "HSET",
    &key,
    "v",
    "1",
    "etag",
    "",
    "fetched_ms",
    &now,
    "release",
    &release,
  ]);
  redis.command::<()>(&["PUBLISH", "launchfeed:releases:changed", &format!("app{app}")]);
}

fn link_at(second: u64) -> LinkMode {
  let cycle: u64 = FLAPPING.iter().map(|(_, secs)| secs).sum();
  let found = FLAPPING.iter().try_fold(second % cycle, |left, (mode, secs)| {
    if left < *secs {
      ControlFlow::Break(*mode)
    } else {
      ControlFlow::Continue(left - secs)
    }
  });
  found.break_value().unwrap()
}
