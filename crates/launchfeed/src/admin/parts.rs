//! How each part is, in words.

use std::time::Duration;

use release_feed::UnixMs;
use release_feed::catalog::AppKey;
use release_feed::status::{AppStatus, FeedStatus, FleetStatus, RedisStatus, RedisTrouble, SnapshotStatus, Trouble};

use super::ago::in_words;
use super::health::{Part, PartState};

/// The poller looks every 30 s; a request, its claim and a pause in the middle of a round take a minute at most.
const SILENT_POLLER: Duration = Duration::from_secs(5 * 60);
/// Data is old once it is older than that many intervals.
const OLD_AFTER_INTERVALS: u32 = 3;
/// Apps named in one reason; the rest is counted.
const MAX_NAMED: usize = 5;

/// What is served.
pub(super) fn answer(feed: &FeedStatus, now: UnixMs) -> Part {
  let all = feed.apps.len();
  let unknown: Vec<&str> = feed
    .apps
    .iter()
    .filter(|(_, app)| app.fetched_at.is_none())
    .map(|(key, _)| key.as_str())
    .collect();
  let known = all - unknown.len();
  if known == 0 {
    return Part::new(
      PartState::Unready,
      "there is nothing to serve yet: neither GitHub nor Redis nor a snapshot has told about any app",
    );
  }
  if !unknown.is_empty() {
    let are = if known == 1 { "is" } else { "are" };
    let reason = format!("{known} of {all} apps {are} known; not yet: {}", some_of(&unknown));
    return Part::new(PartState::Degraded, reason);
  }
  let oldest = feed.apps.values().filter_map(|app| app.fetched_at).min();
  let age = oldest.map_or(Duration::ZERO, |oldest| now.after(oldest));
  let is_old = feed.polling.enabled && age > feed.polling.interval.saturating_mul(OLD_AFTER_INTERVALS);
  let reason = format!("all {all} apps are known; the oldest was fetched {} ago", in_words(age));
  Part::new(if is_old { PartState::Degraded } else { PartState::Ok }, reason)
}

/// What comes from GitHub.
pub(super) fn github(feed: &FeedStatus, now: UnixMs) -> Part {
  if !feed.polling.enabled {
    let reason = "it isn't asked: polling is switched off (CRAFT_APPS_RELEASE_POLLING_ENABLED)";
    return Part::new(PartState::Off, reason);
  }
  match github_trouble(feed, now) {
    Some(reason) => Part::new(PartState::Degraded, reason),
    None => Part::new(PartState::Ok, github_well(feed, now)),
  }
}

fn github_trouble(feed: &FeedStatus, now: UnixMs) -> Option<String> {
  let silent = feed.as_of.map_or(Duration::ZERO, |as_of| now.after(as_of));
  if silent > SILENT_POLLER {
    let silent = in_words(silent);
    return Some(format!(
      "the poller has said nothing for {silent}; restart this instance if that goes on"
    ));
  }
  let lasting = feed.polling.backoff.filter(|backoff| backoff.until > now);
  if let Some(backoff) = lasting {
    let until = time_in_words(backoff.until);
    let trouble = backoff.trouble;
    return Some(format!(
      "GitHub is left alone until {until}, after {trouble} rounds in a row with rate limits or nothing but failures"
    ));
  }
  if let Some(until) = feed.github.used_up_until.filter(|until| *until > now) {
    let until = time_in_words(until);
    return Some(format!(
      "nothing is left of the requests that GitHub allows: nobody asks before there are new ones at {until}"
    ));
  }
  if feed.github.is_token_refused {
    return Some("GitHub refuses the token (401); it is asked without one, more seldom".to_owned());
  }
  let refused = feed.github.askers.iter().filter(|asker| asker.is_refused).count();
  if refused > 0 {
    return Some(format!(
      "GitHub refuses {refused} of the tokens (401); it is asked with the others"
    ));
  }
  failing_apps(feed, now)
}

fn time_in_words(at: UnixMs) -> String {
  at.to_utc_time()
    .map_or_else(|| "a time beyond all calendars".to_owned(), |at| at.to_string())
}

/// How many apps fail, and why the one that does for longest.
fn failing_apps(feed: &FeedStatus, now: UnixMs) -> Option<String> {
  let failing = feed.apps.iter().filter_map(with_failure);
  let count = failing.clone().count();
  let (key, failure) = failing.min_by_key(|(_, failure)| failure.since)?;
  let (lasted, in_a_row) = (in_words(now.after(failure.since)), failure.count);
  let reason = failure
    .reason
    .as_deref()
    .unwrap_or("another instance, or an earlier process, met it");
  let all = feed.apps.len();
  Some(format!(
    "asking about {count} of {all} apps fails, about {key} for {lasted} ({in_a_row} in a row): {reason}"
  ))
}

fn with_failure<'f>(
  (key, app): (&'f AppKey, &'f AppStatus),
) -> Option<(&'f AppKey, &'f release_feed::status::FailureStatus)> {
  Some((key, app.failure.as_ref()?))
}

fn github_well(feed: &FeedStatus, now: UnixMs) -> String {
  feed.polling.last_round.map_or_else(
    || "no request has failed; none was needed since the start".to_owned(),
    |round| format!("it last answered {} ago", in_words(now.after(round.ended_at))),
  )
}

/// What the fleet shares.
pub(super) fn redis(fleet: &FleetStatus, now: UnixMs) -> Part {
  match &fleet.redis {
    RedisStatus::Off => Part::new(PartState::Off, "this instance shares nothing"),
    RedisStatus::Unknown => Part::new(PartState::Degraded, "it hasn't answered yet"),
    RedisStatus::Works => {
      let instances = fleet
        .instances
        .map_or_else(String::new, |count| format!("; instances: {count}"));
      Part::new(PartState::Ok, format!("it answers{instances}"))
    }
    RedisStatus::Fails { what, trouble } => {
      let what = match what {
        RedisTrouble::Reading => "reading what the fleet shares",
        RedisTrouble::Writing => "writing what the fleet shares",
        RedisTrouble::Announcing => "announcing what changed",
      };
      Part::new(PartState::Degraded, format!("{what} fails {}", lasting(trouble, now)))
    }
  }
}

/// What outlives the process.
pub(super) fn snapshot(disk: &SnapshotStatus, now: UnixMs) -> Part {
  let age = disk.saved_at.map(|saved_at| in_words(now.after(saved_at)));
  match (&disk.trouble, age) {
    (Some(trouble), age) => {
      let last = age.map_or_else(
        || "there is none".to_owned(),
        |age| format!("the last one is {age} old"),
      );
      let reason = format!("it can't be written {}; {last}", lasting(trouble, now));
      Part::new(PartState::Degraded, reason)
    }
    (None, Some(age)) => Part::new(PartState::Ok, format!("it was written {age} ago")),
    (None, None) => Part::new(PartState::Ok, "there was nothing to write yet"),
  }
}

fn lasting(trouble: &Trouble, now: UnixMs) -> String {
  format!("for {}: {}", in_words(now.after(trouble.since)), trouble.error)
}

fn some_of(names: &[&str]) -> String {
  let mut text = names[..names.len().min(MAX_NAMED)].join(", ");
  if names.len() > MAX_NAMED {
    text.push_str(", …");
  }
  text
}
