//! A stand-in GitHub, a state folder, and the program between them.

use std::io::{ErrorKind, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use github_standin::{SampleRelease, StandIn};
use serde_json::Value;
use tempfile::TempDir;
use testkit::{DEADLINE, HttpAnswer, Server, ServerBuilder};

pub(crate) const PATH: &str = "/v1/craft_apps/release_info";
/// Two apps of a made-up family.
pub(crate) const TWO_APPS: &str = "alpha=Alpha=acme/alpha,beta=Beta=acme/beta";

pub(crate) struct Stage {
  pub(crate) github: StandIn,
  pub(crate) state: TempDir,
}

impl Stage {
  /// Both apps have a release.
  pub(crate) async fn set() -> Self {
    let github = StandIn::start().await.unwrap();
    for app in ["alpha", "beta"] {
      let release = SampleRelease::new("v1.0").asset(&format!("{app}-1.0-linux-x64.deb"));
      github.set_latest(&format!("acme/{app}"), release);
    }
    Self {
      github,
      state: testkit::temporary_folder(),
    }
  }

  /// The program, not yet started.
  pub(crate) fn family(&self) -> ServerBuilder {
    program("serve")
      .against(&self.github.api_url(), self.state.path())
      .args(["--apps", TWO_APPS])
  }

  /// Starts it and waits until it has asked about everything.
  pub(crate) fn serve_asked(&self) -> Server {
    let server = self.family().start();
    server.log().wait_for(&["round", "mode="]);
    server
  }
}

pub(crate) fn program(subcommand: &str) -> ServerBuilder {
  ServerBuilder::new(env!("CARGO_BIN_EXE_launchfeed"), subcommand)
}

/// What `/readyz` says.
pub(crate) fn ready(server: &Server) -> HttpAnswer {
  server.admin_request("GET", "/readyz")
}

/// Asks `/readyz` until it says that status; what it says then.
pub(crate) fn wait_for_status(server: &Server, status: &str) -> Value {
  let started = Instant::now();
  loop {
    let said = ready(server).json();
    if said["status"] == status {
      return said;
    }
    assert!(started.elapsed() < DEADLINE, "never {status}: {said}");
  }
}

/// Asks `/status` until a snapshot was written, which a task of its own does; what it says then.
pub(crate) fn wait_for_snapshot(server: &Server) -> Value {
  let started = Instant::now();
  loop {
    let status = server.admin_request("GET", "/status").json();
    if !status["snapshot"]["saved_at"].is_null() {
      return status;
    }
    assert!(started.elapsed() < DEADLINE, "never written: {status}");
  }
}

/// A client that asks and asks without reading, until the server can't write any more and so no longer reads.
pub(crate) fn stuck_client(address: SocketAddr) -> TcpStream {
  let mut stream = TcpStream::connect(address).unwrap();
  stream.set_write_timeout(Some(Duration::from_millis(500))).unwrap();
  loop {
    match stream.write_all(
      &format!("GET {PATH} HTTP/1.1\r\nHost: x\r\n\r\n")
        .into_bytes()
        .repeat(100),
    ) {
      Ok(()) => {}
      Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => return stream,
      Err(error) => panic!("{error}"),
    }
  }
}
