//! What is said of one app.

use asset_names::{Hints, Role, classify};
use feed_types::{Asset, Release, UtcTime};
use release_feed::catalog::{AppKey, CatalogApp};
use release_feed::github::FetchFailure;
use release_feed::release::{LeftOut, ValidRelease, naming_hints};
use serde::Serialize;

use super::advice::{NOTHING_LISTED, advice};

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
  /// Files for which GitHub and the release's checksum files say different SHA-256.
  pub(super) checksum_conflicts: Vec<String>,
  /// Patterns of the catalog's builds that match none of the release's files.
  pub(super) unused_patterns: Vec<String>,
  /// What is wrong; none where the app is served well.
  pub(super) failure: Option<String>,
  /// What to do about it, where the failure doesn't say.
  pub(super) advice: Option<&'static str>,
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
      checksum_conflicts: Vec::new(),
      unused_patterns: Vec::new(),
      failure: None,
      advice: None,
      note: None,
    }
  }

  /// There is no good answer, and this can be done about it.
  pub(super) fn failed(self, failure: impl ToString, advice: Option<&'static str>) -> Self {
    Self {
      failure: Some(failure.to_string()),
      advice,
      ..self
    }
  }

  /// A request failed.
  pub(super) fn fetch_failed(self, failure: &FetchFailure) -> Self {
    self.failed(failure, advice(failure))
  }

  /// There is a good answer, and something to say about it.
  pub(super) fn noted(self, note: impl ToString) -> Self {
    Self {
      note: Some(note.to_string()),
      ..self
    }
  }

  /// Files have digests that contradict each other.
  pub(super) fn contradicted(self, checksum_conflicts: Vec<String>) -> Self {
    Self {
      checksum_conflicts,
      ..self
    }
  }

  /// There is a release. One of whose files none is listed is as good as none.
  pub(super) fn released(self, key: &AppKey, app: &CatalogApp, valid: ValidRelease) -> Self {
    let ValidRelease { release, left_out } = valid;
    let hints = naming_hints(key, app, &release.version);
    let unrecognised: Vec<String> = release
      .assets
      .iter()
      .filter(|asset| !is_recognised(asset, &hints))
      .map(|asset| asset.name.clone())
      .collect();
    let nothing_listed = match &left_out[..] {
      [first, ..] if release.assets.is_empty() => Some(format!(
        "none of the release's files is listed ({} in all, the first: {})",
        left_out.len(),
        first.why
      )),
      _ => None,
    };
    Self {
      unused_patterns: unused_patterns(app, &release, &left_out),
      advice: nothing_listed.is_some().then_some(NOTHING_LISTED),
      failure: nothing_listed,
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

/// What an operator wrote of files that this release doesn't have: a pattern that is misspelt, or is left from before.
fn unused_patterns(app: &CatalogApp, release: &Release, left_out: &[LeftOut]) -> Vec<String> {
  let listed = release.assets.iter().map(|asset| asset.name.as_str());
  let names: Vec<&str> = listed.chain(left_out.iter().map(|file| file.name.as_str())).collect();
  let unused = app
    .build_overrides
    .iter()
    .filter(|said| !names.iter().any(|name| said.matches(name)));
  unused.map(|said| said.pattern().to_owned()).collect()
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
  use release_feed::BaseUrl;
  use release_feed::catalog::parse_catalog_file;
  use release_feed::release::{ReleaseRules, WebBase};

  use super::*;

  const CATALOG: &str = r#"
[[apps]]
key = "demo"
name = "Demo"
repo = "acme/demo"
builds = [{ pattern = "*-setup.exe", arch = "x64" }, { pattern = "*.bin", os = "linux" }]
"#;

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

  #[test]
  fn a_release_of_which_no_file_is_listed_is_a_failure_with_what_to_do() {
    let report = report_of(&["a/b", ".hidden"]);
    let failure = report.failure.unwrap();
    assert!(
      failure.starts_with("none of the release's files is listed (2 in all, the first: "),
      "{failure}"
    );
    assert!(report.advice.is_some());
    assert_eq!(report_of(&["demo.deb", "a/b"]).failure, None);
    assert_eq!(
      report_of(&[]).failure,
      None,
      "a release without files is no mistake of ours"
    );
  }

  #[test]
  fn a_pattern_that_matches_no_file_is_named() {
    assert_eq!(report_of(&["demo-setup.exe"]).unused_patterns, ["*.bin"]);
    assert_eq!(report_of(&["demo.bin", "demo-setup.exe"]).unused_patterns, [""; 0]);
  }

  fn report_of(names: &[&str]) -> AppReport {
    let catalog = parse_catalog_file(CATALOG).unwrap();
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
