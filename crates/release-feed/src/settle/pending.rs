//! What waits beside what is served.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::times::Times;
use super::told::Told;
use super::why::Why;
use crate::clock::UnixMs;

/// After first sight a release that waits for files is asked about so soon, and again so soon, and then at each full minute.
const FIRST_LOOKS: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(30)];
const LATER_LOOKS: Duration = Duration::from_secs(60);
const SOONEST_LOOK: Duration = Duration::from_secs(5);
const LATEST_LOOK: Duration = Duration::from_secs(60);

/// A candidate for being served, and why it isn't yet. It can be saved; what is read again must pass the gate of all releases, and
/// one that can't be read is best treated as absent.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Pending {
  /// What GitHub tells now. While it waits its validators are to be sent, not those of what is served.
  pub candidate: Told,
  /// Why it waits.
  pub why: Why,
  /// Since when.
  pub times: Times,
  /// When to ask again, 5 to 60 seconds after the answer; `None` for one that is held, which is asked about as seldom as any other.
  #[serde(default)]
  pub ask_again_at: Option<UnixMs>,
}

impl Pending {
  /// After an answer at `now`, in place of what waited before.
  pub(super) fn new(candidate: Told, why: Why, mut times: Times, before: Option<&Self>, now: UnixMs) -> Self {
    let goes_on = |before: &&Self| before.candidate.tag() == candidate.tag() && before.why.is_like(&why);
    if let Some(before) = before.filter(goes_on) {
      times.first_seen = before.times.first_seen;
    }
    let wait = match &why {
      Why::Waiting { until, .. } => Some(next_look(times.first_seen, now).min(until.after(now))),
      Why::TakingBack { believed_from, .. } => Some(believed_from.after(now)),
      Why::Held { .. } => None,
    };
    Self {
      candidate,
      why,
      times,
      ask_again_at: wait.map(|wait| now.plus(wait.clamp(SOONEST_LOOK, LATEST_LOOK))),
    }
  }

  /// Whether it still holds: not with times so far ahead that a clock was wrong. One that doesn't is as good as absent.
  pub fn counts_at(&self, now: UnixMs) -> bool {
    self.times.count_at(now)
  }

  /// Whether to ask now on its account.
  pub fn is_due(&self, now: UnixMs) -> bool {
    // Further ahead than that it was never set.
    let is_set = |at: UnixMs| at.after(now) <= LATEST_LOOK;
    self.ask_again_at.is_some_and(|at| at <= now || !is_set(at))
  }

  /// Moves every time by that much.
  pub fn shift_times(&mut self, milliseconds: i64) {
    self.times.shift(milliseconds);
    self.why.shift_times(milliseconds);
    self.ask_again_at = self.ask_again_at.map(|at| at.shifted_by_ms(milliseconds));
  }
}

fn next_look(first_seen: UnixMs, now: UnixMs) -> Duration {
  let age = first_seen.age_at(now).unwrap_or_default();
  match FIRST_LOOKS.into_iter().find(|look| age < *look) {
    Some(look) => look - age,
    None => LATER_LOOKS - Duration::from_millis((age.as_millis() % LATER_LOOKS.as_millis()) as u64),
  }
}

#[cfg(test)]
mod tests {
  use rstest::rstest;
  use serde::Deserialize;
  use serde_with::{DefaultOnError, serde_as};

  use super::*;
  use crate::settle::Fingerprint;
  use crate::settle::samples::{NOW, etagged, later, release, told};

  #[rstest]
  #[case(0, 10)]
  #[case(3, 7)]
  #[case(8, 5)]
  #[case(10, 20)]
  #[case(30, 30)]
  #[case(59, 5)]
  #[case(60, 60)]
  #[case(61, 59)]
  #[case(1_790, 10)]
  #[case(1_799, 5)]
  fn a_release_that_waits_is_asked_about_after_10_and_30_seconds_each_minute_and_when_its_time_is_over(
    #[case] age_secs: i64,
    #[case] wait_secs: i64,
  ) {
    let why = Why::Waiting {
      missing: Vec::new(),
      not_uploaded: Vec::new(),
      until: later(1_800),
    };
    let now = later(age_secs);
    let pending = Pending::new(Told::default(), why, times(), None, now);
    assert_eq!(pending.ask_again_at, Some(now.shifted_by_ms(wait_secs * 1_000)));
    assert!(!pending.is_due(now) && pending.is_due(now.shifted_by_ms(wait_secs * 1_000)));
  }

  #[rstest]
  #[case(0, 60)]
  #[case(20, 40)]
  #[case(58, 5)]
  #[case(500, 5)]
  fn what_takes_back_is_asked_about_when_it_would_be_believed(#[case] age_secs: i64, #[case] wait_secs: i64) {
    let why = taking_back();
    let now = later(age_secs);
    let pending = Pending::new(Told::default(), why, times(), None, now);
    assert_eq!(pending.ask_again_at, Some(now.shifted_by_ms(wait_secs * 1_000)));
  }

  #[test]
  fn what_is_held_is_asked_about_like_any_other_app() {
    let pending = Pending::new(Told::default(), held(), times(), None, NOW);
    assert_eq!(pending.ask_again_at, None);
    assert!(!pending.is_due(later(100_000)));
  }

  #[test]
  fn times_more_than_a_minute_ahead_do_not_count() {
    let pending = Pending::new(Told::default(), held(), times(), None, NOW);
    assert!(pending.counts_at(later(-60)) && !pending.counts_at(later(-61)));
    let mut shifted = pending;
    shifted.shift_times(-3_600_000);
    assert!(shifted.counts_at(later(-3_660)) && !shifted.counts_at(later(-3_661)));
    let why = taking_back();
    let wrong = Pending::new(Told::default(), why, times(), None, NOW);
    assert!(wrong.is_due(later(-1)), "nobody waits for longer than a minute");
  }

  #[test]
  fn shifting_moves_every_time() {
    let whys = [
      taking_back(),
      Why::Waiting {
        missing: Vec::new(),
        not_uploaded: Vec::new(),
        until: later(1_800),
      },
      held(),
    ];
    for why in whys {
      let mut pending = Pending::new(Told::default(), why, times(), None, NOW);
      let text = |pending: &Pending| serde_json::to_string(pending).unwrap();
      let before = text(&pending);
      pending.shift_times(5_000);
      let moved = text(&pending);
      for seconds in [0, 10, 60, 1_800] {
        assert!(!moved.contains(&later(seconds).0.to_string()), "{before} {moved}");
      }
      pending.shift_times(-5_000);
      assert_eq!(text(&pending), before);
    }
  }

  #[test]
  fn it_reads_what_it_wrote_and_what_it_cannot_read_is_absent() {
    #[serde_as]
    #[derive(Deserialize)]
    struct Saved {
      #[serde_as(deserialize_as = "DefaultOnError")]
      #[serde(default)]
      pending: Option<Pending>,
      after: u8,
    }

    let pending = Pending::new(etagged(told(release("v1")), "\"a\""), held(), times(), None, NOW);
    let text = serde_json::to_string(&pending).unwrap();
    let read = |pending: &str| {
      let saved: Saved = serde_json::from_str(&format!(r#"{{"pending": {pending}, "after": 7}}"#)).unwrap();
      assert_eq!(saved.after, 7);
      saved.pending
    };
    assert_eq!(read(&text), Some(pending));
    for broken in [
      "null",
      "7",
      "{}",
      &text.replace("held", "other"),
      &text.replace("first_seen", "x"),
    ] {
      assert_eq!(read(broken), None, "{broken}");
    }
  }

  fn taking_back() -> Why {
    Why::TakingBack {
      served: None,
      gone: Vec::new(),
      believed_from: later(60),
    }
  }

  fn held() -> Why {
    Why::Held {
      replaced: Vec::new(),
      fingerprint: Fingerprint::of(&Told::default()),
    }
  }

  fn times() -> Times {
    Times {
      first_seen: NOW,
      same_since: NOW,
      waiting_since: NOW,
      heard_at: NOW,
    }
  }
}
