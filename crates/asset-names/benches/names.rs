//! How many names a second one core reads. The goal is a million.
//!
//! `cargo bench -p asset-names` prints the throughput of each reading over the corpus of the tests, in items (names) a second, and
//! then the figure beside its goal.

use std::hint::black_box;
use std::time::{Duration, Instant};

use asset_names::{BuildArch, BuildOs, Hints, Host, Policy, classify, contract_platform, pick};
use divan::Bencher;
use divan::counter::ItemsCount;

const CORPUS: &str = include_str!("../tests/data/corpus-open.tsv");

/// Names a second on one core that this crate aims at.
const GOAL: f64 = 1_000_000.0;

/// How long the figure beside the goal is measured.
const MEASURED: Duration = Duration::from_secs(2);

fn main() {
  divan::main();
  print_beside_goal();
}

#[divan::bench]
fn classify_without_hints(bencher: Bencher<'_, '_>) {
  let names = names();
  bencher.counter(ItemsCount::new(names.len())).bench_local(|| {
    for name in &names {
      black_box(classify(black_box(name), &Hints::NONE));
    }
  });
}

#[divan::bench]
fn classify_with_app_and_version(bencher: Bencher<'_, '_>) {
  let names = names();
  let hints = Hints {
    app: Some("photocraft"),
    version: Some("v0.5.0"),
    overrides: &[],
  };
  bencher.counter(ItemsCount::new(names.len())).bench_local(|| {
    for name in &names {
      black_box(classify(black_box(name), &hints));
    }
  });
}

#[divan::bench]
fn contract_only(bencher: Bencher<'_, '_>) {
  let names = names();
  bencher.counter(ItemsCount::new(names.len())).bench_local(|| {
    for name in &names {
      black_box(contract_platform(black_box(name)));
    }
  });
}

#[divan::bench]
fn pick_in_a_release(bencher: Bencher<'_, '_>) {
  let names: Vec<&str> = names()
    .into_iter()
    .filter(|name| name.starts_with("photocraft"))
    .take(23)
    .collect();
  let host = Host::new(BuildOs::Windows, BuildArch::X64);
  bencher.counter(ItemsCount::new(names.len())).bench_local(|| {
    black_box(pick(
      names.iter().copied(),
      &host,
      Policy::PerUser,
      &Hints::app("photocraft"),
    ))
  });
}

#[expect(clippy::print_stdout, reason = "a benchmark's result is what it prints")]
fn print_beside_goal() {
  let names = names();
  let start = Instant::now();
  let mut read = 0_usize;
  while start.elapsed() < MEASURED {
    for name in &names {
      black_box(classify(black_box(name), &Hints::NONE));
    }
    read += names.len();
  }
  let rate = read as f64 / start.elapsed().as_secs_f64();
  println!(
    "classify: {:.2} million names a second on one core, {:.1} times the goal of 1 million",
    rate / 1e6,
    rate / GOAL
  );
}

fn names() -> Vec<&'static str> {
  CORPUS
    .lines()
    .skip(1)
    .filter_map(|line| line.split('\t').next())
    .collect()
}
