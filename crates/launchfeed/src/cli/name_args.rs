//! What `classify` and `pick` can be told.

use asset_names::{BuildArch, BuildOs, Family, Hints, Host, Policy};
use clap::Args;

use super::words::{self, HostLibc};

#[derive(Args, Clone, Debug)]
pub(crate) struct ClassifyArgs {
  #[command(flatten)]
  pub(crate) hints: HintArgs,
  /// Print a JSON object per line: name, os, arch, kind, libc, role, platform, contradictory, doubts; null for what a name doesn't
  /// say
  #[arg(long)]
  pub(crate) json: bool,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct PickArgs {
  #[command(flatten)]
  pub(crate) host: HostArgs,
  /// What kinds of build are wanted: for one person without rights, the system's own package, or command-line archives
  #[arg(long, value_parser = words::policy(), default_value_t = Policy::PerUser)]
  pub(crate) policy: Policy,
  #[command(flatten)]
  pub(crate) hints: HintArgs,
  /// Print one JSON object: asset, build and why
  #[arg(long)]
  pub(crate) json: bool,
}

/// The machine a build must fit.
#[derive(Args, Clone, Debug)]
pub(crate) struct HostArgs {
  /// Its operating system; also by usual words such as darwin or win
  #[arg(long, value_parser = words::os())]
  os: BuildOs,
  /// Its processor; also by usual words such as amd64, x86_64, aarch64 or armhf
  #[arg(long, value_parser = words::arch())]
  arch: BuildArch,
  /// Its C library, for Linux; where it isn't known, either is taken
  #[arg(long, value_parser = words::libc())]
  libc: Option<HostLibc>,
  /// The C library's version, like 2.31
  #[arg(long, value_parser = words::libc_version, value_name = "VERSION")]
  libc_version: Option<(u16, u16)>,
  /// Its distribution, for Linux: a family (debian, fedora, suse, arch, alpine), an ID of os-release, or any
  #[arg(long, value_parser = words::family, value_name = "NAME")]
  distro: Option<Family>,
  /// Flatpak is there
  #[arg(long)]
  has_flatpak: bool,
  /// Installers may not ask for an administrator's rights
  #[arg(long)]
  no_rights: bool,
}

/// What is known of the names beforehand.
#[derive(Args, Clone, Debug)]
pub(crate) struct HintArgs {
  /// The app's name as in its file names; its words are not read as a platform
  #[arg(long, value_name = "NAME")]
  app: Option<String>,
  /// The release's version or tag; its words are not read as a platform
  #[arg(long, value_name = "VERSION")]
  release_version: Option<String>,
}

impl HostArgs {
  pub(crate) fn host(&self) -> Host {
    Host {
      libc: self.libc.and_then(|libc| libc.0),
      libc_version: self.libc_version,
      family: self.distro.unwrap_or_default(),
      has_flatpak: self.has_flatpak,
      may_ask_for_rights: !self.no_rights,
      ..Host::new(self.os, self.arch)
    }
  }
}

impl HintArgs {
  pub(crate) fn hints(&self) -> Hints<'_> {
    Hints {
      app: self.app.as_deref(),
      version: self.release_version.as_deref(),
      ..Hints::NONE
    }
  }
}
