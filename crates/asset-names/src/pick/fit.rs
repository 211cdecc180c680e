//! Whether a build fits a host, and how well.
//!
//! Each build is judged by itself. Which other files a release has never changes the verdict, so a release that gains a file
//! changes what is picked only where that file is the better one.

use super::host::Host;
use super::policy::Policy;
use super::preference::Preference;
use super::reasons::{Preferred, Rule};
use crate::build::{AppFit, Build, Reading, Role};
use crate::family::Family;
use crate::format::Format;
use crate::vocabulary::{BuildArch, BuildLibc, BuildOs};

/// How well a build fits: one number for each step, the first step before the next. Less is better.
pub(super) type Rank = [u16; STEPS.len()];

/// The steps of a [`Rank`].
pub(super) const STEPS: [Preferred; 12] = [
  Preferred::StatedSystem,
  Preferred::ReleaseBuild,
  Preferred::TheAppItself,
  Preferred::Processor,
  Preferred::PolicysOwnKind,
  Preferred::Libc,
  Preferred::Distribution,
  Preferred::English,
  Preferred::PlainVariant,
  Preferred::Kind,
  Preferred::StatedProcessor,
  Preferred::NoGlibcStated,
];

/// How well `build` fits `host` under `policy`, or the rule that refuses it.
pub(super) fn fit(build: &Build, host: &Host, policy: Policy) -> Result<Rank, Rule> {
  if !matches!(build.role, Role::Build | Role::Unknown) {
    return Err(Rule::NoBuild(build.role));
  }
  let system = fit_system(build, host, policy)?;
  let processor = fit_processor(build, host, policy)?;
  let libc = fit_libc(build, host)?;
  let details = &build.details;
  let Some(place) = Preference::of(host.os, policy).place(details.format) else {
    return Err(match details.format {
      Format::Snap => Rule::NeedsSnapd,
      format => Rule::NeverTaken {
        kind: format.kind(),
        policy,
      },
    });
  };
  fit_packaging(details.format, host)?;
  Ok([
    system,
    details.is_debug.into(),
    (details.app == AppFit::Other).into(),
    processor,
    place.class,
    libc,
    details
      .family
      .is_some_and(|family| host.family != Family::Unknown && family != host.family)
      .into(),
    details.is_foreign.into(),
    details.extras.into(),
    place.order,
    (build.arch == Reading::Absent && !details.any_processor).into(),
    details.min_glibc.is_some().into(),
  ])
}

/// The system: 0 where it is stated, 1 where only habit tells it. Another one is never crossed to.
fn fit_system(build: &Build, host: &Host, policy: Policy) -> Result<u16, Rule> {
  match build.os {
    Reading::Known(os) if os == host.os => Ok(0),
    Reading::Known(os) => Err(Rule::OtherSystem(os)),
    Reading::Contradictory => Err(Rule::TwoSystems),
    Reading::Absent if usual_system(build, policy) == Some(host.os) => Ok(1),
    Reading::Absent => Err(Rule::NoSystem),
  }
}

/// What a file that names no system is for, by habit: Windows apps come as `app-x64.zip`, Linux ones as `app-amd64.tar.gz`, and a
/// command-line tool's bare file beside its `.exe` is Linux's.
fn usual_system(build: &Build, policy: Policy) -> Option<BuildOs> {
  let names_processor = build.arch.known().is_some();
  match build.details.format {
    Format::TarGz | Format::TarXz | Format::TarZst | Format::TarOther if names_processor => Some(BuildOs::Linux),
    Format::Zip | Format::SevenZip if names_processor || build.details.is_portable => Some(BuildOs::Windows),
    Format::Bare if names_processor => Some(BuildOs::Linux),
    Format::Bare if policy == Policy::Archive && build.details.app == AppFit::Exact && build.details.extras == 0 => {
      Some(BuildOs::Linux)
    }
    _ => None,
  }
}

/// The processor: 0 exact, 1 one of several in the file, more for what is translated or of an older kind.
fn fit_processor(build: &Build, host: &Host, policy: Policy) -> Result<u16, Rule> {
  use BuildArch::{Arm, Arm64, ArmV5, ArmV6, ArmV7, Universal, X64, X86};
  let arch = match build.arch {
    Reading::Contradictory => return Err(Rule::TwoProcessors),
    Reading::Absent if build.details.any_processor => return Ok(0),
    Reading::Absent => return fit_unstated_processor(host),
    Reading::Known(arch) => arch,
  };
  match (host.os, host.arch, arch) {
    (_, host, arch) if host == arch => Ok(0),
    (BuildOs::Android, _, Universal) | (_, X64 | X86 | Arm64, Universal) => Ok(1),
    (BuildOs::Windows, Arm64, X64) | (BuildOs::Macos, Arm64, X64) => Ok(3),
    (BuildOs::Windows, Arm64 | X64, X86) => Ok(4),
    (BuildOs::Android, Arm64, ArmV7) | (BuildOs::Android, X64, X86) => Ok(3),
    (BuildOs::Android, Arm64 | ArmV7, Arm) => Ok(4),
    (BuildOs::Linux | BuildOs::FreeBsd, X64, X86) if policy == Policy::Archive => Ok(5),
    // Older versions of the same instruction set.
    (_, ArmV7, ArmV6) | (_, ArmV6 | ArmV7, Arm) | (_, Arm, ArmV5) => Ok(3),
    (_, ArmV6 | ArmV7, ArmV5) => Ok(4),
    _ => Err(Rule::OtherProcessor(arch)),
  }
}

/// A build that names no processor is for x64 by habit (or for more); elsewhere it is taken only where x64 is translated, or where
/// such builds are for every processor.
fn fit_unstated_processor(host: &Host) -> Result<u16, Rule> {
  match (host.os, host.arch) {
    (_, BuildArch::X64) => Ok(0),
    (BuildOs::Macos | BuildOs::Android, _) => Ok(2),
    (BuildOs::Windows, BuildArch::X86) => Ok(2),
    (BuildOs::Windows, BuildArch::Arm64) => Ok(3),
    _ => Err(Rule::NoProcessor),
  }
}

/// The C library: 0 the host's own or not stated, 1 one that does too. On Windows, the toolchain in its place.
fn fit_libc(build: &Build, host: &Host) -> Result<u16, Rule> {
  if host.os != BuildOs::Linux {
    return Ok(build.details.is_windows_gnu.into());
  }
  match (host.libc, build.libc) {
    (_, Reading::Contradictory) => Err(Rule::TwoLibcs),
    (Some(BuildLibc::Musl), Reading::Known(BuildLibc::Gnu)) => Err(Rule::OtherLibc(BuildLibc::Gnu)),
    (Some(BuildLibc::Musl), Reading::Known(BuildLibc::Musl)) => Ok(0),
    (Some(BuildLibc::Musl), Reading::Absent) => Ok(u16::from(!build.details.is_static)),
    (_, Reading::Known(BuildLibc::Musl)) => Ok(1),
    (_, Reading::Known(BuildLibc::Gnu) | Reading::Absent) => match (host.libc_version, build.details.min_glibc) {
      (Some(has), Some(needs)) if has < needs => Err(Rule::NewerGlibc(needs)),
      _ => Ok(0),
    },
  }
}

/// What the host must have or allow for a packaging.
fn fit_packaging(format: Format, host: &Host) -> Result<(), Rule> {
  let families: &[Family] = match format {
    Format::Deb => &[Family::Debian],
    Format::Rpm => &[Family::Fedora, Family::Suse],
    Format::Pacman => &[Family::Arch],
    Format::AlpineApk => &[Family::Alpine],
    Format::Flatpak if !host.has_flatpak => return Err(Rule::NeedsFlatpak),
    Format::Msi | Format::SetupExe | Format::Pkg if !host.may_ask_for_rights => {
      return Err(Rule::NeedsRights(format.kind()));
    }
    _ => return Ok(()),
  };
  if !families.contains(&host.family) {
    return Err(Rule::OtherDistribution {
      kind: format.kind(),
      family: host.family,
    });
  }
  if host.may_ask_for_rights {
    Ok(())
  } else {
    Err(Rule::NeedsRights(format.kind()))
  }
}
