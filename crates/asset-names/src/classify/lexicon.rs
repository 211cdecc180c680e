//! What single words of a name mean.
//!
//! A word is a whole run of letters and digits, in lowercase: `darwin` never holds `win`. Words that only mean something beside
//! others (`64` after `linux`, `v7` after `arm`) are put together in [`super::combine`].

use super::key_table::look_up;
use super::word_table::WORDS;
use crate::family::Family;
use crate::vocabulary::{BuildArch, BuildLibc, BuildOs};

/// The meaning of one word.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Word {
  /// Nothing known: a part of the app's name, a flavour, a hash.
  Unknown,
  /// A part of the app's name or version, as given.
  TakenOut,
  /// Only digits.
  Number,
  /// A part of a version: `v2`, `5rc1`, `b9001`, `beta`.
  Version,
  Os(BuildOs),
  /// `win32`, which may say 32 bits or nothing.
  Win32,
  /// A Linux distribution.
  Distro(Family),
  /// Alpine Linux, and so musl.
  Alpine,
  /// Python's word for Linux with glibc.
  Manylinux,
  /// Python's word for Linux with musl.
  Musllinux,
  /// A toolchain that only Windows has.
  WindowsAbi,
  /// Windows and 64 bits, but in `mingw-w64` only Windows.
  W64,
  /// Windows and 32 bits.
  W32,
  Arch(BuildArch),
  /// 64 bits, of whatever processor.
  Bits64,
  /// 32 bits, of whatever processor.
  Bits32,
  Bit,
  Libc(BuildLibc),
  Apple,
  /// One of Apple's own processors, beside `mac` or `apple`.
  Silicon,
  Intel,
  /// Every processor: both of Apple's for macOS, no matter which elsewhere.
  All,
  /// No matter which processor.
  NoArch,
  /// A word that stands among a platform's and says nothing: `unknown`, `pc`, a system's version.
  Filler,
  /// `and`: what stands on both sides is one thing.
  And,
  /// `for`, `on`: the system that follows may be a part of the app's name.
  For,
  Static,
  Portable,
  Setup,
  /// Says nothing of a build.
  Neutral,
  /// A build for debugging, an unsigned one.
  Debug,
  /// Symbols for debuggers.
  Symbols,
  /// Part of `debug info`.
  Info,
  Source,
  /// What may stand beside `source` in a source archive's name.
  BesideSource,
  Delta,
  Full,
  Checksum,
  /// `sha`, before `256`.
  Sha,
  Sbom,
  Sigstore,
  /// A file of no build: `readme`, `license`, `releases`.
  Document,
  /// What a packed file is: `exe` in `.exe.zip`.
  Packed(BuildOs),
  /// Language and country of a translated installer; English or not.
  Locale {
    english: bool,
  },
}

/// The meaning of a word by itself, in lowercase.
pub(super) fn meaning(word: &[u8]) -> Option<Word> {
  look_up(&WORDS, word)
}

/// Words that others are glued to without a separator (`linuxarm64`, `macos11`, `ubuntu2204`); where one begins with another, the
/// longer one first.
pub(super) const PREFIXES: &[(&str, Word)] = &[
  ("macosx", Word::Os(BuildOs::Macos)),
  ("macos", Word::Os(BuildOs::Macos)),
  ("mac", Word::Os(BuildOs::Macos)),
  ("osx", Word::Os(BuildOs::Macos)),
  ("darwin", Word::Os(BuildOs::Macos)),
  ("windows", Word::Os(BuildOs::Windows)),
  ("win", Word::Os(BuildOs::Windows)),
  ("mingw", Word::Os(BuildOs::Windows)),
  ("linux", Word::Os(BuildOs::Linux)),
  ("lin", Word::Os(BuildOs::Linux)),
  ("freebsd", Word::Os(BuildOs::FreeBsd)),
  ("openbsd", Word::Os(BuildOs::OpenBsd)),
  ("netbsd", Word::Os(BuildOs::NetBsd)),
  ("android", Word::Os(BuildOs::Android)),
  ("ubuntu", Word::Distro(Family::Debian)),
  ("debian", Word::Distro(Family::Debian)),
  ("deb", Word::Distro(Family::Debian)),
  ("fedora", Word::Distro(Family::Fedora)),
  ("fc", Word::Distro(Family::Fedora)),
  ("centos", Word::Distro(Family::Fedora)),
  ("rhel", Word::Distro(Family::Fedora)),
  ("rocky", Word::Distro(Family::Fedora)),
  ("el", Word::Distro(Family::Fedora)),
  ("opensuse", Word::Distro(Family::Suse)),
  ("sles", Word::Distro(Family::Suse)),
  ("alpine", Word::Alpine),
  ("manylinux", Word::Manylinux),
  ("musllinux", Word::Musllinux),
  ("glibc", Word::Libc(BuildLibc::Gnu)),
  ("x64", Word::Arch(BuildArch::X64)),
  ("amd64", Word::Arch(BuildArch::X64)),
  ("arm64", Word::Arch(BuildArch::Arm64)),
];
