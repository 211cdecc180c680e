//! What we know of one app. All or nothing: a release is stored whole, with its validator and a fresh time, or nothing changes.

use std::sync::Arc;
use std::time::Duration;

use feed_types::Release;
use serde::{Deserialize, Serialize};

use crate::clock::UnixMs;
use crate::github::{Known, ReleaseAnswer, Validators};
use crate::release::{ReleaseFacts, ValidRelease};
use crate::schedule::{Failure, Freshness, is_due};

/// One app's last good answer, and the failures since.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct AppEntry {
  /// The last answer that told or confirmed something.
  pub fetch: Option<Fetch>,
  /// The failures after it.
  pub failure: Option<Failure>,
  /// Not asked about until its end, whatever else is due.
  pub wait: Option<Wait>,
}

/// A time in which one app is left alone.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Wait {
  /// When the request failed that it follows from.
  pub since: UnixMs,
  /// When the app may be asked about again.
  pub until: UnixMs,
}

/// An answer that told something.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fetch {
  /// When GitHub gave or last confirmed it.
  pub at: UnixMs,
  /// The validators of the bodies that it was read from.
  pub validators: Validators,
  /// The release; `None` for a repository without one.
  pub release: Option<Arc<Release>>,
  /// What GitHub says of the release beyond the contract, as of the last whole answer; nothing where that isn't known.
  pub facts: Arc<ReleaseFacts>,
}

impl Fetch {
  /// The repository has no release.
  pub fn without_release(at: UnixMs) -> Self {
    Self {
      at,
      validators: Validators::default(),
      release: None,
      facts: Arc::default(),
    }
  }

  /// The release with all that goes with it, to be confirmed.
  pub fn known(&self) -> Option<Known<'_>> {
    Some(Known {
      validators: &self.validators,
      release: self.release.as_deref()?,
      facts: &self.facts,
    })
  }
}

/// What an answer changed for whoever reads ours.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Change {
  /// What is said of the app.
  Content,
  /// Nothing but the time of the fetch.
  Time,
}

impl AppEntry {
  /// Takes a whole answer. What counts as a change is our reading of it, not GitHub's bytes, in which counters move all the time.
  pub fn record_release(&mut self, at: UnixMs, answer: ReleaseAnswer) -> Change {
    let ReleaseAnswer {
      valid: ValidRelease { release, .. },
      facts,
      etag,
      asker,
    } = answer;
    self.failure = None;
    self.wait = None;
    match &mut self.fetch {
      Some(fetch) if fetch.release.as_deref() == Some(&release) => {
        fetch.at = at;
        fetch.validators.note(&asker, etag);
        fetch.facts = Arc::new(facts);
        Change::Time
      }
      _ => {
        self.fetch = Some(Fetch {
          at,
          validators: Validators::of(&asker, etag),
          release: Some(Arc::new(release)),
          facts: Arc::new(facts),
        });
        Change::Content
      }
    }
  }

  /// Takes that the repository has no release.
  pub fn record_no_release(&mut self, at: UnixMs) -> Change {
    self.failure = None;
    self.wait = None;
    let was_known = self.fetch.as_ref().is_some_and(|fetch| fetch.release.is_none());
    self.fetch = Some(Fetch::without_release(at));
    if was_known { Change::Time } else { Change::Content }
  }

  /// Takes a confirmation, which moves the time alone. Without anything to confirm nothing happens.
  pub fn record_confirmation(&mut self, at: UnixMs) -> Change {
    if let Some(fetch) = &mut self.fetch {
      fetch.at = at;
      self.failure = None;
      self.wait = None;
    }
    Change::Time
  }

  /// Takes a failure, after which the app is left alone for as long as told. Gives back what is recorded.
  pub fn record_failure(&mut self, at: UnixMs, left_alone_for: Option<Duration>) -> Failure {
    let before = self.failure.map_or(0, |failure| failure.count);
    let failure = Failure {
      at,
      count: before.saturating_add(1),
    };
    self.failure = Some(failure);
    self.wait = left_alone_for.map(|wait| Wait {
      since: at,
      until: at.plus(wait),
    });
    failure
  }

  /// Takes what another instance knows, as far as it is newer: its fetch, its failure. `None` where there is no newer fetch.
  pub fn adopt(&mut self, fetch: Option<Fetch>, failure: Option<Failure>) -> Option<Change> {
    if let Some(failure) = failure
      && self.failure.is_none_or(|ours| ours.at < failure.at)
      && self.fetch.as_ref().is_none_or(|ours| ours.at <= failure.at)
    {
      self.failure = Some(failure);
    }
    let fetch = fetch.filter(|fetch| self.fetch.as_ref().is_none_or(|ours| ours.at < fetch.at))?;
    if self.failure.is_some_and(|failure| failure.at < fetch.at) {
      self.failure = None;
    }
    if self.wait.is_some_and(|wait| wait.since < fetch.at) {
      self.wait = None;
    }
    match &mut self.fetch {
      Some(ours) if ours.release == fetch.release => {
        ours.at = fetch.at;
        ours.validators.take_over(fetch.validators);
        if *fetch.facts != ReleaseFacts::default() {
          ours.facts = fetch.facts;
        }
        Some(Change::Time)
      }
      ours => {
        *ours = Some(fetch);
        Some(Change::Content)
      }
    }
  }

  /// Takes over that another instance leaves the app alone, unless something was told since it began.
  pub fn adopt_wait(&mut self, wait: Wait) {
    let is_over = self.fetch.as_ref().is_some_and(|fetch| fetch.at > wait.since);
    let is_newer = self.wait.is_none_or(|ours| ours.since < wait.since);
    if !is_over && is_newer {
      self.wait = Some(wait);
    }
  }

  /// Whether it must not be asked about, however old it is.
  pub fn is_left_alone_at(&self, now: UnixMs) -> bool {
    self.wait.is_some_and(|wait| !wait.until.after(now).is_zero())
  }

  /// Whether to ask about it now.
  pub fn is_due(&self, freshness: Freshness, now: UnixMs) -> bool {
    let fetched = self.fetch.as_ref().map(|fetch| fetch.at);
    !self.is_left_alone_at(now) && is_due(fetched, self.failure, freshness, now)
  }

  /// Moves every time by that much.
  pub fn shift_times(&mut self, milliseconds: i64) {
    if let Some(fetch) = &mut self.fetch {
      fetch.at = fetch.at.shifted_by_ms(milliseconds);
    }
    if let Some(failure) = &mut self.failure {
      failure.at = failure.at.shifted_by_ms(milliseconds);
    }
    if let Some(wait) = &mut self.wait {
      wait.since = wait.since.shifted_by_ms(milliseconds);
      wait.until = wait.until.shifted_by_ms(milliseconds);
    }
  }
}

#[cfg(test)]
mod tests {
  use super::*;
  use crate::github::{ETag, Identity};

  #[test]
  fn a_release_is_stored_whole() {
    let mut entry = AppEntry::default();
    entry.record_failure(UnixMs(1), None);
    assert_eq!(entry.record_release(UnixMs(2), told("\"a\"", "v1")), Change::Content);
    let expected = Fetch {
      at: UnixMs(2),
      validators: Validators::of(&Identity::anonymous(), ETag::new("\"a\"")),
      release: Some(Arc::new(release("v1"))),
      facts: Arc::default(),
    };
    assert_eq!(
      entry,
      AppEntry {
        fetch: Some(expected),
        failure: None,
        wait: None
      }
    );
  }

  #[test]
  fn the_same_reading_under_another_etag_moves_time_and_etag() {
    let mut entry = AppEntry::default();
    entry.record_release(UnixMs(1), told("\"a\"", "v1"));
    let facts = ReleaseFacts {
      id: Some(7),
      ..ReleaseFacts::default()
    };
    let again = ReleaseAnswer {
      facts: facts.clone(),
      ..told("\"b\"", "v1")
    };
    assert_eq!(entry.record_release(UnixMs(2), again), Change::Time);
    let fetch = entry.fetch.unwrap();
    assert_eq!(
      (fetch.at, fetch.validators.last()),
      (UnixMs(2), ETag::new("\"b\"").as_ref())
    );
    assert_eq!(*fetch.facts, facts);
  }

  #[test]
  fn a_304_moves_only_the_time() {
    let mut entry = AppEntry::default();
    entry.record_release(UnixMs(1), told("\"a\"", "v1"));
    let before = entry.clone().fetch.unwrap();
    assert_eq!(entry.record_confirmation(UnixMs(2)), Change::Time);
    assert_eq!(
      entry.fetch,
      Some(Fetch {
        at: UnixMs(2),
        ..before
      })
    );
  }

  #[test]
  fn no_release_after_a_release_is_a_change_and_first_sight_of_none_too() {
    let mut entry = AppEntry::default();
    assert_eq!(entry.record_no_release(UnixMs(1)), Change::Content);
    assert_eq!(entry.record_no_release(UnixMs(2)), Change::Time);
    assert_eq!(entry.record_release(UnixMs(3), told("\"a\"", "v1")), Change::Content);
    assert_eq!(entry.record_no_release(UnixMs(4)), Change::Content);
  }

  #[test]
  fn a_failure_changes_nothing_but_its_count() {
    let mut entry = AppEntry::default();
    entry.record_release(UnixMs(1), told("\"a\"", "v1"));
    let before = entry.fetch.clone();
    entry.record_failure(UnixMs(2), None);
    entry.record_failure(UnixMs(3), None);
    assert_eq!(
      entry.failure,
      Some(Failure {
        at: UnixMs(3),
        count: 2
      })
    );
    assert_eq!(entry.fetch, before);
    entry.record_confirmation(UnixMs(4));
    assert_eq!(entry.failure, None);
  }

  #[test]
  fn of_another_instance_only_what_is_newer_is_taken() {
    let fetch = |at, tag| {
      Some(Fetch {
        release: Some(Arc::new(release(tag))),
        ..Fetch::without_release(UnixMs(at))
      })
    };
    let failure = |at, count| Some(Failure { at: UnixMs(at), count });
    let mut entry = AppEntry::default();
    assert_eq!(entry.adopt(fetch(10, "v1"), failure(5, 3)), Some(Change::Content));
    assert_eq!((entry.fetch.clone(), entry.failure), (fetch(10, "v1"), None));
    assert_eq!(entry.adopt(fetch(9, "v0"), None), None);
    assert_eq!(entry.adopt(fetch(10, "v0"), None), None);
    assert_eq!(entry.adopt(fetch(11, "v1"), None), Some(Change::Time));
    assert_eq!(entry.adopt(None, failure(20, 2)), None);
    assert_eq!(entry.adopt(fetch(11, "v1"), failure(19, 9)), None);
    assert_eq!((entry.fetch.clone(), entry.failure), (fetch(11, "v1"), failure(20, 2)));
    assert_eq!(entry.adopt(fetch(21, "v2"), failure(20, 2)), Some(Change::Content));
    assert_eq!((entry.fetch, entry.failure), (fetch(21, "v2"), None));
  }

  #[test]
  fn what_another_instance_found_unchanged_keeps_what_goes_with_it() {
    let mut entry = AppEntry::default();
    let facts = ReleaseFacts {
      id: Some(7),
      ..ReleaseFacts::default()
    };
    let told = ReleaseAnswer {
      facts: facts.clone(),
      ..told("\"ours\"", "v1")
    };
    entry.record_release(UnixMs(1), told);
    let theirs = |at, tag| Fetch {
      validators: Validators::unowned(ETag::new("\"theirs\"")),
      release: Some(Arc::new(release(tag))),
      ..Fetch::without_release(UnixMs(at))
    };
    assert_eq!(entry.adopt(Some(theirs(2, "v1")), None), Some(Change::Time));
    let fetch = entry.fetch.clone().unwrap();
    assert_eq!(
      (
        fetch.validators.last(),
        fetch.validators.for_asker(&Identity::anonymous())
      ),
      (ETag::new("\"theirs\"").as_ref(), ETag::new("\"ours\"").as_ref())
    );
    assert_eq!(*fetch.facts, facts);
    assert_eq!(entry.adopt(Some(theirs(3, "v2")), None), Some(Change::Content));
    assert_eq!(entry.fetch, Some(theirs(3, "v2")));
  }

  fn told(etag: &str, tag: &str) -> ReleaseAnswer {
    ReleaseAnswer {
      valid: ValidRelease {
        release: release(tag),
        left_out: Vec::new(),
      },
      etag: ETag::new(etag),
      ..ReleaseAnswer::default()
    }
  }

  fn release(tag: &str) -> Release {
    Release {
      tag: tag.to_owned(),
      ..Release::default()
    }
  }
}
