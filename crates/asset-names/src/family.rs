//! Which packages a Linux distribution installs.
//!
//! Told from os-release's `ID` and `ID_LIKE`, never from which tools are on `PATH`: `dpkg` and `rpm` can be installed anywhere.

use std::fmt;
use std::str::FromStr;

/// Distributions that share a package format and its names.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Family {
  /// Debian, Ubuntu and what is built on them: `.deb`.
  Debian,
  /// Fedora, RHEL and what is built on them: `.rpm`.
  Fedora,
  /// SUSE and openSUSE: `.rpm`.
  Suse,
  /// Arch Linux and what is built on it: `.pkg.tar.zst`.
  Arch,
  /// Alpine: its own `.apk`.
  Alpine,
  /// Any other, or not known: no system package fits.
  #[default]
  Unknown,
}

/// What a word says no family is meant by.
const WORDS_FOR_UNKNOWN: &[&str] = &["unknown", "any", "none", ""];

/// A word that is no distribution's `ID` and no family's name.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UnknownFamily {
  /// The word.
  pub word: String,
}

impl Family {
  /// The family of an os-release file's text. `ID` counts first, then `ID_LIKE` from left to right.
  ///
  /// ```
  /// use asset_names::Family;
  ///
  /// assert_eq!(Family::of_os_release("NAME=\"Pop!_OS\"\nID=pop\nID_LIKE=\"ubuntu debian\"\n"), Family::Debian);
  /// ```
  pub fn of_os_release(text: &str) -> Self {
    let (mut id, mut id_like) = ("", "");
    for line in text.lines() {
      match line.trim().split_once('=') {
        Some(("ID", value)) => id = unquoted(value),
        Some(("ID_LIKE", value)) => id_like = unquoted(value),
        _ => {}
      }
    }
    Self::of_ids(id, id_like)
  }

  /// The family of a distribution with these `ID` and `ID_LIKE` (words with spaces between).
  pub fn of_ids(id: &str, id_like: &str) -> Self {
    let family = |id: &str| Self::of_id(&id.to_ascii_lowercase());
    family(id)
      .or_else(|| id_like.split_whitespace().find_map(family))
      .unwrap_or_default()
  }

  /// A word for it: `debian`, … `unknown`.
  pub const fn as_str(self) -> &'static str {
    match self {
      Self::Debian => "debian",
      Self::Fedora => "fedora",
      Self::Suse => "suse",
      Self::Arch => "arch",
      Self::Alpine => "alpine",
      Self::Unknown => "unknown",
    }
  }

  fn of_id(id: &str) -> Option<Self> {
    match id {
      "debian" | "ubuntu" | "linuxmint" | "lmde" | "pop" | "raspbian" | "elementary" | "zorin" | "kali" | "neon"
      | "deepin" | "devuan" | "mx" | "parrot" | "pureos" | "tuxedo" | "trisquel" | "bodhi" => Some(Self::Debian),
      "fedora" | "rhel" | "centos" | "rocky" | "almalinux" | "ol" | "amzn" | "scientific" | "nobara" | "eurolinux"
      | "ultramarine" | "bazzite" | "mageia" | "openmandriva" => Some(Self::Fedora),
      "suse" | "opensuse" | "opensuse-leap" | "opensuse-tumbleweed" | "sles" | "sled" | "sle-micro" => Some(Self::Suse),
      "arch" | "archlinux" | "archarm" | "manjaro" | "manjaro-arm" | "endeavouros" | "garuda" | "cachyos" | "artix"
      | "steamos" => Some(Self::Arch),
      "alpine" | "postmarketos" => Some(Self::Alpine),
      _ => None,
    }
  }
}

impl fmt::Display for Family {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.pad(self.as_str())
  }
}

/// Reads a family's name, a distribution's `ID`, or `unknown`, `any` or `none`.
impl FromStr for Family {
  type Err = UnknownFamily;

  fn from_str(word: &str) -> Result<Self, UnknownFamily> {
    match Self::of_ids(word, "") {
      Self::Unknown if !WORDS_FOR_UNKNOWN.contains(&word) => Err(UnknownFamily { word: word.to_owned() }),
      family => Ok(family),
    }
  }
}

impl fmt::Display for UnknownFamily {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(
      f,
      "`{}` is no known distribution (debian, fedora, suse, arch, alpine, any …)",
      self.word
    )
  }
}

impl std::error::Error for UnknownFamily {}

fn unquoted(value: &str) -> &str {
  let value = value.trim();
  let inner = |quote| {
    value
      .strip_prefix(quote)
      .and_then(|value: &str| value.strip_suffix(quote))
  };
  inner('"').or_else(|| inner('\'')).unwrap_or(value)
}

#[cfg(test)]
mod tests {
  use proptest::prelude::*;
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case("ID=debian\n", Family::Debian)]
  #[case("ID=ubuntu\nID_LIKE=debian\n", Family::Debian)]
  #[case("PRETTY_NAME=\"Fedora Linux 42\"\r\nID=fedora\r\n", Family::Fedora)]
  #[case("ID=\"rhel\"\nID_LIKE=\"fedora\"\n", Family::Fedora)]
  #[case("ID='opensuse-leap'\nID_LIKE='suse opensuse'\n", Family::Suse)]
  #[case("ID=cachyos\nID_LIKE=arch\n", Family::Arch)]
  #[case("ID=alpine\n", Family::Alpine)]
  #[case::an_unknown_distribution_says_what_it_is_like("ID=vanilla\nID_LIKE=\"ubuntu debian\"\n", Family::Debian)]
  #[case::of_many_the_first_known_counts("ID=x\nID_LIKE=\"y arch debian\"\n", Family::Arch)]
  #[case::id_before_id_like("ID_LIKE=debian\nID=fedora\n", Family::Fedora)]
  #[case("ID=nixos\n", Family::Unknown)]
  #[case("VERSION_ID=debian\nVARIANT_ID=fedora\n#ID=arch\n", Family::Unknown)]
  #[case("", Family::Unknown)]
  fn the_family_is_told_from_id_and_id_like(#[case] os_release: &str, #[case] expected: Family) {
    assert_eq!(Family::of_os_release(os_release), expected, "{os_release}");
  }

  #[rstest]
  #[case("debian", Ok(Family::Debian))]
  #[case("ubuntu", Ok(Family::Debian))]
  #[case("Fedora", Ok(Family::Fedora))]
  #[case("any", Ok(Family::Unknown))]
  #[case("unknown", Ok(Family::Unknown))]
  #[case("debain", Err(UnknownFamily { word: "debain".to_owned() }))]
  fn a_word_is_read_as_family_or_distribution(#[case] word: &str, #[case] expected: Result<Family, UnknownFamily>) {
    assert_eq!(word.parse::<Family>(), expected);
  }

  proptest! {
    #[test]
    fn no_text_makes_it_panic(text in ".*", id in ".*", id_like in ".*") {
      Family::of_os_release(&text);
      Family::of_os_release(&format!("ID={id}\nID_LIKE=\"{id_like}"));
    }
  }
}
