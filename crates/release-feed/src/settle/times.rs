//! Since when a candidate waits, by each of the reckonings that count.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::heard::News;
use super::pending::Pending;
use super::served::Served;
use super::told::Told;
use crate::clock::UnixMs;

/// What takes something away is believed when it is said again so much later.
pub(super) const SECOND_LOOK: Duration = Duration::from_secs(60);
/// A new release waits no longer for files.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(30 * 60);
/// Nor do several that come one after the other, of which each would wait anew.
const LONGEST_WAIT_IN_ALL: Duration = Duration::from_secs(60 * 60);
/// So long a webhook counts as the first answer.
const TOLD_GONE_HOLDS: Duration = LONGEST_WAIT;

/// Times by our clock.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Times {
  /// When the candidate's tag, or that there is no release, was first told and kept back for this reason.
  pub first_seen: UnixMs,
  /// When what agrees with the candidate was first told: the first of two answers that take something back.
  pub same_since: UnixMs,
  /// Since when one new release after the other waited for its files.
  pub waiting_since: UnixMs,
  /// When GitHub gave the last answer that told the candidate.
  pub heard_at: UnixMs,
}

impl Times {
  /// What they are once the news is heard.
  pub(super) fn of(served: &Served<'_>, pending: Option<&Pending>, news: &News<'_>, now: UnixMs) -> Self {
    let told = news.told;
    let same = pending.filter(|pending| agree(served.told, &pending.candidate, told));
    let waiting = pending.filter(|pending| pending.why.is_waiting());
    let same_waiting = waiting.filter(|pending| pending.candidate.tag() == told.tag());
    let heard_before = pending.map(|pending| pending.times.heard_at);
    Self {
      first_seen: same_waiting.map_or(now, |pending| pending.times.first_seen),
      same_since: same
        .map(|pending| pending.times.same_since)
        .or_else(|| told_gone_at(served, heard_before, told, now))
        .unwrap_or(now),
      waiting_since: waiting.map_or(now, |pending| pending.times.waiting_since),
      heard_at: heard_before.map_or(news.told_at, |before| before.max(news.told_at)),
    }
  }

  /// Whether what is told now is the second of two answers, far enough from the first.
  pub(super) fn is_second_look(&self, news: &News<'_>, now: UnixMs) -> bool {
    has_passed(SECOND_LOOK, self.same_since, news.told_at.min(now))
  }

  /// From when on a second answer is believed.
  pub(super) fn believed_from(&self) -> UnixMs {
    self.same_since.plus(SECOND_LOOK)
  }

  /// Whether a release has waited long enough for its files. A time of publication ahead of our clock doesn't count.
  pub(super) fn has_waited(&self, published_at: Option<UnixMs>, now: UnixMs) -> bool {
    has_passed(LONGEST_WAIT, self.first_seen, now)
      || published_at.is_some_and(|published| has_passed(LONGEST_WAIT, published, now))
      || has_passed(LONGEST_WAIT_IN_ALL, self.waiting_since, now)
  }

  /// Until when it waits at the most.
  pub(super) fn waits_until(&self, published_at: Option<UnixMs>) -> UnixMs {
    // One ahead of our clock is no earlier than first sight.
    let since = published_at.map_or(self.first_seen, |published| published.min(self.first_seen));
    let in_all = self.waiting_since.plus(LONGEST_WAIT_IN_ALL);
    since.plus(LONGEST_WAIT).min(in_all)
  }

  /// Whether none of them is so far ahead that a clock was wrong.
  pub(super) fn count_at(&self, now: UnixMs) -> bool {
    let all = [self.first_seen, self.same_since, self.waiting_since, self.heard_at];
    all.iter().all(|time| time.age_at(now).is_some())
  }

  pub(super) fn shift(&mut self, milliseconds: i64) {
    let all = [
      &mut self.first_seen,
      &mut self.same_since,
      &mut self.waiting_since,
      &mut self.heard_at,
    ];
    for time in all {
      *time = time.shifted_by_ms(milliseconds);
    }
  }
}

/// Whether two answers in a row say the same: of another tag than the served one the tag, since its text may be edited meanwhile; of
/// the same tag everything, since it is about what changed there.
fn agree(served: Option<&Told>, before: &Told, now: &Told) -> bool {
  let served_tag = served.and_then(Told::tag);
  before.tag() == now.tag() && (now.tag() != served_tag || before.release == now.release)
}

/// A webhook is the first answer, unless something else was heard since.
fn told_gone_at(served: &Served<'_>, heard_before: Option<UnixMs>, told: &Told, now: UnixMs) -> Option<UnixMs> {
  let told_gone_at = served.told_gone_at?;
  let age = told_gone_at.age_at(now)?;
  let heard_since = served.at.is_some_and(|at| at > told_gone_at) || heard_before.is_some_and(|at| at > told_gone_at);
  let is_about_it = served.told.and_then(Told::tag) != told.tag();
  (age <= TOLD_GONE_HOLDS && !heard_since && is_about_it).then_some(told_gone_at)
}

fn has_passed(duration: Duration, since: UnixMs, at: UnixMs) -> bool {
  since.age_at(at).is_some_and(|age| age >= duration)
}
