//! What a tag says of a version, read leniently over the `semver` crate: 1 to any number of numeric parts, a leading `v`, dates, build
//! metadata, and what stands behind the numbers in whatever spelling.
//!
//! ```
//! use release_feed::release::LenientVersion;
//!
//! let read = |text| LenientVersion::read(text).unwrap();
//! assert!(read("v1.10") > read("1.9.3.1"));
//! assert!(read("1.2.3rc1") < read("1.2.3") && read("1.2.3-rc.1").is_prerelease());
//! assert!(read("1.2.3-hotfix.1") > read("1.2.3") && !read("1.2.3-linux").is_prerelease());
//! ```
//!
//! What stands behind the numbers makes a prerelease if one of its parts is a word such as `beta`. Else it is one more number to compare by
//! (`-1`, `-hotfix.1`, the month of a date), or says nothing about the order (`-linux`, `-final`). Build metadata never counts.

use std::cmp::Ordering;

use semver::{BuildMetadata, Prerelease, Version};

/// Whole words, with or without a number, and what they are called in the order.
const PRERELEASE_WORDS: [(&str, &str); 26] = [
  ("alpha", "alpha"),
  ("beta", "beta"),
  ("rc", "rc"),
  ("cr", "rc"),
  ("pre", "pre"),
  ("preview", "preview"),
  ("dev", "dev"),
  ("nightly", "nightly"),
  ("canary", "canary"),
  ("snapshot", "snapshot"),
  ("milestone", "milestone"),
  ("eap", "eap"),
  ("ea", "ea"),
  ("insider", "insider"),
  ("insiders", "insider"),
  ("unstable", "unstable"),
  ("test", "test"),
  ("testing", "test"),
  ("experimental", "experimental"),
  ("wip", "wip"),
  ("next", "next"),
  ("edge", "edge"),
  ("a", "alpha"),
  ("b", "beta"),
  ("c", "rc"),
  ("m", "milestone"),
];
/// Words of what comes after a version.
const LATER_WORDS: [&str; 8] = ["hotfix", "patch", "sp", "post", "p", "r", "rev", "build"];
/// What may stand before a version in a tag.
const BEFORE_A_VERSION: [char; 6] = ['-', '_', '/', '@', ' ', '.'];
/// Longer texts are no versions; a tag has 64 bytes.
const MAX_BYTES: usize = 256;

/// A version that can be compared. Versions that say the same are equal, however they are spelt.
#[derive(Clone, Debug)]
pub struct LenientVersion {
  /// The first three numbers, and what makes it a prerelease.
  base: Version,
  /// The numbers after them, without zeros at the end.
  more: Vec<u64>,
  /// Numbers of what comes after the version itself.
  later: Vec<u64>,
}

impl LenientVersion {
  /// Reads a text that begins with a digit, or with `v` or `V` and a digit. `None` for any other.
  pub fn read(text: &str) -> Option<Self> {
    let text = text.trim();
    let text = text.strip_prefix(['v', 'V']).unwrap_or(text);
    if text.len() > MAX_BYTES || !text.starts_with(|first: char| first.is_ascii_digit()) {
      return None;
    }
    let (numbers, suffix) = split_numbers(text.split_once('+').map_or(text, |(version, _build)| version));
    let suffix = Suffix::read(suffix);
    let number = |place: usize| numbers.get(place).copied().unwrap_or_default();
    let mut more = numbers.get(3..).unwrap_or_default().to_vec();
    more.truncate(more.iter().rposition(|number| *number != 0).map_or(0, |last| last + 1));
    Some(Self {
      base: Version {
        major: number(0),
        minor: number(1),
        patch: number(2),
        pre: suffix.prerelease,
        build: BuildMetadata::EMPTY,
      },
      more,
      later: suffix.later,
    })
  }

  /// Whether what stands behind the numbers says so.
  pub fn is_prerelease(&self) -> bool {
    !self.base.pre.is_empty()
  }
}

impl Ord for LenientVersion {
  fn cmp(&self, other: &Self) -> Ordering {
    let numbers = |version: &Version| (version.major, version.minor, version.patch);
    numbers(&self.base)
      .cmp(&numbers(&other.base))
      .then_with(|| self.more.cmp(&other.more))
      .then_with(|| self.base.pre.cmp(&other.base.pre))
      .then_with(|| self.later.cmp(&other.later))
  }
}

impl PartialOrd for LenientVersion {
  fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
    Some(self.cmp(other))
  }
}

impl PartialEq for LenientVersion {
  fn eq(&self, other: &Self) -> bool {
    self.cmp(other) == Ordering::Equal
  }
}

impl Eq for LenientVersion {}

/// Whether the version in a tag, or a version by itself, says that it is a prerelease. A text without one says nothing.
pub fn names_prerelease(tag: &str) -> bool {
  let mut starts = tag
    .char_indices()
    .filter(|(place, _)| *place == 0 || tag[..*place].ends_with(BEFORE_A_VERSION));
  starts
    .find_map(|(place, _)| LenientVersion::read(&tag[place..]))
    .is_some_and(|version| version.is_prerelease())
}

/// The numbers at the beginning, separated by dots, and what comes after them.
fn split_numbers(text: &str) -> (Vec<u64>, &str) {
  let mut numbers = Vec::new();
  let mut rest = text;
  loop {
    let end = end_of_digits(rest);
    numbers.push(number(&rest[..end]));
    rest = &rest[end..];
    match rest.strip_prefix('.') {
      Some(after) if end_of_digits(after) > 0 => rest = after,
      _ => return (numbers, rest),
    }
  }
}

fn end_of_digits(text: &str) -> usize {
  text
    .find(|character: char| !character.is_ascii_digit())
    .unwrap_or(text.len())
}

/// A number too large for anything is the largest.
fn number(digits: &str) -> u64 {
  digits.parse().unwrap_or(u64::MAX)
}

/// What stands behind the numbers.
#[derive(Default)]
struct Suffix {
  prerelease: Prerelease,
  later: Vec<u64>,
}

impl Suffix {
  fn read(text: &str) -> Self {
    let lower = text.to_ascii_lowercase();
    let parts: Vec<&str> = lower
      .split(|character: char| !character.is_ascii_alphanumeric())
      .filter(|part| !part.is_empty())
      .collect();
    if parts.iter().any(|part| prerelease_word(part).is_some()) {
      let identifiers: Vec<String> = parts.iter().flat_map(|part| identifiers(part)).collect();
      // Letters and digits alone, without zeros before a number, always are one.
      let prerelease = Prerelease::new(&identifiers.join(".")).unwrap_or_default();
      return Self {
        prerelease,
        later: Vec::new(),
      };
    }
    let is_later = parts
      .first()
      .is_some_and(|first| end_of_digits(first) == first.len() || later_word(first).is_some());
    let later = if is_later {
      parts.iter().filter_map(|part| later_number(part)).collect()
    } else {
      Vec::new()
    };
    Self {
      prerelease: Prerelease::EMPTY,
      later,
    }
  }
}

/// The word that a part is, with or without a number behind it, or before it where the word has more than a letter.
fn prerelease_word(part: &str) -> Option<&'static str> {
  let word = part.trim_end_matches(|character: char| character.is_ascii_digit());
  let bare = word.trim_start_matches(|character: char| character.is_ascii_digit());
  let (_, called) = PRERELEASE_WORDS
    .iter()
    .find(|(known, _)| *known == word || (known.len() > 1 && *known == bare))?;
  Some(called)
}

/// A part as identifiers of a prerelease: word and number apart, so that `rc1` is `rc.1`.
fn identifiers(part: &str) -> Vec<String> {
  let Some(called) = prerelease_word(part) else {
    return vec![identifier(part)];
  };
  let before = &part[..end_of_digits(part)];
  let letters_end = part
    .rfind(|character: char| !character.is_ascii_digit())
    .map_or(part.len(), |last| last + 1);
  let mut identifiers = Vec::new();
  if !before.is_empty() {
    identifiers.push(identifier(before));
  }
  identifiers.push(called.to_owned());
  if letters_end < part.len() {
    identifiers.push(identifier(&part[letters_end..]));
  }
  identifiers
}

fn identifier(part: &str) -> String {
  if end_of_digits(part) < part.len() {
    return part.to_owned();
  }
  let significant = part.trim_start_matches('0');
  if significant.is_empty() { "0" } else { significant }.to_owned()
}

fn later_word(part: &str) -> Option<&str> {
  let word = part.trim_end_matches(|character: char| character.is_ascii_digit());
  LATER_WORDS.contains(&word).then_some(word)
}

/// A part's number: `1`, `hotfix1`; nothing for another part, and zero for a word alone that a number may follow.
fn later_number(part: &str) -> Option<u64> {
  if end_of_digits(part) == part.len() {
    return Some(number(part));
  }
  let digits = &part[later_word(part)?.len()..];
  Some(if digits.is_empty() { 0 } else { number(digits) })
}

#[cfg(test)]
mod tests {
  use proptest::prelude::*;
  use rstest::rstest;

  use super::*;

  #[test]
  fn versions_stand_in_their_order() {
    let ascending = [
      "0",
      "0.0.1",
      "0.9",
      "1.0-alpha",
      "1.0-alpha.2",
      "1.0a3",
      "1.0-alpha.10",
      "1.0-beta",
      "1.0.0b2",
      "1.0.0-rc.1",
      "1.0.0rc2",
      "1.0.0.CR3",
      "1.0.0",
      "1.0.0-0.1",
      "1.0.0-1",
      "1.0.0-2",
      "1.0.0-10",
      "1.0.0.1",
      "1.0.0.1.1",
      "1.0.1-rc.1",
      "1.0.1",
      "v1.2",
      "1.10",
      "V2.0-beta",
      "2.0",
      "2.0-hotfix",
      "2.0-hotfix.1",
      "2.0-patch2",
      "10",
      "2024.01.05",
      "2024.1.6",
      "2024.12.31",
      "2025-01-05",
      "2025-01-06",
      "2025-02-01",
      "20250101",
      "99999999999999999999999",
    ];
    for (place, lower) in ascending.iter().enumerate() {
      for higher in &ascending[place + 1..] {
        assert!(read(lower) < read(higher), "{lower} {higher}");
      }
    }
  }

  #[rstest]
  #[case("1", "1.0.0.0")]
  #[case("v1.2.3", "V1.2.3")]
  #[case("1.2.3", "01.002.3")]
  #[case("1.2.3", "1.2.3+build.7")]
  #[case("1.2.3-rc.1", "1.2.3rc1")]
  #[case("1.2.3-rc.1", "1.2.3_RC-01")]
  #[case("1.2.3-beta.2", "1.2.3b2")]
  #[case("1.2.3", "1.2.3-final")]
  #[case("1.2.3", "1.2.3.GA")]
  #[case("1.2.3", "1.2.3-linux")]
  #[case("1.2.3", "1.2.3-5f3a2b1")]
  fn spellings_of_one_version_are_equal(#[case] one: &str, #[case] other: &str) {
    assert_eq!(read(one), read(other));
  }

  #[rstest]
  fn these_words_make_a_prerelease(
    #[values(
      "alpha",
      "beta",
      "a",
      "b",
      "c",
      "m",
      "rc",
      "cr",
      "pre",
      "preview",
      "dev",
      "nightly",
      "canary",
      "snapshot",
      "milestone",
      "eap",
      "ea",
      "insider",
      "insiders",
      "unstable",
      "test",
      "testing",
      "experimental",
      "wip",
      "next",
      "edge"
    )]
    word: &str,
  ) {
    let upper = word.to_uppercase();
    for suffix in [
      format!("-{word}"),
      format!("-{word}.1"),
      format!("-{word}1"),
      format!("-{word}-1"),
      format!("{word}1"),
      format!(".{word}"),
      format!("-{upper}.20260101"),
      format!("-0.{word}.3"),
      format!("-linux-{word}"),
      format!("-{word}+build.1"),
    ] {
      assert!(read(&format!("1.2.3{suffix}")).is_prerelease(), "{suffix}");
      assert!(names_prerelease(&format!("demo-v1.2{suffix}")), "{suffix}");
    }
  }

  #[rstest]
  #[case("1.2.3")]
  #[case("1.2.3-1")]
  #[case("1.2.3-linux")]
  #[case("1.2.3-final")]
  #[case("1.2.3-ga")]
  #[case("1.2.3.GA")]
  #[case("1.2.3-release")]
  #[case("1.2.3-lts")]
  #[case("1.2.3-hotfix.1")]
  #[case("1.2.3-patch2")]
  #[case("1.2.3-sp1")]
  #[case("1.2.3-stable")]
  #[case("1.2.3+beta.1")]
  #[case("1.2.3-5f3a2b1")]
  #[case("1.2.3-1a")]
  #[case("1.2.3-latest")]
  #[case("1.2.3-ab1")]
  #[case("2026-01-05")]
  fn these_are_stable(#[case] version: &str) {
    assert!(!read(version).is_prerelease());
    assert!(!names_prerelease(version));
  }

  #[rstest]
  #[case("nightly", false)]
  #[case("beta-2", false)]
  #[case("", false)]
  #[case("v", false)]
  #[case("artcraft-v0.41.0-rc.1", true)]
  #[case("app@1.2.3-beta", true)]
  #[case("flagd/v0.4.4", false)]
  #[case("flagd/v0.4.4rc1", true)]
  #[case("x264-r3000-dev", false)]
  #[case("großes-v1.0-beta", true)]
  fn of_a_tag_the_first_version_in_it_counts(#[case] tag: &str, #[case] prerelease: bool) {
    assert_eq!(names_prerelease(tag), prerelease);
  }

  #[rstest]
  #[case("")]
  #[case("v")]
  #[case("vv1")]
  #[case("version-1")]
  #[case(".1")]
  #[case("-1")]
  #[case("\u{663}")]
  fn what_begins_with_no_digit_is_no_version(#[case] text: &str) {
    assert_eq!(LenientVersion::read(text), None);
  }

  proptest! {
    #[test]
    fn nothing_panics(text in "\\PC{0,40}", version in "[vV]?[0-9.a-z+_-]{0,40}") {
      let _ = (LenientVersion::read(&text), names_prerelease(&text));
      let _ = (LenientVersion::read(&version), names_prerelease(&version));
    }

    #[test]
    fn the_order_is_total(one in version(), two in version(), three in version()) {
      let (one, two, three) = (read(&one), read(&two), read(&three));
      prop_assert_eq!(one.cmp(&two), two.cmp(&one).reverse());
      prop_assert_eq!(one.cmp(&one), Ordering::Equal);
      if one <= two && two <= three {
        prop_assert!(one <= three);
      }
    }

    #[test]
    fn it_is_semvers_order_for_semvers_versions(one in semver_version(), two in semver_version()) {
      let order = Version::parse(&one).unwrap().cmp_precedence(&Version::parse(&two).unwrap());
      prop_assert_eq!(read(&one).cmp(&read(&two)), order);
    }

    #[test]
    fn a_prerelease_comes_before_its_release_and_what_is_later_after_it(
      numbers in prop::collection::vec(0_u64..2_000, 1..6), word in prop::sample::select(&PRERELEASE_WORDS[..]), number in 0_u64..100,
    ) {
      let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
      let release = numbers.join(".");
      let (before, after) = (format!("{release}-{}.{number}", word.0), format!("{release}-{number}"));
      prop_assert!(read(&before) < read(&release));
      prop_assert!(read(&after) > read(&release));
    }
  }

  fn version() -> impl Strategy<Value = String> {
    "[0-2](\\.[0-2]){0,4}([-._]?(alpha|b|rc|dev|hotfix|linux|sp)?[-.]?[0-2]?){0,2}"
  }

  fn semver_version() -> impl Strategy<Value = String> {
    "[0-3]\\.[0-3]\\.[0-3](-(alpha|beta|rc)(\\.[1-9][0-9]?){0,2})?"
  }

  fn read(text: &str) -> LenientVersion {
    LenientVersion::read(text).unwrap_or_else(|| panic!("no version: {text}"))
  }
}
