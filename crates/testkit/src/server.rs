//! The real binary as a process.

use std::ffi::OsStr;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::DEADLINE;
use crate::http_client::{HttpAnswer, request};
use crate::log_lines::LogLines;
use crate::secrets::{assert_no_secret, keep};

/// What begins the names of variables that the product heeds.
const OWN_VARIABLES: [&str; 3] = ["LAUNCHFEED_", "CRAFT_APPS_", "OTEL_"];
/// What would lead requests elsewhere, or the state to a folder of the machine's.
const OTHER_VARIABLES: [&str; 9] = [
  "STATE_DIRECTORY",
  "XDG_STATE_HOME",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "RUST_LOG",
];

/// Where metrics and health are asked for; any free port, since there is one that every instance would have.
const ADMIN_LISTEN: (&str, &str) = ("LAUNCHFEED_ADMIN_LISTEN", "127.0.0.1:0");

/// What to start, and how.
#[derive(Debug)]
pub struct ServerBuilder {
  command: Command,
}

/// A process that was started, killed when it is dropped.
#[derive(Debug)]
pub struct Server {
  child: Child,
  log: LogLines,
  output: LogLines,
}

impl ServerBuilder {
  /// The program at that path with a subcommand, in an environment without any of the variables that it heeds but the one that makes it
  /// listen privately on a free port.
  pub fn new(program: impl AsRef<OsStr>, subcommand: &str) -> Self {
    let mut command = Command::new(program);
    command.arg(subcommand);
    for (name, _) in std::env::vars_os() {
      if OWN_VARIABLES
        .iter()
        .any(|prefix| name.to_string_lossy().starts_with(prefix))
      {
        command.env_remove(name);
      }
    }
    OTHER_VARIABLES.iter().for_each(|name| {
      command.env_remove(name);
    });
    command.env(ADMIN_LISTEN.0, ADMIN_LISTEN.1);
    Self::of(command)
  }

  /// A command as it is, in an environment that is the caller's.
  pub fn of(mut command: Command) -> Self {
    command
      .stdin(Stdio::null())
      .stdout(Stdio::piped())
      .stderr(Stdio::piped());
    Self { command }
  }

  /// Adds arguments.
  #[must_use]
  pub fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
    self.command.args(args);
    self
  }

  /// Sets a variable.
  #[must_use]
  pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
    self.command.env(name, value);
    self
  }

  /// Listens on a free port, asks that GitHub, keeps its state in that folder.
  #[must_use]
  pub fn against(self, api_url: &str, state_dir: &Path) -> Self {
    self
      .args(["--listen", "127.0.0.1:0", "--github-api-url", api_url])
      .args([OsStr::new("--state-dir"), state_dir.as_os_str()])
  }

  /// Starts it.
  pub fn start(mut self) -> Server {
    let mut child = self.command.spawn().unwrap();
    let log = LogLines::follow(child.stderr.take().unwrap());
    let output = LogLines::follow(child.stdout.take().unwrap());
    Server { child, log, output }
  }

  /// Starts it, and gives back what it said once it has ended by itself.
  pub fn run(self) -> (ExitStatus, String, String) {
    let mut server = self.start();
    let status = server.wait();
    (status, server.output.text(), server.log.text())
  }
}

impl Server {
  /// What it writes to standard error.
  pub fn log(&self) -> &LogLines {
    &self.log
  }

  /// What it writes to standard output.
  pub fn output(&self) -> &LogLines {
    &self.output
  }

  /// Where it listens, once it says so.
  pub fn address(&self) -> SocketAddr {
    address_in(&self.log.wait_for(&["listening", "http://"]))
  }

  /// Where it listens for those who operate it, once it says so.
  pub fn admin_address(&self) -> SocketAddr {
    address_in(&self.log.wait_for(&["metrics, health and status", "http://"]))
  }

  /// One request on a connection of its own.
  pub fn request(&self, method: &str, path: &str) -> HttpAnswer {
    request(self.address(), method, path)
  }

  /// The same to those who operate it.
  pub fn admin_request(&self, method: &str, path: &str) -> HttpAnswer {
    request(self.admin_address(), method, path)
  }

  /// The process.
  pub fn id(&self) -> u32 {
    self.child.id()
  }

  /// Memory that it holds right now, in bytes.
  pub fn resident_bytes(&self) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
  }

  /// SIGTERM.
  pub fn terminate(&self) {
    self.signal(Signal::TERM);
  }

  /// SIGINT.
  pub fn interrupt(&self) {
    self.signal(Signal::INT);
  }

  /// SIGKILL; returns once it is gone.
  pub fn kill(&mut self) {
    self.child.kill().unwrap();
    self.child.wait().unwrap();
  }

  /// Waits until it has ended and everything that it wrote is read. Panics at the deadline.
  pub fn wait(&mut self) -> ExitStatus {
    let (done, deadline) = mpsc::channel::<()>();
    let (pid, log) = (self.pid(), self.log.clone());
    let watchdog = thread::spawn(move || {
      if deadline.recv_timeout(DEADLINE) == Err(mpsc::RecvTimeoutError::Timeout) {
        let _ = kill_process(pid, Signal::KILL);
        panic!("the process didn't end:\n{}", log.text());
      }
    });
    let status = self.child.wait().unwrap();
    drop(done);
    watchdog.join().unwrap();
    self.log.wait_for_end();
    self.output.wait_for_end();
    status
  }

  fn signal(&self, signal: Signal) {
    kill_process(self.pid(), signal).unwrap();
  }

  fn pid(&self) -> Pid {
    Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap()
  }
}

impl Drop for Server {
  fn drop(&mut self) {
    let _ = self.child.kill();
    let _ = self.child.wait();
    if thread::panicking() {
      eprintln!("--- the server's log ---\n{}\n---", self.log.text());
      return;
    }
    self.log.wait_for_end();
    self.output.wait_for_end();
    let said = format!("{}\n{}", self.output.text(), self.log.text());
    keep(&said);
    assert_no_secret("what the server said", said.as_bytes());
  }
}

/// The address in a line of the log.
fn address_in(line: &str) -> SocketAddr {
  let address = line.split("http://").nth(1).unwrap();
  let end = address
    .find(|c: char| !(c.is_ascii_hexdigit() || ".:[]".contains(c)))
    .unwrap_or(address.len());
  address[..end]
    .parse()
    .unwrap_or_else(|error| panic!("{error} in {line:?}"))
}

/// A folder that goes away with the test.
pub fn temporary_folder() -> TempDir {
  tempfile::tempdir().unwrap()
}
