//! The releases that were served before, so that going back to one is seen for what it is.

use feed_types::Release;
use serde::{Deserialize, Serialize};

use super::changed_files::known_after;
use super::known_file::KnownFile;
use super::told::Told;
use crate::hex_digest::sha256_hex;

/// As many tags are remembered.
const MAX_TAGS: usize = 16;
/// Of as many of them the files too: of the releases that may come back under their tag with other bytes.
const MAX_TAGS_WITH_FILES: usize = 4;
/// As many files of one tag, also those that are gone from it.
const MAX_FILES: usize = 400;
/// As many readings of one tag's release are remembered.
const MAX_READINGS: usize = 8;

/// What was served of an app before what is served now. Bounded: the oldest are forgotten.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(transparent)]
pub struct ServedBefore {
  /// The last one first.
  releases: Vec<ServedOnce>,
}

#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
struct ServedOnce {
  tag: String,
  /// A digest of each reading of its release, the last one first.
  readings: Vec<String>,
  /// What was last known of each.
  files: Vec<KnownFile>,
}

impl ServedBefore {
  /// The tags, the last one first.
  pub fn tags(&self) -> impl Iterator<Item = &str> {
    self.releases.iter().map(|once| once.tag.as_str())
  }

  /// The same and what was served until now.
  #[must_use]
  pub(super) fn with(&self, told: &Told) -> Self {
    let Some(release) = &told.release else {
      return self.clone();
    };
    let mut releases = self.releases.clone();
    let known = releases.iter().position(|once| once.tag == release.tag);
    let mut once = known.map(|place| releases.remove(place)).unwrap_or_default();
    let reading = digest_of(release);
    once.tag.clone_from(&release.tag);
    once.readings.retain(|known| *known != reading);
    once.readings.insert(0, reading);
    once.readings.truncate(MAX_READINGS);
    once.files = known_after(&once.files, KnownFile::all_of(told));
    once.files.truncate(MAX_FILES);
    releases.insert(0, once);
    releases.truncate(MAX_TAGS);
    releases
      .iter_mut()
      .skip(MAX_TAGS_WITH_FILES)
      .for_each(|once| once.files.clear());
    Self { releases }
  }

  /// Whether a release of that tag was served.
  pub(super) fn has_tag(&self, tag: &str) -> bool {
    self.tags().any(|known| known == tag)
  }

  /// Whether it was served just so.
  pub(super) fn has_reading(&self, release: &Release) -> bool {
    let once = self.releases.iter().find(|once| once.tag == release.tag);
    once.is_some_and(|once| once.readings.contains(&digest_of(release)))
  }

  /// What was last known of the files of that tag, as far as it is remembered.
  pub(super) fn files(&self, tag: &str) -> &[KnownFile] {
    let once = self.releases.iter().find(|once| once.tag == tag);
    once.map_or(&[], |once| &once.files)
  }
}

fn digest_of(release: &Release) -> String {
  // Texts, numbers and times: writing them can't fail.
  sha256_hex(&serde_json::to_vec(release).unwrap_or_default())
}

#[cfg(test)]
mod tests {
  use super::*;
  use crate::settle::samples::{digested, release, release_for, told};

  #[test]
  fn the_last_tags_are_remembered_and_of_the_very_last_the_files() {
    let served = (0..40).fold(ServedBefore::default(), |before, number| {
      before.with(&told(release_for(&format!("v{number}"), &["linux-x64.deb"])))
    });
    let tags: Vec<&str> = served.tags().collect();
    assert_eq!((tags.len(), tags[0], tags[15]), (MAX_TAGS, "v39", "v24"));
    assert!(served.has_tag("v24") && !served.has_tag("v23"));
    assert_eq!((served.files("v36").len(), served.files("v35").len()), (1, 0));
  }

  #[test]
  fn a_tag_that_comes_back_is_one_tag_with_its_readings() {
    let (one, other) = (
      digested(release("v1"), "a.deb", "a"),
      digested(release("v1"), "a.deb", "b"),
    );
    let both = ServedBefore::default()
      .with(&told(one.clone()))
      .with(&told(release("v2")))
      .with(&told(other.clone()));
    assert_eq!(both.tags().collect::<Vec<_>>(), ["v1", "v2"]);
    assert!(both.has_reading(&one) && both.has_reading(&other) && !both.has_reading(&release("v1")));
    assert_eq!(both.files("v1"), KnownFile::all_of(&told(other)));
  }

  #[test]
  fn a_file_that_is_gone_and_a_digest_that_is_not_said_any_more_stay_known() {
    let full = digested(digested(release("v1"), "a.deb", "a"), "b.deb", "b");
    let mut less = full.clone();
    less.assets.pop();
    less.assets[0].sha256 = None;
    let before = ServedBefore::default().with(&told(full.clone())).with(&told(less));
    assert_eq!(before.files("v1"), KnownFile::all_of(&told(full)));
    let many = (0..1_000).fold(before, |before, number| {
      before.with(&told(digested(release("v1"), &format!("{number}.deb"), "a")))
    });
    assert_eq!(
      (many.files("v1").len(), many.files("v1")[0].name.as_str()),
      (MAX_FILES, "999.deb")
    );
  }

  #[test]
  fn no_release_is_nothing_to_go_back_to() {
    assert_eq!(ServedBefore::default().with(&Told::default()), ServedBefore::default());
  }

  #[test]
  fn it_reads_what_it_wrote_and_what_has_less() {
    let before = ServedBefore::default().with(&told(release("v1")));
    let text = serde_json::to_string(&before).unwrap();
    assert_eq!(serde_json::from_str::<ServedBefore>(&text).unwrap(), before);
    let older: ServedBefore = serde_json::from_str(r#"[{"tag": "v1", "more": 1}]"#).unwrap();
    assert!(older.has_tag("v1"));
  }
}
