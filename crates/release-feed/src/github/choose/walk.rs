//! The way through the pages of a list: which page next, and what is known once enough of them are read. Pure.

use std::collections::HashSet;

use super::candidate::{Candidate, best};
use crate::catalog::{ReleaseChoice, Select};
use crate::github::read_release::{ReadRelease, ReleasePage};

/// Releases on a page: as many as usual, and fewer where so many are longer than a body may be.
const PAGE_SIZES: [usize; 4] = [30, 10, 3, 1];
/// Looked through at most.
pub(super) const MAX_RELEASES: usize = 300;
/// Requests of one choice at most.
pub(super) const MAX_REQUESTS: usize = 10;

/// As many pages in a row bring nothing new where they go in circles. One alone may, when something was published meanwhile.
const REPEATS: usize = 2;

/// The number of a page size, from the usual one on.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct PageSize(usize);

impl PageSize {
  /// Releases on a page.
  pub(super) fn releases(self) -> usize {
    PAGE_SIZES.get(self.0).copied().unwrap_or(1)
  }

  /// The next smaller one; `None` after the smallest.
  fn smaller(self) -> Option<Self> {
    let next = self.0 + 1;
    (next < PAGE_SIZES.len()).then_some(Self(next))
  }
}

/// Where a walk is.
#[derive(Debug)]
pub(super) struct Walk<'c> {
  choice: &'c ReleaseChoice,
  size: PageSize,
  requests: usize,
  /// Where the next page begins, which is behind as many entries.
  seen: usize,
  /// Entries that have been looked at, each release once.
  looked_at: usize,
  /// What tells these releases apart.
  names: HashSet<Name>,
  /// Pages in a row that held nothing but releases of earlier ones.
  repeats: usize,
  is_at_end: bool,
  /// Every one of which may be the app's, the newest first.
  found: Vec<Found>,
}

/// What tells a release from others: GitHub's number, else its tag.
#[derive(Debug, Eq, Hash, PartialEq)]
enum Name {
  Id(u64),
  Tag(String),
}

/// One that may be the app's.
#[derive(Debug)]
struct Found {
  candidate: Candidate,
  read: ReadRelease,
  is_on_first_page: bool,
}

/// A release that a walk chose.
#[derive(Debug)]
pub(super) struct Chosen {
  pub(super) read: ReadRelease,
  pub(super) is_on_first_page: bool,
}

impl<'c> Walk<'c> {
  /// At the first page.
  pub(super) fn begin(choice: &'c ReleaseChoice, size: PageSize) -> Self {
    Self {
      choice,
      size,
      requests: 0,
      seen: 0,
      looked_at: 0,
      names: HashSet::new(),
      repeats: 0,
      is_at_end: false,
      found: Vec::new(),
    }
  }

  /// The size of a page, to begin with it the next time.
  pub(super) fn size(&self) -> PageSize {
    self.size
  }

  /// Releases on a page, and the number of the next page, from 1.
  pub(super) fn next_page(&self) -> (usize, usize) {
    let size = self.size.releases();
    // After a smaller size has been taken the page may begin with releases that were seen already, which does no harm.
    (size, self.seen / size + 1)
  }

  /// Whether the next page is the first.
  pub(super) fn is_at_first_page(&self) -> bool {
    self.seen == 0
  }

  /// Entries that have been looked at, each release once.
  pub(super) fn looked_at(&self) -> usize {
    self.looked_at
  }

  /// Whether the pages go in circles.
  pub(super) fn is_circle(&self) -> bool {
    self.repeats >= REPEATS
  }

  /// Another request was sent, for a page or anything else.
  pub(super) fn count_request(&mut self) {
    self.requests += 1;
  }

  /// Whether another request may be sent.
  pub(super) fn may_ask(&self) -> bool {
    self.requests < MAX_REQUESTS
  }

  /// A page was longer than a body may be: whether there is a smaller size to go on with.
  pub(super) fn shrink(&mut self) -> bool {
    match self.size.smaller() {
      Some(smaller) if self.may_ask() => {
        self.size = smaller;
        true
      }
      _ => false,
    }
  }

  /// Takes a page. `has_next` is what GitHub says of another one; none where it says nothing.
  pub(super) fn take(&mut self, page: ReleasePage, has_next: Option<bool>) {
    let (size, number) = self.next_page();
    let is_on_first_page = self.is_at_first_page();
    self.seen = (number - 1) * size + page.entries.min(size);
    self.is_at_end = page.entries == 0 || !has_next.unwrap_or(page.entries >= size);
    if !self.is_at_end {
      // A page may be short though there are more.
      self.seen = number * size;
    }
    self.note_names(&page);
    for read in page.releases {
      let Some(candidate) = Candidate::of(&read.release, self.choice) else {
        continue;
      };
      if !self.found.iter().any(|found| found.candidate.tag == candidate.tag) {
        self.found.push(Found {
          candidate,
          read,
          is_on_first_page,
        });
      }
    }
  }

  fn note_names(&mut self, page: &ReleasePage) {
    let before = self.names.len();
    for ReadRelease { release, facts } in &page.releases {
      self
        .names
        .insert(facts.id.map_or_else(|| Name::Tag(release.tag.clone()), Name::Id));
    }
    let new = self.names.len() - before;
    // Of drafts and of what can't be read nobody knows whether it was there before.
    self.looked_at += new + page.entries.saturating_sub(page.releases.len());
    let is_repeat = new == 0 && !page.releases.is_empty();
    self.repeats = if is_repeat { self.repeats + 1 } else { 0 };
  }

  /// Whether no further page can tell more.
  pub(super) fn is_over(&self) -> bool {
    let is_decided = self.choice.select == Select::Latest && !self.found.is_empty();
    self.is_at_end || is_decided || self.is_circle() || self.seen >= MAX_RELEASES || !self.may_ask()
  }

  /// Whether the list was read to its end.
  pub(super) fn is_at_end(&self) -> bool {
    self.is_at_end
  }

  /// All that may be the app's.
  pub(super) fn candidates(&self) -> impl Iterator<Item = &Candidate> {
    self.found.iter().map(|found| &found.candidate)
  }

  /// Whether one is among them.
  pub(super) fn has_found(&self, tag: &str) -> bool {
    self.candidates().any(|candidate| candidate.tag == tag)
  }

  /// The one that was found under that tag.
  pub(super) fn into_found(self, tag: &str) -> Option<Chosen> {
    let found = self.found.into_iter().find(|found| found.candidate.tag == tag)?;
    Some(Chosen {
      read: found.read,
      is_on_first_page: found.is_on_first_page,
    })
  }

  /// The best of all.
  pub(super) fn into_best(self) -> Option<Chosen> {
    let tag = best(self.candidates(), &self.choice.select)?.tag.clone();
    self.into_found(&tag)
  }
}

#[cfg(test)]
mod tests {
  use feed_types::Release;
  use rstest::rstest;

  use super::*;
  use crate::catalog::TagPrefix;

  #[test]
  fn the_latest_of_a_prefix_is_on_the_first_page_that_has_any() {
    let choice = prefixed(Select::Latest);
    let mut walk = Walk::begin(&choice, PageSize::default());
    walk.take(page(&["other-v1"; 30]), Some(true));
    assert!(!walk.is_over());
    assert_eq!(walk.next_page(), (30, 2));
    walk.take(page(&["app-v1", "app-v2-rc.1"]), Some(true));
    assert!(walk.is_over());
    let chosen = walk.into_best().unwrap();
    assert_eq!(
      (chosen.read.release.tag.as_str(), chosen.is_on_first_page),
      ("app-v1", false)
    );
  }

  #[test]
  fn the_highest_version_is_looked_for_to_the_end() {
    let choice = prefixed(Select::NewestStableVersion);
    let mut walk = Walk::begin(&choice, PageSize::default());
    walk.take(page(&["app-v1"; 30]), Some(true));
    assert!(!walk.is_over());
    walk.take(page(&["app-v3", "app-v1"]), Some(false));
    assert!(walk.is_over() && walk.is_at_end());
    assert_eq!(
      walk.candidates().count(),
      2,
      "one that moved to the next page is there once"
    );
    assert_eq!(walk.into_best().unwrap().read.release.tag, "app-v3");
  }

  #[rstest]
  #[case::github_says_so(3, Some(false), true)]
  #[case::full_and_github_says_so(30, Some(false), true)]
  #[case::short_and_nothing_is_said(3, None, true)]
  #[case::full_and_nothing_is_said(30, None, false)]
  #[case::short_but_there_is_more(3, Some(true), false)]
  #[case::nothing_on_it_whatever_is_said(0, Some(true), true)]
  fn a_list_is_at_its_end(#[case] entries: usize, #[case] has_next: Option<bool>, #[case] is_at_end: bool) {
    let choice = prefixed(Select::Latest);
    let mut walk = Walk::begin(&choice, PageSize::default());
    walk.take(page(&vec!["other"; entries]), has_next);
    assert_eq!((walk.is_at_end(), walk.is_over()), (is_at_end, is_at_end));
  }

  #[test]
  fn smaller_pages_go_on_where_the_larger_ones_ended() {
    let choice = prefixed(Select::NewestStableVersion);
    let mut walk = Walk::begin(&choice, PageSize::default());
    walk.take(page(&["other"; 30]), Some(true));
    assert!(walk.shrink());
    assert_eq!(walk.next_page(), (10, 4));
    walk.take(page(&["other"; 10]), Some(true));
    assert!(walk.shrink());
    assert_eq!(walk.next_page(), (3, 14), "which begins with the 40th");
    assert!(walk.shrink());
    assert_eq!(walk.next_page(), (1, 41));
    assert!(!walk.shrink());
  }

  #[test]
  fn a_walk_ends_after_300_releases_or_10_requests() {
    let choice = prefixed(Select::Latest);
    let mut walk = Walk::begin(&choice, PageSize::default());
    let mut pages = 0;
    while !walk.is_over() {
      walk.count_request();
      walk.take(numbered(pages * 30..(pages + 1) * 30), Some(true));
      pages += 1;
    }
    assert_eq!((pages, walk.looked_at(), walk.is_at_end()), (10, MAX_RELEASES, false));
    let mut walk = Walk::begin(&choice, PageSize(3));
    while !walk.is_over() {
      walk.count_request();
      walk.take(numbered(walk.seen..walk.seen + 1), Some(true));
    }
    assert_eq!(walk.looked_at(), MAX_REQUESTS);
  }

  #[test]
  fn pages_that_are_short_hold_no_more_than_is_on_them() {
    let choice = prefixed(Select::Latest);
    let mut walk = Walk::begin(&choice, PageSize::default());
    for number in 0..10 {
      walk.take(numbered(number..number + 1), Some(true));
    }
    assert_eq!((walk.looked_at(), walk.is_over(), walk.is_circle()), (10, true, false));
  }

  #[test]
  fn pages_go_in_circles_once_two_in_a_row_bring_nothing_new() {
    let choice = prefixed(Select::NewestStableVersion);
    let mut walk = Walk::begin(&choice, PageSize::default());
    let rounds = [(0, 30), (30, 60), (0, 30), (60, 90), (0, 30)];
    for (from, to) in rounds {
      walk.take(numbered(from..to), Some(true));
      assert!(!walk.is_circle() && !walk.is_over());
    }
    walk.take(numbered(30..60), Some(true));
    assert!(walk.is_circle() && walk.is_over());
    assert_eq!(walk.looked_at(), 90);
  }

  fn numbered(numbers: std::ops::Range<usize>) -> ReleasePage {
    let tags: Vec<String> = numbers.map(|number| format!("other-{number}")).collect();
    page(&tags.iter().map(String::as_str).collect::<Vec<_>>())
  }

  fn page(tags: &[&str]) -> ReleasePage {
    let releases = tags.iter().map(|tag| ReadRelease {
      release: Release {
        tag: (*tag).to_owned(),
        ..Release::default()
      },
      ..ReadRelease::default()
    });
    ReleasePage {
      releases: releases.collect(),
      entries: tags.len(),
    }
  }

  fn prefixed(select: Select) -> ReleaseChoice {
    ReleaseChoice {
      tag_prefix: TagPrefix::read("app-").ok(),
      select,
    }
  }
}
