//! Runs the program with nothing of ours in its environment.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;
use testkit::{Server, ServerBuilder};

/// Longer than anything takes; only a failing test waits for it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// What a program said and how it ended.
#[derive(Debug)]
pub(crate) struct Ended {
  pub(crate) code: Option<i32>,
  pub(crate) stdout: String,
  pub(crate) stderr: String,
}

/// The program with these arguments and an empty environment but for a home folder and a free port for its private listener.
pub(crate) fn launchfeed(arguments: &[&str]) -> Command {
  let mut command = Command::new(env!("CARGO_BIN_EXE_launchfeed"));
  command
    .args(arguments)
    .env_clear()
    .env("LAUNCHFEED_ADMIN_LISTEN", "127.0.0.1:0")
    .env("HOME", env!("CARGO_TARGET_TMPDIR"));
  command
}

/// Runs it to its end with this standard input.
pub(crate) fn run(mut command: Command, input: &[u8]) -> Ended {
  let mut child = command
    .stdin(Stdio::piped())
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .expect("the program starts");
  let mut stdin = child.stdin.take().unwrap();
  let input = input.to_vec();
  // Beside the reading, so that neither waits for the other. A program that doesn't read all of it is fine.
  let writer = thread::spawn(move || {
    let _ = stdin.write_all(&input);
  });
  let output = child.wait_with_output().unwrap();
  writer.join().unwrap();
  for said in [&output.stdout, &output.stderr] {
    testkit::assert_no_secret("what the program said", said);
  }
  Ended {
    code: output.status.code(),
    stdout: String::from_utf8(output.stdout).unwrap(),
    stderr: String::from_utf8(output.stderr).unwrap(),
  }
}

/// A server that runs until it is dropped.
pub(crate) struct Running {
  pub(crate) address: SocketAddr,
  server: Server,
  /// With the state folder in it.
  _home: TempDir,
}

impl Running {
  /// Starts a server with a home folder of its own, and waits until it answers.
  pub(crate) fn start(mut command: Command) -> Self {
    let home = testkit::temporary_folder();
    command.env("HOME", home.path());
    let server = ServerBuilder::of(command).start();
    Self {
      address: server.address(),
      server,
      _home: home,
    }
  }

  /// Waits until a line of the log holds `text`.
  pub(crate) fn wait_for(&self, text: &str) {
    self.server.log().wait_for(&[text]);
  }

  /// A connection to it.
  pub(crate) fn connect(&self) -> TcpStream {
    let stream = TcpStream::connect(self.address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
  }

  /// Asks for the release info on a connection of its own; its whole answer.
  pub(crate) fn ask(&self) -> String {
    let mut stream = self.connect();
    stream
      .write_all(b"GET /v1/release_info HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
  }

  /// `TERM` or `INT`.
  pub(crate) fn signal(&self, name: &str) {
    match name {
      "TERM" => self.server.terminate(),
      "INT" => self.server.interrupt(),
      _ => panic!("no such signal here: {name}"),
    }
  }

  /// How it ends, and everything that it said.
  pub(crate) fn wait(mut self) -> (ExitStatus, String) {
    (self.server.wait(), self.server.log().text())
  }
}
