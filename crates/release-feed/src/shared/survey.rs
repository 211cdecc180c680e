//! What stands in a store at a moment, for people who look after it: of each app whether it can be used, and why not.

use std::sync::Arc;
use std::time::Duration;

use super::entry::{SharedEntry, UnusableEntry, read_count, read_release};
use super::fields::Fields;
use super::fleet::TROUBLE;
use super::guarded_write::TimeField;
use crate::catalog::{AppKey, Catalog};
use crate::clock::UnixMs;
use crate::release::ReleaseRules;
use crate::schedule::{Backoff, longest_believed};

/// By which rules it is judged.
#[derive(Clone, Debug)]
pub struct SurveyRules {
  /// The apps.
  pub catalog: Arc<Catalog>,
  /// What a release must be.
  pub rules: ReleaseRules,
  /// The longest wait after rate limits.
  pub max_backoff: Duration,
}

/// What is shared. Times are the store's.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Survey {
  /// By app, in the order of the keys.
  pub apps: Vec<(AppKey, Standing)>,
  /// Until when nobody asks.
  pub backoff: Option<Backoff>,
}

/// What an app's entry is good for.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Standing {
  /// It tells of a release, or that there is none.
  Known,
  /// Nothing stands there, or nothing that was fetched yet.
  Absent,
  /// Something stands there that counts as absent, and why.
  Unusable(String),
}

impl SurveyRules {
  /// Judges what was read: each app's hash, with what the store says against it, in the order of the catalog, and the backoff's.
  pub(super) fn judge(&self, hashes: Vec<(Fields, Option<String>)>, backoff: &Fields, now: UnixMs) -> Survey {
    let apps = self.catalog.apps().zip(hashes);
    let apps = apps.map(|((key, _), (fields, oddity))| {
      let standing = oddity.map_or_else(|| self.standing(key, &fields, now), Standing::Unusable);
      (key.clone(), standing)
    });
    let until = backoff.time(TimeField::Until.name(), now, longest_believed(self.max_backoff));
    Survey {
      apps: apps.collect(),
      backoff: until.filter(|until| *until > now).map(|until| Backoff {
        until,
        trouble: read_count(backoff.get(TROUBLE)),
      }),
    }
  }

  fn standing(&self, key: &AppKey, fields: &Fields, now: UnixMs) -> Standing {
    if fields.is_absent() {
      return Standing::Absent;
    }
    if !fields.is_ours() {
      return Standing::Unusable("it is of another version".to_owned());
    }
    let read = |json: &bytes::Bytes| {
      let app = self.catalog.get(key);
      let app = app.ok_or_else(|| UnusableEntry::Release("the app isn't in the catalog".to_owned()))?;
      read_release(json, key, app, &self.rules)
    };
    match SharedEntry::read(fields, read, now) {
      (_, Some(why)) => Standing::Unusable(why.to_string()),
      (entry, None) if entry.fetch.is_some() => Standing::Known,
      _ if fields.get(TimeField::Fetched.name()).is_some() => {
        Standing::Unusable("its fetch time can't be read, or lies ahead of Redis's clock".to_owned())
      }
      _ => Standing::Absent,
    }
  }
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;
  use crate::base_url::BaseUrl;
  use crate::catalog::parse_app_list;
  use crate::release::WebBase;

  const NOW: UnixMs = UnixMs(1_791_471_170_000);
  const GOOD: &[(&str, &str)] = &[
    ("v", "1"),
    ("fetched_ms", "1791471165000"),
    ("etag", ""),
    ("release", "null"),
  ];

  #[rstest]
  #[case::good(GOOD, "known")]
  #[case::nothing(&[], "absent")]
  #[case::claimed_only(&[("v", "1"), ("claimed_ms", "1791471165000")], "absent")]
  #[case::failed_only(&[("v", "1"), ("failed_ms", "1791471165000")], "absent")]
  #[case::of_another_version(&[("v", "2"), ("fetched_ms", "1791471165000")], "another version")]
  #[case::from_the_future(&[("v", "1"), ("fetched_ms", "1791471235000"), ("etag", ""), ("release", "null")], "ahead of")]
  #[case::without_etag(&[("v", "1"), ("fetched_ms", "1791471165000"), ("release", "null")], "ETag")]
  #[case::rubbish(&[("v", "1"), ("fetched_ms", "1791471165000"), ("etag", ""), ("release", "{")], "its release")]
  fn an_entry_is_known_absent_or_says_why_it_cannot_be_used(
    #[case] fields: &[(&'static str, &'static str)],
    #[case] expected: &str,
  ) {
    let fields: Fields = fields.iter().copied().collect();
    let survey = rules().judge(vec![(fields, None)], &Fields::default(), NOW);
    let standing = format!("{:?}", survey.apps[0].1).to_lowercase();
    assert!(standing.contains(&expected.to_lowercase()), "{standing}");
  }

  #[test]
  fn what_the_store_says_against_an_entry_holds() {
    let odd = (Fields::default(), Some("it is of another type".to_owned()));
    let survey = rules().judge(vec![odd], &Fields::default(), NOW);
    assert_eq!(survey.apps[0].1, Standing::Unusable("it is of another type".to_owned()));
  }

  #[rstest]
  #[case("1791471200000", true)]
  #[case("1791471169999", false)]
  #[case("1891471200000", false)]
  fn a_backoff_lasts_until_its_time_as_far_as_it_is_believed(#[case] until: &'static str, #[case] lasts: bool) {
    let fields: Fields = [("v", "1"), ("until_ms", until), ("trouble", "3")]
      .into_iter()
      .collect();
    let survey = rules().judge(vec![], &fields, NOW);
    assert_eq!(survey.backoff.map(|backoff| backoff.trouble), lasts.then_some(3));
  }

  fn rules() -> SurveyRules {
    SurveyRules {
      catalog: Arc::new(parse_app_list("a=A=o/a").0),
      rules: ReleaseRules {
        web: WebBase::new(BaseUrl::read("https://github.com").unwrap()),
      },
      max_backoff: Duration::from_secs(14_400),
    }
  }
}
