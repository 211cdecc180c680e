//! A reader of the log that hangs: a terminal that was stopped, a log shipper that is stuck.

use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use testkit::{DEADLINE, free_port, request, temporary_folder};
use tokio::time::sleep;

/// Many times as much as a pipe holds.
const REQUESTS: usize = 400;
/// Finer than what is waited for.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_nobody_reads_holds_up_neither_answers_nor_the_end() {
  let state = temporary_folder();
  let address = SocketAddr::from(([127, 0, 0, 1], free_port()));
  let program = Command::new(env!("CARGO_BIN_EXE_launchfeed"))
    .args(["serve", "--polling-enabled", "false", "--admin-listen", "127.0.0.1:0"])
    .args([
      "--listen",
      &address.to_string(),
      "--github-api-url",
      "http://127.0.0.1:1",
    ])
    .args(["--log", "trace", "--state-dir"])
    .arg(state.path())
    .stderr(Stdio::piped())
    .spawn();
  let mut program = Killed(program.unwrap());
  wait_for("an answer", || TcpStream::connect(address).is_ok()).await;
  let long = format!("/nowhere/{}", "x".repeat(1_500));
  for _ in 0..REQUESTS {
    assert_eq!(request(address, "GET", &long).status, 404);
  }
  assert_eq!(request(address, "GET", "/v1/release_info").status, 200);
  let process = Pid::from_child(&program.0);
  kill_process(process, Signal::TERM).unwrap();
  wait_for("the end", || program.0.try_wait().unwrap().is_some()).await;
  assert!(program.0.wait().unwrap().success());
}

/// A program that doesn't outlive its test.
struct Killed(Child);

impl Drop for Killed {
  fn drop(&mut self) {
    let _ = self.0.kill();
    let _ = self.0.wait();
  }
}

async fn wait_for(what: &str, mut came: impl FnMut() -> bool) {
  let started = Instant::now();
  while !came() {
    assert!(started.elapsed() < DEADLINE, "{what} doesn't come");
    sleep(BETWEEN_LOOKS).await;
  }
}
