//! What the log says, and how often.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use release_feed::github::{FetchFailure, Outcome, ReleaseAnswer};
use release_feed::release::{LeftOut, ValidRelease};
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::fmt::MakeWriter;

use crate::simulation::*;

#[tokio::test(start_paused = true)]
async fn a_reason_is_said_when_it_changes_and_not_at_every_request() {
  let (log, _guard) = Log::capture();
  let running = Plan::default().start(|source| source.always("b", failed()));
  running.pass(HOUR).await;
  assert!(running.source.asked_of("b").len() > 10);
  assert_eq!(log.count(&["WARN", "app=b", "can't be reached: down"]), 1);
  running.source.always("b", Outcome::Failed(FetchFailure::Draft));
  running.pass(HOUR).await;
  assert_eq!(log.count(&["WARN", "app=b", "draft"]), 1);
  running.source.as_usual();
  running.pass(HOUR).await;
  assert_eq!(log.count(&["INFO", "app=b", "succeeds again"]), 1);
  running.source.always("b", Outcome::Failed(FetchFailure::Draft));
  running.pass(HOUR).await;
  assert_eq!(log.count(&["WARN", "app=b", "draft"]), 2);
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_reason_that_apps_share_is_one_line_that_names_them_and_tells_whether_there_is_an_answer() {
  let (log, _guard) = Log::capture();
  let all_fail = |source: &Simulated| ["a", "b", "c"].iter().for_each(|app| source.always(app, failed()));
  let running = Plan::default().start(|source| {
    all_fail(source);
    source.always("b", Outcome::Failed(FetchFailure::Draft));
  });
  running.pass(HOUR).await;
  assert_eq!(log.count(&["WARN", "asking failed"]), 2);
  assert_eq!(
    log.count(&["there is no answer yet apps=2 named=a, c", "can't be reached: down"]),
    1
  );
  assert_eq!(log.count(&["there is no answer yet app=b", "draft"]), 1);
  running.stop().await;
  let running = Plan::default().start(|_| ());
  running.pass(secs(60)).await;
  all_fail(&running.source);
  running.pass(HOUR).await;
  assert_eq!(log.count(&["WARN", "asking failed"]), 3);
  assert_eq!(log.count(&["the last good answer stays apps=3 named=a, b, c"]), 1);
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_failure_waits_half_a_minute_at_most_for_others_like_it_and_is_said_before_a_stop() {
  let (log, _guard) = Log::capture();
  let four_apps = Plan {
    apps: "a=A=o/a,b=B=o/b,c=C=o/c,d=D=o/d",
    ..Plan::default()
  };
  let running = four_apps.start(|source| {
    for (app, latency) in [("a", 5), ("b", 20), ("c", 36), ("d", 55)] {
      source.set_latency_of(app, secs(latency));
    }
    ["a", "b", "c"].iter().for_each(|app| source.always(app, failed()));
  });
  running.pass(secs(41)).await;
  assert_eq!(log.count(&["asking failed"]), 0);
  running.pass(secs(2)).await;
  assert_eq!(log.count(&["asking failed", "apps=3"]), 1);
  assert_eq!(running.answer().release_info.apps["d"].app_last_fetched, None);
  running.stop().await;
  let running = Plan::default().start(|source| {
    source.set_latency(secs(20));
    source.always("a", failed());
  });
  running.pass(secs(30)).await;
  running.stop().await;
  assert_eq!(log.count(&["asking failed", "app=a"]), 1);
}

#[tokio::test(start_paused = true)]
async fn a_release_that_is_dropped_is_warned_of_and_that_there_never_was_one_is_not() {
  let (log, _guard) = Log::capture();
  let running = Plan::default().start(|source| {
    source.queue("a", [released("v7"), Outcome::NoRelease]);
    source.always("b", Outcome::NoRelease);
  });
  running.pass(secs(200)).await;
  assert_eq!(log.count(&["WARN", "no release any more", "app=a", "dropped=v7"]), 1);
  assert_eq!(log.count(&["INFO", "the repository has no release", "app=b"]), 1);
  assert_eq!(log.count(&["WARN"]), 1);
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn each_round_with_requests_is_one_line_and_a_look_without_any_is_none() {
  let (log, _guard) = Log::capture();
  let running = Plan::default().start(|source| {
    source.queue("b", [failed()]);
    source.queue("c", [released("v1"), limited(Some(START.plus(secs(600))))]);
  });
  running.pass(secs(1)).await;
  assert_eq!(
    log.count(&[
      "round mode=\"standalone\" fetched=2 unchanged=0 failed=1 rate_limited=false backing_off_until=\"none\""
    ]),
    1
  );
  running.pass(secs(200)).await;
  assert_eq!(log.count(&["rate_limited=true backing_off_until=\"2026-10-08T15:0"]), 1);
  let rounds = log.count(&["round mode="]);
  // The backoff lasts until ten minutes and one after the start.
  running.pass(secs(300)).await;
  assert_eq!(log.count(&["round mode="]), rounds);
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn files_that_are_left_out_are_named_once_per_change_and_counted_beyond_twenty() {
  let (log, _guard) = Log::capture();
  let with_left_out = |count: usize| {
    let left_out = (0..count).map(|number| LeftOut {
      name: format!("file-{number}"),
      why: "for this test",
    });
    Outcome::Release(Box::new(ReleaseAnswer {
      valid: ValidRelease {
        release: release("v1"),
        left_out: left_out.collect(),
      },
      ..ReleaseAnswer::default()
    }))
  };
  let running = Plan::default().start(|source| source.always("a", with_left_out(22)));
  running.pass(HOUR).await;
  assert!(running.source.asked_of("a").len() > 10);
  assert_eq!(log.count(&["aren't listed", "app=a", "files=22", "file-19"]), 1);
  assert_eq!(log.count(&["file-20"]), 0);
  running.source.always("a", with_left_out(1));
  running.pass(HOUR).await;
  assert_eq!(log.count(&["aren't listed", "app=a", "files=1 "]), 1);
  running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn the_clocks_step_back_is_said() {
  let (log, _guard) = Log::capture();
  let running = Plan::default().start(|_| ());
  running.pass(secs(600)).await;
  running.clock.set_by_ms(-3_600_000);
  running.pass(secs(600)).await;
  assert_eq!(log.count(&["WARN", "set back", "by_ms=-3600000"]), 1);
  running.stop().await;
}

/// What was logged in this test.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
  /// Takes what this thread logs until the guard is dropped. Tests in paused time run in one thread.
  fn capture() -> (Self, DefaultGuard) {
    let log = Self::default();
    let subscriber = tracing_subscriber::fmt()
      .with_ansi(false)
      .with_writer(log.clone())
      .finish();
    let guard = tracing::subscriber::set_default(subscriber);
    (log, guard)
  }

  /// How many lines hold all of the words.
  fn count(&self, words: &[&str]) -> usize {
    let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
    text
      .lines()
      .filter(|line| words.iter().all(|word| line.contains(word)))
      .count()
  }
}

impl Write for Log {
  fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
    self.0.lock().unwrap().extend_from_slice(bytes);
    Ok(bytes.len())
  }

  fn flush(&mut self) -> io::Result<()> {
    Ok(())
  }
}

impl<'w> MakeWriter<'w> for Log {
  type Writer = Self;

  fn make_writer(&'w self) -> Self {
    self.clone()
  }
}
