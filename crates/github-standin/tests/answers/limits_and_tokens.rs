//! Who may ask how often.

use github_standin::{SampleRelease, StandIn};
use testkit::HttpAnswer;

use crate::asking::*;

#[tokio::test(flavor = "multi_thread")]
async fn the_headers_count_down_per_token_and_a_304_is_free_for_whoever_has_one() {
  let github = with_release().await;
  let token = [("authorization", "Bearer t")];
  assert_eq!(rate(&get(&github, LATEST)), (60, 59));
  assert_eq!(rate(&get(&github, LATEST)), (60, 58));
  let first = get_with(&github, LATEST, &token);
  assert_eq!(rate(&first), (5_000, 4_999));
  let etag = first.header("etag").unwrap().to_owned();
  let confirmed = get_with(&github, LATEST, &[token[0], ("if-none-match", &etag)]);
  assert_eq!((confirmed.status, rate(&confirmed)), (304, (5_000, 4_999)));
  let confirmed = get_with(&github, LATEST, &[("if-none-match", &etag)]);
  assert_eq!((confirmed.status, rate(&confirmed)), (304, (60, 57)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_that_is_set_refuses_at_nothing_left_until_it_is_cleared() {
  let github = with_release().await;
  github.set_rate_limit(5, 1, 1_791_471_270);
  assert_eq!(status(&github, LATEST), 200);
  let refused = get(&github, LATEST);
  assert_eq!((refused.status, rate(&refused)), (403, (5, 0)));
  assert_eq!(refused.header("x-ratelimit-reset"), Some("1791471270"));
  assert!(refused.json()["message"].as_str().unwrap().contains("rate limit"));
  github.clear_rate_limit();
  assert_eq!(status(&github, LATEST), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_tokens_are_refused_until_all_are_good_again() {
  let github = with_release().await;
  let status_of = |token: &str| get_with(&github, LATEST, &[("authorization", &format!("Bearer {token}"))]).status;
  github.set_bad_token("revoked");
  assert_eq!(
    (status_of("revoked"), status_of("good"), status(&github, LATEST)),
    (401, 200, 200)
  );
  github.require_token("only");
  assert_eq!(
    (status_of("only"), status_of("good"), status(&github, LATEST)),
    (200, 401, 401)
  );
  github.clear_tokens();
  assert_eq!((status_of("revoked"), status(&github, LATEST)), (200, 200));
}

/// The limit and what remains of it.
fn rate(answer: &HttpAnswer) -> (u32, u32) {
  let number = |name: &str| answer.header(name).unwrap().parse().unwrap();
  (number("x-ratelimit-limit"), number("x-ratelimit-remaining"))
}

async fn with_release() -> StandIn {
  let github = StandIn::start().await.unwrap();
  github.set_latest(REPO, SampleRelease::new("v1.0"));
  github
}
