//! How a file is packaged, finer than its kind.
//!
//! A kind is what the open vocabulary tells others. Choosing needs more: a bare executable, a `.7z` and a `.jar` are all `other`,
//! and a setup program and the program itself are both `exe`.

use crate::vocabulary::{BuildKind, BuildOs};

/// How a file is packaged.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Format {
  Zip,
  PortableZip,
  CliZip,
  WebZip,
  TarGz,
  TarXz,
  TarZst,
  /// Any other tar archive.
  TarOther,
  /// 7z and RAR.
  SevenZip,
  /// One file, compressed (`.gz`, `.xz` …).
  Compressed,
  /// No ending that says anything: an executable, as a rule.
  Bare,
  /// A Windows program as it is run.
  Exe,
  /// A Windows program that installs another.
  SetupExe,
  Msi,
  /// MSIX and APPX.
  Msix,
  /// A Squirrel package; its delta is told by the role.
  Nupkg,
  Dmg,
  Pkg,
  AppImage,
  AppImageZsync,
  Deb,
  Rpm,
  /// A package of Arch Linux.
  Pacman,
  /// A package of Alpine Linux.
  AlpineApk,
  Apk,
  Flatpak,
  Snap,
  /// Checksum, signature, SBOM, metadata.
  Sidecar(BuildKind),
  Source,
  /// Endings that nothing here installs by itself: `.jar`, `.whl`, `.vsix`, `.iso` …
  Unusable,
}

impl Format {
  /// The word of the open vocabulary.
  pub(crate) const fn kind(self) -> BuildKind {
    match self {
      Self::Zip => BuildKind::Zip,
      Self::PortableZip => BuildKind::PortableZip,
      Self::CliZip => BuildKind::CliZip,
      Self::WebZip => BuildKind::WebZip,
      Self::TarGz => BuildKind::TarGz,
      Self::TarXz => BuildKind::TarXz,
      Self::TarZst => BuildKind::TarZst,
      Self::Exe | Self::SetupExe => BuildKind::Exe,
      Self::Msi => BuildKind::Msi,
      Self::Dmg => BuildKind::Dmg,
      Self::Pkg => BuildKind::Pkg,
      Self::AppImage => BuildKind::AppImage,
      Self::AppImageZsync => BuildKind::AppImageZsync,
      Self::Deb => BuildKind::Deb,
      Self::Rpm => BuildKind::Rpm,
      Self::Apk => BuildKind::Apk,
      Self::Flatpak => BuildKind::Flatpak,
      Self::Snap => BuildKind::Snap,
      Self::Sidecar(kind) => kind,
      Self::Source => BuildKind::Source,
      Self::TarOther | Self::SevenZip | Self::Compressed | Self::Bare | Self::Msix | Self::Nupkg | Self::Pacman => {
        BuildKind::Other
      }
      Self::AlpineApk | Self::Unusable => BuildKind::Other,
    }
  }

  /// The format that a kind stands for where nothing finer is known.
  pub(crate) const fn of_kind(kind: BuildKind) -> Self {
    match kind {
      BuildKind::Apk => Self::Apk,
      BuildKind::AppImage => Self::AppImage,
      BuildKind::AppImageZsync => Self::AppImageZsync,
      BuildKind::Checksum | BuildKind::Metadata | BuildKind::Sbom | BuildKind::Signature => Self::Sidecar(kind),
      BuildKind::CliZip => Self::CliZip,
      BuildKind::Deb => Self::Deb,
      BuildKind::Dmg => Self::Dmg,
      BuildKind::Exe => Self::Exe,
      BuildKind::Flatpak => Self::Flatpak,
      BuildKind::Msi => Self::Msi,
      BuildKind::Other => Self::Bare,
      BuildKind::Pkg => Self::Pkg,
      BuildKind::PortableZip => Self::PortableZip,
      BuildKind::Rpm => Self::Rpm,
      BuildKind::Snap => Self::Snap,
      BuildKind::Source => Self::Source,
      BuildKind::TarGz => Self::TarGz,
      BuildKind::TarXz => Self::TarXz,
      BuildKind::TarZst => Self::TarZst,
      BuildKind::WebZip => Self::WebZip,
      BuildKind::Zip => Self::Zip,
    }
  }

  /// The system that this packaging belongs to.
  pub(crate) const fn os(self) -> Option<BuildOs> {
    match self {
      Self::Exe | Self::SetupExe | Self::Msi | Self::Msix => Some(BuildOs::Windows),
      Self::Dmg | Self::Pkg => Some(BuildOs::Macos),
      Self::AppImage | Self::AppImageZsync | Self::Deb | Self::Rpm | Self::Pacman | Self::AlpineApk => {
        Some(BuildOs::Linux)
      }
      Self::Flatpak | Self::Snap => Some(BuildOs::Linux),
      Self::Apk => Some(BuildOs::Android),
      _ => None,
    }
  }

  /// Whether it is an archive that may hold anything, source included.
  pub(crate) const fn is_archive(self) -> bool {
    matches!(
      self,
      Self::Zip | Self::TarGz | Self::TarXz | Self::TarZst | Self::TarOther | Self::SevenZip | Self::Compressed
    )
  }
}
