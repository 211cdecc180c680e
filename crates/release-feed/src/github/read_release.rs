//! From the body of GitHub's answer to a release, or to a page of them. The body is input like any other: every field is optional, and
//! one of the wrong type costs that field alone, a broken file that file alone, a broken release of a page that release alone.
//!
//! A release may have 1,000 files and 125,000 characters of notes. It is read in one go over its text, without a tree of it in between.

use std::str::from_utf8;

use feed_types::{Asset, Release};
use serde_json::Error;

use super::error_answer::is_html;
use super::fetch_failure::FetchFailure;
use super::lenient_json::{Fields, items, lenient};
use crate::release::{AssetFacts, ReleaseFacts};

const UPLOADED: &str = "uploaded";
const SHA256_PREFIX: &str = "sha256:";
/// As many files a release may have at GitHub.
const MAX_ASSETS: usize = 1_000;
/// As many releases GitHub puts on a page.
const MAX_RELEASES: usize = 100;

/// A release as GitHub tells it. It has not been held against the contract yet.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ReadRelease {
  /// What the contract knows of it, with the files that are uploaded.
  pub release: Release,
  /// What GitHub says beyond that, with all files.
  pub facts: ReleaseFacts,
}

/// A page of a repository's releases.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ReleasePage {
  /// Those that can be read and aren't drafts, in GitHub's order.
  pub releases: Vec<ReadRelease>,
  /// How many entries the page has, whatever they are.
  pub entries: usize,
}

/// Reads the body of one release.
///
/// # Errors
///
/// When the body is no JSON object, or a draft.
pub fn read_release(body: &[u8]) -> Result<ReadRelease, FetchFailure> {
  let text = text_of(body)?;
  match release_of(text) {
    Ok(Some(release)) => Ok(release),
    Ok(None) => Err(FetchFailure::Draft),
    Err(error) if error.is_data() => Err(unreadable(body, "it is no JSON object")),
    Err(error) => Err(unreadable(body, &error.to_string())),
  }
}

/// Reads the body of a page of releases.
///
/// # Errors
///
/// When the body is no JSON array.
pub fn read_release_page(body: &[u8]) -> Result<ReleasePage, FetchFailure> {
  let text = text_of(body)?;
  match items(text, MAX_RELEASES) {
    Ok((entries, texts)) => Ok(ReleasePage {
      releases: texts
        .into_iter()
        .filter_map(|text| release_of(text).ok().flatten())
        .collect(),
      entries,
    }),
    Err(error) if error.is_data() => Err(unreadable(body, "it is no JSON array")),
    Err(error) => Err(unreadable(body, &error.to_string())),
  }
}

fn text_of(body: &[u8]) -> Result<&str, FetchFailure> {
  from_utf8(body).map_err(|error| unreadable(body, &format!("it is no UTF-8: {error}")))
}

fn unreadable(body: &[u8], why: &str) -> FetchFailure {
  let why = if body.trim_ascii().is_empty() {
    "it is empty"
  } else if is_html(body) {
    "it is a page of HTML or XML"
  } else {
    why
  };
  FetchFailure::Unreadable(why.to_owned())
}

/// A release; `None` for a draft.
fn release_of(text: &str) -> Result<Option<ReadRelease>, Error> {
  let names = [
    "tag_name",
    "name",
    "draft",
    "prerelease",
    "published_at",
    "html_url",
    "body",
    "id",
    "created_at",
    "updated_at",
    "immutable",
    "assets",
  ];
  let fields = Fields::of(text, &names)?;
  let mut release = Release {
    tag: fields.read(0)?.unwrap_or_default(),
    name: fields.read(1)?.unwrap_or_default(),
    prerelease: fields.read(3)?.unwrap_or_default(),
    published_at: fields.read(4)?,
    html_url: fields.read(5)?.unwrap_or_default(),
    notes_markdown: fields.read(6)?.unwrap_or_default(),
    ..Release::default()
  };
  let mut facts = ReleaseFacts {
    id: fields.read(7)?,
    created_at: fields.read(8)?,
    updated_at: fields.read(9)?,
    immutable: fields.read(10)?,
    assets: Vec::new(),
  };
  for text in fields.items(11, MAX_ASSETS)? {
    let Some((asset, said)) = lenient(asset_of(text))? else {
      continue;
    };
    if said.state.as_deref().is_none_or(|state| state == UPLOADED) {
      release.assets.push(asset);
    }
    facts.assets.push(said);
  }
  let is_draft: bool = fields.read(2)?.unwrap_or_default();
  Ok((!is_draft).then_some(ReadRelease { release, facts }))
}

fn asset_of(text: &str) -> Result<(Asset, AssetFacts), Error> {
  let names = [
    "name",
    "size",
    "browser_download_url",
    "digest",
    "id",
    "label",
    "content_type",
    "state",
    "created_at",
    "updated_at",
    "download_count",
  ];
  let fields = Fields::of(text, &names)?;
  let name: String = fields.read(0)?.unwrap_or_default();
  let digest: Option<String> = fields.read(3)?;
  let asset = Asset {
    name: name.clone(),
    size_bytes: fields.read(1)?.unwrap_or_default(),
    download_url: fields.read(2)?.unwrap_or_default(),
    sha256: digest.and_then(|digest| Some(digest.strip_prefix(SHA256_PREFIX)?.to_owned())),
    ..Asset::default()
  };
  let facts = AssetFacts {
    id: fields.read(4)?,
    name,
    label: fields.read(5)?.filter(|label: &String| !label.is_empty()),
    content_type: fields.read(6)?,
    state: fields.read(7)?,
    created_at: fields.read(8)?,
    updated_at: fields.read(9)?,
    download_count: fields.read(10)?,
  };
  Ok((asset, facts))
}

#[cfg(test)]
mod tests {
  use feed_types::UtcTime;
  use proptest::prelude::*;
  use rstest::rstest;
  use serde_json::{Value, json};

  use super::*;

  #[test]
  fn what_github_sends_is_read() {
    let release = read(json!({
      "id": 1, "tag_name": "v1.0", "name": "One", "draft": false, "prerelease": true, "immutable": true,
      "published_at": "2026-10-08T14:52:50Z", "html_url": "https://github.com/acme/demo/releases/tag/v1.0", "body": "Notes",
      "assets": [{"name": "a.zip", "state": "uploaded", "size": 7, "digest": "sha256:ab", "browser_download_url": "https://x/a.zip"}]
    }));
    assert_eq!(
      release,
      Release {
        tag: "v1.0".to_owned(),
        name: "One".to_owned(),
        prerelease: true,
        published_at: "2026-10-08T14:52:50Z".parse().ok(),
        html_url: "https://github.com/acme/demo/releases/tag/v1.0".to_owned(),
        notes_markdown: "Notes".to_owned(),
        assets: vec![Asset {
          name: "a.zip".to_owned(),
          size_bytes: 7,
          sha256: Some("ab".to_owned()),
          download_url: "https://x/a.zip".to_owned(),
          ..Asset::default()
        }],
        ..Release::default()
      }
    );
  }

  #[test]
  fn what_github_says_beyond_the_contract_is_read_too() {
    let read = read_whole(json!({
      "tag_name": "v1", "id": 4_294_967_296_u64, "created_at": "2026-10-07T00:00:00Z", "updated_at": "2026-10-09T00:00:00+02:00",
      "immutable": true,
      "assets": [{
        "id": 9_007_199_254_740_993_u64, "name": "a.zip", "label": "For everybody", "content_type": "application/zip",
        "state": "uploaded", "download_count": 5_000_000_000_u64, "created_at": "2026-10-07T01:00:00Z",
        "updated_at": "2026-10-07T02:00:00Z",
      }],
    }));
    assert_eq!(
      read.facts,
      ReleaseFacts {
        id: Some(4_294_967_296),
        created_at: time("2026-10-07T00:00:00Z"),
        updated_at: time("2026-10-08T22:00:00Z"),
        immutable: Some(true),
        assets: vec![AssetFacts {
          id: Some(9_007_199_254_740_993),
          name: "a.zip".to_owned(),
          label: Some("For everybody".to_owned()),
          content_type: Some("application/zip".to_owned()),
          state: Some("uploaded".to_owned()),
          created_at: time("2026-10-07T01:00:00Z"),
          updated_at: time("2026-10-07T02:00:00Z"),
          download_count: Some(5_000_000_000),
        }],
      }
    );
  }

  #[test]
  fn what_isnt_said_is_none() {
    let read =
      read_whole(json!({"tag_name": "v1", "author": null, "assets": [{"name": "a", "label": "", "uploader": null}]}));
    let named = AssetFacts {
      name: "a".to_owned(),
      ..AssetFacts::default()
    };
    assert_eq!(
      read.facts,
      ReleaseFacts {
        assets: vec![named],
        ..ReleaseFacts::default()
      }
    );
  }

  #[rstest]
  #[case(json!("12"))]
  #[case(json!(-12))]
  #[case(json!(1.5))]
  #[case(json!(null))]
  #[case(json!([12]))]
  #[case(json!(18_446_744_073_709_551_616_f64))]
  fn a_number_that_is_none_reads_as_none(#[case] number: Value) {
    let read = read_whole(
      json!({"tag_name": "v1", "id": number, "assets": [{"name": "a", "id": number, "download_count": number}]}),
    );
    let asset = &read.facts.assets[0];
    assert_eq!((read.facts.id, asset.id, asset.download_count), (None, None, None));
  }

  #[test]
  fn files_that_arent_uploaded_are_known_all_the_same() {
    let states = [
      json!("starter"),
      json!("uploaded"),
      json!("open"),
      json!("of_the_future"),
      json!(null),
    ];
    let assets: Vec<Value> = states
      .iter()
      .map(|state| json!({"name": state.to_string(), "state": state}))
      .collect();
    let read = read_whole(json!({"tag_name": "v1", "assets": assets}));
    let known: Vec<Option<&str>> = read.facts.assets.iter().map(|asset| asset.state.as_deref()).collect();
    assert_eq!(
      known,
      [
        Some("starter"),
        Some("uploaded"),
        Some("open"),
        Some("of_the_future"),
        None
      ]
    );
    let listed: Vec<&str> = read.release.assets.iter().map(|asset| asset.name.as_str()).collect();
    assert_eq!(listed, ["\"uploaded\"", "null"]);
  }

  #[test]
  fn a_thousand_files_are_read_and_what_is_beyond_is_not() {
    let assets: Vec<Value> = (0..1_005)
      .map(|number| json!({"name": format!("-{number}.zip")}))
      .collect();
    let read = read_whole(json!({"tag_name": "v1", "assets": assets}));
    assert_eq!((read.release.assets.len(), read.facts.assets.len()), (1_000, 1_000));
    assert_eq!(read.release.assets[999].name, "-999.zip");
  }

  #[test]
  fn a_broken_file_costs_itself_alone() {
    let assets = json!([null, 7, "x", [], {"name": 7}, {"name": "good"}]);
    let read = read(json!({"tag_name": "v1", "assets": assets}));
    let names: Vec<&str> = read.assets.iter().map(|asset| asset.name.as_str()).collect();
    assert_eq!(names, ["", "good"]);
  }

  #[test]
  fn notes_keep_their_line_ends() {
    let notes = "one\r\ntwo\nthree\rfour \u{1f600}\u{2028}".repeat(5_700);
    assert!(notes.chars().count() >= 125_000);
    assert_eq!(read(json!({"tag_name": "v1", "body": notes})).notes_markdown, notes);
  }

  #[test]
  fn a_field_that_stands_twice_counts_as_the_last_says() {
    let read = read_release(
      br#"{"tag_name": "v1", "assets": [{"name": "a"}], "tag_name": "v2", "assets": [{"name": "b", "name": 7}]}"#,
    );
    let read = read.unwrap();
    assert_eq!((read.release.tag.as_str(), read.release.assets.len()), ("v2", 1));
    assert_eq!(read.release.assets[0].name, "");
  }

  #[test]
  fn a_page_has_its_releases_without_drafts_and_what_cant_be_read() {
    let page = json!([
      {"tag_name": "v3", "draft": true}, null, {"tag_name": "v2", "id": 7}, 5, [], {"tag_name": 9}, {"tag_name": "v1"}
    ]);
    let page = read_release_page(page.to_string().as_bytes()).unwrap();
    let tags: Vec<&str> = page.releases.iter().map(|read| read.release.tag.as_str()).collect();
    assert_eq!((page.entries, tags), (7, vec!["v2", "", "v1"]));
    assert_eq!(page.releases[0].facts.id, Some(7));
  }

  #[test]
  fn half_a_surrogate_costs_the_release_of_a_page_that_it_stands_in() {
    let page = read_release_page(br#"[{"tag_name": "v2", "body": "\ud800"}, {"tag_name": "v1"}]"#).unwrap();
    assert_eq!((page.entries, page.releases.len()), (2, 1));
    assert_eq!(page.releases[0].release.tag, "v1");
  }

  #[rstest]
  #[case(b"", "it is empty")]
  #[case(b"<html>", "it is a page of HTML or XML")]
  #[case(b"{\"tag_name\": \"v1\"}", "it is no JSON array")]
  #[case(b"null", "it is no JSON array")]
  #[case(b"[{\"tag_name\": \"v1\"}", "EOF while parsing a list at line 1 column 19")]
  fn a_page_of_another_kind_is_named(#[case] body: &[u8], #[case] what: &str) {
    assert_eq!(read_release_page(body), Err(FetchFailure::Unreadable(what.to_owned())));
  }

  #[rstest]
  #[case("uploaded", true)]
  #[case("starter", false)]
  #[case("open", false)]
  #[case("of_the_future", false)]
  fn only_files_that_are_uploaded_are_listed(#[case] state: &str, #[case] listed: bool) {
    let release = read(json!({"tag_name": "v1", "assets": [{"name": "a", "state": state}, {"name": "no state"}]}));
    assert_eq!(release.assets.len(), 1 + usize::from(listed));
  }

  #[rstest]
  #[case(json!(-1))]
  #[case(json!(1.5))]
  #[case(json!("12"))]
  #[case(json!(null))]
  #[case(json!(1e30))]
  fn a_size_that_is_none_reads_as_zero(#[case] size: Value) {
    assert_eq!(
      read(json!({"tag_name": "v1", "assets": [{"name": "a", "size": size}]})).assets[0].size_bytes,
      0
    );
  }

  #[rstest]
  #[case(json!("sha256:0a"), Some("0a"))]
  #[case(json!("sha512:0a"), None)]
  #[case(json!("0a"), None)]
  #[case(json!(null), None)]
  #[case(json!(7), None)]
  fn only_a_sha_256_digest_is_taken(#[case] digest: Value, #[case] sha256: Option<&str>) {
    let release = read(json!({"tag_name": "v1", "assets": [{"name": "a", "digest": digest}]}));
    assert_eq!(release.assets[0].sha256.as_deref(), sha256);
  }

  #[test]
  fn a_field_of_any_other_type_costs_that_field_alone() {
    let whole = json!({
      "tag_name": "v1", "name": "One", "draft": false, "prerelease": false, "published_at": "2026-10-08T14:52:50Z",
      "html_url": "h", "body": "b", "assets": [{"name": "a", "size": 1, "digest": "d", "browser_download_url": "u", "state": "uploaded"}]
    });
    for strange in [
      json!(null),
      json!(7),
      json!("x"),
      json!([1]),
      json!({"a": 1}),
      json!(true),
    ] {
      for field in whole
        .as_object()
        .unwrap()
        .keys()
        .filter(|field| !["tag_name", "draft"].contains(&field.as_str()))
      {
        let mut bent = whole.clone();
        bent[field] = strange.clone();
        assert_eq!(read(bent).tag, "v1", "{field} {strange}");
      }
      for field in ["name", "size", "digest", "browser_download_url"] {
        let mut bent = whole.clone();
        bent["assets"][0][field] = strange.clone();
        assert_eq!(read(bent).assets.len(), 1, "{field} {strange}");
      }
    }
  }

  #[rstest]
  #[case(b"", "it is empty")]
  #[case(b" \n", "it is empty")]
  #[case(b"<!DOCTYPE html><html>", "it is a page of HTML or XML")]
  #[case(b"[{\"tag_name\": \"v1\"}]", "it is no JSON object")]
  #[case(b"\"v1\"", "it is no JSON object")]
  #[case(b"null", "it is no JSON object")]
  fn a_body_of_another_kind_is_named(#[case] body: &[u8], #[case] what: &str) {
    assert_eq!(read_release(body), Err(FetchFailure::Unreadable(what.to_owned())));
  }

  #[rstest]
  #[case::cut_short(b"{\"tag_name\": \"v1\"")]
  #[case::invalid_utf8(b"{\"tag_name\": \"v1\", \"name\": \"\xff\"}")]
  #[case::half_a_surrogate(b"{\"tag_name\": \"v1\", \"name\": \"\\ud800\"}")]
  #[case::two_values(b"{\"tag_name\": \"v1\"}{}")]
  fn text_that_is_broken_as_json_is_no_release(#[case] body: &[u8]) {
    assert!(matches!(read_release(body), Err(FetchFailure::Unreadable(_))));
  }

  #[test]
  fn nesting_without_end_is_refused() {
    assert!(read_release("[".repeat(4_000_000).as_bytes()).is_err());
    assert!(read_release(format!("{{\"a\":{}", "[".repeat(1_000_000)).as_bytes()).is_err());
  }

  #[test]
  fn a_draft_is_no_release() {
    assert_eq!(
      read_release(br#"{"tag_name": "v1", "draft": true}"#),
      Err(FetchFailure::Draft)
    );
  }

  proptest! {
    #[test]
    fn no_bytes_panic(body in prop::collection::vec(any::<u8>(), 0..200)) {
      let _ = read_release(&body);
      let _ = read_release_page(&body);
    }

    #[test]
    fn no_json_panics(body in "[\\[\\]{}:,\"a-z0-9\\\\.-]{0,200}") {
      let _ = read_release(body.as_bytes());
      let _ = read_release_page(body.as_bytes());
    }
  }

  fn read(json: Value) -> Release {
    read_whole(json).release
  }

  fn read_whole(json: Value) -> ReadRelease {
    read_release(json.to_string().as_bytes()).unwrap()
  }

  fn time(text: &str) -> Option<UtcTime> {
    text.parse().ok()
  }
}
