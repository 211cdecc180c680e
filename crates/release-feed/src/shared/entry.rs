//! An app's hash: what it says, and how it is written.

use std::sync::Arc;

use bytes::Bytes;
use feed_types::Release;
use serde_json::Value;

use super::fields::{Fields, read_number};
use super::guarded_write::TimeField;
use super::notes::ReleaseHash;
use crate::cache::{Fetch, Wait};
use crate::catalog::{AppKey, CatalogApp};
use crate::clock::{CLOCK_TOLERANCE, UnixMs};
use crate::github::{ETag, Validators};
use crate::release::ReleaseRules;
use crate::schedule::Failure;

pub(super) const V: &str = "v";
pub(super) const VERSION: &[u8] = b"1";
pub(super) const ETAG: &str = "etag";
pub(super) const RELEASE: &str = "release";
pub(super) const FAILURES: &str = "failures";
pub(super) const BY: &str = "by";

/// Every field of an app's hash and of the backoff's; others may stand there and are left alone.
pub const FIELDS: [&str; 10] = [
  V,
  "fetched_ms",
  ETAG,
  RELEASE,
  "failed_ms",
  FAILURES,
  "claimed_ms",
  "until_ms",
  "trouble",
  BY,
];

/// What is shared of an app. What can't be read is absent.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct SharedEntry {
  /// The release, with its time and validator: all three, or nothing.
  pub fetch: Option<Fetch>,
  /// The last failure.
  pub failure: Option<Failure>,
  /// How long it is left alone; never of the hash, which has no place for it.
  pub wait: Option<Wait>,
}

/// Why a release that was read can't be used.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum UnusableEntry {
  /// No ETag field, or not one that a header can carry.
  #[error("its ETag can't be read")]
  ETag,
  /// No release, or not the JSON of one.
  #[error("its release can't be read: {0}")]
  Release(String),
  /// Files, and none of them this app's: whoever wrote it means another repository.
  #[error("none of its files is a download of {0}")]
  OtherRepository(String),
}

impl SharedEntry {
  /// Reads a hash. Times stay the store's own; its `now` tells which are believed. Also says what is there and can't be used.
  pub fn read(
    fields: &Fields,
    read_release: impl FnOnce(&Bytes) -> Result<Option<Arc<Release>>, UnusableEntry>,
    now: UnixMs,
  ) -> (Self, Option<UnusableEntry>) {
    let time = |field: TimeField| fields.time(field.name(), now, CLOCK_TOLERANCE);
    let failure = time(TimeField::Failed).map(|at| Failure {
      at,
      count: read_count(fields.get(FAILURES)),
    });
    let fetch = time(TimeField::Fetched).map(|at| {
      let release = fields
        .get(RELEASE)
        .ok_or_else(|| UnusableEntry::Release("there is none".to_owned()))?;
      Ok(Fetch {
        at,
        validators: Validators::unowned(read_etag(fields)?),
        release: read_release(release)?,
        facts: Arc::default(),
      })
    });
    match fetch.transpose() {
      Ok(fetch) => (
        Self {
          fetch,
          failure,
          wait: None,
        },
        None,
      ),
      Err(unusable) => (
        Self {
          fetch: None,
          failure,
          wait: None,
        },
        Some(unusable),
      ),
    }
  }
}

/// Unreadable or 0 reads as 1.
pub(super) fn read_count(value: Option<&Bytes>) -> u32 {
  let count = value.and_then(|value| read_number(value)).unwrap_or(1);
  u32::try_from(count).unwrap_or(u32::MAX)
}

fn read_etag(fields: &Fields) -> Result<Option<ETag>, UnusableEntry> {
  match fields.text(ETAG).ok_or(UnusableEntry::ETag)? {
    "" => Ok(None),
    etag => ETag::new(etag).map(Some).ok_or(UnusableEntry::ETag),
  }
}

/// Reads the release of an app as it is shared; `None` for a repository without one.
pub(super) fn read_release(
  json: &[u8],
  key: &AppKey,
  app: &CatalogApp,
  rules: &ReleaseRules,
) -> Result<Option<Arc<Release>>, UnusableEntry> {
  let unreadable = |why: &dyn std::fmt::Display| UnusableEntry::Release(why.to_string());
  let json: Value = serde_json::from_slice(json).map_err(|error| unreadable(&error))?;
  if json.is_null() {
    return Ok(None);
  }
  // The types of the answer forgive much; here nothing is forgiven, since whoever else asks has the truth.
  check_shape(&json).map_err(|why| unreadable(&why))?;
  let release: Release = serde_json::from_value(json).map_err(|error| unreadable(&error))?;
  let has_files = !release.assets.is_empty();
  let release = rules
    .validate(release, key, app)
    .map_err(|error| unreadable(&error))?
    .release;
  if has_files && release.assets.is_empty() {
    return Err(UnusableEntry::OtherRepository(app.repo.to_string()));
  }
  Ok(Some(Arc::new(release)))
}

fn check_shape(release: &Value) -> Result<(), &'static str> {
  let has_texts = |value: &Value, names: &[&str]| names.iter().all(|name| value[*name].is_string());
  if !has_texts(release, &["tag", "name", "html_url", "notes_markdown"]) {
    return Err("a field that must be text is not");
  }
  let assets = release["assets"].as_array().ok_or("its files are no list")?;
  if !assets.iter().all(|asset| has_texts(asset, &["name", "download_url"])) {
    return Err("a file has no name or no URL");
  }
  Ok(())
}

/// A fetch as fields, without its time: the ETag and the release as the contract's section 1 has it, without what we know beyond it. Also what
/// notes about it are bound to.
pub(super) fn fetch_fields(fetch: &Fetch) -> (Vec<(&'static str, Bytes)>, ReleaseHash) {
  let etag = fetch.validators.last().map_or("", ETag::as_str);
  let mut release = serde_json::json!(fetch.release);
  // Where there is no release, indexing would make one.
  let assets = release.get_mut("assets").and_then(Value::as_array_mut);
  for asset in assets.into_iter().flatten() {
    if let Some(asset) = asset.as_object_mut() {
      asset.remove("build");
    }
  }
  let release = Bytes::from(release.to_string());
  let hash = ReleaseHash::of(&release);
  (vec![(ETAG, Bytes::from(etag.to_owned())), (RELEASE, release)], hash)
}

#[cfg(test)]
mod tests {
  use feed_types::Asset;
  use rstest::rstest;
  use serde_json::json;

  use super::*;
  use crate::base_url::BaseUrl;
  use crate::catalog::parse_app_list;
  use crate::release::WebBase;

  const NOW: UnixMs = UnixMs(1_791_471_170_000);

  #[test]
  fn what_was_written_is_read_again() {
    let fetch = Fetch {
      validators: Validators::unowned(ETag::new("W/\"a\"")),
      release: Some(Arc::new(release())),
      ..Fetch::without_release(NOW)
    };
    let mut fields: Fields = [(V, "1"), ("fetched_ms", "1791471170000")].into_iter().collect();
    for (name, value) in fetch_fields(&fetch).0 {
      fields.set(name, value);
    }
    assert!(!fields.text(RELEASE).unwrap().contains("build"));
    assert_eq!(
      read(&fields),
      (
        SharedEntry {
          fetch: Some(fetch),
          ..SharedEntry::default()
        },
        None
      )
    );
  }

  #[test]
  fn that_there_is_no_release_is_written_and_read_again() {
    let fetch = Fetch::without_release(NOW);
    let mut fields: Fields = [(V, "1"), ("fetched_ms", "1791471170000")].into_iter().collect();
    for (name, value) in fetch_fields(&fetch).0 {
      fields.set(name, value);
    }
    assert_eq!(fields.text(RELEASE), Some("null"));
    assert_eq!(read(&fields).0.fetch, Some(fetch));
  }

  #[test]
  fn no_release_is_something_to_know() {
    let fields = entry(&[("release", "null"), ("etag", "")]);
    let fetch = Fetch::without_release(UnixMs(NOW.0 - 5_000));
    assert_eq!(read(&fields).0.fetch, Some(fetch));
  }

  #[rstest]
  #[case::no_time("fetched_ms", "")]
  #[case::time_zero("fetched_ms", "0")]
  #[case::time_too_far_ahead("fetched_ms", "1791471230001")]
  #[case::another_version("v", "2")]
  #[case::etag_with_a_line_break("etag", "\"a\r\nX: y\"")]
  #[case::no_json("release", "{")]
  #[case::no_object("release", "[]")]
  #[case::no_tag("release", "{}")]
  #[case::blank_tag("release", changed("tag", json!(" ")))]
  #[case::tag_of_another_type("release", changed("tag", json!(7)))]
  #[case::no_files("release", changed("assets", json!(null)))]
  #[case::files_of_another_type("release", changed("assets", json!("none")))]
  #[case::a_file_without_a_name("release", changed("assets", json!([{ "download_url": "x" }])))]
  #[case::a_deep_nest("release", "[".repeat(100_000))]
  #[case::files_of_another_repository("release", changed("assets", json!([
    { "name": "a.deb", "download_url": "https://github.com/other/a/releases/download/v1/a.deb" }
  ])))]
  fn a_fetch_counts_only_when_all_of_it_reads(#[case] field: &str, #[case] bad: impl Into<Bytes>) {
    let good = changed("name", json!("A"));
    let mut fields = entry(&[("etag", "\"a\""), ("release", &good)]);
    assert!(read(&fields).0.fetch.is_some());
    fields.set(field, bad);
    assert_eq!(read(&fields).0.fetch, None);
  }

  #[test]
  fn a_fetch_without_an_etag_field_or_a_release_field_does_not_count() {
    assert_eq!(read(&entry(&[("release", "null")])).1, Some(UnusableEntry::ETag));
    assert!(matches!(
      read(&entry(&[("etag", "")])).1,
      Some(UnusableEntry::Release(_))
    ));
  }

  #[rstest]
  #[case("3", 3)]
  #[case("0", 1)]
  #[case("", 1)]
  #[case("many", 1)]
  #[case("99999999999", u32::MAX)]
  fn failures_that_can_not_be_read_are_one(#[case] failures: &str, #[case] count: u32) {
    let fields = entry(&[("failed_ms", "1791471169000"), ("failures", failures)]);
    let failure = Failure {
      at: UnixMs(1_791_471_169_000),
      count,
    };
    assert_eq!(read(&fields).0.failure, Some(failure));
  }

  #[test]
  fn a_failure_is_read_beside_a_release_that_is_not() {
    let fields = entry(&[("failed_ms", "1791471169000"), ("release", "{"), ("etag", "")]);
    let (entry, unusable) = read(&fields);
    assert!(entry.failure.is_some() && entry.fetch.is_none() && unusable.is_some());
  }

  fn read(fields: &Fields) -> (SharedEntry, Option<UnusableEntry>) {
    let catalog = parse_app_list("a=A=o/a").0;
    let key = "a".parse().unwrap();
    let app = catalog.get(&key).unwrap();
    SharedEntry::read(fields, |json| read_release(json, &key, app, &rules()), NOW)
  }

  fn entry(more: &[(&'static str, &str)]) -> Fields {
    let fields = [("v", "1"), ("fetched_ms", "1791471165000")];
    fields
      .iter()
      .chain(more)
      .map(|(name, value)| (*name, (*value).to_owned()))
      .collect()
  }

  fn changed(field: &str, value: Value) -> String {
    let mut json = json!(release());
    json[field] = value;
    json.to_string()
  }

  fn release() -> Release {
    let catalog = parse_app_list("a=A=o/a").0;
    let key = "a".parse().unwrap();
    let release = Release {
      tag: "v1".to_owned(),
      assets: vec![Asset {
        name: "a-1-linux-x64.deb".to_owned(),
        download_url: "https://github.com/o/a/releases/download/v1/a-1-linux-x64.deb".to_owned(),
        ..Asset::default()
      }],
      ..Release::default()
    };
    let rules = rules();
    rules
      .validate(release, &key, catalog.get(&key).unwrap())
      .unwrap()
      .release
  }

  fn rules() -> ReleaseRules {
    ReleaseRules {
      web: WebBase::new(BaseUrl::read("https://github.com").unwrap()),
    }
  }
}
