//! Which tags a release may have at all, and which of them are an app's.

use crate::catalog::ReleaseChoice;

const MAX_TAG_BYTES: usize = 64;

/// Why a release can't be used at all.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum InvalidRelease {
  /// No tag, or a blank one.
  #[error("the release has no tag")]
  NoTag,
  /// A tag over 64 bytes.
  #[error("its tag has {bytes} bytes, more than {MAX_TAG_BYTES}")]
  LongTag {
    /// Its length.
    bytes: usize,
  },
  /// A control character in the tag.
  #[error("its tag holds a control character")]
  ControlCharacterInTag,
  /// The tag of something else in the same repository.
  #[error("its tag {tag:?} isn't the app's tag_prefix {prefix:?} and a version")]
  OtherPrefix {
    /// Its tag.
    tag: String,
    /// The app's prefix.
    prefix: String,
  },
  /// Not the one that the app is pinned to.
  #[error("its tag {tag:?} isn't the app's pinned_tag {pinned:?}")]
  NotPinned {
    /// Its tag.
    tag: String,
    /// The app's tag.
    pinned: String,
  },
}

/// Whether a release may have that tag at all.
pub(crate) fn is_usable_tag(tag: &str) -> bool {
  check_tag(tag).is_ok()
}

/// The version in the tag of a release of the app's.
///
/// # Errors
///
/// When the tag can't be used, or isn't the app's.
pub(super) fn version_of_app_tag<'t>(tag: &'t str, releases: &ReleaseChoice) -> Result<&'t str, InvalidRelease> {
  check_tag(tag)?;
  if let Some(pinned) = releases.pinned_tag().filter(|pinned| *pinned != tag) {
    return Err(InvalidRelease::NotPinned {
      tag: tag.to_owned(),
      pinned: pinned.to_owned(),
    });
  }
  releases.version_of(tag).ok_or_else(|| InvalidRelease::OtherPrefix {
    tag: tag.to_owned(),
    prefix: releases
      .tag_prefix
      .as_ref()
      .map_or_else(String::new, |prefix| prefix.as_str().to_owned()),
  })
}

fn check_tag(tag: &str) -> Result<(), InvalidRelease> {
  if tag.trim().is_empty() {
    Err(InvalidRelease::NoTag)
  } else if tag.len() > MAX_TAG_BYTES {
    Err(InvalidRelease::LongTag { bytes: tag.len() })
  } else if tag.chars().any(char::is_control) {
    Err(InvalidRelease::ControlCharacterInTag)
  } else {
    Ok(())
  }
}

#[cfg(test)]
mod tests {
  use super::*;
  use crate::catalog::{PinnedTag, Select, TagPrefix};

  #[test]
  fn the_version_is_what_follows_the_prefix() {
    let choice = choice(Some("flagd/"), Select::Latest);
    assert_eq!(version_of_app_tag("flagd/v0.4.4", &choice), Ok("0.4.4"));
  }

  #[test]
  fn a_release_of_another_prefix_is_none_of_the_apps() {
    let choice = choice(Some("artcraft-"), Select::NewestStableVersion);
    let error = version_of_app_tag("artcraft-launcher-v1", &choice).unwrap_err();
    assert_eq!(
      error.to_string(),
      "its tag \"artcraft-launcher-v1\" isn't the app's tag_prefix \"artcraft-\" and a version"
    );
  }

  #[test]
  fn a_release_that_isnt_the_pinned_one_is_none_of_the_apps() {
    let choice = choice(Some("v"), Select::Pinned(PinnedTag::read("v1.2").unwrap()));
    assert_eq!(version_of_app_tag("v1.2", &choice), Ok("1.2"));
    let error = version_of_app_tag("v1.3", &choice).unwrap_err();
    assert_eq!(
      error.to_string(),
      "its tag \"v1.3\" isn't the app's pinned_tag \"v1.2\""
    );
  }

  fn choice(prefix: Option<&str>, select: Select) -> ReleaseChoice {
    ReleaseChoice {
      tag_prefix: prefix.map(|prefix| TagPrefix::read(prefix).unwrap()),
      select,
    }
  }
}
