//! What GitHub answers when nothing is scripted.

use std::io::Read;

use flate2::read::GzDecoder;
use github_standin::{SampleRelease, StandIn, StandInOptions};
use rstest::rstest;

use crate::asking::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_release_comes_with_githubs_headers() {
  let github = with_release().await;
  let answer = get(&github, LATEST);
  assert_eq!(answer.status, 200);
  assert_eq!(answer.header("content-type"), Some("application/json; charset=utf-8"));
  assert_eq!(answer.header("server"), Some("github.com"));
  assert!(answer.header("date").unwrap().ends_with(" GMT"));
  assert!(answer.header("etag").unwrap().starts_with("W/\""));
  for name in ["limit", "remaining", "used", "reset", "resource"] {
    assert!(answer.header(&format!("x-ratelimit-{name}")).is_some(), "{name}");
  }
  let json = answer.json();
  assert_eq!(
    (json["tag_name"].as_str(), json["draft"].as_bool()),
    (Some("v1.0"), Some(false))
  );
  assert_eq!(json["assets"][0]["state"], "uploaded");
  let url = "https://github.com/acme/demo/releases/download/v1.0/demo-1.0.zip";
  assert_eq!(json["assets"][0]["browser_download_url"], url);
}

#[rstest]
#[case::itself("{etag}")]
#[case::strong("{strong}")]
#[case::in_a_list("\"other\", {etag}")]
#[case::anything("*")]
#[tokio::test(flavor = "multi_thread")]
async fn who_names_its_etag_gets_a_304_without_a_body(#[case] named: &str) {
  let github = with_release().await;
  let etag = get(&github, LATEST).header("etag").unwrap().to_owned();
  let named = named
    .replace("{etag}", &etag)
    .replace("{strong}", etag.trim_start_matches("W/"));
  let answer = get_with(&github, LATEST, &[("if-none-match", &named)]);
  assert_eq!((answer.status, answer.body.len()), (304, 0));
  assert_eq!(answer.header("etag"), Some(etag.as_str()));
  assert_eq!(get_with(&github, LATEST, &[("if-none-match", "\"other\"")]).status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_release_has_another_etag() {
  let github = with_release().await;
  let etag = get(&github, LATEST).header("etag").unwrap().to_owned();
  github.set_latest(REPO, SampleRelease::new("v2.0"));
  let answer = get_with(&github, LATEST, &[("if-none-match", &etag)]);
  assert_eq!((answer.status, answer.json()["tag_name"].as_str()), (200, Some("v2.0")));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_release_and_no_repository_are_both_404_and_the_repository_tells_them_apart() {
  let github = StandIn::start().await.unwrap();
  github.set_no_release(REPO);
  for path in [LATEST, "/repos/acme/other/releases/latest"] {
    let answer = get(&github, path);
    assert_eq!(
      (answer.status, answer.json()["message"].as_str()),
      (404, Some("Not Found")),
      "{path}"
    );
  }
  assert!(get(&github, "/repos/acme/demo").json()["id"].is_u64());
  assert_eq!(status(&github, "/repos/acme/other"), 404);
  github.remove_repo(REPO);
  assert_eq!(status(&github, "/repos/acme/demo"), 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn owner_and_name_compare_without_case() {
  let github = with_release().await;
  assert_eq!(status(&github, "/repos/ACME/Demo/releases/latest"), 200);
  assert_eq!(github.requests()[0].repo.as_deref(), Some(REPO));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renamed_repository_redirects_to_its_id_where_its_release_is() {
  let github = with_release().await;
  github.rename_repo(REPO, "acme/renamed");
  let answer = get(&github, LATEST);
  assert_eq!(answer.status, 301);
  let location = answer
    .header("location")
    .unwrap()
    .strip_prefix(&github.api_url())
    .unwrap()
    .to_owned();
  assert!(location.starts_with("/repositories/"), "{location}");
  assert_eq!(get(&github, &location).json()["tag_name"], "v1.0");
  assert_eq!(status(&github, "/repos/acme/renamed/releases/latest"), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_accepts_gzip_gets_it() {
  let github = with_release().await;
  let plain = get(&github, LATEST);
  let packed = get_with(&github, LATEST, &[("accept-encoding", "gzip")]);
  assert_eq!(
    (plain.header("content-encoding"), packed.header("content-encoding")),
    (None, Some("gzip"))
  );
  let mut unpacked = Vec::new();
  GzDecoder::new(&packed.body[..]).read_to_end(&mut unpacked).unwrap();
  assert_eq!(unpacked, plain.body);
  assert!(packed.body.len() < plain.body.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_say_who_asks_is_refused() {
  let github = with_release().await;
  let mut connection = testkit::HttpConnection::open(github.address());
  connection.send(request_head(LATEST, &[]).as_bytes());
  assert_eq!(connection.answer("GET").status, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_enterprise_server_answers_below_its_prefix_only() {
  let options = StandInOptions::new().api_prefix("api/v3/");
  let github = StandIn::start_with(options).await.unwrap();
  github.set_latest(REPO, SampleRelease::new("v1.0"));
  assert!(github.api_url().ends_with("/api/v3"));
  assert_eq!(status(&github, &format!("/api/v3{LATEST}")), 200);
  assert_eq!(status(&github, LATEST), 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sample_family_is_the_same_on_every_stand_in() {
  let (one, other) = (StandIn::start().await.unwrap(), StandIn::start().await.unwrap());
  one.serve_sample_family();
  other.serve_sample_family();
  for (repo, _) in github_standin::sample_family::releases() {
    let path = format!("/repos/{repo}/releases/latest");
    let (one, other) = (get(&one, &path), get(&other, &path));
    assert_eq!((one.status, &one.body), (200, &other.body), "{repo}");
    for asset in one.json()["assets"].as_array().unwrap() {
      assert_eq!(asset["digest"].as_str().unwrap().len(), "sha256:".len() + 64, "{asset}");
    }
  }
}

async fn with_release() -> StandIn {
  let github = StandIn::start().await.unwrap();
  github.set_latest(REPO, SampleRelease::new("v1.0").asset("demo-1.0.zip"));
  github
}
