//! The one gate that every release passes: GitHub's, the snapshot's, and what other instances share.
//!
//! Passing twice is passing once, so that what was stored is never changed by being read again.

use asset_names::{Hints, classify, contract_platform, is_listable_name};
use feed_types::{Asset, Release};

use super::app_tag::{InvalidRelease, version_of_app_tag};
use super::cut_text::cut_after;
use super::version::names_prerelease;
use super::web_base::WebBase;
use crate::catalog::{AppKey, CatalogApp, RepoName};

const MAX_NAME_BYTES: usize = 200;
const MAX_NOTES_BYTES: usize = 64 * 1024;
const MAX_ASSETS: usize = 200;
/// Of what GitHub sends as a name, in a log line.
const MAX_SHOWN_BYTES: usize = 100;

/// What the rules depend on.
#[derive(Clone, Debug)]
pub struct ReleaseRules {
  /// Where pages and downloads must lie.
  pub web: WebBase,
}

/// A release that may be told to everybody, and which of its files were left out.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ValidRelease {
  /// The release.
  pub release: Release,
  /// Files that it had and that aren't listed.
  pub left_out: Vec<LeftOut>,
}

/// A file that isn't listed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LeftOut {
  /// Its name, escaped and cut for a log line.
  pub name: String,
  /// Why.
  pub why: &'static str,
}

impl ReleaseRules {
  /// Holds an app's release against the contract.
  ///
  /// # Errors
  ///
  /// When its tag can't be used, or isn't the app's. Everything else is mended or left out.
  pub fn validate(&self, release: Release, key: &AppKey, app: &CatalogApp) -> Result<ValidRelease, InvalidRelease> {
    let repo = &app.repo;
    let Release {
      tag,
      name,
      published_at,
      html_url,
      prerelease,
      notes_markdown,
      assets,
      version: _,
    } = release;
    let version = version_of_app_tag(&tag, &app.releases)?.to_owned();
    // Authors forget to mark them.
    let prerelease = prerelease || names_prerelease(&version);
    let name = if name.trim().is_empty() { tag.clone() } else { name };
    let html_url = if self.web.is_release_page(&html_url, repo) {
      html_url
    } else {
      self.web.tag_page(repo, &tag)
    };
    let mut left_out = Vec::new();
    let hints = naming_hints(key, app, &version);
    let assets = self.list_assets(assets, repo, &hints, &mut left_out);
    let release = Release {
      name: cut_after(name, MAX_NAME_BYTES),
      notes_markdown: cut_after(notes_markdown, MAX_NOTES_BYTES),
      tag,
      version,
      published_at,
      html_url,
      prerelease,
      assets,
    };
    Ok(ValidRelease { release, left_out })
  }

  fn list_assets(
    &self,
    assets: Vec<Asset>,
    repo: &RepoName,
    hints: &Hints<'_>,
    left_out: &mut Vec<LeftOut>,
  ) -> Vec<Asset> {
    let mut listed = Vec::with_capacity(assets.len().min(MAX_ASSETS));
    for asset in assets {
      let refusal = self
        .refusal(&asset, repo)
        .or((listed.len() == MAX_ASSETS).then_some("200 files are listed already"));
      match refusal {
        Some(why) => left_out.push(LeftOut::new(&asset.name, why)),
        None => listed.push(Asset {
          platform: contract_platform(&asset.name),
          build: classify(&asset.name, hints).to_wire(),
          sha256: asset.sha256.and_then(checked_sha256),
          ..asset
        }),
      }
    }
    listed
  }

  fn refusal(&self, asset: &Asset, repo: &RepoName) -> Option<&'static str> {
    if !is_listable_name(&asset.name) {
      return Some("its name can't be that of a file everywhere");
    }
    if !self.web.is_download(&asset.download_url, repo, &asset.name) {
      return Some("its URL isn't that file's download from this repository");
    }
    None
  }
}

impl LeftOut {
  pub(crate) fn new(name: &str, why: &'static str) -> Self {
    let shown = &name[..name.floor_char_boundary(MAX_SHOWN_BYTES)];
    Self {
      name: shown.escape_debug().to_string(),
      why,
    }
  }
}

/// What is known of the names of an app's files.
pub fn naming_hints<'h>(key: &'h AppKey, app: &'h CatalogApp, version: &'h str) -> Hints<'h> {
  Hints {
    app: Some(key.as_str()),
    version: Some(version),
    overrides: &app.build_overrides,
  }
}

/// 64 hexadecimal digits, lowercased.
fn checked_sha256(digits: String) -> Option<String> {
  let fits = digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
  fits.then(|| digits.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
  use asset_names::{BuildOverride, OverrideWords};
  use feed_types::UtcTime;
  use proptest::prelude::*;
  use rstest::rstest;

  use super::*;
  use crate::base_url::BaseUrl;
  use crate::catalog::{TagPrefix, parse_app_list};

  mod tags {
    use super::*;

    #[rstest]
    #[case("v1.2.3", "1.2.3")]
    #[case("V1.2.3", "1.2.3")]
    #[case("vv1", "v1")]
    #[case("1.2.3", "1.2.3")]
    #[case("version-1", "ersion-1")]
    #[case("desktop/v1.0", "desktop/v1.0")]
    fn the_version_is_the_tag_without_one_leading_v(#[case] tag: &str, #[case] version: &str) {
      assert_eq!(
        valid(Release {
          tag: tag.to_owned(),
          ..release()
        })
        .version,
        version
      );
    }

    #[test]
    fn a_tag_has_64_bytes_at_most() {
      let with_tag = |tag: String| rules().validate(Release { tag, ..release() }, &key(), &app());
      assert!(with_tag("1".repeat(64)).is_ok());
      assert_eq!(with_tag("1".repeat(65)), Err(InvalidRelease::LongTag { bytes: 65 }));
    }

    #[rstest]
    #[case("", InvalidRelease::NoTag)]
    #[case("  ", InvalidRelease::NoTag)]
    #[case("v1\n", InvalidRelease::ControlCharacterInTag)]
    #[case("v\0", InvalidRelease::ControlCharacterInTag)]
    fn a_release_without_a_usable_tag_is_none(#[case] tag: &str, #[case] error: InvalidRelease) {
      assert_eq!(
        rules().validate(
          Release {
            tag: tag.to_owned(),
            ..release()
          },
          &key(),
          &app()
        ),
        Err(error)
      );
    }
  }

  #[rstest]
  #[case("v1.0", false, false)]
  #[case("v1.0", true, true)]
  #[case("v1.0-rc.1", false, true)]
  #[case("v1.0-rc.1", true, true)]
  #[case("v1.0-hotfix.1", false, false)]
  fn a_prerelease_is_what_is_marked_or_named_as_one(#[case] tag: &str, #[case] marked: bool, #[case] prerelease: bool) {
    let release = Release {
      prerelease: marked,
      ..tagged(tag)
    };
    assert_eq!(valid(release).prerelease, prerelease);
  }

  mod texts {
    use super::*;

    #[rstest]
    #[case("")]
    #[case("  \t")]
    fn a_blank_name_falls_back_to_the_tag(#[case] name: &str) {
      assert_eq!(
        valid(Release {
          name: name.to_owned(),
          ..release()
        })
        .name,
        "v1.0"
      );
    }

    #[test]
    fn a_name_is_cut_after_200_bytes_and_notes_after_64_kib() {
      let long = valid(Release {
        name: "n".repeat(201),
        notes_markdown: "ä".repeat(32 * 1024 + 1),
        ..release()
      });
      assert_eq!(long.name, format!("{}…", "n".repeat(200)));
      assert_eq!(long.notes_markdown, format!("{}…", "ä".repeat(32 * 1024)));
      let fitting = Release {
        name: "n".repeat(200),
        notes_markdown: "a".repeat(64 * 1024),
        ..release()
      };
      assert_eq!(valid(fitting.clone()).name, fitting.name);
      assert_eq!(valid(fitting.clone()).notes_markdown, fitting.notes_markdown);
    }

    #[rstest]
    #[case(
      "https://github.com/acme/demo/releases/tag/v1.0",
      "https://github.com/acme/demo/releases/tag/v1.0"
    )]
    #[case(
      "https://github.com/acme/demo/releases/tag/other",
      "https://github.com/acme/demo/releases/tag/other"
    )]
    #[case(
      "https://evil.example/acme/demo/releases/tag/v1.0",
      "https://github.com/acme/demo/releases/tag/v1.0"
    )]
    #[case(
      "https://github.com/acme/other/releases/tag/v1.0",
      "https://github.com/acme/demo/releases/tag/v1.0"
    )]
    #[case("", "https://github.com/acme/demo/releases/tag/v1.0")]
    fn a_page_elsewhere_is_replaced_by_the_tags_page(#[case] html_url: &str, #[case] page: &str) {
      assert_eq!(
        valid(Release {
          html_url: html_url.to_owned(),
          ..release()
        })
        .html_url,
        page
      );
    }
  }

  mod files {
    use super::*;

    #[test]
    fn a_files_platform_is_read_from_its_name_whatever_was_said() {
      let listed = valid(Release {
        assets: vec![asset("demo-1.0-linux-x64.deb"), asset("notes.txt")],
        ..release()
      });
      assert_eq!(listed.assets[0].platform, contract_platform("demo-1.0-linux-x64.deb"));
      assert!(listed.assets[0].platform.is_some());
      assert_eq!(listed.assets[1].platform, None);
    }

    #[test]
    fn a_file_says_what_it_is_beyond_the_closed_lists_and_an_override_holds_against_its_name() {
      let mut app = app();
      let words = OverrideWords {
        arch: Some("arm64"),
        ..OverrideWords::default()
      };
      app.build_overrides = vec![BuildOverride::read("*-special.*", &words).unwrap()];
      let assets = vec![
        asset("demo-1.0-linux-riscv64.tar.xz"),
        asset("demo-1.0-linux-x64-special.tar.xz"),
      ];
      let listed = rules()
        .validate(Release { assets, ..release() }, &key(), &app)
        .unwrap()
        .release
        .assets;
      let said = |index: usize| {
        let build = listed[index].build.clone().unwrap();
        [build.os, build.arch, build.kind].map(Option::unwrap).join(" ")
      };
      assert_eq!(said(0), "linux riscv64 tar_xz");
      assert_eq!(listed[0].platform, None);
      assert_eq!(said(1), "linux arm64 tar_xz");
    }

    #[rstest]
    #[case("../../x")]
    #[case("a\0b")]
    #[case(".hidden")]
    #[case("a b?")]
    #[case("")]
    fn a_file_whose_name_can_do_harm_is_left_out_alone(#[case] name: &str) {
      let checked = rules()
        .validate(
          Release {
            assets: vec![asset(name), asset("good.zip")],
            ..release()
          },
          &key(),
          &app(),
        )
        .unwrap();
      assert_eq!(names(&checked.release), ["good.zip"]);
      assert_eq!(checked.left_out.len(), 1);
      assert!(!checked.left_out[0].name.contains('\0'));
    }

    #[test]
    fn a_file_that_lies_elsewhere_is_left_out_alone() {
      let elsewhere = Asset {
        download_url: "https://evil.example/x.zip".to_owned(),
        ..asset("x.zip")
      };
      let checked = rules()
        .validate(
          Release {
            assets: vec![elsewhere, asset("good.zip")],
            ..release()
          },
          &key(),
          &app(),
        )
        .unwrap();
      assert_eq!(names(&checked.release), ["good.zip"]);
      assert_eq!(checked.left_out[0].name, "x.zip");
    }

    #[test]
    fn two_hundred_files_are_listed_at_most() {
      let assets = (0..205).map(|number| asset(&format!("{number}.zip"))).collect();
      let checked = rules()
        .validate(Release { assets, ..release() }, &key(), &app())
        .unwrap();
      assert_eq!(checked.release.assets.len(), 200);
      assert_eq!(checked.release.assets[199].name, "199.zip");
      assert_eq!(checked.left_out.len(), 5);
    }

    #[rstest]
    #[case(&"A0".repeat(32), Some("a0".repeat(32)))]
    #[case(&"a0".repeat(31), None)]
    #[case(&"g0".repeat(32), None)]
    #[case("", None)]
    fn a_digest_is_64_hexadecimal_digits_in_lowercase(#[case] digest: &str, #[case] listed: Option<String>) {
      let asset = Asset {
        sha256: Some(digest.to_owned()),
        ..asset("good.zip")
      };
      assert_eq!(
        valid(Release {
          assets: vec![asset],
          ..release()
        })
        .assets[0]
          .sha256,
        listed
      );
    }
  }

  proptest! {
    #[test]
    fn passing_twice_is_passing_once(
      tag in "\\PC{0,70}", name in ".{0,210}", notes in ".{0,20}", url in ".{0,40}", file in "\\PC{0,30}", sha in ".{0,70}",
    ) {
      let assets = vec![Asset { sha256: Some(sha), ..asset(&file) }, Asset { download_url: url.clone(), ..asset("x.zip") }];
      let raw = Release { tag, name, notes_markdown: notes, html_url: url, assets, ..Release::default() };
      if let Ok(once) = rules().validate(raw, &key(), &app()) {
        let twice = rules().validate(once.release.clone(), &key(), &app()).unwrap();
        prop_assert_eq!(twice.release, once.release);
        prop_assert_eq!(twice.left_out, vec![]);
      }
    }

    #[test]
    fn so_it_is_for_an_app_with_a_prefix(tag in "demo/[vV]?[0-9]\\PC{0,20}", prerelease in any::<bool>()) {
      let raw = Release { tag, prerelease, ..Release::default() };
      let once = rules().validate(raw, &key(), &app_with_prefix()).unwrap();
      let twice = rules().validate(once.release.clone(), &key(), &app_with_prefix()).unwrap();
      prop_assert_eq!(twice.release, once.release);
    }
  }

  fn tagged(tag: &str) -> Release {
    Release {
      tag: tag.to_owned(),
      ..release()
    }
  }

  fn valid(release: Release) -> Release {
    rules().validate(release, &key(), &app()).unwrap().release
  }

  fn names(release: &Release) -> Vec<&str> {
    release.assets.iter().map(|asset| asset.name.as_str()).collect()
  }

  fn release() -> Release {
    Release {
      tag: "v1.0".to_owned(),
      published_at: "2026-10-08T14:52:50Z".parse::<UtcTime>().ok(),
      ..Release::default()
    }
  }

  fn asset(name: &str) -> Asset {
    let download_url = format!("https://github.com/acme/demo/releases/download/v1.0/{name}");
    Asset {
      name: name.to_owned(),
      size_bytes: 1,
      download_url,
      ..Asset::default()
    }
  }

  fn rules() -> ReleaseRules {
    ReleaseRules {
      web: WebBase::new(BaseUrl::read("https://github.com").unwrap()),
    }
  }

  fn key() -> AppKey {
    "demo".parse().unwrap()
  }

  fn app_with_prefix() -> CatalogApp {
    let mut app = app();
    app.releases.tag_prefix = TagPrefix::read("demo/").ok();
    app
  }

  fn app() -> CatalogApp {
    parse_app_list("demo=Demo=acme/demo").0.get(&key()).unwrap().clone()
  }
}
