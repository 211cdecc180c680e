//! What it costs to read the largest release that GitHub may answer with, beside a tree of the same JSON: time, and memory beyond the body.
//!
//! Times are the middle of several runs. Machines are noisy: compare the ratio.

#![expect(
  clippy::unwrap_used,
  clippy::print_stdout,
  reason = "a benchmark prints, and may panic"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use github_standin::SampleRelease;
use peak_alloc::PeakAlloc;
use release_feed::github::read_release;
use serde_json::Value;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const ASSETS: usize = 1_000;
const NOTES_CHARS: usize = 125_000;
const RUNS: usize = 51;
const TIME_GOAL: Duration = Duration::from_millis(20);
const MEMORY_GOAL_MIB: f64 = 8.0;
const MIB: f64 = 1024.0 * 1024.0;

fn main() {
  let body = body();
  println!("{} assets, {:.2} MB", ASSETS, body.len() as f64 / 1e6);
  let (reader_time, reader_memory) = measure(|| read_release(&body).unwrap());
  let (tree_time, tree_memory) = measure(|| serde_json::from_slice::<Value>(&body).unwrap());
  println!("           time      goal   memory beyond the body     goal");
  println!(
    "reader {:>8.2} ms {:>6} ms {:>20.2} MiB {:>5.0} MiB",
    milliseconds(reader_time),
    TIME_GOAL.as_millis(),
    reader_memory,
    MEMORY_GOAL_MIB
  );
  println!("tree   {:>8.2} ms {:>30.2} MiB", milliseconds(tree_time), tree_memory);
  println!(
    "ratio  {:>8.2}    {:>30.2}",
    reader_time.as_secs_f64() / tree_time.as_secs_f64(),
    reader_memory / tree_memory
  );
}

fn measure<T>(read: impl Fn() -> T) -> (Duration, f64) {
  let mut times: Vec<Duration> = (0..RUNS)
    .map(|_| {
      let started = Instant::now();
      black_box(read());
      started.elapsed()
    })
    .collect();
  times.sort_unstable();
  let before = MEMORY.current_usage();
  MEMORY.reset_peak_usage();
  black_box(read());
  let beyond = MEMORY.peak_usage().saturating_sub(before);
  (times[RUNS / 2], beyond as f64 / MIB)
}

fn milliseconds(time: Duration) -> f64 {
  1_000.0 * time.as_secs_f64()
}

fn body() -> Vec<u8> {
  let release = SampleRelease::new("v1.0").notes(&"n".repeat(NOTES_CHARS));
  let release = (0..ASSETS).fold(release, |release, number| {
    release.asset(&format!("demo-1.0-linux-x64-{number}.tar.gz"))
  });
  release.to_json("acme/demo").to_string().into_bytes()
}
