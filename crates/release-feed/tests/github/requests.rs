//! What GitHub gets to see.

use github_standin::{Answer, SampleRelease, StandIn};
use release_feed::github::{ETag, Outcome};

use crate::asking::*;

#[tokio::test]
async fn a_request_says_what_it_wants_and_who_asks() {
  let github = StandIn::start().await.unwrap();
  github.set_latest(REPO, SampleRelease::new("v1"));
  Asker::of(&github).ask().await;
  let requests = github.requests();
  let [request] = &requests[..] else {
    panic!("{requests:?}")
  };
  assert_eq!(
    (request.method.as_str(), request.path.as_str()),
    ("GET", "/repos/acme/demo/releases/latest")
  );
  assert_eq!(request.header("accept"), Some("application/vnd.github+json"));
  assert_eq!(request.header("x-github-api-version"), Some("2022-11-28"));
  assert!(request.header("user-agent").unwrap().starts_with("launchfeed/"));
  assert_eq!(request.header("if-none-match"), None);
  assert_eq!(request.header("if-modified-since"), None);
  assert_eq!(request.header("authorization"), None);
  assert!(request.header("accept-encoding").unwrap().contains("gzip"));
}

#[tokio::test]
async fn the_etag_goes_back_byte_for_byte() {
  let github = StandIn::start().await.unwrap();
  github.script_always(REPO, Answer::status(304).without_header("etag"));
  for etag in [
    "W/\"abc\"",
    "\"strong\"",
    "bare",
    "W/\"a,b\"",
    "\"with-gzip-suffix--gzip\"",
  ] {
    let named = ETag::new(etag).unwrap();
    let outcome = Asker::of(&github).ask_knowing(Some(&named)).await;
    assert_eq!(outcome, Outcome::NotModified { named });
    assert_eq!(github.requests().last().unwrap().header("if-none-match"), Some(etag));
  }
}

#[tokio::test]
async fn a_token_is_sent_as_a_bearer() {
  let github = StandIn::start().await.unwrap();
  github.set_latest(REPO, SampleRelease::new("v1"));
  Asker::of(&github).with_token(" ghp_hunter2 ").ask().await;
  assert_eq!(github.requests()[0].header("authorization"), Some("Bearer ghp_hunter2"));
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_nobody_else_gets_the_token() {
  let (github, elsewhere) = (StandIn::start().await.unwrap(), StandIn::start().await.unwrap());
  let target = format!("{}/repos/{REPO}/releases/latest", elsewhere.api_url());
  github.script(
    REPO,
    [301, 302, 307, 308].map(|status| Answer::redirect(status, &target)),
  );
  let asker = Asker::of(&github).with_token("ghp_hunter2");
  for status in [301, 302, 307, 308] {
    let failure = asker.fail().await.to_string();
    assert!(
      failure.contains(&status.to_string()) && failure.contains(&target),
      "{failure}"
    );
  }
  assert_eq!((github.request_count(), elsewhere.request_count()), (4, 0));
}

#[tokio::test]
async fn an_enterprise_server_is_asked_below_its_prefix() {
  let options = github_standin::StandInOptions::new().api_prefix("/api/v3");
  let github = StandIn::start_with(options).await.unwrap();
  github.set_latest(REPO, SampleRelease::new("v1"));
  assert!(matches!(Asker::of(&github).ask().await, Outcome::Release(_)));
  assert_eq!(github.requests()[0].path, "/api/v3/repos/acme/demo/releases/latest");
}
