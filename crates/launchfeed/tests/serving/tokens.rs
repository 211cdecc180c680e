//! Several tokens.

use github_standin::Answer;

use crate::stage::*;

const ONE: &str = "ghp_hunter2_one";
const TWO: &str = "ghp_hunter2_two";

#[tokio::test(flavor = "multi_thread")]
async fn the_next_token_goes_on_where_one_is_used_up_and_one_is_refused() {
  let stage = Stage::set().await;
  stage.github.set_latest("acme/alpha", sample("v1"));
  stage.github.set_latest("acme/beta", sample("v1"));
  stage.github.set_bad_token("ghp_hunter2_bad");
  stage.github.set_rate_limit_of(Some(ONE), 5_000, 0, 4_000_000_000);
  let mut server = stage
    .family(TWO_APPS)
    .env("CRAFT_APPS_RELEASE_GITHUB_TOKEN", ONE)
    .env("LAUNCHFEED_GITHUB_TOKENS", format!(" ghp_hunter2_bad,, {TWO}, {ONE}"))
    .env("LAUNCHFEED_LOG", "trace")
    .start();
  server
    .log()
    .wait_for(&["round", "fetched=2", "failed=0", "rate_limited=false"]);
  let tokens: Vec<String> = stage
    .github
    .requests()
    .iter()
    .map(|request| request.header("authorization").unwrap_or_default().to_owned())
    .collect();
  assert_eq!(
    tokens,
    [ONE, "ghp_hunter2_bad", TWO, TWO].map(|token| format!("Bearer {token}"))
  );
  assert_eq!(server.log().count(&["WARN", "refused the token", "with the others"]), 1);
  server.terminate();
  server.wait();
  let snapshot = std::fs::read_to_string(stage.state.path().join("snapshot")).unwrap();
  for text in [server.log().text(), snapshot] {
    assert!(!text.contains("hunter2"), "{text}");
  }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_turned_away_is_worth_a_warning_where_there_is_no_other_way() {
  let stage = Stage::set().await;
  stage.github.set_latest("acme/alpha", sample("v1"));
  stage.github.set_private("acme/alpha");
  stage.github.script_always("acme/alpha", Answer::denied());
  stage.github.set_latest("acme/beta", sample("v1"));
  stage.github.script("acme/beta", [Answer::denied()]);
  let server = stage
    .family(TWO_APPS)
    .env("CRAFT_APPS_RELEASE_GITHUB_TOKEN", ONE)
    .start();
  server.log().wait_for(&["round", "fetched=1", "failed=1"]);
  let count = |words: &[&str]| server.log().count(words);
  let log = server.log().text();
  assert_eq!(count(&["INFO", "turns the token away", "acme/alpha"]), 1, "{log}");
  assert_eq!(count(&["INFO", "turns the token away", "acme/beta"]), 1, "{log}");
  assert_eq!(
    count(&[
      "WARN",
      "asking failed",
      "acme/alpha",
      "GitHub answered 403: access is denied"
    ]),
    1,
    "{log}"
  );
  assert_eq!(count(&["WARN", "acme/beta"]), 0, "{log}");
}
