//! A stand-in GitHub, the program before it, and what both say.

use github_standin::StandIn;
use serde_json::Value;
use tempfile::TempDir;
use testkit::{HttpAnswer, Server, ServerBuilder};

pub(crate) const GITHUB_WEB: &str = "https://github.com";
const PATH: &str = "/v1/craft_apps/release_info";

/// An app of the family, and the repository that it is said to live in.
#[derive(Clone, Debug)]
pub(crate) struct App {
  pub(crate) key: String,
  pub(crate) name: String,
  pub(crate) repo: String,
}

pub(crate) struct Stage {
  pub(crate) github: StandIn,
  state: TempDir,
}

/// The log's line about a round.
#[derive(Debug)]
pub(crate) struct RoundLine(String);

impl App {
  pub(crate) fn new(key: &str, name: &str, repo: &str) -> Self {
    let [key, name, repo] = [key, name, repo].map(str::to_owned);
    Self { key, name, repo }
  }
}

impl Stage {
  pub(crate) async fn set() -> Self {
    Self {
      github: StandIn::start().await.unwrap(),
      state: testkit::temporary_folder(),
    }
  }

  /// Starts the program for that family and waits until its first round is over.
  pub(crate) fn serve(&self, web: &str, apps: &[App]) -> (Server, RoundLine) {
    let server = self.family(web, apps).start();
    let round = RoundLine(server.log().wait_for(&["round", "mode="]));
    (server, round)
  }

  /// Starts it for what it saved alone.
  pub(crate) fn serve_without_asking(&self, web: &str, apps: &[App]) -> Server {
    self
      .family(web, apps)
      .env("CRAFT_APPS_RELEASE_POLLING_ENABLED", "false")
      .start()
  }

  /// Stops a server, which saves what it knows.
  pub(crate) fn stop(&self, mut server: Server) {
    server.terminate();
    assert!(server.wait().success());
  }

  /// Makes what was saved so much older that everything is due at the next start.
  pub(crate) fn let_two_hours_pass(&self) {
    testkit::age_snapshot(self.state.path(), 7_200);
  }

  fn family(&self, web: &str, apps: &[App]) -> ServerBuilder {
    let apps: Vec<String> = apps
      .iter()
      .map(|App { key, name, repo }| format!("{key}={name}={repo}"))
      .collect();
    ServerBuilder::new(env!("CARGO_BIN_EXE_launchfeed"), "serve")
      .against(&self.github.api_url(), self.state.path())
      .args(["--github-web-url", web, "--apps", &apps.join(",")])
  }
}

impl RoundLine {
  /// The value of one of its fields, as text.
  pub(crate) fn field(&self, name: &str) -> &str {
    let mut words = self.0.split_whitespace();
    let value = words.find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    value
      .unwrap_or_else(|| panic!("no {name} in {self:?}"))
      .trim_matches('"')
  }

  /// Fetched, unchanged, failed, and whether rate limited.
  pub(crate) fn counts(&self) -> [&str; 4] {
    ["fetched", "unchanged", "failed", "rate_limited"].map(|name| self.field(name))
  }
}

/// The answer to a launcher.
pub(crate) fn ask(server: &Server) -> HttpAnswer {
  let answer = server.request("GET", PATH);
  assert_eq!(answer.status, 200);
  answer
}

/// An app of an answer.
pub(crate) fn app(answer: &Value, key: &str) -> Value {
  answer["release_info"]["apps"][key].clone()
}
