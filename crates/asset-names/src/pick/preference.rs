//! Which packaging each policy wants on each system, best first.

use super::policy::Policy;
use crate::format::Format::{self, *};
use crate::vocabulary::BuildOs;

/// Packagings that a policy takes, best first; whatever isn't here it never takes.
pub(super) struct Preference {
  /// What the policy is about.
  first: &'static [Format],
  /// What it takes where there is nothing of that.
  then: &'static [Format],
}

/// Where a packaging stands: whether it is what the policy is about (0) or what it falls back to (1), and its place there.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Place {
  pub(super) class: u16,
  pub(super) order: u16,
}

impl Preference {
  /// What `policy` takes on `os`.
  pub(super) fn of(os: BuildOs, policy: Policy) -> Self {
    let (first, then) = match (os, policy) {
      (BuildOs::Windows, Policy::PerUser) => (WINDOWS_WITHOUT_INSTALLER, &[SetupExe, Msi, Msix] as &[Format]),
      (BuildOs::Windows, Policy::Installer) => (&[Msi, SetupExe, Exe, Msix] as &[Format], WINDOWS_WITHOUT_INSTALLER),
      (BuildOs::Windows, Policy::Archive) => (WINDOWS_ARCHIVES, &[Msi, SetupExe, Msix] as &[Format]),
      (BuildOs::Macos, Policy::PerUser) => (MAC_WITHOUT_INSTALLER, &[Pkg] as &[Format]),
      (BuildOs::Macos, Policy::Installer) => (&[Dmg, Pkg] as &[Format], ARCHIVES),
      (BuildOs::Macos, Policy::Archive) => (MAC_ARCHIVES, &[Dmg, Pkg] as &[Format]),
      (BuildOs::Linux, Policy::PerUser) => (LINUX_WITHOUT_INSTALLER, LINUX_PACKAGES),
      (BuildOs::Linux, Policy::Installer) => (LINUX_PACKAGES, LINUX_WITHOUT_INSTALLER),
      (BuildOs::Linux, Policy::Archive) => (ARCHIVES, LINUX_FALLBACKS_OF_ARCHIVE),
      (BuildOs::Android, Policy::PerUser | Policy::Installer) => (&[Apk] as &[Format], ARCHIVES),
      (BuildOs::Android, Policy::Archive) => (ARCHIVES, &[Apk] as &[Format]),
      (BuildOs::Web, _) => (&[] as &[Format], &[] as &[Format]),
      _ => (ARCHIVES, &[] as &[Format]),
    };
    Self { first, then }
  }

  /// Where `format` stands; `None` where the policy never takes it.
  pub(super) fn place(&self, format: Format) -> Option<Place> {
    let place = |class, formats: &[Format]| {
      let order = formats.iter().position(|other| *other == format)?;
      Some(Place {
        class,
        order: u16::try_from(order).unwrap_or(u16::MAX),
      })
    };
    place(0, self.first).or_else(|| place(1, self.then))
  }
}

const ARCHIVES: &[Format] = &[TarXz, TarZst, TarGz, TarOther, Zip, SevenZip, Compressed, Bare];
const MAC_ARCHIVES: &[Format] = &[CliZip, TarXz, TarZst, TarGz, TarOther, Zip, SevenZip, Compressed, Bare];
const WINDOWS_ARCHIVES: &[Format] = &[
  TarXz,
  TarZst,
  TarGz,
  TarOther,
  Zip,
  PortableZip,
  SevenZip,
  Compressed,
  Exe,
  Bare,
];
const WINDOWS_WITHOUT_INSTALLER: &[Format] = &[
  PortableZip,
  Zip,
  SevenZip,
  TarXz,
  TarZst,
  TarGz,
  TarOther,
  Exe,
  Compressed,
  Bare,
];
const MAC_WITHOUT_INSTALLER: &[Format] = &[Dmg, Zip, TarXz, TarZst, TarGz, TarOther, SevenZip, Compressed, Bare];
const LINUX_WITHOUT_INSTALLER: &[Format] = &[
  AppImage, Flatpak, TarXz, TarZst, TarGz, TarOther, Zip, SevenZip, Compressed, Bare,
];
const LINUX_PACKAGES: &[Format] = &[Deb, Rpm, Pacman, AlpineApk];
const LINUX_FALLBACKS_OF_ARCHIVE: &[Format] = &[AppImage, Flatpak, Deb, Rpm, Pacman, AlpineApk];

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn a_policy_falls_back_to_everything_else_that_the_system_runs() {
    for os in [BuildOs::Windows, BuildOs::Linux] {
      for policy in Policy::ALL {
        let preference = Preference::of(os, *policy);
        for format in [Zip, TarGz, Bare] {
          assert!(preference.place(format).is_some(), "{os} {policy} {format:?}");
        }
      }
    }
  }

  #[test]
  fn only_archive_takes_the_command_line_tools_and_nothing_takes_sidecars_or_web_builds() {
    for os in BuildOs::ALL {
      for policy in Policy::ALL {
        let preference = Preference::of(*os, *policy);
        assert_eq!(
          preference.place(CliZip).is_some(),
          *os == BuildOs::Macos && *policy == Policy::Archive
        );
        for format in [WebZip, AppImageZsync, Source, Snap, Nupkg, Unusable] {
          assert_eq!(preference.place(format), None, "{os} {policy} {format:?}");
        }
      }
    }
  }
}
