//! Which of a release's files are read for the digests of the others.

use std::collections::HashSet;

use feed_types::{Asset, Release, UtcTime};

use super::file_name::{is_list, subject};
use crate::release::ReleaseFacts;

/// As many files are read of one release at most.
pub(super) const MAX_FILES: usize = 16;
/// What files are that nobody runs or installs, so that none is read for their sake.
const KINDS_WITHOUT_NEED: [&str; 2] = ["checksum", "signature"];

/// What tells a file from another of its name.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct FileIdentity {
  pub(super) name: String,
  size: u64,
  id: Option<u64>,
  updated_at: Option<UtcTime>,
}

/// A file that holds digests.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct ChecksumFile {
  pub(super) identity: FileIdentity,
  pub(super) url: String,
  pub(super) size: u64,
  /// The one file that it goes by the name of; none for a list.
  pub(super) subject: Option<String>,
}

/// The files of a release that hold digests, those that say most first.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Plan {
  pub(super) files: Vec<ChecksumFile>,
}

impl FileIdentity {
  pub(super) fn of(asset: &Asset, facts: &ReleaseFacts) -> Self {
    let facts = facts.assets.iter().find(|facts| facts.name == asset.name);
    Self {
      name: asset.name.clone(),
      size: asset.size_bytes,
      id: facts.and_then(|facts| facts.id),
      updated_at: facts.and_then(|facts| facts.updated_at),
    }
  }

  /// Whether both are the same file, as far as is known of both.
  pub(super) fn may_be(&self, other: &Self) -> bool {
    self.name == other.name
      && self.size == other.size
      && are_equal_or_unknown(self.id, other.id)
      && are_equal_or_unknown(self.updated_at, other.updated_at)
  }

  /// Whether both are the same file by GitHub's own number.
  pub(super) fn is_surely(&self, other: &Self) -> bool {
    self.id.is_some() && self.id == other.id && self.may_be(other)
  }
}

impl Plan {
  /// Lists come first, then the digests of single files, one for each. What it is depends on names alone, so that it is the same each time.
  pub(super) fn of(release: &Release, facts: &ReleaseFacts) -> Self {
    let names: HashSet<&str> = release.assets.iter().map(|asset| asset.name.as_str()).collect();
    let subject_of = |asset: &Asset| {
      let (subject, rank) = subject(&asset.name)?;
      names.contains(subject).then(|| (subject.to_owned(), rank))
    };
    let file = |asset: &Asset, subject| ChecksumFile {
      identity: FileIdentity::of(asset, facts),
      url: asset.download_url.clone(),
      size: asset.size_bytes,
      subject,
    };
    let mut files: Vec<ChecksumFile> = Vec::new();
    let mut single: Vec<(usize, ChecksumFile)> = Vec::new();
    for asset in &release.assets {
      match subject_of(asset) {
        None if is_list(&asset.name) => files.push(file(asset, None)),
        None => {}
        Some((subject, rank)) => single.push((rank, file(asset, Some(subject)))),
      }
    }
    // The most usual name of each subject's; GitHub's order otherwise.
    single.sort_by_key(|(rank, _)| *rank);
    let mut named = HashSet::new();
    single.retain(|(_, file)| named.insert(file.subject.clone()));
    files.extend(single.into_iter().map(|(_, file)| file));
    files.truncate(MAX_FILES);
    Self { files }
  }

  /// Whether both releases have the same files that hold digests.
  pub(super) fn has_the_files_of(&self, other: &Self) -> bool {
    self.files.len() == other.files.len()
      && self
        .files
        .iter()
        .all(|file| other.files.iter().any(|other| file.identity.may_be(&other.identity)))
  }

  /// Files that may hold an asset's digest.
  pub(super) fn about<'p>(&'p self, asset: &'p Asset) -> impl Iterator<Item = &'p ChecksumFile> {
    self.files.iter().filter(|file| file.is_about(&asset.name))
  }
}

impl ChecksumFile {
  fn is_about(&self, name: &str) -> bool {
    self.subject.as_deref().is_none_or(|subject| subject == name)
  }
}

/// Whether files are read for the sake of this one's digest.
pub(super) fn needs_digest(asset: &Asset) -> bool {
  let kind = asset.build.as_ref().and_then(|build| build.kind.as_deref());
  !holds_digests(&asset.name) && kind.is_none_or(|kind| !KINDS_WITHOUT_NEED.contains(&kind))
}

/// Whether it is a file that holds others' digests. What such files say of each other isn't believed: a list that is written into the
/// folder that it is made of names itself, half written.
pub(super) fn holds_digests(name: &str) -> bool {
  is_list(name) || subject(name).is_some()
}

fn are_equal_or_unknown<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
  one.is_none() || other.is_none() || one == other
}

#[cfg(test)]
mod tests {
  use super::*;
  use crate::release::AssetFacts;

  #[test]
  fn lists_come_first_then_one_file_for_each_subject() {
    let release = release(&[
      "a.deb",
      "a.deb.sha256sum",
      "a.deb.sha256",
      "b.zip",
      "b.zip.sha256sum",
      "missing.zip.sha256",
      "SHA256SUMS",
      "SHA256SUMS.asc",
    ]);
    let plan = Plan::of(&release, &ReleaseFacts::default());
    let files: Vec<(&str, Option<&str>)> = plan
      .files
      .iter()
      .map(|file| (file.identity.name.as_str(), file.subject.as_deref()))
      .collect();
    assert_eq!(
      files,
      [
        ("SHA256SUMS", None),
        ("a.deb.sha256", Some("a.deb")),
        ("b.zip.sha256sum", Some("b.zip"))
      ]
    );
    assert_eq!(plan.about(&release.assets[0]).count(), 2);
  }

  #[test]
  fn sixteen_files_are_read_at_most() {
    let names: Vec<String> = (0..40)
      .flat_map(|number| [format!("{number}.deb"), format!("{number}.deb.sha256")])
      .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let plan = Plan::of(&release(&names), &ReleaseFacts::default());
    assert_eq!(plan.files.len(), 16);
    assert_eq!(plan.files[15].identity.name, "15.deb.sha256");
  }

  #[test]
  fn a_file_is_the_same_by_name_and_size_and_by_what_is_known_of_both() {
    let asset = Asset {
      name: "SHA256SUMS".to_owned(),
      size_bytes: 7,
      ..Asset::default()
    };
    let with_id = |id| {
      let facts = AssetFacts {
        id,
        name: asset.name.clone(),
        ..AssetFacts::default()
      };
      let facts = ReleaseFacts {
        assets: vec![facts],
        ..ReleaseFacts::default()
      };
      FileIdentity::of(&asset, &facts)
    };
    assert!(with_id(Some(1)).may_be(&with_id(Some(1))) && with_id(Some(1)).is_surely(&with_id(Some(1))));
    assert!(with_id(Some(1)).may_be(&with_id(None)) && !with_id(Some(1)).is_surely(&with_id(None)));
    assert!(!with_id(Some(1)).may_be(&with_id(Some(2))));
    let longer = Asset {
      size_bytes: 8,
      ..asset.clone()
    };
    assert!(!with_id(None).may_be(&FileIdentity::of(&longer, &ReleaseFacts::default())));
  }

  fn release(names: &[&str]) -> Release {
    let assets = names.iter().map(|name| Asset {
      name: (*name).to_owned(),
      ..Asset::default()
    });
    Release {
      assets: assets.collect(),
      ..Release::default()
    }
  }
}
