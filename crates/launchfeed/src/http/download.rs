//! Links that never change: `/download/{app_key}/{os}/{arch}[/{package_type}]` leads to the file of the current release.
//!
//! Systems and processors may be named by the words that machines have for themselves (`darwin`, `x86_64`).
//!
//! The target always comes from what is published, so it lies in the app's own repository: nobody can make it lead elsewhere.

use asset_names::{BuildArch, BuildOs, Family, Host, Policy, pick};
use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use feed_types::{Asset, AssetBuild, Release};
use release_feed::catalog::{AppKey, CatalogApp};
use release_feed::release::naming_hints;
use serde::{Deserialize, Serialize};

use super::answers::Answers;
use super::cache_policy::CachePolicy;
use super::error_answer::ErrorAnswer;

/// What else is known of the machine.
#[derive(Debug, Default, Deserialize)]
struct Details {
  libc: Option<String>,
  distro: Option<String>,
}

/// That a release has no such build, and what it has.
#[derive(Serialize)]
struct NoSuchBuild<'r> {
  success: bool,
  error: NoSuchBuildError<'r>,
}

#[derive(Serialize)]
struct NoSuchBuildError<'r> {
  code: &'static str,
  message: &'static str,
  available: Vec<Available<'r>>,
}

#[derive(Serialize)]
struct Available<'r> {
  name: &'r str,
  build: &'r AssetBuild,
}

/// The best build for a system.
pub(super) fn download() -> MethodRouter<Answers> {
  get(best).fallback(|| async { ErrorAnswer::READ_ONLY })
}

/// The build for a system that is packaged like that.
pub(super) fn download_of_type() -> MethodRouter<Answers> {
  get(of_type).fallback(|| async { ErrorAnswer::READ_ONLY })
}

async fn best(
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

async fn of_type(
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
    return ErrorAnswer::NoRelease.into_response();
  };
  let location =
    choose(app_key, catalog_app, release).and_then(|asset| HeaderValue::from_str(&asset.download_url).ok());
  match location {
    Some(location) => {
      let headers = [(LOCATION, location), (CACHE_CONTROL, CachePolicy::Short.header_value())];
      (StatusCode::FOUND, headers).into_response()
    }
    None => no_such_build(release),
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

fn no_such_build(release: &Release) -> Response {
  let available = release.assets.iter().filter_map(|asset| {
    let build = asset.build.as_ref().filter(|build| build.os.is_some())?;
    Some(Available {
      name: &asset.name,
      build,
    })
  });
  let body = NoSuchBuild {
    success: false,
    error: NoSuchBuildError {
      code: "no_such_build",
      message: "The current release has no such build; see what is available.",
      available: available.collect(),
    },
  };
  let headers = [(CACHE_CONTROL, CachePolicy::NoStore.header_value())];
  (StatusCode::NOT_FOUND, headers, Json(body)).into_response()
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
