//! Links that never change: `/download/{app_key}/{os}/{arch}[/{package_type}]` leads to the file of the current release.
//!
//! Systems and processors may be named by the words that machines have for themselves (`darwin`, `x86_64`).
//!
//! The target always comes from what is published, so it lies in the app's own repository: nobody can make it lead elsewhere.

use asset_names::{BuildArch, BuildOs, Family, Host, Policy, pick};
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use feed_types::{Asset, Release};
use release_feed::catalog::{AppKey, CatalogApp};
use release_feed::release::naming_hints;
use serde::Deserialize;
use utoipa::IntoParams;

use super::answers::Answers;
use super::cache_policy::CachePolicy;
use super::document::{DOWNLOADS, LinkAnswers};
use super::error_answer::ErrorAnswer;

/// What else is known of the machine.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Details {
  /// The C library of a Linux machine: `gnu` or `musl`. Values that aren't known say nothing.
  #[param(example = "gnu")]
  libc: Option<String>,
  /// The Linux distribution, as `ID` in `/etc/os-release` (`debian`, `fedora` …): decides between packages such as deb and rpm. Values
  /// that aren't known say nothing.
  #[param(example = "debian")]
  distro: Option<String>,
}

/// A link to the best build for a system
///
/// Leads to the file of the current release that its users would rather have: an installer before an archive. Where that isn't what you
/// want, name the package type.
#[utoipa::path(
  get,
  path = "/download/{app_key}/{os}/{arch}",
  tag = DOWNLOADS,
  params(
    ("app_key" = String, Path, description = "The app's lowercase machine name.", example = "photocraft"),
    ("os" = String, Path, description = "`windows`, `macos`, `linux`, `freebsd`, `web`, or any `os` of a `build`.", example = "linux"),
    ("arch" = String, Path, description = "`x64`, `x86`, `arm64`, or any `arch` of a `build`. For `web` anything.", example = "x64"),
    Details,
  ),
  responses(LinkAnswers),
)]
pub(super) async fn download(
  State(answers): State<Answers>,
  path: Result<Path<(String, String, String)>, PathRejection>,
  details: Result<Query<Details>, QueryRejection>,
) -> Response {
  // What can't be decoded names nothing that we have.
  let Path((key, os, arch)) = path.unwrap_or(Path(Default::default()));
  let Query(details) = details.unwrap_or(Query(Details::default()));
  lead(&answers, &key, |app_key, app, release| {
    best_asset(app_key, app, release, &os, &arch, &details)
  })
}

/// A link to the build for a system that is packaged in one way
#[utoipa::path(
  get,
  path = "/download/{app_key}/{os}/{arch}/{package_type}",
  tag = DOWNLOADS,
  params(
    ("app_key" = String, Path, description = "The app's lowercase machine name.", example = "photocraft"),
    ("os" = String, Path, description = "`windows`, `macos`, `linux`, `freebsd`, `web`, or any `os` of a `build`.", example = "linux"),
    ("arch" = String, Path, description = "`x64`, `x86`, `arm64`, or any `arch` of a `build`. For `web` anything.", example = "x64"),
    (
      "package_type" = String,
      Path,
      description = "A `package_type` of a `platform`, or a `kind` of a `build`.",
      example = "deb"
    ),
  ),
  responses(LinkAnswers),
)]
pub(super) async fn download_of_type(
  State(answers): State<Answers>,
  path: Result<Path<(String, String, String, String)>, PathRejection>,
) -> Response {
  let Path((key, os, arch, package_type)) = path.unwrap_or(Path(Default::default()));
  lead(&answers, &key, |_, _, release| {
    asset_of_type(release, &os, &arch, &package_type)
  })
}

/// 302 to the file that `choose` finds in the app's release.
fn lead(
  answers: &Answers,
  key: &str,
  choose: impl for<'r> FnOnce(&AppKey, &CatalogApp, &'r Release) -> Option<&'r Asset>,
) -> Response {
  let feed = answers.publication.current();
  let app_key = key.parse::<AppKey>().ok().filter(|parsed| parsed.as_str() == key);
  let catalog_app = app_key.as_ref().and_then(|key| answers.catalog.get(key));
  let (Some(app_key), Some(catalog_app), Some(app)) = (app_key.as_ref(), catalog_app, feed.app(key)) else {
    return ErrorAnswer::UnknownApp.into_response();
  };
  let Some(release) = &app.latest_release else {
    let is_known = app.app_last_fetched.is_some();
    return if is_known {
      ErrorAnswer::NoRelease
    } else {
      ErrorAnswer::NotKnownYet
    }
    .into_response();
  };
  let location =
    choose(app_key, catalog_app, release).and_then(|asset| HeaderValue::from_str(&asset.download_url).ok());
  match location {
    Some(location) => {
      let headers = [(LOCATION, location), (CACHE_CONTROL, CachePolicy::Short.header_value())];
      (StatusCode::FOUND, headers).into_response()
    }
    None => ErrorAnswer::NoSuchBuild(release).into_response(),
  }
}

fn best_asset<'r>(
  key: &AppKey,
  app: &CatalogApp,
  release: &'r Release,
  os: &str,
  arch: &str,
  details: &Details,
) -> Option<&'r Asset> {
  let os = BuildOs::of_usual_word(os)?;
  if os == BuildOs::Web {
    // A browser has no processor, and its build is nothing to install.
    return release.assets.iter().find(|asset| is_for(asset, os.as_str()));
  }
  let host = Host {
    libc: details.libc.as_deref().and_then(|libc| libc.parse().ok()),
    family: details
      .distro
      .as_deref()
      .and_then(|distro| distro.parse().ok())
      .unwrap_or(Family::Unknown),
    ..Host::new(os, BuildArch::of_usual_word(arch)?)
  };
  let names = release.assets.iter().map(|asset| asset.name.as_str());
  let picked = pick(
    names,
    &host,
    Policy::Installer,
    &naming_hints(key, app, &release.version),
  );
  let name = picked.asset()?;
  release.assets.iter().find(|asset| asset.name == name)
}

/// The exact processor before a build for several, that before one whose name says none.
fn asset_of_type<'r>(release: &'r Release, os: &str, arch: &str, package_type: &str) -> Option<&'r Asset> {
  let is_of_type = |asset: &Asset| {
    let closed = asset.platform.map(|platform| platform.package_type.as_str());
    let open = asset.build.as_ref().and_then(|build| build.kind.as_deref());
    closed == Some(package_type) || open == Some(package_type)
  };
  let os = BuildOs::of_usual_word(os)?.as_str();
  // A build for browsers has none, whatever is asked for.
  let arch = BuildArch::of_usual_word(arch).map(BuildArch::as_str);
  let distance = |asset: &Asset| {
    let theirs = asset.build.as_ref().and_then(|build| build.arch.as_deref());
    match theirs {
      Some(_) if theirs == arch => Some(0),
      Some("universal") => Some(1),
      None => Some(2),
      Some(_) => None,
    }
  };
  let fitting = release
    .assets
    .iter()
    .filter(|asset| is_for(asset, os) && is_of_type(asset));
  fitting
    .filter_map(|asset| Some((distance(asset)?, asset)))
    .min_by_key(|(distance, _)| *distance)
    .map(|(_, asset)| asset)
}

fn is_for(asset: &Asset, os: &str) -> bool {
  asset
    .build
    .as_ref()
    .is_some_and(|build| build.os.as_deref() == Some(os))
}

#[cfg(test)]
mod tests {
  use asset_names::{Hints, classify};
  use release_feed::catalog::parse_app_list;
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case("darwin", "aarch64", "dmg", "demo-1.0-macos-arm64.dmg")]
  #[case("osx", "x86_64", "dmg", "demo-1.0-macos-x64.dmg")]
  #[case("Linux", "amd64", "deb", "demo-1.0-linux-x64.deb")]
  #[case("win", "x86-64", "msi", "demo-1.0-windows-x64.msi")]
  fn a_machine_may_name_itself_as_it_does(
    #[case] os: &str,
    #[case] arch: &str,
    #[case] kind: &str,
    #[case] file: &str,
  ) {
    let release = release();
    let of_type = asset_of_type(&release, os, arch, kind).map(|asset| asset.name.as_str());
    assert_eq!(of_type, Some(file));
    let catalog = parse_app_list("demo=Demo=acme/demo").0;
    let key = "demo".parse().unwrap();
    let app = catalog.get(&key).unwrap();
    let best = best_asset(&key, app, &release, os, arch, &debian()).map(|asset| asset.name.as_str());
    assert_eq!(best, Some(file));
  }

  fn debian() -> Details {
    Details {
      libc: None,
      distro: Some("debian".to_owned()),
    }
  }

  fn release() -> Release {
    let names = [
      "demo-1.0-macos-arm64.dmg",
      "demo-1.0-macos-x64.dmg",
      "demo-1.0-linux-x64.deb",
      "demo-1.0-windows-x64.msi",
    ];
    let assets = names.map(|name| Asset {
      name: name.to_owned(),
      build: classify(name, &Hints::app("demo")).to_wire(),
      ..Asset::default()
    });
    Release {
      version: "1.0".to_owned(),
      assets: assets.into(),
      ..Release::default()
    }
  }
}
