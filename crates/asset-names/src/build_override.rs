//! What an operator says of names that would be misread.

use std::fmt;

use crate::build::{Build, Reading, Role};
use crate::format::Format;
use crate::vocabulary::{BuildArch, BuildKind, BuildLibc, BuildOs, UnknownBuildWord};

/// The word for "it has none".
const NONE: &str = "none";

/// Longest pattern, in bytes; no listed name is longer.
const MAX_PATTERN_BYTES: usize = 200;

/// A pattern of names, and what is true of the files that match it.
///
/// A pattern is compared with the whole name, by case: `*` stands for any run of characters, `?` for any one. What an override
/// leaves out stays as the name says it.
///
/// ```
/// use asset_names::{BuildOverride, Hints, OverrideWords, classify};
///
/// let words = OverrideWords { os: Some("linux"), arch: Some("x64"), ..OverrideWords::default() };
/// let overrides = [BuildOverride::read("tool-server-*", &words).unwrap()];
/// let hints = Hints { overrides: &overrides, ..Hints::NONE };
/// assert_eq!(classify("tool-server-2.tar.gz", &hints).arch.known().unwrap().as_str(), "x64");
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BuildOverride {
  pattern: String,
  os: Option<Reading<BuildOs>>,
  arch: Option<Reading<BuildArch>>,
  kind: Option<Reading<BuildKind>>,
  libc: Option<Reading<BuildLibc>>,
}

/// What an override says, in the words of the open vocabulary; `none` for "it has none". What is left out isn't overridden.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct OverrideWords<'w> {
  /// The operating system.
  pub os: Option<&'w str>,
  /// The processor.
  pub arch: Option<&'w str>,
  /// The kind. `none` takes a file out of every choice.
  pub kind: Option<&'w str>,
  /// The C library.
  pub libc: Option<&'w str>,
}

/// Why an override can't be used.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum OverrideError {
  /// The pattern is empty or has more than 200 bytes.
  PatternLength {
    /// Its length, in bytes.
    bytes: usize,
  },
  /// It says nothing.
  Empty,
  /// A word that the vocabulary doesn't hold.
  Word {
    /// Where it stands: `os`, `arch`, `kind` or `libc`.
    field: &'static str,
    /// The word.
    word: UnknownBuildWord,
  },
}

impl BuildOverride {
  /// An override of the names that `pattern` matches.
  pub fn read(pattern: &str, words: &OverrideWords<'_>) -> Result<Self, OverrideError> {
    if pattern.is_empty() || pattern.len() > MAX_PATTERN_BYTES {
      return Err(OverrideError::PatternLength { bytes: pattern.len() });
    }
    if *words == OverrideWords::default() {
      return Err(OverrideError::Empty);
    }
    Ok(Self {
      pattern: pattern.to_owned(),
      os: read_word("os", words.os)?,
      arch: read_word("arch", words.arch)?,
      kind: read_word("kind", words.kind)?,
      libc: read_word("libc", words.libc)?,
    })
  }

  /// Whether it is about the file called `name`.
  pub fn matches(&self, name: &str) -> bool {
    glob_matches(self.pattern.as_bytes(), name.as_bytes())
  }

  /// The pattern, as given.
  pub fn pattern(&self) -> &str {
    &self.pattern
  }

  /// Puts what it says in the place of what the name says. Nothing about the result is unsure: somebody looked.
  pub(crate) fn apply(&self, build: &mut Build) {
    if let Some(kind) = self.kind {
      build.kind = kind;
      build.details.format = kind.known().map_or(Format::Unusable, Format::of_kind);
      build.role = kind.known().map_or(Role::Unknown, role_of);
    } else if self.os.is_some() && build.role == Role::Unknown {
      build.role = Role::Build;
    }
    build.os = self.os.unwrap_or(build.os);
    build.libc = self.libc.unwrap_or(build.libc);
    if let Some(arch) = self.arch {
      build.arch = arch;
      build.details.any_processor = arch == Reading::Absent;
    }
    build.doubts = Default::default();
  }
}

impl fmt::Display for OverrideError {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match self {
      Self::PatternLength { bytes } => write!(f, "a pattern has 1 to {MAX_PATTERN_BYTES} bytes, not {bytes}"),
      Self::Empty => f.write_str("an override says at least one of os, arch, kind and libc"),
      Self::Word { field, word } => write!(f, "{field}: {word}"),
    }
  }
}

impl std::error::Error for OverrideError {}

fn read_word<T>(field: &'static str, word: Option<&str>) -> Result<Option<Reading<T>>, OverrideError>
where
  T: std::str::FromStr<Err = UnknownBuildWord>,
{
  match word {
    None => Ok(None),
    Some(NONE) => Ok(Some(Reading::Absent)),
    Some(word) => match word.parse() {
      Ok(value) => Ok(Some(Reading::Known(value))),
      Err(word) => Err(OverrideError::Word { field, word }),
    },
  }
}

fn role_of(kind: BuildKind) -> Role {
  match kind {
    BuildKind::Checksum => Role::Checksum,
    BuildKind::Signature => Role::Signature,
    BuildKind::Sbom => Role::Sbom,
    BuildKind::Metadata => Role::Metadata,
    BuildKind::Source => Role::Source,
    BuildKind::AppImageZsync => Role::Delta,
    _ => Role::Build,
  }
}

/// Whether `pattern` matches all of `text`. Goes back to the last `*` only, so that it takes at most their lengths' product.
fn glob_matches(pattern: &[u8], text: &[u8]) -> bool {
  let (mut at, mut read) = (0, 0);
  let mut last_star = None;
  while read < text.len() {
    match pattern.get(at) {
      Some(b'*') => {
        last_star = Some((at, read));
        at += 1;
      }
      Some(b'?') => {
        at += 1;
        read += char_length(&text[read..]);
      }
      Some(byte) if *byte == text[read] => {
        at += 1;
        read += 1;
      }
      _ => {
        let Some((star, from)) = last_star else { return false };
        let from = from + char_length(&text[from..]);
        last_star = Some((star, from));
        at = star + 1;
        read = from;
      }
    }
  }
  pattern[at..].iter().all(|byte| *byte == b'*')
}

/// Bytes of the character that `text` begins with.
fn char_length(text: &[u8]) -> usize {
  const IS_CONTINUATION: std::ops::RangeInclusive<u8> = 0x80..=0xBF;
  1 + text
    .iter()
    .skip(1)
    .take_while(|byte| IS_CONTINUATION.contains(byte))
    .count()
}

#[cfg(test)]
mod tests {
  use proptest::prelude::*;
  use rstest::rstest;

  use super::*;
  use crate::{Hints, classify};

  #[rstest]
  #[case("*", "", true)]
  #[case("*", "anything", true)]
  #[case("a*c", "abc", true)]
  #[case("a*c", "abcb", false)]
  #[case("*-x.zip", "a-x-x.zip", true)]
  #[case("a?c", "aéc", true)]
  #[case("a?c", "ac", false)]
  #[case("Tool*", "tool-1", false)]
  #[case("tool", "tool-1", false)]
  #[case("**a**", "bab", true)]
  fn a_pattern_is_compared_with_the_whole_name(#[case] pattern: &str, #[case] name: &str, #[case] expected: bool) {
    assert_eq!(
      glob_matches(pattern.as_bytes(), name.as_bytes()),
      expected,
      "{pattern} {name}"
    );
  }

  #[test]
  fn the_first_override_that_matches_wins_and_leaves_the_rest_as_it_was() {
    let overrides = [
      override_of("never-*", Some("haiku"), None),
      override_of("*-classic.zip", Some("macos"), None),
      override_of("*", Some("linux"), None),
    ];
    let build = classify(
      "app-x64-classic.zip",
      &Hints {
        overrides: &overrides,
        ..Hints::NONE
      },
    );
    assert_eq!(build.os, Reading::Known(BuildOs::Macos));
    assert_eq!(build.arch, Reading::Known(BuildArch::X64));
    assert_eq!(build.kind, Reading::Known(BuildKind::Zip));
    assert_eq!(build.role, Role::Build);
  }

  #[test]
  fn an_override_ends_a_contradiction_and_its_doubt() {
    let overrides = [override_of("*", Some("linux"), None)];
    let name = "app-linux-windows-x64.zip";
    assert_eq!(classify(name, &Hints::NONE).os, Reading::Contradictory);
    let build = classify(
      name,
      &Hints {
        overrides: &overrides,
        ..Hints::NONE
      },
    );
    assert_eq!(build.os, Reading::Known(BuildOs::Linux));
    assert!(build.is_clear());
  }

  #[test]
  fn a_file_without_a_kind_is_no_build() {
    let overrides = [override_of("*", None, Some("none"))];
    let build = classify(
      "app-1.0-linux-x64.deb",
      &Hints {
        overrides: &overrides,
        ..Hints::NONE
      },
    );
    assert_eq!((build.kind, build.role), (Reading::Absent, Role::Unknown));
  }

  #[test]
  fn what_is_wrong_with_an_override_is_said() {
    let error = |pattern: &str, words| BuildOverride::read(pattern, &words).unwrap_err().to_string();
    let some = OverrideWords {
      arch: Some("pdp11"),
      ..OverrideWords::default()
    };
    assert_eq!(error("*", some), "arch: `pdp11` is not a word of the build vocabulary");
    assert_eq!(error("", some), "a pattern has 1 to 200 bytes, not 0");
    assert_eq!(
      error("*", OverrideWords::default()),
      "an override says at least one of os, arch, kind and libc"
    );
  }

  proptest! {
    #[test]
    fn a_name_matches_itself_and_every_pattern_with_a_part_of_it_left_out(name in "[^*?]{0,40}", from in 0_usize..40, to in 0_usize..40) {
      prop_assert!(glob_matches(name.as_bytes(), name.as_bytes()));
      let chars: Vec<char> = name.chars().collect();
      let (from, to) = (from.min(to).min(chars.len()), from.max(to).min(chars.len()));
      let pattern: String = chars[..from].iter().chain(&['*']).chain(&chars[to..]).collect();
      prop_assert!(glob_matches(pattern.as_bytes(), name.as_bytes()));
    }

    #[test]
    fn no_pattern_makes_it_panic(pattern in ".*", name in ".*") {
      glob_matches(pattern.as_bytes(), name.as_bytes());
    }
  }

  fn override_of(pattern: &str, os: Option<&str>, kind: Option<&str>) -> BuildOverride {
    BuildOverride::read(
      pattern,
      &OverrideWords {
        os,
        kind,
        ..OverrideWords::default()
      },
    )
    .unwrap()
  }
}
