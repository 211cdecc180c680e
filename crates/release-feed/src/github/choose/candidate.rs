//! Which of the releases of a list is an app's: a pure choice.

use std::cmp::Ordering;

use feed_types::{Release, UtcTime};

use crate::catalog::{ReleaseChoice, Select};
use crate::release::{LenientVersion, is_usable_tag};

/// What the choice depends on of one release.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Candidate {
  pub(super) tag: String,
  version: Option<LenientVersion>,
  published_at: Option<UtcTime>,
}

impl Candidate {
  /// A release that may be the app's: stable, with a tag of its prefix, and with a version that can be compared where versions are.
  pub(super) fn of(release: &Release, choice: &ReleaseChoice) -> Option<Self> {
    let text = choice.version_of(&release.tag)?;
    let version = LenientVersion::read(text);
    let is_stable = !release.prerelease && !version.as_ref().is_some_and(LenientVersion::is_prerelease);
    let is_comparable = version.is_some() || choice.select != Select::NewestStableVersion;
    // Dots alone would lead to another address.
    let is_usable = is_usable_tag(&release.tag) && !matches!(release.tag.as_str(), "." | "..");
    (is_stable && is_comparable && is_usable).then(|| Self {
      tag: release.tag.clone(),
      version,
      published_at: release.published_at,
    })
  }

  /// Whether it is to be chosen rather than another one. Of two that are as good neither is.
  fn is_better(&self, other: &Self, select: &Select) -> bool {
    let by_version = match select {
      Select::NewestStableVersion => self.version.cmp(&other.version),
      Select::Latest | Select::Pinned(_) => Ordering::Equal,
    };
    by_version.then_with(|| self.published_at.cmp(&other.published_at)) == Ordering::Greater
  }
}

/// The place of the best one; of several as good ones the first, which GitHub lists as the newest.
pub(super) fn best<'c>(candidates: impl IntoIterator<Item = &'c Candidate>, select: &Select) -> Option<&'c Candidate> {
  let mut best: Option<&Candidate> = None;
  for candidate in candidates {
    if best.is_none_or(|best| candidate.is_better(best, select)) {
      best = Some(candidate);
    }
  }
  best
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;
  use crate::catalog::TagPrefix;

  #[rstest]
  #[case::highest(&[("v1.9", 3), ("v1.10", 1), ("v1.2", 2)], Some("v1.10"))]
  #[case::of_equal_ones_the_newest(&[("v1.0", 1), ("1.0.0", 3), ("1.0+b", 2)], Some("1.0.0"))]
  #[case::of_all_equal_ones_the_first(&[("v1.0", 1), ("1.0", 1)], Some("v1.0"))]
  #[case::prereleases_are_none(&[("v2.0-rc.1", 9), ("v1.0", 1)], Some("v1.0"))]
  #[case::what_is_no_version_is_none(&[("nightly", 9), ("v1.0", 1)], Some("v1.0"))]
  #[case::nothing(&[("nightly", 9), ("v2.0-rc.1", 9)], None)]
  fn the_newest_stable_version_is_chosen_by_version(#[case] releases: &[(&str, i64)], #[case] chosen: Option<&str>) {
    let choice = ReleaseChoice {
      tag_prefix: None,
      select: Select::NewestStableVersion,
    };
    assert_eq!(chosen_of(releases, &choice).as_deref(), chosen);
  }

  #[rstest]
  #[case::newest_published(&[("app-v1.10", 1), ("app-v1.2", 3), ("app-v1.3", 2)], Some("app-v1.2"))]
  #[case::others_are_none(&[("other-v2", 9), ("app-other-v2", 9), ("app-v1", 1)], Some("app-v1"))]
  #[case::prereleases_are_none(&[("app-v2-beta", 9), ("app-v1", 1)], Some("app-v1"))]
  #[case::nothing(&[("v1", 1)], None)]
  fn the_latest_of_a_prefix_is_the_newest_published(#[case] releases: &[(&str, i64)], #[case] chosen: Option<&str>) {
    let choice = ReleaseChoice {
      tag_prefix: TagPrefix::read("app-").ok(),
      select: Select::Latest,
    };
    assert_eq!(chosen_of(releases, &choice).as_deref(), chosen);
  }

  #[test]
  fn what_is_marked_as_a_prerelease_or_has_no_usable_tag_is_none() {
    let choice = ReleaseChoice::default();
    for (tag, prerelease, is_one) in [
      ("v1", false, true),
      ("v1", true, false),
      ("..", false, false),
      ("", false, false),
      ("v1\n", false, false),
    ] {
      let release = Release {
        tag: tag.to_owned(),
        prerelease,
        ..Release::default()
      };
      assert_eq!(Candidate::of(&release, &choice).is_some(), is_one, "{tag} {prerelease}");
    }
  }

  fn chosen_of(releases: &[(&str, i64)], choice: &ReleaseChoice) -> Option<String> {
    let candidates: Vec<Candidate> = releases
      .iter()
      .filter_map(|(tag, day)| {
        let release = Release {
          tag: (*tag).to_owned(),
          published_at: UtcTime::from_unix_ms(day * 86_400_000),
          ..Release::default()
        };
        Candidate::of(&release, choice)
      })
      .collect();
    best(&candidates, &choice.select).map(|best| best.tag.clone())
  }
}
