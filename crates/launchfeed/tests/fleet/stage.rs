//! The fleet, and what may be said of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use github_standin::{SampleRelease, StandIn};
use tempfile::TempDir;
use testkit::{Link, RedisServer, Server, ServerBuilder};

use super::launchers::Launchers;
use super::other_program::OtherProgram;

pub(crate) const PATH: &str = "/v1/craft_apps/release_info";
pub(crate) const APPS: usize = 13;
/// A look and a call that hangs, twice over.
const NOTICED_WITHIN: Duration = Duration::from_secs(120);
/// The least there is with a token.
const INTERVAL_SECS: &str = "60";

pub(crate) struct Stage {
  pub(crate) github: StandIn,
  pub(crate) redis: RedisServer,
  pub(crate) instances: Vec<Instance>,
  pub(crate) launchers: Launchers,
  _other: OtherProgram,
}

pub(crate) struct Instance {
  pub(crate) server: Server,
  pub(crate) link: Link,
  _state: TempDir,
}

impl Stage {
  /// Four instances that know everything, and the fifth that is another program, with launchers that poll the four.
  pub(crate) async fn set() -> Self {
    let (github, redis) = backstage().await;
    let first = Instance::start(&github, &redis);
    first.server.log().wait_for(&["round", "mode="]);
    let others = (0..3).map(|_| Instance::start(&github, &redis));
    let instances: Vec<Instance> = [first].into_iter().chain(others).collect();
    for instance in &instances {
      instance.wait_until_complete();
    }
    let addresses = instances.iter().map(|instance| instance.server.address());
    Self {
      launchers: Launchers::poll(addresses),
      _other: OtherProgram::start(redis.url(), key(0), instances[0].server.address()),
      github,
      redis,
      instances,
    }
  }

  /// Makes trouble, waits until each of them says so, ends it, and waits until each says that.
  pub(crate) fn go_through(&self, what: &str, who: &[usize], begin: impl FnOnce(), end: impl FnOnce()) {
    let started = Instant::now();
    let before: Vec<usize> = self.instances.iter().map(Instance::lines).collect();
    begin();
    for &number in who {
      self.instances[number].wait_for_after(before[number], &["Redis:", "fails"]);
    }
    let noticed = started.elapsed();
    let before: Vec<usize> = self.instances.iter().map(Instance::lines).collect();
    end();
    for &number in who {
      self.instances[number].wait_for_after(before[number], &["Redis:", "works again"]);
    }
    println!(
      "{what}: noticed within {noticed:.0?}, over after {:.0?}",
      started.elapsed()
    );
    self.launchers.check(what);
  }

  /// No app was asked about more often than each of the instances alone would.
  pub(crate) fn check_budget(&self, since: Instant) {
    let minutes = since.elapsed().as_secs() / 60 + 1;
    let each_alone = usize::try_from(minutes).unwrap() * 2 * APPS * self.instances.len();
    let asked = self.github.request_count();
    println!("{asked} requests in {minutes} minutes; {each_alone} would be each for itself at the least interval");
    assert!(asked <= each_alone, "{asked} requests");
  }
}

/// GitHub with the family, and Redis.
pub(crate) async fn backstage() -> (StandIn, RedisServer) {
  let github = StandIn::start().await.unwrap();
  for app in 0..APPS {
    github.set_latest(&repo(app), sample(app, "v1.0"));
  }
  (github, RedisServer::start())
}

impl Instance {
  /// Starts one with a link of its own to Redis, and the shortest interval.
  pub(crate) fn start(github: &StandIn, redis: &RedisServer) -> Self {
    Self::start_at(github, redis, INTERVAL_SECS)
  }

  /// The same with an interval of so many seconds.
  pub(crate) fn start_at(github: &StandIn, redis: &RedisServer, interval_secs: &str) -> Self {
    let (link, state) = (Link::to(redis.port()), testkit::temporary_folder());
    let apps: Vec<String> = (0..APPS)
      .map(|app| format!("{}={}=acme/{}", key(app), key(app), key(app)))
      .collect();
    let server = ServerBuilder::new(env!("CARGO_BIN_EXE_launchfeed"), "serve")
      .against(&github.api_url(), state.path())
      .args(["--apps", &apps.join(","), "--poll-interval-secs", interval_secs])
      .env("CRAFT_APPS_RELEASE_GITHUB_TOKEN", "ghp_hunter2")
      .env("LAUNCHFEED_REDIS_URL", format!("redis://127.0.0.1:{}", link.port()))
      .start();
    Self {
      server,
      link,
      _state: state,
    }
  }

  pub(crate) fn wait_until_complete(&self) {
    let started = Instant::now();
    while self.server.request("GET", PATH).json()["release_info"]["last_fetched"].is_null() {
      assert!(started.elapsed() < NOTICED_WITHIN, "it never knows everything");
    }
  }

  pub(crate) fn tag_of(&self, app: usize) -> String {
    let answer = self.server.request("GET", &format!("{PATH}/{}", key(app))).json();
    answer["app"]["latest_release"]["tag"]
      .as_str()
      .unwrap_or_default()
      .to_owned()
  }

  pub(crate) fn lines(&self) -> usize {
    self.server.log().all().len()
  }

  pub(crate) fn wait_for_after(&self, lines: usize, words: &[&str]) {
    self.server.log().wait_for_after(lines, words, NOTICED_WITHIN);
  }
}

pub(crate) fn key(app: usize) -> String {
  format!("app{app}")
}

pub(crate) fn repo(app: usize) -> String {
  format!("acme/app{app}")
}

pub(crate) fn sample(app: usize, tag: &str) -> SampleRelease {
  SampleRelease::new(tag).asset(&format!("app{app}-1.0-linux-x64.deb"))
}

/// What several threads of a test share.
pub(crate) type Shared<T> = Arc<std::sync::Mutex<T>>;
