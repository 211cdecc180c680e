//! What was read of checksum files, so that each is fetched once.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use super::listing::Listing;
use super::plan::{FileIdentity, MAX_FILES};
use crate::catalog::RepoName;
use crate::clock::UnixMs;

/// After a failure a file is left alone for so long.
pub(super) const RETRY_AFTER: Duration = Duration::from_secs(600);
/// Releases that are remembered, the ones used last.
const MAX_RELEASES: usize = 1_024;
/// Names that are remembered in all their lists.
const MAX_NAMES: usize = 100_000;

/// What came of a file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Reading {
  /// What it says, which may be nothing.
  Read(Arc<Listing>),
  /// It couldn't be read.
  Failed {
    /// When that was.
    at: UnixMs,
    /// Why.
    why: String,
  },
  /// There was no time for it.
  PutOff,
}

/// Everything that was read, by release.
#[derive(Debug, Default)]
pub(super) struct Memo {
  releases: HashMap<(String, String), ReleaseMemo>,
  uses: u64,
}

/// What was read of one release.
#[derive(Clone, Debug, Default)]
pub(super) struct ReleaseMemo {
  files: Vec<(FileIdentity, Reading)>,
  /// Names of files whose digests aren't told, since what may contradict them can't be read.
  pub(super) withheld: BTreeSet<String>,
  /// When its files were last looked at.
  looked_at: Option<UnixMs>,
  last_use: u64,
}

impl Reading {
  /// Whether it is time to try again.
  pub(super) fn is_due_at(&self, now: UnixMs) -> bool {
    match self {
      Self::Read(_) => false,
      Self::PutOff => true,
      Self::Failed { at, .. } => is_over(*at, now),
    }
  }
}

impl Memo {
  /// What is known of a release, if anything was looked at.
  pub(super) fn release(&self, repo: &RepoName, tag: &str) -> Option<&ReleaseMemo> {
    self.releases.get(&key(repo, tag))
  }

  /// Replaces what is known of a release.
  pub(super) fn remember(&mut self, repo: &RepoName, tag: &str, mut release: ReleaseMemo) {
    self.uses += 1;
    release.last_use = self.uses;
    self.releases.insert(key(repo, tag), release);
    while self.releases.len() > 1 && (self.releases.len() > MAX_RELEASES || self.names() > MAX_NAMES) {
      let oldest = self.releases.iter().min_by_key(|(_, release)| release.last_use);
      let Some(oldest) = oldest.map(|(key, _)| key.clone()) else {
        return;
      };
      self.releases.remove(&oldest);
    }
  }

  fn names(&self) -> usize {
    let files = self.releases.values().flat_map(|release| &release.files);
    files
      .map(|(_, reading)| match reading {
        Reading::Read(listing) => listing.names(),
        Reading::Failed { .. } | Reading::PutOff => 0,
      })
      .sum()
  }
}

impl ReleaseMemo {
  /// What came of a file, if it is the one that was read.
  pub(super) fn reading(&self, file: &FileIdentity) -> Option<&Reading> {
    let (_, reading) = self.files.iter().find(|(known, _)| known.may_be(file))?;
    Some(reading)
  }

  /// Remembers what came of a file, in place of what came of others of its name.
  pub(super) fn note(&mut self, file: FileIdentity, reading: Reading) {
    self.files.retain(|(known, _)| known.name != file.name);
    self.files.push((file, reading));
    if self.files.len() > MAX_FILES {
      self.files.remove(0);
    }
  }

  /// Its files were looked at.
  pub(super) fn looked_at(&mut self, now: UnixMs) {
    self.looked_at = Some(now);
  }

  /// Whether it is time to look again for files that couldn't be read.
  pub(super) fn is_over_at(&self, now: UnixMs) -> bool {
    self.looked_at.is_none_or(|at| is_over(at, now))
  }
}

/// Whether the wait after a moment is over. A clock that was set back ends it.
pub(super) fn is_over(at: UnixMs, now: UnixMs) -> bool {
  at.age_at(now).is_none_or(|age| age >= RETRY_AFTER)
}

fn key(repo: &RepoName, tag: &str) -> (String, String) {
  (repo.to_string().to_ascii_lowercase(), tag.to_owned())
}

#[cfg(test)]
mod tests {
  use feed_types::Asset;

  use super::*;
  use crate::release::ReleaseFacts;

  const NOW: UnixMs = UnixMs(1_791_471_170_000);

  #[test]
  fn a_file_that_is_replaced_is_unknown_and_takes_its_predecessors_place() {
    let mut memo = ReleaseMemo::default();
    memo.note(file("SUMS", 1), read(1));
    assert_eq!(memo.reading(&file("SUMS", 1)), Some(&read(1)));
    assert_eq!(memo.reading(&file("SUMS", 2)), None);
    memo.note(file("SUMS", 2), read(2));
    assert_eq!(
      (memo.reading(&file("SUMS", 1)), memo.reading(&file("SUMS", 2))),
      (None, Some(&read(2)))
    );
  }

  #[test]
  fn after_a_failure_ten_minutes_pass_or_the_clock_is_set_back() {
    let failed = Reading::Failed {
      at: NOW,
      why: "x".to_owned(),
    };
    assert!(!failed.is_due_at(NOW.plus(Duration::from_secs(599))));
    assert!(failed.is_due_at(NOW.plus(Duration::from_secs(600))));
    assert!(failed.is_due_at(NOW.shifted_by_ms(-3_600_000)));
    assert!(!read(0).is_due_at(NOW.plus(Duration::from_secs(86_400))));
  }

  #[test]
  fn the_releases_that_were_used_last_are_kept() {
    let mut memo = Memo::default();
    let repo = |number: usize| format!("acme/{number}").parse::<RepoName>().unwrap();
    for number in 0..=MAX_RELEASES {
      memo.remember(&repo(number), "v1", ReleaseMemo::default());
    }
    assert_eq!(memo.releases.len(), MAX_RELEASES);
    assert!(memo.release(&repo(0), "v1").is_none());
    assert!(memo.release(&repo(MAX_RELEASES), "v1").is_some());
  }

  #[test]
  fn the_names_in_all_lists_are_bounded() {
    let mut memo = Memo::default();
    for number in 0..MAX_NAMES / 1_000 + 5 {
      let mut release = ReleaseMemo::default();
      release.note(file("SUMS", 1), read(1_000));
      memo.remember(&"acme/demo".parse().unwrap(), &number.to_string(), release);
    }
    assert_eq!(memo.names(), MAX_NAMES);
  }

  fn file(name: &str, size: u64) -> FileIdentity {
    let asset = Asset {
      name: name.to_owned(),
      size_bytes: size,
      ..Asset::default()
    };
    FileIdentity::of(&asset, &ReleaseFacts::default())
  }

  fn read(names: usize) -> Reading {
    let digest = "a".repeat(64);
    let text: String = (0..names).map(|name| format!("{digest}  {name}\n")).collect();
    Reading::Read(Arc::new(Listing::read(&text, None).unwrap()))
  }
}
