//! The token, and what it allows.

use std::time::{Duration, UNIX_EPOCH};

use github_standin::Answer;
use release_feed::{Clock, SystemClock};
use rstest::rstest;

use crate::stage::*;

const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[tokio::test(flavor = "multi_thread")]
async fn without_a_token_the_address_has_60_requests_an_hour() {
  let stage = Stage::set().await;
  let visit = visit(stage.doctor());
  visit.expect("token", "warning", &["60 requests an hour", TOKEN_VARIABLE]);
  visit.expect("budget", "ok", &["60 of 60", "2 apps every 1800 s need at most 4"]);
  visit.expect_wrong(&[]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_token_is_wrong_while_github_is_there() {
  let stage = Stage::set().await;
  stage.github.set_bad_token(&format!("ghp_{SECRET}"));
  let visit = visit(stage.doctor_with_token());
  visit.expect("github", "ok", &["answers"]);
  visit.expect("github_clock", "ok", &[]);
  visit.expect("token", "wrong", &["401", TOKEN_VARIABLE]);
  visit.expect_wrong(&["token"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_expires_soon_and_one_with_rights_are_warned_of() {
  let stage = Stage::set().await;
  stage.github.set_token_scopes("repo, user");
  stage.github.set_token_expiration(&expiration(A_DAY * 5 + A_DAY / 2));
  let found = visit(stage.doctor_with_token()).of("token");
  assert!(found.iter().all(|found| found.verdict == "warning"), "{found:?}");
  assert!(found[0].what.contains("repo, user"), "{found:?}");
  assert!(found[1].what.contains("it expires in 5 days"), "{found:?}");
  assert_eq!(found.len(), 2);
  stage.github.clear_tokens();
  stage.github.set_token_expiration(&expiration(A_DAY * 20));
  visit(stage.doctor_with_token()).expect("token", "ok", &["it expires in 19 days"]);
  stage.github.clear_tokens();
  stage.github.set_token_expiration("some day");
  visit(stage.doctor_with_token()).expect("token", "ok", &["some day"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interval_that_the_limit_does_not_cover_is_wrong_and_says_which_would_do() {
  let stage = Stage::set().await;
  let doctor = stage.doctor_of_the_built_in_list();
  let visit = visit(doctor.args(["--poll-interval-secs", "300"]));
  visit.expect(
    "budget",
    "wrong",
    &[
      "13 apps every 300 s need at most 156",
      "CRAFT_APPS_RELEASE_POLL_INTERVAL_SECS to 975 or more",
    ],
  );
  visit.expect_wrong(&["budget"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_that_is_used_up_is_wrong() {
  let stage = Stage::set().await;
  let now = u64::try_from(SystemClock.now().0 / 1_000).unwrap();
  stage.github.set_rate_limit(5_000, 0, now + 1_800);
  let visit = visit(stage.doctor_with_token());
  visit.expect("budget", "wrong", &["0 of 5000", "nothing is left", "min"]);
}

#[rstest]
#[case::primary(Answer::primary_limit(4_000_000_000), "until 20")]
#[case::secondary(Answer::secondary_limit("600"), "until 20")]
#[case::bare(Answer::status(429), "left alone")]
#[tokio::test(flavor = "multi_thread")]
async fn a_github_that_wants_to_be_left_alone_is_wrong_and_reached(#[case] answer: Answer, #[case] words: &str) {
  let stage = Stage::set().await;
  stage.github.script_all_always(answer);
  let visit = visit(stage.doctor_with_token());
  visit.expect("github", "ok", &["answers"]);
  visit.expect("budget", "wrong", &["left alone", words]);
  visit.expect("token", "not_applicable", &[]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_gets_lost_on_the_way_is_noticed() {
  let stage = Stage::set().await;
  stage.github.set_rate_limit(60, 60, 4_000_000_000);
  visit(stage.doctor_with_token()).expect("token", "warning", &["as nobody's", "Authorization"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_several_tokens_each_has_its_line_and_what_is_left_adds_up() {
  let stage = Stage::set().await;
  let bad = format!("ghp_bad_{SECRET}");
  stage.github.set_bad_token(&bad);
  let more = format!("ghp_two_{SECRET}, {bad}");
  let doctor = stage.doctor_with_token().env("LAUNCHFEED_GITHUB_TOKENS", more);
  let visit = visit(doctor);
  let verdicts: Vec<String> = visit.of("token").into_iter().map(|found| found.verdict).collect();
  assert_eq!(verdicts, ["ok", "ok", "wrong"]);
  assert!(
    visit.of("token")[2].what.starts_with("3 of 3 ("),
    "{:?}",
    visit.of("token")
  );
  visit.expect("budget", "ok", &["10000 of 10000"]);
  visit.expect_wrong(&["token"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_enterprise_server_without_limits_is_well() {
  let stage = Stage::set().await;
  stage
    .github
    .script_all_always(Answer::status(404).message("Rate limiting is not enabled."));
  let visit = visit(stage.doctor_with_token());
  visit.expect("github", "ok", &["answers"]);
  visit.expect("token", "ok", &["GitHub takes it"]);
  visit.expect("budget", "ok", &["no limit"]);
}

/// So far from now, in GitHub's form.
fn expiration(from_now: Duration) -> String {
  let at = SystemClock.now().plus(from_now).to_utc_time().unwrap().to_string();
  at.replace('T', " ").replace('Z', " UTC")
}

/// A `Date` that is that many seconds ahead of this machine's clock.
pub(crate) fn date(ahead_secs: i64) -> String {
  let at = SystemClock.now().shifted_by_ms(ahead_secs * 1_000);
  httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_millis(u64::try_from(at.0).unwrap()))
}
