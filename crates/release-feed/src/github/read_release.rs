//! From the body of GitHub's answer to a release. The body is input like any other: every field is optional, and one of the wrong
//! type costs that field alone, unless nothing can be said without it.

use feed_types::{Asset, Release, UtcTime};
use serde::Deserialize;
use serde_json::Value;
use serde_with::{DefaultOnError, VecSkipError, serde_as};

use super::fetch_failure::FetchFailure;

const UPLOADED: &str = "uploaded";
const SHA256_PREFIX: &str = "sha256:";

/// What we read of GitHub's release; there is much more in it.
#[serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct GithubRelease {
  #[serde_as(deserialize_as = "DefaultOnError")]
  tag_name: String,
  #[serde_as(deserialize_as = "DefaultOnError")]
  name: String,
  #[serde_as(deserialize_as = "DefaultOnError")]
  draft: bool,
  #[serde_as(deserialize_as = "DefaultOnError")]
  prerelease: bool,
  #[serde_as(deserialize_as = "DefaultOnError")]
  published_at: Option<UtcTime>,
  #[serde_as(deserialize_as = "DefaultOnError")]
  html_url: String,
  #[serde_as(deserialize_as = "DefaultOnError")]
  body: String,
  #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
  assets: Vec<GithubAsset>,
}

#[serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct GithubAsset {
  #[serde_as(deserialize_as = "DefaultOnError")]
  name: String,
  #[serde_as(deserialize_as = "DefaultOnError")]
  state: Option<String>,
  #[serde_as(deserialize_as = "DefaultOnError")]
  size: u64,
  #[serde_as(deserialize_as = "DefaultOnError")]
  digest: Option<String>,
  #[serde_as(deserialize_as = "DefaultOnError")]
  browser_download_url: String,
}

/// Reads a body. What comes out has not been held against the contract yet.
///
/// # Errors
///
/// When the body is no JSON object, or a draft.
pub fn read_release(body: &[u8]) -> Result<Release, FetchFailure> {
  // Twice, since a lenient reader must not go on in the middle of text that is broken as JSON.
  let json: Value = serde_json::from_slice(body).map_err(|error| unreadable(body, &error.to_string()))?;
  if !json.is_object() {
    return Err(unreadable(body, "it is no JSON object"));
  }
  let release: GithubRelease =
    serde_json::from_value(json).map_err(|error| FetchFailure::Unreadable(error.to_string()))?;
  if release.draft {
    Err(FetchFailure::Draft)
  } else {
    Ok(release.into())
  }
}

fn unreadable(body: &[u8], why: &str) -> FetchFailure {
  let first = body.iter().find(|byte| !byte.is_ascii_whitespace());
  match first {
    None => FetchFailure::Unreadable("it is empty".to_owned()),
    Some(b'<') => FetchFailure::Unreadable("it is a page of HTML or XML".to_owned()),
    Some(_) => FetchFailure::Unreadable(why.to_owned()),
  }
}

impl From<GithubRelease> for Release {
  fn from(release: GithubRelease) -> Self {
    let uploaded = |asset: &GithubAsset| asset.state.as_deref().is_none_or(|state| state == UPLOADED);
    Self {
      tag: release.tag_name,
      version: String::new(),
      name: release.name,
      published_at: release.published_at,
      html_url: release.html_url,
      prerelease: release.prerelease,
      notes_markdown: release.body,
      assets: release.assets.into_iter().filter(uploaded).map(Asset::from).collect(),
    }
  }
}

impl From<GithubAsset> for Asset {
  fn from(asset: GithubAsset) -> Self {
    let sha256 = asset
      .digest
      .as_deref()
      .and_then(|digest| digest.strip_prefix(SHA256_PREFIX))
      .map(str::to_owned);
    Self {
      name: asset.name,
      size_bytes: asset.size,
      download_url: asset.browser_download_url,
      sha256,
      ..Self::default()
    }
  }
}

#[cfg(test)]
mod tests {
  use proptest::prelude::*;
  use rstest::rstest;
  use serde_json::json;

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
    }

    #[test]
    fn no_json_panics(body in "[\\[\\]{}:,\"a-z0-9\\\\.-]{0,200}") {
      let _ = read_release(body.as_bytes());
    }
  }

  fn read(json: Value) -> Release {
    read_release(json.to_string().as_bytes()).unwrap()
  }
}
