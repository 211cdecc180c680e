//! What it costs to encode an answer anew, and how soon a change can be read, beside the goals and beside `gzip -9` on the same bytes.
//!
//! Times are the middle of several runs. Machines are noisy: compare the ratios.

#![expect(
  clippy::unwrap_used,
  clippy::print_stdout,
  reason = "a benchmark prints, and may panic"
)]

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use feed_types::{App, ReleaseInfo, ReleaseInfoAnswer, UtcTime};
use release_feed::answer::{Coding, FeedPublisher, Publication, feed_channel};
use testkit::ServerBuilder;
use tokio::runtime::Runtime;

const PATH: &str = "/v1/craft_apps/release_info";
const RUNS: usize = 7;
/// Answers in which only fetch times moved are published that often at most.
const TIMES_PUBLISHED_EVERY: Duration = Duration::from_secs(60);
const MANY_APPS: usize = 200;
/// Long notes, so that many apps make an answer of some 3 MB.
const MORE_LINES: usize = 120;
const CHANGE_GOAL: Duration = Duration::from_millis(100);
/// One in the half hour within which no ETag moves.
const MOMENT_MS: i64 = 1_000_000 * 1_800_000;

fn main() {
  let runtime = Runtime::new().unwrap();
  let sample = sample_answer();
  println!("apps    bytes   times moved   of a core   goal   gzip -9   ratio   change readable   goal");
  runtime.block_on(measure(&sample, 0.01, Some(CHANGE_GOAL)));
  let many: Vec<App> = sample
    .iter()
    .cycle()
    .take(MANY_APPS)
    .enumerate()
    .map(with_long_notes)
    .collect();
  runtime.block_on(measure(&many, 0.05, None));
}

async fn measure(apps: &[App], share_goal: f64, change_goal: Option<Duration>) {
  let (mut publisher, encoder, publication) = feed_channel(answer(apps, 0, 0)).unwrap();
  let encoding = tokio::spawn(encoder.run());
  let (mut moved, mut changed) = (Vec::new(), Vec::new());
  for run in 1..=RUNS {
    let run = i64::try_from(run).unwrap();
    moved.push(time_to_read(&mut publisher, &publication, answer(apps, 0, run)).await);
    // The smallest form of the change is made meanwhile, and would be counted with the next measurement.
    let content = usize::try_from(run).unwrap();
    changed.push(time_to_read(&mut publisher, &publication, answer(apps, content, run)).await);
    until_smallest(&publication).await;
    time_to_read(&mut publisher, &publication, answer(apps, 0, run)).await;
    until_smallest(&publication).await;
  }
  let body = publication.current().all().body(Coding::Identity).clone();
  let (moved, changed, gzip) = (
    middle(moved),
    middle(changed),
    middle((0..RUNS).map(|_| time_of_gzip(&body)).collect()),
  );
  println!(
    "{:>4} {:>8} {:>10} ms {:>10.2}% {:>5.0}% {:>6} ms {:>7.2} {:>14} ms {:>6}",
    apps.len(),
    body.len(),
    moved.as_millis(),
    100.0 * moved.as_secs_f64() / TIMES_PUBLISHED_EVERY.as_secs_f64(),
    100.0 * share_goal,
    gzip.as_millis(),
    moved.as_secs_f64() / gzip.as_secs_f64(),
    changed.as_millis(),
    change_goal.map_or("-".to_owned(), |goal| format!("{} ms", goal.as_millis())),
  );
  encoding.abort();
}

/// From handing an answer over to its being what a request gets. One thread encodes, so that this is its processor time too.
async fn time_to_read(publisher: &mut FeedPublisher, publication: &Publication, answer: ReleaseInfoAnswer) -> Duration {
  let expected = serde_json::to_vec(&answer).unwrap();
  let started = Instant::now();
  publisher.send(answer);
  publisher.settled().await;
  let took = started.elapsed();
  assert!(publication.current().all().body(Coding::Identity) == &expected);
  took
}

/// Until the answer has been replaced by its smallest form, which no later one does.
async fn until_smallest(publication: &Publication) {
  let quick = publication.current();
  while std::sync::Arc::ptr_eq(&quick, &publication.current()) {
    tokio::task::yield_now().await;
  }
}

/// The apps with times that moved by that many seconds, and notes that are of that change.
fn answer(apps: &[App], change: usize, seconds: i64) -> ReleaseInfoAnswer {
  let apps = apps.iter().enumerate().map(|(number, app)| {
    let mut app = app.clone();
    app.app_last_fetched = UtcTime::from_unix_ms(MOMENT_MS + seconds * 1_000);
    if let Some(release) = &mut app.latest_release {
      // Real families don't repeat themselves word for word.
      release.notes_markdown += &format!("\n\nChange {change} of app {number}.");
    }
    (format!("app-{number:03}"), app)
  });
  ReleaseInfoAnswer {
    success: true,
    release_info: ReleaseInfo::new(apps.collect()),
    ..ReleaseInfoAnswer::default()
  }
}

fn with_long_notes((number, app): (usize, &App)) -> App {
  let mut app = app.clone();
  if let Some(release) = &mut app.latest_release {
    for line in 0..MORE_LINES {
      let issue = (number * MORE_LINES + line) * 7_919 % 100_003;
      release.notes_markdown += &format!("\n- #{issue}: what was seen {} times", issue * issue % 9_973);
    }
  }
  app
}

/// The sample family, as the program answers it.
fn sample_answer() -> Vec<App> {
  let server = ServerBuilder::new(env!("CARGO_BIN_EXE_launchfeed"), "demo").start();
  server.log().wait_for(&["round", "mode="]);
  let body = testkit::request(server.address(), "GET", PATH).body;
  let answer: ReleaseInfoAnswer = serde_json::from_slice(&body).unwrap();
  answer.release_info.apps.into_values().collect()
}

fn time_of_gzip(body: &[u8]) -> Duration {
  let started = Instant::now();
  let mut gzip = Command::new("gzip")
    .args(["-9", "-c"])
    .stdin(Stdio::piped())
    .stdout(Stdio::null())
    .spawn()
    .unwrap();
  gzip.stdin.take().unwrap().write_all(body).unwrap();
  assert!(gzip.wait().unwrap().success());
  started.elapsed()
}

fn middle(mut times: Vec<Duration>) -> Duration {
  times.sort();
  times[times.len() / 2]
}
