//! Which release is asked for, and what that costs, by what the catalog says.

use std::time::Duration;

use github_standin::{Answer, SampleRelease, StandIn};
use release_feed::github::{FetchFailure, Outcome, Validators};
use rstest::rstest;
use serde_json::Value;

use crate::asking::*;

const PREFIXED: &str = "tag_prefix = \"demo-\"";
const NEWEST: &str = "select = \"newest-stable-version\"";
const MIB: usize = 1024 * 1024;

#[rstest]
#[case("v1.2", "v1.2")]
#[case("flagd/v0.4.4", "flagd%2Fv0.4.4")]
#[case("app@1.2.3", "app%401.2.3")]
#[case("a%2Fb", "a%252Fb")]
#[tokio::test]
async fn a_pinned_tag_is_asked_for_as_one_segment(#[case] tag: &str, #[case] segment: &str) {
  let github = StandIn::start().await.unwrap();
  github.set_releases(REPO, [SampleRelease::new("v9"), SampleRelease::new(tag)]);
  let asker = Asker::of(&github).choosing(&format!("pinned_tag = \"{tag}\""));
  let (chosen, _, validators) = asker.choose(&Validators::default()).await;
  assert_eq!(chosen, tag);
  assert_eq!(paths(&github), [format!("/repos/acme/demo/releases/tags/{segment}")]);
  assert!(matches!(asker.ask_with(&validators).await, Outcome::NotModified { .. }));
}

#[tokio::test]
async fn a_pinned_tag_without_a_release_is_no_release() {
  let github = StandIn::start().await.unwrap();
  github.set_releases(REPO, [SampleRelease::new("v9")]);
  let asker = Asker::of(&github).choosing("pinned_tag = \"v1\"");
  assert_eq!(asker.ask().await, Outcome::NoRelease);
}

#[tokio::test]
async fn another_release_than_the_pinned_one_is_none_of_the_apps() {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [Answer::release(SampleRelease::new("v2").to_json(REPO))]);
  let failure = Asker::of(&github).choosing("pinned_tag = \"v1\"").fail().await;
  assert!(matches!(failure, FetchFailure::Invalid(_)), "{failure}");
}

#[tokio::test]
async fn of_a_prefix_the_newest_stable_release_of_the_first_page_is_taken_and_confirmed() {
  let github = StandIn::start().await.unwrap();
  let releases = [
    SampleRelease::new("other-v9"),
    SampleRelease::new("demo-launcher-v9"),
    SampleRelease::new("demo-v3.0-rc.1"),
    SampleRelease::new("demo-v2.0").prerelease(true),
    SampleRelease::new("demo-v1.0").published_at("2026-10-01T00:00:00Z"),
    SampleRelease::new("demo-v1.1").published_at("2026-10-02T00:00:00Z"),
  ];
  github.set_releases(REPO, releases);
  let asker = Asker::of(&github).choosing(PREFIXED);
  let (tag, version, validators) = asker.choose(&Validators::default()).await;
  assert_eq!((tag.as_str(), version.as_str()), ("demo-v1.1", "1.1"));
  assert!(matches!(asker.ask_with(&validators).await, Outcome::NotModified { .. }));
  assert_eq!(paths(&github), ["/repos/acme/demo/releases?per_page=30&page=1"; 2]);
}

#[tokio::test]
async fn a_validator_of_another_choice_confirms_nothing() {
  let github = StandIn::start().await.unwrap();
  github.set_releases(
    REPO,
    [
      SampleRelease::new("demo-v1.0"),
      SampleRelease::new("demo-v2.0").published_at("2026-01-01T00:00:00Z"),
    ],
  );
  let (tag, _, validators) = Asker::of(&github)
    .choosing(PREFIXED)
    .choose(&Validators::default())
    .await;
  assert_eq!(tag, "demo-v1.0");
  let other = Asker::of(&github).choosing(&format!("{PREFIXED}\n{NEWEST}"));
  assert_eq!(other.choose(&validators).await.0, "demo-v2.0");
}

#[tokio::test]
async fn a_release_on_a_deep_page_is_found_once_an_hour_and_read_by_its_tag_in_between() {
  let github = StandIn::start().await.unwrap();
  github.set_releases(REPO, others(65).chain([SampleRelease::new("demo-v1.0")]));
  let asker = Asker::of(&github).choosing(PREFIXED);
  let (tag, _, validators) = asker.choose(&Validators::default()).await;
  assert_eq!((tag.as_str(), github.request_count()), ("demo-v1.0", 3));
  assert_eq!(validators.last(), None, "the first page says nothing about it");
  github.clear_requests();
  assert_eq!(asker.choose(&validators).await.0, "demo-v1.0");
  assert_eq!(
    paths(&github),
    [
      "/repos/acme/demo/releases?per_page=30&page=1",
      "/repos/acme/demo/releases/tags/demo-v1.0"
    ]
  );
  assert!(
    github
      .requests()
      .iter()
      .all(|request| request.header("if-none-match").is_none())
  );
  github.clear_requests();
  asker.let_pass(Duration::from_secs(3_600));
  assert_eq!(asker.choose(&validators).await.0, "demo-v1.0");
  assert_eq!(github.request_count(), 3);
}

#[tokio::test]
async fn a_deep_release_that_was_deleted_gives_way_to_the_next() {
  let github = StandIn::start().await.unwrap();
  let tail = |tags: &[&str]| -> Vec<SampleRelease> { tags.iter().map(|tag| SampleRelease::new(tag)).collect() };
  github.set_releases(REPO, others(40).chain(tail(&["demo-v2.0", "demo-v1.0"])));
  let asker = Asker::of(&github).choosing(&format!("{PREFIXED}\n{NEWEST}"));
  assert_eq!(asker.choose(&Validators::default()).await.0, "demo-v2.0");
  github.set_releases(REPO, others(40).chain(tail(&["demo-v1.0"])));
  assert_eq!(asker.choose(&Validators::default()).await.0, "demo-v1.0");
  github.set_releases(REPO, others(40));
  assert_eq!(asker.ask().await, Outcome::NoRelease);
}

#[tokio::test]
async fn what_leaves_the_first_page_is_still_known() {
  let github = StandIn::start().await.unwrap();
  let releases = |before: usize| {
    others(before)
      .chain([SampleRelease::new("demo-v1.0")])
      .chain(others(60))
  };
  github.set_releases(REPO, releases(29));
  let asker = Asker::of(&github).choosing(&format!("{PREFIXED}\n{NEWEST}"));
  assert_eq!(asker.choose(&Validators::default()).await.0, "demo-v1.0");
  github.set_releases(REPO, releases(30));
  github.clear_requests();
  assert_eq!(asker.choose(&Validators::default()).await.0, "demo-v1.0");
  assert_eq!(github.request_count(), 2);
}

#[tokio::test]
async fn the_highest_stable_version_of_all_pages_is_taken_whenever_it_was_published() {
  let github = StandIn::start().await.unwrap();
  let backports = (0..35).map(|patch| SampleRelease::new(&format!("v1.0.{patch}")));
  github.set_releases(
    REPO,
    backports.chain([SampleRelease::new("v3.0-beta"), SampleRelease::new("v2.0")]),
  );
  let asker = Asker::of(&github).choosing(NEWEST);
  assert_eq!(asker.choose(&Validators::default()).await.0, "v2.0");
}

#[tokio::test]
async fn a_list_that_ends_without_a_match_is_no_release_and_one_that_goes_on_is_a_failure() {
  let github = StandIn::start().await.unwrap();
  let asker = Asker::of(&github).choosing(PREFIXED);
  github.set_releases(REPO, others(35));
  assert_eq!(asker.ask().await, Outcome::NoRelease);
  github.set_releases(REPO, others(301));
  asker.let_pass(Duration::from_secs(3_600));
  github.clear_requests();
  let failure = asker.fail().await;
  assert_eq!(failure, FetchFailure::NoneFits { releases: 300 });
  assert!(
    failure.to_string().contains("none of the newest 300 releases"),
    "{failure}"
  );
  assert_eq!(github.request_count(), 10);
  assert_eq!(asker.fail().await, failure);
  assert_eq!(github.request_count(), 11, "the deep pages are read once an hour");
}

#[rstest]
#[case::without_a_match("else-v1", None)]
#[case::with_one("demo-v1", Some("demo-v1"))]
#[tokio::test]
async fn a_list_that_leads_back_to_its_beginning_is_read_no_further_and_called_that(
  #[case] last: &str,
  #[case] chosen: Option<&str>,
) {
  let github = StandIn::start().await.unwrap();
  let page = others(29)
    .chain([SampleRelease::new(last)])
    .map(|release| release.to_json(REPO));
  let link = format!("<{}/repos/{REPO}/releases?page=1>; rel=\"next\"", github.api_url());
  github.script_always(REPO, Answer::release(Value::Array(page.collect())).header("link", link));
  let asker = Asker::of(&github).choosing(&format!("{PREFIXED}\n{NEWEST}"));
  match chosen {
    Some(tag) => assert_eq!(asker.choose(&Validators::default()).await.0, tag),
    None => {
      let failure = asker.fail().await;
      assert_eq!(failure, FetchFailure::PagesRepeat { releases: 30 });
      assert!(
        failure.to_string().contains("go in circles: after the first 30"),
        "{failure}"
      );
      assert!(failure.concerns_the_app_alone());
    }
  }
  assert_eq!(github.request_count(), 3);
}

#[tokio::test]
async fn pages_that_are_too_long_shrink_and_stay_small() {
  let github = StandIn::start().await.unwrap();
  let notes = "n".repeat(MIB / 2);
  let long = others(4)
    .map(|release| release.notes(&notes))
    .chain([SampleRelease::new("demo-v1.0").notes(&notes)]);
  github.set_releases(REPO, long.chain(others(4).map(|release| release.notes(&notes))));
  let asker = Asker::of(&github).choosing(PREFIXED);
  assert_eq!(asker.choose(&Validators::default()).await.0, "demo-v1.0");
  let pages = [
    "per_page=30&page=1",
    "per_page=10&page=1",
    "per_page=3&page=1",
    "per_page=3&page=2",
  ];
  assert_eq!(
    paths(&github),
    pages.map(|query| format!("/repos/acme/demo/releases?{query}"))
  );
  github.clear_requests();
  assert_eq!(asker.choose(&Validators::default()).await.0, "demo-v1.0");
  assert_eq!(paths(&github)[0], "/repos/acme/demo/releases?per_page=3&page=1");
}

#[tokio::test]
async fn broken_entries_and_drafts_of_a_page_cost_themselves() {
  let github = StandIn::start().await.unwrap();
  let mut draft = SampleRelease::new("demo-v9").to_json(REPO);
  draft["draft"] = true.into();
  let entries = [
    draft,
    Value::Null,
    7.into(),
    SampleRelease::new("demo-v1").to_json(REPO),
  ];
  github.set_releases_json(REPO, entries);
  let asker = Asker::of(&github).choosing(PREFIXED).with_token("ghp_hunter2");
  assert_eq!(asker.choose(&Validators::default()).await.0, "demo-v1");
}

#[rstest]
#[case::an_object("{}", FetchFailure::Unreadable("it is no JSON array".to_owned()))]
#[case::html("<html>", FetchFailure::HtmlPage { status: 200 })]
#[case::empty("", FetchFailure::Unreadable("it is empty".to_owned()))]
#[tokio::test]
async fn a_page_that_is_none_is_a_failure(#[case] body: &'static str, #[case] why: FetchFailure) {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [Answer::status(200).body(body)]);
  let failure = Asker::of(&github).choosing(PREFIXED).fail().await;
  assert_eq!(failure, why);
}

#[tokio::test]
async fn an_address_in_a_link_is_never_followed() {
  let github = StandIn::start().await.unwrap();
  let elsewhere = StandIn::start().await.unwrap();
  let page = Value::Array(others(2).map(|release| release.to_json(REPO)).collect());
  let link = format!("<{}/repos/{REPO}/releases?page=2>; rel=\"next\"", elsewhere.api_url());
  github.script(REPO, [Answer::release(page).header("link", link)]);
  github.set_releases(REPO, others(30).chain([SampleRelease::new("demo-v1")]));
  let asker = Asker::of(&github).choosing(PREFIXED);
  assert_eq!(asker.choose(&Validators::default()).await.0, "demo-v1");
  assert_eq!((github.request_count(), elsewhere.request_count()), (2, 0));
}

#[tokio::test]
async fn trouble_on_a_deep_page_is_trouble_of_the_whole_choice() {
  let github = StandIn::start().await.unwrap();
  github.set_releases(REPO, others(65).chain([SampleRelease::new("demo-v1.0")]));
  let asker = Asker::of(&github).choosing(PREFIXED);
  let first = Value::Array(others(30).map(|release| release.to_json(REPO)).collect());
  let first = || Answer::release(first.clone());
  let limited = Answer::secondary_limit("60").header("date", GITHUBS_DATE);
  github.script(
    REPO,
    [
      first(),
      limited,
      first(),
      Answer::status(404),
      first(),
      Answer::status(500),
    ],
  );
  let retry_at = Some(NOW.plus(Duration::from_secs(60)));
  assert_eq!(asker.ask().await, Outcome::RateLimited { retry_at });
  assert!(matches!(asker.fail().await, FetchFailure::Status { status: 404, .. }));
  assert!(matches!(asker.fail().await, FetchFailure::Status { status: 500, .. }));
}

#[tokio::test]
async fn a_token_that_is_refused_within_a_choice_is_left_out() {
  let github = StandIn::start().await.unwrap();
  github.set_releases(REPO, others(35).chain([SampleRelease::new("demo-v1.0")]));
  github.set_bad_token("ghp_hunter2");
  let asker = Asker::of(&github).choosing(PREFIXED).with_token("ghp_hunter2");
  assert_eq!(asker.choose(&Validators::default()).await.0, "demo-v1.0");
  assert!(asker.is_token_refused());
}

/// So many releases of something else.
fn others(number: usize) -> impl Iterator<Item = SampleRelease> {
  (0..number).map(|number| SampleRelease::new(&format!("other-v{number}")))
}

fn paths(github: &StandIn) -> Vec<String> {
  github.requests().into_iter().map(|request| request.path).collect()
}
