//! Real redis-server processes on free ports, alone, as a cluster, or behind a Sentinel.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use redis::{Client, Connection, FromRedisValue, RedisResult};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::DEADLINE;
use crate::log_lines::LogLines;

const PROGRAM: &str = "redis-server";
/// A port that was free may be taken by somebody else before the server has it.
const ATTEMPTS: usize = 10;

/// A server that was started, killed when it is dropped.
#[derive(Debug)]
pub struct RedisServer {
  child: Child,
  folder: TempDir,
  port: u16,
  arguments: Vec<String>,
}

/// Three masters that share the slots.
#[derive(Debug)]
pub struct RedisCluster {
  /// The nodes.
  pub nodes: Vec<RedisServer>,
}

impl RedisServer {
  /// Starts one with its defaults.
  pub fn start() -> Self {
    Self::start_with(&[])
  }

  /// Starts one with more arguments, such as `--maxmemory 1`.
  pub fn start_with(arguments: &[&str]) -> Self {
    let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..ATTEMPTS {
      let port = free_port();
      if let Some(child) = spawn(folder.path(), &arguments_of(port, folder.path(), &arguments)) {
        return Self {
          child,
          folder,
          port,
          arguments,
        };
      }
    }
    panic!("{PROGRAM} doesn't start; its log:\n{}", log_of(folder.path()));
  }

  /// Starts one that speaks TLS beside, with a certificate for `localhost` that nobody but itself vouches for.
  ///
  /// Returns it with the TLS port and the certificate's path.
  pub fn start_with_tls() -> (Self, u16, PathBuf) {
    let folder = tempfile::tempdir().unwrap().keep();
    let (certificate, key) = (folder.join("certificate.pem"), folder.join("key.pem"));
    let made = Command::new("openssl")
      .args([
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "2",
      ])
      .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"])
      .args(["-addext", "basicConstraints=critical,CA:FALSE", "-keyout"])
      .args([key.as_os_str(), "-out".as_ref(), certificate.as_os_str()])
      .output();
    let made = made.unwrap_or_else(|error| panic!("openssl: {error}; install it: apt install openssl"));
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let tls_port = free_port();
    let (tls_port_text, certificate_text, key_text) = (
      tls_port.to_string(),
      certificate.to_str().unwrap().to_owned(),
      key.to_str().unwrap().to_owned(),
    );
    let server = Self::start_with(&[
      "--tls-port",
      &tls_port_text,
      "--tls-cert-file",
      &certificate_text,
      "--tls-key-file",
      &key_text,
      "--tls-ca-cert-file",
      &certificate_text,
      "--tls-auth-clients",
      "no",
    ]);
    (server, tls_port, certificate)
  }

  /// Starts a Sentinel that looks after that master, which it calls `fleet`, alone, and quickly.
  pub fn start_sentinel(master: &Self) -> Self {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..ATTEMPTS {
      let port = free_port();
      let path = folder.path().join("sentinel.conf");
      let config = format!(
        "port {port}\nbind 127.0.0.1\ndir {}\nsentinel monitor fleet 127.0.0.1 {} 1\n\
         sentinel down-after-milliseconds fleet 500\nsentinel failover-timeout fleet 2000\n",
        folder.path().display(),
        master.port,
      );
      std::fs::write(&path, config).unwrap();
      let arguments = vec![path.to_str().unwrap().to_owned(), "--sentinel".to_owned()];
      if let Some(child) = spawn(folder.path(), &arguments) {
        return Self {
          child,
          folder,
          port,
          arguments,
        };
      }
    }
    panic!(
      "{PROGRAM} --sentinel doesn't start; its log:\n{}",
      log_of(folder.path())
    );
  }

  /// Where it answers without TLS.
  pub fn port(&self) -> u16 {
    self.port
  }

  /// The folder in which it runs.
  pub fn folder(&self) -> &Path {
    self.folder.path()
  }

  /// `redis://127.0.0.1:port`.
  pub fn url(&self) -> String {
    format!("redis://127.0.0.1:{}", self.port)
  }

  /// A connection to it.
  pub fn connection(&self) -> Connection {
    Client::open(self.url()).unwrap().get_connection().unwrap()
  }

  /// Sends a command.
  pub fn command<T: FromRedisValue>(&self, words: &[&str]) -> T {
    self.try_command(words).unwrap()
  }

  /// Sends a command, which may fail.
  pub fn try_command<T: FromRedisValue>(&self, words: &[&str]) -> RedisResult<T> {
    let mut command = redis::cmd(words[0]);
    command.arg(&words[1..]);
    command.query(&mut self.connection())
  }

  /// SIGSTOP: connections stay, nothing is answered.
  pub fn freeze(&self) {
    kill_process(self.pid(), Signal::STOP).unwrap();
  }

  /// SIGCONT.
  pub fn thaw(&self) {
    kill_process(self.pid(), Signal::CONT).unwrap();
  }

  /// SIGKILL; returns once it is gone.
  pub fn kill(&mut self) {
    self.child.kill().unwrap();
    self.child.wait().unwrap();
  }

  /// Starts it again on the same port, without what it knew.
  pub fn start_again(&mut self) {
    let arguments = arguments_of(self.port, self.folder.path(), &self.arguments);
    self.child = spawn(self.folder.path(), &arguments).expect("its port was taken meanwhile");
  }

  fn pid(&self) -> Pid {
    Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap()
  }
}

impl RedisCluster {
  /// Starts three and waits until they agree.
  pub fn start() -> Self {
    let nodes: Vec<RedisServer> = (0..3)
      .map(|_| RedisServer::start_with(&["--cluster-enabled", "yes", "--cluster-node-timeout", "1000"]))
      .collect();
    let slots = [("0", "5460"), ("5461", "10922"), ("10923", "16383")];
    for (number, (node, (from, to))) in nodes.iter().zip(slots).enumerate() {
      node.command::<()>(&["CLUSTER", "ADDSLOTSRANGE", from, to]);
      node.command::<()>(&["CLUSTER", "SET-CONFIG-EPOCH", &(number + 1).to_string()]);
    }
    for node in &nodes[1..] {
      node.command::<()>(&["CLUSTER", "MEET", "127.0.0.1", &nodes[0].port.to_string()]);
    }
    let started = Instant::now();
    let is_ready = |node: &RedisServer| {
      let info: String = node.command(&["CLUSTER", "INFO"]);
      info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:3")
    };
    while !nodes.iter().all(is_ready) {
      assert!(started.elapsed() < DEADLINE, "the cluster doesn't come together");
    }
    Self { nodes }
  }

  /// `redis-cluster://…` with all nodes.
  pub fn url(&self) -> String {
    let hosts: Vec<String> = self
      .nodes
      .iter()
      .map(|node| format!("127.0.0.1:{}", node.port))
      .collect();
    format!("redis-cluster://{}", hosts.join(","))
  }

  /// Sends a command about a key to the node that holds it.
  pub fn command<T: FromRedisValue>(&self, words: &[&str]) -> T {
    let replies = self.nodes.iter().map(|node| node.try_command(words));
    let mut held = replies.filter(|reply| reply.as_ref().err().is_none_or(|error| error.code() != Some("MOVED")));
    held.next().expect("no node holds the key").unwrap()
  }
}

/// A port that nobody listens on at the moment.
pub fn free_port() -> u16 {
  TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn arguments_of(port: u16, folder: &Path, more: &[String]) -> Vec<String> {
  let folder = folder.to_str().unwrap();
  let port = port.to_string();
  let usual = ["--port", &port, "--bind", "127.0.0.1", "--save", "", "--dir", folder];
  usual
    .into_iter()
    .map(str::to_owned)
    .chain(more.iter().cloned())
    .collect()
}

fn spawn(folder: &Path, arguments: &[String]) -> Option<Child> {
  let mut command = Command::new(PROGRAM);
  command
    .args(arguments)
    .stdin(Stdio::null())
    .stdout(Stdio::piped())
    .stderr(Stdio::null());
  let started = command.spawn();
  let mut child = started.unwrap_or_else(|error| panic!("{PROGRAM}: {error}; install it: apt install redis-server"));
  let log = LogLines::follow(child.stdout.take().unwrap());
  if log.has_any(&["Ready to accept connections", "+monitor master"]) {
    return Some(child);
  }
  std::fs::write(folder.join("failed.log"), log.text()).unwrap();
  let _ = child.kill();
  let _ = child.wait();
  None
}

fn log_of(folder: &Path) -> String {
  std::fs::read_to_string(folder.join("failed.log")).unwrap_or_default()
}

impl Drop for RedisServer {
  fn drop(&mut self) {
    let _ = self.child.kill();
    let _ = self.child.wait();
  }
}
