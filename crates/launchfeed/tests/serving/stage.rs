//! A stand-in GitHub, a state folder, and the program between them.

use github_standin::{SampleRelease, StandIn};
use serde_json::Value;
use tempfile::TempDir;
use testkit::{Server, ServerBuilder};

pub(crate) const PATH: &str = "/v1/craft_apps/release_info";
/// Two apps of a made-up family.
pub(crate) const TWO_APPS: &str = "alpha=Alpha=acme/alpha,beta=Beta=acme/beta";

pub(crate) struct Stage {
  pub(crate) github: StandIn,
  pub(crate) state: TempDir,
}

impl Stage {
  pub(crate) async fn set() -> Self {
    Self {
      github: StandIn::start().await.unwrap(),
      state: testkit::temporary_folder(),
    }
  }

  /// The program, not yet started: `serve` for that family.
  pub(crate) fn family(&self, apps: &str) -> ServerBuilder {
    program("serve")
      .against(&self.github.api_url(), self.state.path())
      .args(["--apps", apps])
  }

  /// Starts it and waits until it has asked about everything.
  pub(crate) fn serve_asked(&self, apps: &str) -> Server {
    let server = self.family(apps).start();
    server.log().wait_for(&["round", "mode="]);
    server
  }
}

pub(crate) fn program(subcommand: &str) -> ServerBuilder {
  ServerBuilder::new(env!("CARGO_BIN_EXE_launchfeed"), subcommand)
}

/// The answer as JSON.
pub(crate) fn answer(server: &Server) -> Value {
  server.request("GET", PATH).json()
}

pub(crate) fn sample(tag: &str) -> SampleRelease {
  SampleRelease::new(tag).asset("app-1.0-linux-x64.deb")
}
