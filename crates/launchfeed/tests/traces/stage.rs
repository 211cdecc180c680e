//! A stand-in GitHub, a state folder, a collector, and the program between them.

use github_standin::{SampleRelease, StandIn};
use tempfile::TempDir;
use testkit::ServerBuilder;

use super::collector::{Collector, Mood};

pub(crate) const PATH: &str = "/v1/craft_apps/release_info";
pub(crate) const TOKEN: &str = "ghp_hunter2";

pub(crate) struct Stage {
  pub(crate) github: StandIn,
  pub(crate) collector: Collector,
  pub(crate) state: TempDir,
}

impl Stage {
  pub(crate) async fn set(mood: Mood) -> Self {
    let github = StandIn::start().await.unwrap();
    for app in ["alpha", "beta"] {
      let release = SampleRelease::new("v1").asset("app-1.0-linux-x64.deb");
      github.set_latest(&format!("acme/{app}"), release);
    }
    Self {
      github,
      collector: Collector::start(mood),
      state: testkit::temporary_folder(),
    }
  }

  /// The program, not yet started, with a token and without an endpoint.
  pub(crate) fn program(&self) -> ServerBuilder {
    ServerBuilder::new(env!("CARGO_BIN_EXE_launchfeed"), "serve")
      .against(&self.github.api_url(), self.state.path())
      .args(["--apps", "alpha=Alpha=acme/alpha,beta=Beta=acme/beta"])
      .env("CRAFT_APPS_RELEASE_GITHUB_TOKEN", TOKEN)
      .env("OTEL_BSP_SCHEDULE_DELAY", "50")
  }

  /// The same with the collector as its endpoint.
  pub(crate) fn traced(&self) -> ServerBuilder {
    self.program().env("LAUNCHFEED_OTLP_ENDPOINT", self.collector.url())
  }
}
