//! Which of a repository's releases is an app's: what the catalog file says with `tag_prefix`, `select` and `pinned_tag`.

use std::fmt;

const MAX_TAG_BYTES: usize = 64;

/// Which release is the app's.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ReleaseChoice {
  /// What the app's tags begin with, before the version; none where the whole repository is the app's.
  pub tag_prefix: Option<TagPrefix>,
  /// Which one of those.
  pub select: Select,
}

/// Which one of the releases that are the app's.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Select {
  /// The one that GitHub calls the latest; with a prefix, the newest.
  #[default]
  Latest,
  /// The one with the highest version that is stable.
  NewestStableVersion,
  /// The one of that tag, whatever else there is.
  Pinned(PinnedTag),
}

/// The beginning of a tag.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TagPrefix(String);

/// A whole tag.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PinnedTag(String);

/// A text that can be no tag, or no beginning of one.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error(
  "expected 1 to {MAX_TAG_BYTES} bytes without blanks, control characters and any of ~ ^ : ? * [ \\, as in a git tag"
)]
pub struct InvalidTag;

impl ReleaseChoice {
  /// Whether it is the release that GitHub calls the latest.
  pub fn is_default(&self) -> bool {
    *self == Self::default()
  }

  /// The version in a tag of the app's; `None` where the tag belongs to something else.
  pub fn version_of<'t>(&self, tag: &'t str) -> Option<&'t str> {
    let version = match &self.tag_prefix {
      Some(prefix) => prefix.version_of(tag)?,
      None => tag,
    };
    Some(version.strip_prefix(['v', 'V']).unwrap_or(version))
  }

  /// The tag that it is pinned to.
  pub fn pinned_tag(&self) -> Option<&str> {
    match &self.select {
      Select::Pinned(tag) => Some(tag.as_str()),
      Select::Latest | Select::NewestStableVersion => None,
    }
  }
}

/// What is chosen, in words.
impl fmt::Display for ReleaseChoice {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match &self.select {
      Select::Pinned(tag) => return write!(f, "the one that pinned_tag {:?} names", tag.as_str()),
      Select::NewestStableVersion => f.write_str("the highest stable version")?,
      Select::Latest if self.tag_prefix.is_none() => f.write_str("GitHub's latest release")?,
      Select::Latest => f.write_str("the newest stable release")?,
    }
    match &self.tag_prefix {
      Some(prefix) => write!(f, " whose tag is {:?} and a version", prefix.as_str()),
      None => Ok(()),
    }
  }
}

impl TagPrefix {
  /// Takes what tags may begin with.
  ///
  /// # Errors
  ///
  /// When no tag can.
  pub fn read(text: &str) -> Result<Self, InvalidTag> {
    check(text).map(Self)
  }

  /// As it was written.
  pub fn as_str(&self) -> &str {
    &self.0
  }

  /// What follows in a tag, if that is a version: `artcraft-` isn't the prefix of `artcraft-launcher-v1`.
  fn version_of<'t>(&self, tag: &'t str) -> Option<&'t str> {
    let rest = tag.strip_prefix(&self.0)?;
    let digits = rest.strip_prefix(['v', 'V']).unwrap_or(rest);
    digits.starts_with(|first: char| first.is_ascii_digit()).then_some(rest)
  }
}

impl PinnedTag {
  /// Takes a tag.
  ///
  /// # Errors
  ///
  /// When it can be none.
  pub fn read(text: &str) -> Result<Self, InvalidTag> {
    // Neither is a tag, and in an address both mean something else.
    if matches!(text, "." | "..") {
      return Err(InvalidTag);
    }
    check(text).map(Self)
  }

  /// As it was written.
  pub fn as_str(&self) -> &str {
    &self.0
  }
}

/// By git's rules for names, as far as they hold for each character.
fn check(text: &str) -> Result<String, InvalidTag> {
  let forbidden = |character: char| {
    character.is_control() || character.is_whitespace() || ['~', '^', ':', '?', '*', '[', '\\'].contains(&character)
  };
  let fits = (1..=MAX_TAG_BYTES).contains(&text.len()) && !text.contains(forbidden);
  fits.then(|| text.to_owned()).ok_or(InvalidTag)
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case("artcraft-v", "artcraft-v0.41.0", Some("0.41.0"))]
  #[case("artcraft-", "artcraft-v0.41.0", Some("0.41.0"))]
  #[case("artcraft-", "artcraft-V0.41.0", Some("0.41.0"))]
  #[case("artcraft-", "artcraft-0.41.0", Some("0.41.0"))]
  #[case("artcraft-", "artcraft-launcher-v1", None)]
  #[case("artcraft-", "artcraft-v", None)]
  #[case("artcraft-", "artcraft-", None)]
  #[case("artcraft-", "artcraft-vv1", None)]
  #[case("artcraft-", "Artcraft-v1", None)]
  #[case("artcraft-", "v1", None)]
  #[case("app@", "app@1.2.3", Some("1.2.3"))]
  #[case("gping-", "gping-v1.20.1", Some("1.20.1"))]
  #[case("flagd/", "flagd/v0.4.4", Some("0.4.4"))]
  #[case("flagd/", "flagd-proxy/v0.4.4", None)]
  fn a_tag_belongs_to_a_prefix_if_a_version_follows(
    #[case] prefix: &str,
    #[case] tag: &str,
    #[case] version: Option<&str>,
  ) {
    let choice = ReleaseChoice {
      tag_prefix: TagPrefix::read(prefix).ok(),
      select: Select::Latest,
    };
    assert_eq!(choice.version_of(tag), version);
  }

  #[rstest]
  #[case("v1.2.3", "1.2.3")]
  #[case("nightly", "nightly")]
  #[case("version-1", "ersion-1")]
  fn without_a_prefix_every_tag_is_the_apps(#[case] tag: &str, #[case] version: &str) {
    assert_eq!(ReleaseChoice::default().version_of(tag), Some(version));
  }

  #[rstest]
  #[case("")]
  #[case("a b")]
  #[case("a\n")]
  #[case("a^{}")]
  #[case("a:b")]
  #[case("a\\b")]
  fn what_no_tag_holds_is_refused(#[case] text: &str) {
    assert_eq!(TagPrefix::read(text), Err(InvalidTag));
    assert_eq!(PinnedTag::read(text), Err(InvalidTag));
  }

  #[test]
  fn a_tag_has_64_bytes_at_most_and_is_no_dots() {
    assert!(PinnedTag::read(&"1".repeat(64)).is_ok());
    assert_eq!(PinnedTag::read(&"1".repeat(65)), Err(InvalidTag));
    assert_eq!(PinnedTag::read(".."), Err(InvalidTag));
    assert!(PinnedTag::read("100%/ä@1").is_ok());
  }
}
