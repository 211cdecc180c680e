//! What people and their tools call systems and processors, beside the vocabulary: `uname`, Debian, Go, Node, Rust.
//!
//! The words are those that names are read by, so that whatever stands in a file's name may also be asked for.

use super::key_table::MAX_WORD_BYTES;
use super::lexicon::{Word, meaning};
use crate::vocabulary::{BuildArch, BuildOs};

/// Go's and Linux's word, which in a name may also be a part of a version.
const LONE_386: &[u8] = b"386";

impl BuildOs {
  /// The system that `word` stands for: a word of the vocabulary, or a usual one such as `darwin`, `osx` or `win`. Case doesn't
  /// count, nor do `-` and `_`.
  ///
  /// ```
  /// use asset_names::BuildOs;
  ///
  /// assert_eq!(BuildOs::of_usual_word("Darwin"), Some(BuildOs::Macos));
  /// assert_eq!(BuildOs::of_usual_word("beos"), None);
  /// ```
  pub fn of_usual_word(word: &str) -> Option<Self> {
    let of_vocabulary = || word.to_ascii_lowercase().parse().ok();
    of_vocabulary().or_else(|| match usual_meaning(word)? {
      Word::Os(os) => Some(os),
      // Node's word for every Windows.
      Word::Win32 => Some(Self::Windows),
      _ => None,
    })
  }
}

impl BuildArch {
  /// The processor that `word` stands for: a word of the vocabulary, or a usual one such as `amd64`, `x86_64`, `aarch64` or
  /// `armhf`. Case doesn't count, nor do `-` and `_`.
  ///
  /// ```
  /// use asset_names::BuildArch;
  ///
  /// assert_eq!(BuildArch::of_usual_word("x86-64"), Some(BuildArch::X64));
  /// assert_eq!(BuildArch::of_usual_word("pdp11"), None);
  /// ```
  pub fn of_usual_word(word: &str) -> Option<Self> {
    let of_vocabulary = || word.to_ascii_lowercase().parse().ok();
    of_vocabulary().or_else(|| match usual_meaning(word)? {
      Word::Arch(arch) => Some(arch),
      _ => None,
    })
  }
}

/// The meaning of a word by itself, without what stands between its parts.
fn usual_meaning(word: &str) -> Option<Word> {
  let mut letters = [0; MAX_WORD_BYTES];
  let mut length = 0;
  for byte in word.bytes().filter(|byte| !matches!(byte, b'-' | b'_')) {
    *letters.get_mut(length)? = byte.to_ascii_lowercase();
    length += 1;
  }
  match &letters[..length] {
    LONE_386 => Some(Word::Arch(BuildArch::X86)),
    word => meaning(word),
  }
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case("amd64", Some(BuildArch::X64))]
  #[case("x86_64", Some(BuildArch::X64))]
  #[case("x86-64", Some(BuildArch::X64))]
  #[case("X64", Some(BuildArch::X64))]
  #[case("aarch64", Some(BuildArch::Arm64))]
  #[case("armv8", Some(BuildArch::Arm64))]
  #[case("ARM64", Some(BuildArch::Arm64))]
  #[case("i386", Some(BuildArch::X86))]
  #[case("i686", Some(BuildArch::X86))]
  #[case("ia32", Some(BuildArch::X86))]
  #[case("386", Some(BuildArch::X86))]
  #[case("armhf", Some(BuildArch::ArmV7))]
  #[case("armv7l", Some(BuildArch::ArmV7))]
  #[case("ppc64el", Some(BuildArch::Ppc64Le))]
  #[case("universal2", Some(BuildArch::Universal))]
  #[case("any", None)]
  #[case("linux", None)]
  #[case("64", None)]
  #[case("x/64", None)]
  #[case("", None)]
  #[case("a-word-that-is-longer-than-any", None)]
  fn a_processor_is_known_by_its_usual_words(#[case] word: &str, #[case] arch: Option<BuildArch>) {
    assert_eq!(BuildArch::of_usual_word(word), arch);
  }

  #[rstest]
  #[case("darwin", Some(BuildOs::Macos))]
  #[case("mac", Some(BuildOs::Macos))]
  #[case("osx", Some(BuildOs::Macos))]
  #[case("macOS", Some(BuildOs::Macos))]
  #[case("win", Some(BuildOs::Windows))]
  #[case("win32", Some(BuildOs::Windows))]
  #[case("Linux", Some(BuildOs::Linux))]
  #[case("web", Some(BuildOs::Web))]
  #[case("beos", None)]
  #[case("x64", None)]
  fn a_system_is_known_by_its_usual_words(#[case] word: &str, #[case] os: Option<BuildOs>) {
    assert_eq!(BuildOs::of_usual_word(word), os);
  }

  #[test]
  fn every_word_of_the_vocabulary_is_a_usual_one() {
    for os in BuildOs::ALL {
      assert_eq!(BuildOs::of_usual_word(os.as_str()), Some(*os));
    }
    for arch in BuildArch::ALL {
      assert_eq!(BuildArch::of_usual_word(arch.as_str()), Some(*arch));
    }
  }
}
