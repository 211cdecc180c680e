//! The open vocabulary: the words of a [`Build`](crate::Build), and how they relate to the contract's closed lists.
//!
//! These lists grow. Whoever reads the words elsewhere (an answer, a catalog) ignores those that it doesn't know. Where the
//! contract has a word for the same thing, it is the same word, but for `appimage` and `appimage_zsync`, which the contract
//! writes `app_image` and `app_image_zsync`.

use std::fmt;
use std::str::FromStr;

use feed_types::{Arch, Os, PackageType};

/// A word that the open vocabulary does not hold (yet).
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UnknownBuildWord {
  /// The word.
  pub word: String,
}

impl fmt::Display for UnknownBuildWord {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "`{}` is not a word of the build vocabulary", self.word)
  }
}

impl std::error::Error for UnknownBuildWord {}

macro_rules! open_vocabulary {
  ($(#[$about:meta])* $name:ident { $($(#[$word_about:meta])* $variant:ident = $word:literal,)+ }) => {
    $(#[$about])*
    #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
    #[non_exhaustive]
    pub enum $name {
      $($(#[$word_about])* $variant,)+
    }

    impl $name {
      /// Every word known so far.
      pub const ALL: &[Self] = &[$(Self::$variant),+];

      /// The word.
      pub const fn as_str(self) -> &'static str {
        match self { $(Self::$variant => $word),+ }
      }
    }

    impl fmt::Display for $name {
      fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
      }
    }

    impl FromStr for $name {
      type Err = UnknownBuildWord;

      fn from_str(word: &str) -> Result<Self, UnknownBuildWord> {
        match word { $($word => Ok(Self::$variant),)+ _ => Err(UnknownBuildWord { word: word.to_owned() }) }
      }
    }
  };
}

open_vocabulary! {
  /// The operating system a build runs on.
  BuildOs {
    /// Microsoft Windows.
    Windows = "windows",
    /// Apple macOS.
    Macos = "macos",
    /// Any Linux distribution.
    Linux = "linux",
    /// FreeBSD.
    FreeBsd = "freebsd",
    /// Any browser.
    Web = "web",
    /// Android.
    Android = "android",
    /// Apple iOS and iPadOS.
    Ios = "ios",
    /// Apple tvOS.
    Tvos = "tvos",
    /// OpenBSD.
    OpenBsd = "openbsd",
    /// NetBSD.
    NetBsd = "netbsd",
    /// DragonFly BSD.
    DragonFly = "dragonfly",
    /// Oracle Solaris.
    Solaris = "solaris",
    /// illumos (OmniOS, SmartOS).
    Illumos = "illumos",
    /// IBM AIX.
    Aix = "aix",
    /// Haiku.
    Haiku = "haiku",
    /// Plan 9.
    Plan9 = "plan9",
    /// OpenHarmony.
    Ohos = "ohos",
    /// A WebAssembly runtime outside the browser.
    Wasi = "wasi",
  }
}

open_vocabulary! {
  /// The processor a build is for.
  BuildArch {
    /// 64-bit x86 (x86-64, AMD64).
    X64 = "x64",
    /// 32-bit x86.
    X86 = "x86",
    /// 64-bit ARM (AArch64).
    Arm64 = "arm64",
    /// More than one processor in one file (Apple's two, all of Android's).
    Universal = "universal",
    /// 32-bit ARM, no version stated.
    Arm = "arm",
    /// 32-bit ARM, version 5.
    ArmV5 = "armv5",
    /// 32-bit ARM, version 6.
    ArmV6 = "armv6",
    /// 32-bit ARM, version 7.
    ArmV7 = "armv7",
    /// 64-bit RISC-V.
    RiscV64 = "riscv64",
    /// 32-bit RISC-V.
    RiscV32 = "riscv32",
    /// 64-bit POWER, little-endian.
    Ppc64Le = "ppc64le",
    /// 64-bit POWER, big-endian.
    Ppc64 = "ppc64",
    /// 32-bit PowerPC.
    Ppc = "ppc",
    /// IBM Z.
    S390x = "s390x",
    /// 32-bit MIPS, big-endian.
    Mips = "mips",
    /// 32-bit MIPS, little-endian.
    MipsLe = "mipsle",
    /// 64-bit MIPS, big-endian.
    Mips64 = "mips64",
    /// 64-bit MIPS, little-endian.
    Mips64Le = "mips64le",
    /// 64-bit LoongArch.
    Loong64 = "loong64",
    /// 64-bit SPARC.
    Sparc64 = "sparc64",
    /// Intel Itanium.
    Ia64 = "ia64",
    /// 32-bit WebAssembly.
    Wasm32 = "wasm32",
  }
}

open_vocabulary! {
  /// The C library a Linux build needs.
  BuildLibc {
    /// The GNU C library.
    Gnu = "gnu",
    /// musl. Its builds are static as a rule and run where glibc is too.
    Musl = "musl",
  }
}

open_vocabulary! {
  /// How a file is packaged, or what it accompanies a build with.
  BuildKind {
    /// Android package.
    Apk = "apk",
    /// AppImage.
    AppImage = "appimage",
    /// zsync control file of an AppImage.
    AppImageZsync = "appimage_zsync",
    /// Digests of other files.
    Checksum = "checksum",
    /// ZIP archive of the family's macOS command-line tools.
    CliZip = "cli_zip",
    /// Debian package.
    Deb = "deb",
    /// Apple disk image.
    Dmg = "dmg",
    /// Windows program, installer or not.
    Exe = "exe",
    /// Flatpak single-file bundle.
    Flatpak = "flatpak",
    /// Data about a release: update manifests, block maps, provenance, licences, notes.
    Metadata = "metadata",
    /// Windows Installer package.
    Msi = "msi",
    /// Anything else: bare executables, single compressed files, `.tar.bz2`, `.7z`, `.jar`, `.nupkg`, `.msix` …
    Other = "other",
    /// macOS installer package.
    Pkg = "pkg",
    /// Windows ZIP archive that says it is portable.
    PortableZip = "portable_zip",
    /// RPM package.
    Rpm = "rpm",
    /// Bill of materials.
    Sbom = "sbom",
    /// Signature, or a key or certificate to check one with.
    Signature = "signature",
    /// Snap package.
    Snap = "snap",
    /// Source code.
    Source = "source",
    /// gzip-compressed tar archive.
    TarGz = "tar_gz",
    /// xz-compressed tar archive.
    TarXz = "tar_xz",
    /// Zstandard-compressed tar archive.
    TarZst = "tar_zst",
    /// ZIP archive of the family's web build.
    WebZip = "web_zip",
    /// Any other ZIP archive.
    Zip = "zip",
  }
}

impl BuildOs {
  /// The contract's word for it, where it has one.
  pub fn closed(self) -> Option<Os> {
    self.as_str().parse().ok()
  }
}

impl BuildArch {
  /// The contract's word for it, where it has one.
  pub fn closed(self) -> Option<Arch> {
    self.as_str().parse().ok()
  }
}

impl BuildKind {
  /// The contract's word for it, where it has one.
  pub fn closed(self) -> Option<PackageType> {
    match self {
      Self::AppImage => Some(PackageType::AppImage),
      Self::AppImageZsync => Some(PackageType::AppImageZsync),
      other => other.as_str().parse().ok(),
    }
  }
}

impl From<Os> for BuildOs {
  fn from(os: Os) -> Self {
    match os {
      Os::Windows => Self::Windows,
      Os::Macos => Self::Macos,
      Os::Linux => Self::Linux,
      Os::FreeBsd => Self::FreeBsd,
      Os::Web => Self::Web,
    }
  }
}

impl From<Arch> for BuildArch {
  fn from(arch: Arch) -> Self {
    match arch {
      Arch::X64 => Self::X64,
      Arch::X86 => Self::X86,
      Arch::Arm64 => Self::Arm64,
      Arch::Universal => Self::Universal,
    }
  }
}

impl From<PackageType> for BuildKind {
  fn from(package_type: PackageType) -> Self {
    match package_type {
      PackageType::Msi => Self::Msi,
      PackageType::PortableZip => Self::PortableZip,
      PackageType::Dmg => Self::Dmg,
      PackageType::CliZip => Self::CliZip,
      PackageType::AppImage => Self::AppImage,
      PackageType::AppImageZsync => Self::AppImageZsync,
      PackageType::Deb => Self::Deb,
      PackageType::Rpm => Self::Rpm,
      PackageType::Flatpak => Self::Flatpak,
      PackageType::TarGz => Self::TarGz,
      PackageType::WebZip => Self::WebZip,
    }
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn every_word_is_written_and_read_as_itself() {
    for os in BuildOs::ALL {
      assert_eq!(os.as_str().parse::<BuildOs>(), Ok(*os));
    }
    for arch in BuildArch::ALL {
      assert_eq!(arch.as_str().parse::<BuildArch>(), Ok(*arch));
    }
    for kind in BuildKind::ALL {
      assert_eq!(kind.as_str().parse::<BuildKind>(), Ok(*kind));
    }
    assert_eq!("gnu".parse(), Ok(BuildLibc::Gnu));
    assert_eq!(
      "none".parse::<BuildLibc>(),
      Err(UnknownBuildWord {
        word: "none".to_owned()
      })
    );
  }

  #[test]
  fn every_word_of_the_contract_has_one_here_and_back() {
    for os in Os::ALL {
      assert_eq!(BuildOs::from(*os).closed(), Some(*os));
      assert_eq!(BuildOs::from(*os).as_str(), os.as_str());
    }
    for arch in Arch::ALL {
      assert_eq!(BuildArch::from(*arch).closed(), Some(*arch));
      assert_eq!(BuildArch::from(*arch).as_str(), arch.as_str());
    }
    for package_type in PackageType::ALL {
      assert_eq!(BuildKind::from(*package_type).closed(), Some(*package_type));
    }
  }

  #[test]
  fn a_word_beyond_the_contract_has_none_there() {
    assert_eq!(BuildOs::Android.closed(), None);
    assert_eq!(BuildArch::RiscV64.closed(), None);
    assert_eq!(BuildKind::Exe.closed(), None);
  }
}
