//! Settings that can't be used.

use rstest::rstest;

use crate::stage::*;

#[tokio::test(flavor = "multi_thread")]
async fn every_wrong_value_is_told_and_the_rest_is_looked_at_all_the_same() {
  let stage = Stage::set().await;
  let visit = visit(
    stage
      .doctor_with_token()
      .args(["--max-backoff-secs", "soon", "--log-format", "xml", "--log", "wibble"])
      .env("LAUNCHFEED_REDIS_URL", format!("http://u:{SECRET}@h"))
      .env("LAUNCHFEED_ADMIN_TOKEN", SECRET),
  );
  let found = visit.of("configuration");
  let wrong: Vec<&str> = found
    .iter()
    .filter(|found| found.verdict == "wrong")
    .map(|found| found.what.as_str())
    .collect();
  for name in ["--max-backoff-secs", "--log-format", "--log)", "--redis-url"] {
    assert!(wrong.iter().any(|what| what.contains(name)), "{name} in {wrong:#?}");
  }
  assert_eq!(wrong.len(), 4);
  assert!(
    found
      .iter()
      .any(|found| found.verdict == "warning" && found.what.contains("LAUNCHFEED_ADMIN_TOKEN"))
  );
  visit.expect("redis", "not_applicable", &["not checked", "--redis-url"]);
  visit.expect("state_folder", "ok", &["can be written to"]);
  visit.expect("github", "ok", &["answers"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_asked_in_place_of_an_address_that_cannot_be_read() {
  let stage = Stage::set().await;
  let visit = visit(
    stage
      .doctor_with_token()
      .args(["--github-api-url", "nowhere", "--listen", "nowhere"]),
  );
  visit.expect("github", "not_applicable", &["--github-api-url"]);
  visit.expect("listen", "not_applicable", &["--listen"]);
  visit.expect_wrong(&["configuration", "configuration"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_in_an_address_is_never_shown() {
  let stage = Stage::set().await;
  let address = format!("https://u:{SECRET}@h");
  for variable in ["LAUNCHFEED_GITHUB_WEB_URL", "LAUNCHFEED_GITHUB_API_URL"] {
    let visit = visit(stage.doctor_with_token().env(variable, &address));
    visit.expect("configuration", "wrong", &[variable, "has a user or password"]);
  }
  let visit = visit(stage.doctor_with_token().env("LAUNCHFEED_PUBLIC_URL", &address));
  visit.expect(
    "public_url",
    "wrong",
    &["LAUNCHFEED_PUBLIC_URL", "has a user or password"],
  );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_cannot_be_used_is_not_sent_and_what_it_would_allow_is_not_guessed() {
  let stage = Stage::set().await;
  let visit = visit(stage.doctor().env(TOKEN_VARIABLE, format!("{SECRET} {SECRET}")));
  visit.expect("configuration", "wrong", &["--github-token"]);
  visit.expect("github", "ok", &["answers"]);
  visit.expect("token", "not_applicable", &[]);
  visit.expect("budget", "not_applicable", &["60 of 60"]);
  assert_eq!(stage.github.requests()[0].header("authorization"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn with_polling_off_nobody_is_asked() {
  let stage = Stage::set().await;
  let visit = visit(stage.doctor().args(["--polling-enabled", "false"]));
  visit.expect("github", "not_applicable", &["polling is off"]);
  assert_eq!(stage.github.request_count(), 0);
}

#[rstest]
#[case(&["--nonsense"])]
#[case(&["--listen"])]
#[case(&["file"])]
fn flags_that_are_none_are_another_mistake(#[case] arguments: &[&str]) {
  let (status, output, notes) = doctor().args(arguments).run();
  assert_eq!((status.code(), output.as_str()), (Some(2), ""), "{notes}");
}
