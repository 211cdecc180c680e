//! GitHub that can't be reached, isn't GitHub, or doesn't stop.

use std::time::{Duration, Instant};

use github_standin::Answer;
use rstest::rstest;
use testkit::{RedisServer, free_port};

use crate::stage::*;
use crate::token::date;

const LIMITS: &str = r#"{"resources":{"core":{"limit":5000,"used":0,"remaining":5000,"reset":4000000000}}}"#;
/// A check's ten seconds, and whatever a busy machine adds.
const SOON: Duration = Duration::from_secs(30);

#[rstest]
#[case::html(Answer::html_error(200), "isn't GitHub's")]
#[case::other_json(Answer::status(200), "isn't GitHub's")]
#[case::deep_json(Answer::status(200).body("[".repeat(1_000_000)), "isn't GitHub's")]
#[case::ten_megabytes(Answer::status(200).body("x".repeat(10_000_000)), "longer than any of GitHub's")]
#[case::endless(Answer::status(200).endless(), "longer than any of GitHub's")]
#[case::endless_zeros(Answer::status(200).endless_gzip(), "longer than any of GitHub's")]
#[case::endless_error(Answer::status(500).endless(), "500")]
#[case::byte_by_byte(Answer::status(200).body(LIMITS).drip(Duration::from_millis(500)), "no answer in time")]
#[case::silent(Answer::status(200).hang(), "no answer in time")]
#[case::cut_off(Answer::status(200).body(LIMITS).truncated(), "broke off")]
#[case::closed(Answer::reset(), "broke off")]
#[case::down(Answer::html_error(503), "503")]
#[case::elsewhere(
  Answer::redirect(302, "https://login.example/?\u{9b}"),
  "302, a redirect to https://login.example/?"
)]
#[case::not_the_api(Answer::not_found(), "404: Not Found")]
#[case::steering_the_terminal(Answer::status(500).message("\u{1b}[31m\u{202e}red\r\n"), "500")]
#[case::saying_the_token_back(Answer::status(500).message(&format!("bad token ghp_{SECRET}")), "500")]
#[case::sending_the_token_back(Answer::redirect(307, &format!("https://evil.example/ghp_{SECRET}")), "307")]
#[tokio::test(flavor = "multi_thread")]
async fn whatever_answers_in_its_place_is_told_in_bounded_time_and_the_rest_is_looked_at(
  #[case] answer: Answer,
  #[case] words: &str,
) {
  let stage = Stage::set().await;
  stage.github.script_all_always(answer);
  let started = Instant::now();
  let visit = visit(stage.doctor_with_token());
  assert!(started.elapsed() < SOON, "{:?}", started.elapsed());
  let found = visit.expect("github", "wrong", &[&stage.github.api_url(), words]);
  assert!(found.what.chars().count() < 600, "{found:?}");
  assert!(
    !found.what.contains(['\u{1b}', '\u{9b}', '\u{202e}', '\n']),
    "{found:?}"
  );
  assert_eq!(visit.of("public_url").len(), 1);
  visit.expect_wrong(&["github"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn scopes_that_say_the_token_back_are_hidden() {
  let stage = Stage::set().await;
  stage.github.set_token_scopes(&format!("ghp_{SECRET}"));
  visit(stage.doctor_with_token()).expect("token", "warning", &["***"]);
}

#[rstest]
#[case(-1, "ok", "agrees")]
#[case(-20, "warning", "behind")]
#[case(20, "warning", "ahead of")]
#[case(-3_600, "wrong", "behind")]
#[case(3_600, "wrong", "59 min ahead of")]
#[tokio::test(flavor = "multi_thread")]
async fn its_clock_is_compared_with_this_machines(#[case] ahead_secs: i64, #[case] verdict: &str, #[case] words: &str) {
  let stage = Stage::set().await;
  stage
    .github
    .script_all_always(Answer::status(200).body(LIMITS).header("date", date(ahead_secs)));
  visit(stage.doctor_with_token()).expect("github_clock", verdict, &[words]);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_date_nothing_is_said_of_the_clock() {
  let stage = Stage::set().await;
  stage
    .github
    .script_all_always(Answer::status(200).body(LIMITS).without_header("date"));
  visit(stage.doctor_with_token()).expect("github_clock", "not_applicable", &["no date"]);
}

mod on_the_way {
  use super::*;

  #[tokio::test(flavor = "multi_thread")]
  async fn a_name_that_is_nobodys_is_told_from_a_port_where_nobody_listens() {
    let stage = Stage::set().await;
    let at = |url: &str| visit(stage.doctor_with_token().args(["--github-api-url", url]));
    let visit = at("http://github.invalid");
    visit.expect("github", "wrong", &["the name can't be resolved", "name resolution"]);
    visit.expect("token", "not_applicable", &["can't be reached"]);
    let nobody = format!("http://127.0.0.1:{}", free_port());
    at(&nobody).expect("github", "wrong", &[&nobody, "no connection", "firewall"]);
  }

  #[tokio::test(flavor = "multi_thread")]
  async fn a_server_that_nobody_vouches_for_and_one_without_tls_are_told_from_others() {
    let stage = Stage::set().await;
    let (_redis, tls_port, _) = RedisServer::start_with_tls();
    let without_tls = stage.github.api_url().replace("http:", "https:");
    for url in [format!("https://localhost:{tls_port}"), without_tls] {
      let visit = visit(stage.doctor_with_token().args(["--github-api-url", &url]));
      visit.expect("github", "wrong", &["the connection isn't secure", "CA certificates"]);
    }
  }

  #[tokio::test(flavor = "multi_thread")]
  async fn a_proxy_is_named_and_its_password_is_not() {
    let stage = Stage::set().await;
    let proxy = format!("http://u:{SECRET}@127.0.0.1:{}", free_port());
    let visit = visit(stage.doctor_with_token().env("HTTP_PROXY", &proxy).env("NO_PROXY", ""));
    visit.expect("github", "wrong", &["(HTTP_PROXY is set)", "can't be reached"]);
    let tunnel = stage
      .doctor_with_token()
      .args(["--github-api-url", "https://github.invalid"]);
    let visit = self::visit(tunnel.env("https_proxy", &proxy).env("NO_PROXY", ""));
    visit.expect(
      "github",
      "wrong",
      &["(https_proxy is set)", "the proxy makes no connection", "HTTPS_PROXY"],
    );
  }
}
