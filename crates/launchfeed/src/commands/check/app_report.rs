//! What is said of one app.

use asset_names::{Hints, Role, classify};
use feed_types::{Asset, UtcTime};
use release_feed::catalog::{AppKey, CatalogApp};
use release_feed::release::{ValidRelease, naming_hints};
use serde::Serialize;

/// One app's row.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub(super) struct AppReport {
  pub(super) app: String,
  pub(super) repo: String,
  pub(super) tag: Option<String>,
  pub(super) published_at: Option<UtcTime>,
  /// Files that are listed.
  pub(super) assets: usize,
  /// How many of them say by their names what they are.
  pub(super) recognised: usize,
  /// How many of them have a SHA-256.
  pub(super) with_digest: usize,
  /// The names of the others.
  pub(super) unrecognised: Vec<String>,
  /// Files that aren't listed, and why.
  pub(super) left_out: Vec<LeftOutReport>,
  /// Why there is no good answer; none where there is.
  pub(super) failure: Option<String>,
  /// What else an operator should know.
  pub(super) note: Option<String>,
}

/// A file that isn't listed.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub(super) struct LeftOutReport {
  pub(super) name: String,
  pub(super) why: &'static str,
}

impl AppReport {
  /// Nothing is known.
  pub(super) fn empty(key: &AppKey, app: &CatalogApp) -> Self {
    Self {
      app: key.to_string(),
      repo: app.repo.to_string(),
      tag: None,
      published_at: None,
      assets: 0,
      recognised: 0,
      with_digest: 0,
      unrecognised: Vec::new(),
      left_out: Vec::new(),
      failure: None,
      note: None,
    }
  }

  /// There is no good answer.
  pub(super) fn failed(self, failure: impl ToString) -> Self {
    Self {
      failure: Some(failure.to_string()),
      ..self
    }
  }

  /// There is a good answer, and something to say about it.
  pub(super) fn noted(self, note: impl ToString) -> Self {
    Self {
      note: Some(note.to_string()),
      ..self
    }
  }

  /// There is a release.
  pub(super) fn released(self, key: &AppKey, app: &CatalogApp, valid: ValidRelease) -> Self {
    let ValidRelease { release, left_out } = valid;
    let hints = naming_hints(key, app, &release.version);
    let unrecognised: Vec<String> = release
      .assets
      .iter()
      .filter(|asset| !is_recognised(asset, &hints))
      .map(|asset| asset.name.clone())
      .collect();
    Self {
      tag: Some(release.tag),
      published_at: release.published_at,
      assets: release.assets.len(),
      recognised: release.assets.len() - unrecognised.len(),
      with_digest: release.assets.iter().filter(|asset| asset.sha256.is_some()).count(),
      unrecognised,
      left_out: left_out
        .into_iter()
        .map(|file| LeftOutReport {
          name: file.name,
          why: file.why,
        })
        .collect(),
      ..self
    }
  }
}

/// Whether a file's name says what it is: a build for a system, or something that accompanies builds.
fn is_recognised(asset: &Asset, hints: &Hints<'_>) -> bool {
  let build = classify(&asset.name, hints);
  asset.platform.is_some()
    || match build.role {
      Role::Unknown => false,
      Role::Build => build.os.known().is_some() && build.kind.known().is_some(),
      _ => true,
    }
}

#[cfg(test)]
mod tests {
  use feed_types::Release;
  use release_feed::BaseUrl;
  use release_feed::catalog::parse_app_list;
  use release_feed::release::{ReleaseRules, WebBase};

  use super::*;

  #[test]
  fn files_are_counted_by_what_their_names_and_digests_say() {
    let names = [
      "demo-1.0-linux-x64.deb",
      "demo-1.0-linux-riscv64.tar.xz",
      "demo-1.0.zip",
      "SHA256SUMS.txt",
      "mystery",
      "a/b",
    ];
    let report = report_of(&names);
    assert_eq!((report.assets, report.recognised, report.with_digest), (5, 3, 1));
    assert_eq!(report.unrecognised, ["demo-1.0.zip", "mystery"]);
    assert_eq!(report.left_out.len(), 1);
    assert_eq!(report.tag.as_deref(), Some("v1.0"));
  }

  fn report_of(names: &[&str]) -> AppReport {
    let catalog = parse_app_list("demo=Demo=acme/demo").0;
    let key = "demo".parse().unwrap();
    let app = catalog.get(&key).unwrap();
    let assets = names.iter().enumerate().map(|(number, name)| Asset {
      name: (*name).to_owned(),
      download_url: format!("https://github.com/acme/demo/releases/download/v1.0/{name}"),
      sha256: (number == 0).then(|| "0a".repeat(32)),
      ..Asset::default()
    });
    let release = Release {
      tag: "v1.0".to_owned(),
      assets: assets.collect(),
      ..Release::default()
    };
    let rules = ReleaseRules {
      web: WebBase::new(BaseUrl::read("https://github.com").unwrap()),
    };
    let valid = rules.validate(release, &key, app).unwrap();
    AppReport::empty(&key, app).released(&key, app, valid)
  }
}
