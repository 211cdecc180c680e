//! What is remembered between the choices of an app: the size of a page, and what lay on the pages that aren't read each time.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::candidate::Candidate;
use super::walk::{MAX_RELEASES, PageSize};
use crate::catalog::AppKey;
use crate::clock::UnixMs;

/// All pages are read again after as long.
const READ_AGAIN_AFTER: Duration = Duration::from_secs(60 * 60);

/// By app. Lost with a restart, which costs one reading of all pages.
#[derive(Debug, Default)]
pub struct ChoiceMemory(Mutex<BTreeMap<AppKey, Remembered>>);

/// What is remembered of one app.
#[derive(Clone, Debug, Default)]
pub(super) struct Remembered {
  pub(super) size: PageSize,
  pub(super) listed: Option<Listed>,
}

/// What was found on all pages.
#[derive(Clone, Debug)]
pub(super) struct Listed {
  pub(super) read_at: UnixMs,
  /// Whether the list was read to its end.
  pub(super) is_whole: bool,
  /// Whether its pages go in circles.
  pub(super) is_circle: bool,
  /// Entries that were looked at, each release once.
  pub(super) looked_at: usize,
  pub(super) candidates: Vec<Candidate>,
}

impl ChoiceMemory {
  pub(super) fn of(&self, key: &AppKey) -> Remembered {
    self.lock().get(key).cloned().unwrap_or_default()
  }

  pub(super) fn note_size(&self, key: &AppKey, size: PageSize) {
    self.lock().entry(key.clone()).or_default().size = size;
  }

  pub(super) fn note_listed(&self, key: &AppKey, listed: Option<Listed>) {
    self.lock().entry(key.clone()).or_default().listed = listed;
  }

  fn lock(&self) -> MutexGuard<'_, BTreeMap<AppKey, Remembered>> {
    self.0.lock().unwrap_or_else(PoisonError::into_inner)
  }
}

impl Listed {
  /// Whether it still stands for the pages.
  pub(super) fn holds_at(&self, now: UnixMs) -> bool {
    self.read_at.age_at(now).is_some_and(|age| age < READ_AGAIN_AFTER)
  }

  /// Takes what the first page says now. What leaves that page later is then still known.
  pub(super) fn take<'c>(&mut self, newer: impl Iterator<Item = &'c Candidate>) {
    let newer: Vec<Candidate> = newer.cloned().collect();
    self
      .candidates
      .retain(|known| newer.iter().all(|candidate| candidate.tag != known.tag));
    self.candidates.splice(0..0, newer);
    self.candidates.truncate(MAX_RELEASES);
  }

  /// One that isn't what it was.
  pub(super) fn drop_tag(&mut self, tag: &str) {
    self.candidates.retain(|known| known.tag != tag);
  }
}

#[cfg(test)]
mod tests {
  use feed_types::Release;

  use super::*;
  use crate::catalog::ReleaseChoice;

  const NOW: UnixMs = UnixMs(1_791_471_170_000);

  #[test]
  fn what_was_listed_holds_for_an_hour() {
    let listed = listed(&[]);
    assert!(listed.holds_at(NOW.plus(Duration::from_secs(3_599))));
    assert!(!listed.holds_at(NOW.plus(Duration::from_secs(3_600))));
    assert!(!listed.holds_at(NOW.shifted_by_ms(-3_600_000)), "the clock was wrong");
  }

  #[test]
  fn what_is_on_the_first_page_takes_the_place_of_what_was_known() {
    let mut listed = listed(&["v2", "v1"]);
    listed.take([candidate("v3"), candidate("v1")].iter());
    let tags = |listed: &Listed| -> Vec<String> { listed.candidates.iter().map(|known| known.tag.clone()).collect() };
    assert_eq!(tags(&listed), ["v3", "v1", "v2"]);
    listed.drop_tag("v1");
    assert_eq!(tags(&listed), ["v3", "v2"]);
    let many: Vec<Candidate> = (0..MAX_RELEASES).map(|number| candidate(&number.to_string())).collect();
    listed.take(many.iter());
    assert_eq!(listed.candidates.len(), MAX_RELEASES);
  }

  fn listed(tags: &[&str]) -> Listed {
    Listed {
      read_at: NOW,
      is_whole: true,
      is_circle: false,
      looked_at: tags.len(),
      candidates: tags.iter().map(|tag| candidate(tag)).collect(),
    }
  }

  fn candidate(tag: &str) -> Candidate {
    let release = Release {
      tag: tag.to_owned(),
      ..Release::default()
    };
    Candidate::of(&release, &ReleaseChoice::default()).unwrap()
  }
}
