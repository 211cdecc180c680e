//! What a name says of its file.

use std::fmt;

use crate::family::Family;
use crate::format::Format;
use crate::vocabulary::{BuildArch, BuildKind, BuildLibc, BuildOs};

/// What [`classify`](crate::classify()) reads from a file's name.
///
/// Sidecars (checksums, signatures, SBOMs, metadata) and source have no system, processor or C library of their own, even where
/// their names repeat their subject's.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Build {
  /// The operating system it runs on.
  pub os: Reading<BuildOs>,
  /// The processor it is for. Absent where the name doesn't say or where it doesn't matter; never guessed.
  pub arch: Reading<BuildArch>,
  /// How it is packaged, or what it accompanies a build with.
  pub kind: Reading<BuildKind>,
  /// The C library it needs, for Linux, where the name says so.
  pub libc: Reading<BuildLibc>,
  /// What sort of file it is.
  pub role: Role,
  /// What makes the reading unsure.
  pub doubts: Doubts,
  pub(crate) details: Details,
}

/// What a name says about one thing.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Reading<T> {
  /// It says this.
  Known(T),
  /// It says nothing.
  Absent,
  /// It says two different things, and nothing tells which is meant.
  Contradictory,
}

/// What sort of file it is.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Role {
  /// Something to install or run.
  Build,
  /// Digests of other files.
  Checksum,
  /// A signature, or a key or certificate to check one with.
  Signature,
  /// A bill of materials.
  Sbom,
  /// Source code.
  Source,
  /// Data about the release.
  Metadata,
  /// What turns one build into another: a patch, or the block list of a partial download.
  Delta,
  /// Symbols for debuggers.
  DebugSymbols,
  /// The name doesn't say.
  Unknown,
}

/// One reason for which a reading is unsure.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Doubt {
  /// Two systems, and nothing tells which is meant.
  TwoSystems,
  /// Two processors, and nothing tells which is meant.
  TwoProcessors,
  /// Two C libraries, and nothing tells which is meant.
  TwoLibcs,
  /// Another system's word, further left, was taken for a part of the app's name.
  OtherSystemInName,
  /// Another processor's word, further left, was taken for a part of the app's name.
  OtherProcessorInName,
  /// `win32` alone means 32 bits to some and any Windows to others.
  WidthOfWin32,
  /// An `.apk` is Android's or Alpine's.
  WhoseApk,
  /// Only the end of an overlong name was read.
  CutShort,
}

/// The reasons for which a reading is unsure; none: the name is clear.
#[derive(Clone, Copy, Default, Eq, Hash, PartialEq)]
pub struct Doubts(u8);

/// What only the choice between builds needs to know of a name.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Details {
  /// How it is packaged, finer than its kind.
  pub(crate) format: Format,
  /// Oldest glibc it says it runs on.
  pub(crate) min_glibc: Option<(u16, u16)>,
  /// The distributions it says it is built for.
  pub(crate) family: Option<Family>,
  /// Says that it runs on any processor (`all`, `noarch`).
  pub(crate) any_processor: bool,
  /// Says that it holds no shared libraries of the system.
  pub(crate) is_static: bool,
  /// A build for debugging, or one that wasn't signed.
  pub(crate) is_debug: bool,
  /// Built with the GNU toolchain for Windows.
  pub(crate) is_windows_gnu: bool,
  /// In another language than English.
  pub(crate) is_foreign: bool,
  /// Says that it needs no installing.
  pub(crate) is_portable: bool,
  /// How the app's name, where given, fits.
  pub(crate) app: AppFit,
  /// Words that mean nothing to the reader: variants, siblings, flavours.
  pub(crate) extras: u8,
}

/// How the app's name, as given, stands in a file's name.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum AppFit {
  /// No app was given.
  NotAsked,
  /// It is all there is before the version and the platform.
  Exact,
  /// It stands beside other words (`agnix-lsp` for `agnix`), or isn't there.
  Other,
}

impl Build {
  /// Whether nothing about the reading is unsure.
  pub fn is_clear(&self) -> bool {
    self.doubts.is_empty()
  }
}

impl<T: Copy> Reading<T> {
  /// The one thing it says.
  pub fn known(self) -> Option<T> {
    match self {
      Self::Known(value) => Some(value),
      Self::Absent | Self::Contradictory => None,
    }
  }

  /// Whether it says two different things.
  pub fn is_contradictory(self) -> bool {
    matches!(self, Self::Contradictory)
  }
}

impl<T> From<Option<T>> for Reading<T> {
  fn from(value: Option<T>) -> Self {
    value.map_or(Self::Absent, Self::Known)
  }
}

impl Role {
  /// A word for it: `build`, `checksum`, … `unknown`.
  pub const fn as_str(self) -> &'static str {
    match self {
      Self::Build => "build",
      Self::Checksum => "checksum",
      Self::Signature => "signature",
      Self::Sbom => "sbom",
      Self::Source => "source",
      Self::Metadata => "metadata",
      Self::Delta => "delta",
      Self::DebugSymbols => "debug_symbols",
      Self::Unknown => "unknown",
    }
  }
}

impl fmt::Display for Role {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.pad(self.as_str())
  }
}

impl Doubt {
  /// Every reason known so far.
  pub const ALL: &[Self] = &[
    Self::TwoSystems,
    Self::TwoProcessors,
    Self::TwoLibcs,
    Self::OtherSystemInName,
    Self::OtherProcessorInName,
    Self::WidthOfWin32,
    Self::WhoseApk,
    Self::CutShort,
  ];

  /// The reason in a few words, to follow "the name".
  pub const fn as_str(self) -> &'static str {
    match self {
      Self::TwoSystems => "names two systems",
      Self::TwoProcessors => "names two processors",
      Self::TwoLibcs => "names two C libraries",
      Self::OtherSystemInName => "has another system's word, taken for a part of the app's name",
      Self::OtherProcessorInName => "has another processor's word, taken for a part of the app's name",
      Self::WidthOfWin32 => "says win32, which may mean 32 bits or any Windows",
      Self::WhoseApk => "is an .apk, which may be Android's or Alpine's",
      Self::CutShort => "is too long to be read whole",
    }
  }
}

impl fmt::Display for Doubt {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.pad(self.as_str())
  }
}

impl Doubts {
  /// Whether there are none.
  pub fn is_empty(self) -> bool {
    self.0 == 0
  }

  /// Whether this is one of them.
  pub fn contains(self, doubt: Doubt) -> bool {
    self.0 & (1 << doubt as u8) != 0
  }

  /// Each of them.
  pub fn iter(self) -> impl Iterator<Item = Doubt> {
    Doubt::ALL.iter().copied().filter(move |doubt| self.contains(*doubt))
  }

  pub(crate) fn add(&mut self, doubt: Doubt) {
    self.0 |= 1 << doubt as u8;
  }
}

impl fmt::Debug for Doubts {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.debug_list().entries(self.iter()).finish()
  }
}
