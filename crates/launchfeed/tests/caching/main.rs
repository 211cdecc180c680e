//! A launcher behind a shared cache, for a day.
//!
//! The cache obeys RFC 9111 (the decisions are those of a library made for that): it keeps an answer for its minute, revalidates it
//! after that, and freshens stored headers on a 304. The launcher judges by the times in the body that it gets.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod cache;
mod github;

use std::sync::Arc;
use std::time::Duration;

use feed_types::ReleaseInfoAnswer;
use launchfeed::http::{Answers, router};
use rand::SeedableRng;
use rand::rngs::StdRng;
use release_feed::answer::feed_channel;
use release_feed::catalog::parse_app_list;
use release_feed::poller::{Feed, FeedParts, Poller, PollerSettings, RequestsPerHour};
use release_feed::snapshot::{Restored, SnapshotSender};
use release_feed::{Clock, UnixMs, VirtualClock};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::cache::SharedCache;
use crate::github::ChangingGithub;

/// 2026-10-08T14:52:50Z.
const START: UnixMs = UnixMs(1_791_471_170_000);
const APPS: &str = "a=A=o/a,b=B=o/b,c=C=o/c";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// Not a divisor of anything, so that it comes at every phase of the cache's minute.
const LAUNCHER_POLLS_EVERY: Duration = Duration::from_secs(47);
const OLDEST_SEEN: Duration = Duration::from_secs(35 * 60);

#[tokio::test(start_paused = true)]
async fn no_launcher_sees_old_times_or_a_cold_answer_and_most_polls_cost_a_304() {
  let clock = Arc::new(VirtualClock::starting_at(START));
  let catalog = Arc::new(parse_app_list(APPS).0);
  let restored = Restored::nothing(Arc::clone(&catalog));
  let (publisher, encoder, publication) = feed_channel(restored.cache.answer()).unwrap();
  let feed = Feed::new(FeedParts {
    restored,
    asked_as: "token".to_owned(),
    publisher,
    snapshots: SnapshotSender::to_nowhere(),
  });
  let settings = PollerSettings {
    polling_enabled: true,
    interval: Duration::from_secs(120),
    interval_without_token: Duration::from_secs(1_800),
    max_backoff: Duration::from_secs(14_400),
    requests_per_hour: RequestsPerHour::of_github(true),
  };
  let github = ChangingGithub::new(Arc::clone(&clock));
  let poller = Poller::new(
    settings,
    Arc::new(github.clone()),
    Arc::clone(&clock),
    StdRng::seed_from_u64(7),
    feed,
  );
  let stop = CancellationToken::new();
  let tasks = [tokio::spawn(encoder.run()), tokio::spawn(poller.run(stop.clone()))];
  let mut cache = SharedCache::before(router(Answers { publication, catalog }), Arc::clone(&clock));

  let (mut was_complete, mut polls, mut oldest) = (false, 0_u32, Duration::ZERO);
  let end = START.plus(DAY);
  while clock.now() < end {
    let answer: ReleaseInfoAnswer = serde_json::from_slice(&cache.get().await).unwrap();
    polls += 1;
    match answer.release_info.last_fetched {
      Some(time) => {
        was_complete = true;
        oldest = oldest.max(UnixMs(time.unix_ms()).age_at(clock.now()).unwrap());
      }
      None => assert!(!was_complete, "a cold answer after a complete one"),
    }
    sleep(LAUNCHER_POLLS_EVERY).await;
  }
  let sent = cache.sent();
  println!(
    "{polls} polls of a day: {} bodies and {} confirmations from the server, {} bytes; times at most {} s old",
    sent.bodies,
    sent.confirmations,
    sent.bytes,
    oldest.as_secs()
  );
  assert!(was_complete);
  assert!(oldest <= OLDEST_SEEN, "{oldest:?}");
  // A body every half hour and at each of the four changes, a confirmation for nearly everything else.
  assert!((48..=60).contains(&sent.bodies), "{sent:?}");
  assert!(sent.confirmations > 700, "{sent:?}");
  assert_eq!(github.changes(), 4);
  stop.cancel();
  for task in tasks {
    task.await.unwrap();
  }
}
