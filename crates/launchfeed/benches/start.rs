//! How fast the real program starts and how much memory it holds, beside the goals and beside peers in the same run: `curl` asking
//! the same stand-in the same questions, and the program doing nothing but printing its version.
//!
//! Times are the middle of several runs. Machines are noisy: compare the ratios.

#![expect(
  clippy::unwrap_used,
  clippy::print_stdout,
  reason = "a benchmark prints, and may panic"
)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use github_standin::{StandIn, sample_family};
use testkit::{Server, ServerBuilder};
use tokio::runtime::Runtime;

const RUNS: usize = 7;
const LATENCY: Duration = Duration::from_millis(50);
const APPS: u32 = 13;
const PATH: &str = "/v1/craft_apps/release_info";
const COLD_GOAL: Duration = Duration::from_millis(13 * 50 + 500);
const WARM_GOAL: Duration = Duration::from_millis(100);
const MEMORY_GOAL_MIB: f64 = 40.0;

fn main() {
  let runtime = Runtime::new().unwrap();
  let github = runtime.block_on(StandIn::start()).unwrap();
  github.serve_sample_family();
  github.set_latency(LATENCY);
  let cold = middle(|| {
    let state = testkit::temporary_folder();
    time_to_complete_answer(&github.api_url(), state.path()).0
  });
  let curl = middle(|| time_of_curl(&github.api_url()));
  let state = testkit::temporary_folder();
  let (_, mut server) = time_to_complete_answer(&github.api_url(), state.path());
  server.log().wait_for(&["round", "mode="]);
  let memory = idle_memory_mib(&server);
  server.terminate();
  server.wait();
  let warm = middle(|| time_to_complete_answer(&github.api_url(), state.path()).0);
  let version = middle(time_of_version);
  println!("what                                         measured      goal    peer              ratio");
  row("cold start, 13 apps, GitHub takes 50 ms", cold, COLD_GOAL, "curl", curl);
  row("start with a snapshot", warm, WARM_GOAL, "--version", version);
  println!(
    "{:<44} {:>5.1} MiB {:>5.0} MiB",
    "idle memory, 13 apps", memory, MEMORY_GOAL_MIB
  );
  println!(
    "(least possible of a cold start: {APPS} × {} ms = {} ms)",
    LATENCY.as_millis(),
    (LATENCY * APPS).as_millis()
  );
}

fn row(what: &str, measured: Duration, goal: Duration, peer: &str, peer_took: Duration) {
  let ratio = measured.as_secs_f64() / peer_took.as_secs_f64();
  println!(
    "{what:<44} {:>6} ms {:>6} ms    {peer:<9} {:>4} ms  {ratio:>6.2}",
    measured.as_millis(),
    goal.as_millis(),
    peer_took.as_millis()
  );
}

fn middle(mut run: impl FnMut() -> Duration) -> Duration {
  let mut times: Vec<Duration> = (0..RUNS).map(|_| run()).collect();
  times.sort();
  times[RUNS / 2]
}

/// From the start of the process to having read a complete answer.
fn time_to_complete_answer(api_url: &str, state: &Path) -> (Duration, Server) {
  let started = Instant::now();
  let server = ServerBuilder::new(env!("CARGO_BIN_EXE_launchfeed"), "serve")
    .against(api_url, state)
    .start();
  let address = server.address();
  loop {
    let answer = testkit::request(address, "GET", PATH);
    if answer.header("cache-control") == Some("public, max-age=60") {
      return (started.elapsed(), server);
    }
    std::thread::yield_now();
  }
}

fn time_of_curl(api_url: &str) -> Duration {
  let addresses = sample_family::releases()
    .into_iter()
    .map(|(repo, _)| format!("{api_url}/repos/{repo}/releases/latest"));
  let started = Instant::now();
  let status = Command::new("curl")
    .arg("-s")
    .args(addresses)
    .stdout(Stdio::null())
    .status()
    .unwrap();
  assert!(status.success());
  started.elapsed()
}

fn time_of_version() -> Duration {
  let started = Instant::now();
  let status = Command::new(env!("CARGO_BIN_EXE_launchfeed"))
    .arg("--version")
    .stdout(Stdio::null())
    .status()
    .unwrap();
  assert!(status.success());
  started.elapsed()
}

/// After some requests, so that what they need once is there.
fn idle_memory_mib(server: &Server) -> f64 {
  for _ in 0..100 {
    assert_eq!(server.request("GET", PATH).status, 200);
  }
  server.resident_bytes() as f64 / (1024.0 * 1024.0)
}
