//! What was picked and why, for programs and for people.

use std::fmt;

use super::policy::Policy;
use crate::build::{Build, Doubt, Role};
use crate::family::Family;
use crate::vocabulary::{BuildArch, BuildKind, BuildLibc, BuildOs};

/// The build that fits, or that there is none.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Pick<'a> {
  /// This one fits best.
  Picked {
    /// Its name, as given.
    asset: &'a str,
    /// What its name says.
    build: Build,
    /// Why it and no other.
    why: Why<'a>,
  },
  /// None fits.
  Nothing {
    /// Why none does.
    why: Why<'a>,
  },
}

/// The reasons of a pick.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Why<'a> {
  /// What speaks against each other file, ordered by name.
  pub others: Vec<Verdict<'a>>,
  /// What makes the pick unsure; empty: nothing.
  pub doubts: Vec<PickDoubt<'a>>,
  /// The systems and processors that the release has builds for, each once: what there is where nothing fits.
  pub offered: Vec<(BuildOs, Option<BuildArch>)>,
}

/// What speaks against a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Verdict<'a> {
  /// The file's name, as given.
  pub asset: &'a str,
  /// What speaks against it.
  pub rule: Rule,
}

/// What speaks against a file: that it doesn't fit, or that another one fits better.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Rule {
  /// It is no build.
  NoBuild(Role),
  /// Its name names no system.
  NoSystem,
  /// Its name names two systems.
  TwoSystems,
  /// It is for another system.
  OtherSystem(BuildOs),
  /// Its name names no processor, and the host isn't what that means by habit.
  NoProcessor,
  /// Its name names two processors.
  TwoProcessors,
  /// It is for a processor that the host isn't and doesn't translate.
  OtherProcessor(BuildArch),
  /// Its name names two C libraries.
  TwoLibcs,
  /// It needs a C library that the host doesn't have.
  OtherLibc(BuildLibc),
  /// It needs a newer glibc than the host's: this version.
  NewerGlibc((u16, u16)),
  /// It is a package for other distributions than the host's.
  OtherDistribution {
    /// The package.
    kind: BuildKind,
    /// The host's distributions.
    family: Family,
  },
  /// It needs flatpak.
  NeedsFlatpak,
  /// It needs snapd, of which a host says nothing.
  NeedsSnapd,
  /// It may ask for an administrator's rights, and must not.
  NeedsRights(BuildKind),
  /// The policy never takes its kind.
  NeverTaken {
    /// The kind.
    kind: BuildKind,
    /// The policy.
    policy: Policy,
  },
  /// It fits, but another one is preferred.
  Outranked(Preferred),
}

/// What the picked build has before another one that fits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Preferred {
  /// Its name says the system.
  StatedSystem,
  /// It is no build for debugging.
  ReleaseBuild,
  /// It is called like the app, without words beside it.
  TheAppItself,
  /// A closer processor.
  Processor,
  /// The kind of packaging that the policy is about.
  PolicysOwnKind,
  /// The host's own C library, or Windows's own toolchain.
  Libc,
  /// The host's own distribution.
  Distribution,
  /// English.
  English,
  /// Fewer words that mean a variant.
  PlainVariant,
  /// A kind that the policy prefers.
  Kind,
  /// Its name says the processor.
  StatedProcessor,
  /// No particular glibc is asked for.
  NoGlibcStated,
  /// Nothing but a shorter name, or one that is ordered before.
  Name,
}

/// What makes a pick unsure.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum PickDoubt<'a> {
  /// The name itself is.
  Name(Doubt),
  /// The name doesn't say the system; only habit does.
  SystemByHabit,
  /// The name doesn't say the processor.
  ProcessorUnstated,
  /// This one fits equally well and lost by its name alone.
  EquallyGood(&'a str),
}

impl<'a> Pick<'a> {
  /// The picked file's name.
  pub fn asset(&self) -> Option<&'a str> {
    match self {
      Self::Picked { asset, .. } => Some(asset),
      Self::Nothing { .. } => None,
    }
  }

  /// The reasons.
  pub fn why(&self) -> &Why<'a> {
    match self {
      Self::Picked { why, .. } | Self::Nothing { why } => why,
    }
  }
}

/// What was picked, then a line for each doubt and for each other file.
impl fmt::Display for Pick<'_> {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match self {
      Self::Picked { asset, .. } => writeln!(f, "{asset} fits")?,
      Self::Nothing { why } if why.offered.is_empty() => writeln!(f, "nothing fits: there is no build")?,
      Self::Nothing { why } => {
        f.write_str("nothing fits: there is ")?;
        for (at, (os, arch)) in why.offered.iter().enumerate() {
          f.write_str(if at == 0 { "" } else { ", " })?;
          write!(f, "{os} {}", arch.map_or("of no stated processor", BuildArch::as_str))?;
        }
        writeln!(f)?;
      }
    }
    for doubt in &self.why().doubts {
      writeln!(f, "  unsure: {doubt}")?;
    }
    for verdict in &self.why().others {
      writeln!(f, "  not {}: {}", verdict.asset, verdict.rule)?;
    }
    Ok(())
  }
}

impl fmt::Display for Rule {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match self {
      Self::NoBuild(role) => f.write_str(match role {
        Role::Checksum => "it holds checksums",
        Role::Signature => "it is a signature",
        Role::Sbom => "it is a bill of materials",
        Role::Source => "it is source code",
        Role::Metadata => "it is data about the release",
        Role::Delta => "it only updates another build",
        Role::DebugSymbols => "it holds debug symbols",
        Role::Build | Role::Unknown => "it is no build",
      }),
      Self::NoSystem => f.write_str("its name names no system"),
      Self::TwoSystems => f.write_str("its name names two systems"),
      Self::OtherSystem(os) => write!(f, "it is for {os}"),
      Self::NoProcessor => f.write_str("its name names no processor, which means x64 by habit"),
      Self::TwoProcessors => f.write_str("its name names two processors"),
      Self::OtherProcessor(arch) => write!(f, "it is for {arch}, which this host doesn't run"),
      Self::TwoLibcs => f.write_str("its name names two C libraries"),
      Self::OtherLibc(libc) => write!(f, "it needs the C library {libc}, which this host doesn't have"),
      Self::NewerGlibc((major, minor)) => write!(f, "it needs glibc {major}.{minor}, which is newer than this host's"),
      Self::OtherDistribution {
        kind,
        family: Family::Unknown,
      } => {
        write!(
          f,
          "it is a {kind}, and this host's distribution is not known to install those"
        )
      }
      Self::OtherDistribution { kind, family } => write!(f, "it is a {kind}, which is not the package of {family}"),
      Self::NeedsFlatpak => f.write_str("it needs flatpak, which this host doesn't have"),
      Self::NeedsSnapd => f.write_str("it needs snapd"),
      Self::NeedsRights(kind) => write!(
        f,
        "it is an installer ({kind}) that may ask for rights, which is not allowed"
      ),
      Self::NeverTaken { kind, policy } => write!(f, "the policy {policy} never takes {kind} here"),
      Self::Outranked(preferred) => write!(f, "it fits, but {preferred} is preferred"),
    }
  }
}

impl fmt::Display for Preferred {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(match self {
      Self::StatedSystem => "a name that says the system",
      Self::ReleaseBuild => "a release build",
      Self::TheAppItself => "the app itself, without other words beside its name,",
      Self::Processor => "a closer processor",
      Self::PolicysOwnKind => "the kind of packaging that the policy is about",
      Self::Libc => "a closer C library or toolchain",
      Self::Distribution => "a build for this distribution",
      Self::English => "English",
      Self::PlainVariant => "the plainer variant",
      Self::Kind => "another kind",
      Self::StatedProcessor => "a name that says the processor",
      Self::NoGlibcStated => "a build for no particular glibc",
      Self::Name => "the shorter name, or the one ordered before,",
    })
  }
}

impl fmt::Display for PickDoubt<'_> {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match self {
      Self::Name(doubt) => write!(f, "the name {doubt}"),
      Self::SystemByHabit => f.write_str("the name doesn't say the system"),
      Self::ProcessorUnstated => f.write_str("the name doesn't say the processor"),
      Self::EquallyGood(other) => write!(f, "{other} fits as well"),
    }
  }
}
