//! Limits as they are counted and enforced, tokens as they are refused.

use std::time::UNIX_EPOCH;

use github_standin::{Answer, StandIn};
use rstest::rstest;

use crate::asking::{
  LATEST, REPO, exchange, get, get_with, header, json, latest, latest_with, number, start_with_release,
};

const RESET: u64 = 1_900_000_000;
const TOKEN: (&str, &str) = ("authorization", "Bearer one");
const OTHER_TOKEN: (&str, &str) = ("authorization", "Bearer other");

mod shown_limit {
  use super::*;

  #[tokio::test]
  async fn those_without_a_token_have_60_an_hour_and_see_them_count_down() {
    let github = start_with_release().await;
    let response = latest(&github).await;
    assert_eq!(number(&response, "x-ratelimit-limit"), 60);
    assert_eq!(number(&response, "x-ratelimit-remaining"), 59);
    assert_eq!(number(&response, "x-ratelimit-used"), 1);
    assert_eq!(header(&response, "x-ratelimit-resource"), Some("core"));
    assert_eq!(remaining(&latest(&github).await), 58);
  }

  #[tokio::test]
  async fn every_token_has_5000_of_its_own() {
    let github = start_with_release().await;
    latest(&github).await;
    let first = latest_with(&github, &[TOKEN]).await;
    assert_eq!(number(&first, "x-ratelimit-limit"), 5000);
    assert_eq!(remaining(&first), 4999);
    assert_eq!(remaining(&latest_with(&github, &[TOKEN]).await), 4998);
    assert_eq!(remaining(&latest_with(&github, &[OTHER_TOKEN]).await), 4999);
  }

  #[tokio::test]
  async fn it_starts_again_within_the_hour() {
    let github = start_with_release().await;
    let response = latest(&github).await;
    let reset = number(&response, "x-ratelimit-reset");
    let date = httpdate::parse_http_date(header(&response, "date").unwrap()).unwrap();
    let now = date.duration_since(UNIX_EPOCH).unwrap().as_secs();
    assert!(now < reset && reset <= now + 3600, "{reset} at {now}");
  }

  #[tokio::test]
  async fn nobody_is_refused_as_long_as_no_limit_is_set() {
    let github = start_with_release().await;
    for _ in 0..70 {
      let response = latest(&github).await;
      assert_eq!(response.status(), 200);
      assert_ne!(remaining(&response), 0);
    }
  }
}

mod asking_for_the_limit {
  use super::*;

  const RATE_LIMIT: &str = "/rate_limit";

  #[tokio::test]
  async fn it_is_free_and_says_what_the_headers_say() {
    let github = start_with_release().await;
    latest_with(&github, &[TOKEN]).await;
    for _ in 0..2 {
      let response = get_with(&github, RATE_LIMIT, &[TOKEN]).await;
      assert_eq!(response.status(), 200);
      assert_eq!(remaining(&response), 4999);
      let body = json(response).await;
      for core in [&body["resources"]["core"], &body["rate"]] {
        assert_eq!(
          (&core["limit"], &core["remaining"], &core["used"]),
          (&5000.into(), &4999.into(), &1.into())
        );
      }
    }
    let body = json(get(&github, RATE_LIMIT).await).await;
    assert_eq!(body["rate"]["limit"], 60);
  }

  #[tokio::test]
  async fn it_is_answered_when_everything_is_used_up() {
    let github = start_with_release().await;
    github.set_rate_limit(60, 0, RESET);
    let response = get(&github, RATE_LIMIT).await;
    assert_eq!(response.status(), 200);
    let core = json(response).await["resources"]["core"].clone();
    assert_eq!((&core["remaining"], &core["reset"]), (&0.into(), &RESET.into()));
  }

  #[tokio::test]
  async fn a_bad_token_is_refused() {
    let github = start_with_release().await;
    github.set_bad_token("one");
    let response = get_with(&github, RATE_LIMIT, &[TOKEN]).await;
    assert_eq!(response.status(), 401);
    assert_eq!(json(response).await["message"], "Bad credentials");
  }

  #[tokio::test]
  async fn scopes_and_expiration_are_told_to_those_with_a_token() {
    let github = start_with_release().await;
    github.set_token_scopes("repo, user");
    github.set_token_expiration("2026-11-05 12:00:00 UTC");
    let headers = ["x-oauth-scopes", "github-authentication-token-expiration"];
    let response = get_with(&github, RATE_LIMIT, &[TOKEN]).await;
    let told = headers.map(|name| header(&response, name));
    assert_eq!(told, [Some("repo, user"), Some("2026-11-05 12:00:00 UTC")]);
    let response = get(&github, RATE_LIMIT).await;
    assert_eq!(headers.map(|name| header(&response, name)), [None, None]);
  }
}

mod set_limit {
  use super::*;

  #[tokio::test]
  async fn it_counts_down_and_at_0_refuses_until_its_reset() {
    let github = start_with_release().await;
    github.set_rate_limit(60, 2, RESET);
    for left in [1, 0] {
      let response = latest(&github).await;
      assert_eq!(response.status(), 200);
      assert_eq!(number(&response, "x-ratelimit-limit"), 60);
      assert_eq!(remaining(&response), left);
      assert_eq!(number(&response, "x-ratelimit-used"), 60 - left);
      assert_eq!(number(&response, "x-ratelimit-reset"), RESET);
    }
    for _ in 0..2 {
      let response = latest(&github).await;
      assert_eq!(response.status(), 403);
      assert_eq!(remaining(&response), 0);
      assert_eq!(number(&response, "x-ratelimit-reset"), RESET);
      assert_eq!(header(&response, "retry-after"), None);
      let message = json(response).await["message"].to_string();
      assert!(message.contains("API rate limit exceeded"), "{message}");
    }
  }

  #[tokio::test]
  async fn everyone_and_every_path_counts_against_it() {
    let github = start_with_release().await;
    github.set_rate_limit(5000, 3, RESET);
    assert_eq!(remaining(&latest_with(&github, &[TOKEN]).await), 2);
    assert_eq!(remaining(&get(&github, "/repos/acme/Demo").await), 1);
    assert_eq!(remaining(&get(&github, "/nowhere").await), 0);
    assert_eq!(latest_with(&github, &[OTHER_TOKEN]).await.status(), 403);
  }

  #[tokio::test]
  async fn a_304_counts_only_for_those_without_a_token() {
    let github = start_with_release().await;
    github.set_rate_limit(60, 10, RESET);
    let any = ("if-none-match", "*");
    for (headers, left) in [(vec![any, TOKEN], 10), (vec![any], 9), (vec![any, TOKEN], 9)] {
      let response = latest_with(&github, &headers).await;
      assert_eq!(response.status(), 304);
      assert_eq!(remaining(&response), left, "{}", headers.len());
    }
  }

  #[rstest]
  #[case(404, 9)]
  #[case(301, 9)]
  #[case(401, 10)]
  #[case(403, 10)]
  #[case(429, 10)]
  #[case(500, 10)]
  #[case(503, 10)]
  #[tokio::test]
  async fn refusals_and_failures_are_free(#[case] status: u16, #[case] left: u64) {
    let github = start_with_release().await;
    github.set_rate_limit(60, 10, RESET);
    github.script(REPO, [Answer::status(status)]);
    assert_eq!(remaining(&latest(&github).await), left);
  }

  #[tokio::test]
  async fn what_github_itself_never_sees_is_free() {
    let github = start_with_release().await;
    github.set_rate_limit(60, 10, RESET);
    github.script(REPO, [Answer::html_error(404), Answer::reset()]);
    assert_eq!(latest(&github).await.status(), 404);
    assert_eq!(exchange(&github, &request("User-Agent: t\r\n")).await, "");
    assert_eq!(remaining(&latest(&github).await), 9);
  }

  #[tokio::test]
  async fn scripts_are_answered_even_at_0() {
    let github = start_with_release().await;
    github.set_rate_limit(60, 0, RESET);
    github.script(REPO, [Answer::status(502)]);
    assert_eq!(latest(&github).await.status(), 502);
    assert_eq!(latest(&github).await.status(), 403);
  }

  #[tokio::test]
  async fn it_ends_when_it_is_cleared() {
    let github = start_with_release().await;
    github.set_rate_limit(60, 0, RESET);
    assert_eq!(latest(&github).await.status(), 403);
    github.clear_rate_limit();
    let response = latest(&github).await;
    assert_eq!(response.status(), 200);
    assert_eq!(remaining(&response), 59);
  }
}

mod tokens {
  use super::*;

  #[rstest]
  #[case("Bearer revoked", 401)]
  #[case("token revoked", 401)]
  #[case("Bearer good", 200)]
  #[tokio::test]
  async fn a_bad_token_is_refused_whatever_its_scheme(#[case] authorization: &str, #[case] status: u16) {
    let github = start_with_release().await;
    github.set_bad_token("revoked");
    let response = latest_with(&github, &[("authorization", authorization)]).await;
    assert_eq!(response.status(), status);
    if status == 401 {
      assert_eq!(json(response).await["message"], "Bad credentials");
    }
  }

  #[tokio::test]
  async fn a_bad_token_leaves_those_without_one_alone() {
    let github = start_with_release().await;
    github.set_bad_token("revoked");
    assert_eq!(latest(&github).await.status(), 200);
  }

  #[tokio::test]
  async fn where_a_token_is_required_others_and_none_are_refused() {
    let github = start_with_release().await;
    github.require_token("one");
    assert_eq!(latest_with(&github, &[TOKEN]).await.status(), 200);
    assert_refused(&github, &[OTHER_TOKEN], "Bad credentials").await;
    assert_refused(&github, &[], "Requires authentication").await;
  }

  #[tokio::test]
  async fn a_token_that_is_required_can_be_revoked() {
    let github = start_with_release().await;
    github.require_token("one");
    github.set_bad_token("one");
    assert_refused(&github, &[TOKEN], "Bad credentials").await;
  }

  #[tokio::test]
  async fn every_token_is_good_again_once_they_are_cleared() {
    let github = start_with_release().await;
    github.require_token("one");
    github.set_bad_token("other");
    github.clear_tokens();
    assert_eq!(latest_with(&github, &[OTHER_TOKEN]).await.status(), 200);
    assert_eq!(latest(&github).await.status(), 200);
  }

  #[tokio::test]
  async fn a_refused_token_doesnt_use_up_the_script() {
    let github = start_with_release().await;
    github.set_bad_token("one");
    github.script(REPO, [Answer::status(500)]);
    assert_eq!(latest_with(&github, &[TOKEN]).await.status(), 401);
    assert_eq!(latest(&github).await.status(), 500);
  }

  async fn assert_refused(github: &StandIn, headers: &[(&str, &str)], message: &str) {
    let response = latest_with(github, headers).await;
    assert_eq!(response.status(), 401, "{message}");
    assert_eq!(json(response).await["message"], message);
  }
}

mod user_agent {
  use super::*;

  #[rstest]
  #[case::missing("")]
  #[case::empty("User-Agent:\r\n")]
  #[case::blank("User-Agent:  \r\n")]
  #[tokio::test]
  async fn without_one_a_request_is_refused_at_githubs_front(#[case] headers: &str) {
    let github = start_with_release().await;
    github.script_all_always(Answer::status(500));
    let answer = exchange(&github, &request(headers)).await;
    assert!(answer.starts_with("HTTP/1.1 403 Forbidden\r\n"), "{answer}");
    assert!(
      answer.contains("Please make sure your request has a User-Agent header"),
      "{answer}"
    );
    assert!(!answer.to_ascii_lowercase().contains("x-ratelimit"), "{answer}");
    assert_eq!(github.requests()[0].status, Some(403));
  }

  #[tokio::test]
  async fn with_one_the_same_request_is_answered() {
    let github = start_with_release().await;
    let answer = exchange(&github, &request("User-Agent: t\r\n")).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
  }
}

fn request(headers: &str) -> String {
  format!("GET {LATEST} HTTP/1.1\r\n{headers}")
}

fn remaining(response: &reqwest::Response) -> u64 {
  number(response, "x-ratelimit-remaining")
}

mod who_may_see {
  use super::*;

  #[tokio::test]
  async fn single_sign_on_is_wanted_of_one_token_by_one_owner() {
    let github = start_with_release().await;
    github.require_single_sign_on("ACME", "one");
    let refused = latest_with(&github, &[TOKEN]).await;
    assert_eq!(refused.status(), 403);
    assert!(
      header(&refused, "x-github-sso")
        .unwrap()
        .starts_with("required; url=https://")
    );
    assert!(json(refused).await["message"].as_str().unwrap().contains("SAML"));
    assert_eq!(latest_with(&github, &[OTHER_TOKEN]).await.status(), 200);
    assert_eq!(latest(&github).await.status(), 200);
  }

  #[tokio::test]
  async fn a_private_repository_is_none_for_those_without_a_token() {
    let github = start_with_release().await;
    github.set_private(REPO);
    assert_eq!(latest(&github).await.status(), 404);
    assert_eq!(get(&github, "/repos/acme/Demo").await.status(), 404);
    assert_eq!(latest_with(&github, &[TOKEN]).await.status(), 200);
  }

  #[tokio::test]
  async fn a_limit_of_one_token_refuses_it_alone_and_a_401_has_nobodys_numbers() {
    let github = start_with_release().await;
    github.set_rate_limit_of(Some("one"), 5_000, 1, RESET);
    assert_eq!(remaining(&latest_with(&github, &[TOKEN]).await), 0);
    assert_eq!(latest_with(&github, &[TOKEN]).await.status(), 403);
    assert_eq!(latest_with(&github, &[OTHER_TOKEN]).await.status(), 200);
    github.set_bad_token("other");
    let refused = latest_with(&github, &[OTHER_TOKEN]).await;
    assert_eq!(
      (refused.status().as_u16(), number(&refused, "x-ratelimit-limit")),
      (401, 60)
    );
  }

  #[rstest]
  #[case(403)]
  #[case(429)]
  #[tokio::test]
  async fn a_limit_in_words_alone_has_no_retry_after_and_leaves_the_account_as_it_is(#[case] status: u16) {
    let github = start_with_release().await;
    github.set_date("Thu, 08 Oct 2026 14:52:50 GMT");
    github.script(REPO, [Answer::secondary_limit_untold(status)]);
    let response = latest(&github).await;
    assert_eq!(response.status(), status);
    assert_eq!((header(&response, "retry-after"), remaining(&response)), (None, 60));
    assert_eq!(header(&response, "date"), Some("Thu, 08 Oct 2026 14:52:50 GMT"));
    assert!(
      json(response).await["message"]
        .as_str()
        .unwrap()
        .contains("secondary rate limit")
    );
  }
}
