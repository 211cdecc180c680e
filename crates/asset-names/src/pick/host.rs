//! The machine a build must fit.

use crate::family::Family;
use crate::vocabulary::{BuildArch, BuildLibc, BuildOs};

/// The machine a build must fit.
///
/// ```
/// use asset_names::{BuildArch, BuildLibc, BuildOs, Family, Host};
///
/// let host = Host { libc: Some(BuildLibc::Gnu), family: Family::Debian, ..Host::new(BuildOs::Linux, BuildArch::X64) };
/// assert!(host.may_ask_for_rights && !host.has_flatpak);
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Host {
  /// Its operating system.
  pub os: BuildOs,
  /// Its processor; the machine's, not that of the program that asks.
  pub arch: BuildArch,
  /// Its C library, for Linux. Where it isn't known, either is taken.
  pub libc: Option<BuildLibc>,
  /// The C library's version, as far as known: (2, 39).
  pub libc_version: Option<(u16, u16)>,
  /// Which system packages it installs, for Linux.
  pub family: Family,
  /// Whether flatpak is there.
  pub has_flatpak: bool,
  /// Whether an installer may ask for an administrator's rights. Where it may not, what needs them is refused.
  pub may_ask_for_rights: bool,
}

impl Host {
  /// A host of which only the system and the processor are known: no flatpak, and installers may ask for rights.
  pub fn new(os: BuildOs, arch: BuildArch) -> Self {
    Self {
      os,
      arch,
      libc: None,
      libc_version: None,
      family: Family::Unknown,
      has_flatpak: false,
      may_ask_for_rights: true,
    }
  }
}
