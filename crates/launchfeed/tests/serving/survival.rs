//! Killed, stopped, started again: the last good answer with its true, old times.

use std::fs;

use github_standin::{Answer, SampleRelease};
use testkit::Server;

use crate::stage::*;

#[tokio::test(flavor = "multi_thread")]
async fn killed_and_restarted_with_github_unreachable_it_serves_the_last_good_answer_with_its_old_times() {
  let stage = Stage::set().await;
  stage.github.serve_sample_family();
  let family = || program("serve").against(&stage.github.api_url(), stage.state.path());
  let mut first = family().start();
  first.log().wait_for(&["round", "fetched=13"]);
  let before = first.request("GET", PATH);
  // The last app's snapshot is written right after its answer is published; killed before that, its release would be asked anew.
  wait_until_saved(&stage, "wordcraft");
  first.kill();
  stage.github.shutdown().await;
  let mut second = family().start();
  let after = second.request("GET", PATH);
  assert_eq!(after.header("cache-control"), Some("public, max-age=60"));
  assert_eq!(
    (after.headers_but_date(), after.body),
    (before.headers_but_date(), before.body)
  );
  second.terminate();
  assert!(second.wait().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_fresh_in_the_snapshot_is_not_asked_about_again() {
  let stage = stopped_after_asking().await;
  let second = stage.family(TWO_APPS).start();
  assert_eq!(
    answer(&second)["release_info"]["apps"]["beta"]["latest_release"]["tag"],
    "v1"
  );
  stop(second);
  assert_eq!(stage.github.request_count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_old_in_the_snapshot_is_confirmed_with_its_etag_and_served_meanwhile() {
  let stage = stopped_after_asking().await;
  testkit::age_snapshot(stage.state.path(), 7_200);
  let second = stage.family(TWO_APPS).start();
  assert_eq!(
    second.request("GET", PATH).header("cache-control"),
    Some("public, max-age=60")
  );
  second
    .log()
    .wait_for(&["round", "fetched=0", "unchanged=2", "failed=0"]);
  assert!(
    stage
      .github
      .requests()
      .iter()
      .all(|request| request.status == Some(304))
  );
  assert_eq!(stage.github.request_count(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_tokens_etags_are_not_sent() {
  let stage = stopped_after_asking().await;
  testkit::age_snapshot(stage.state.path(), 7_200);
  let second = stage
    .family(TWO_APPS)
    .env("CRAFT_APPS_RELEASE_GITHUB_TOKEN", "ghp_hunter2_other")
    .start();
  second.log().wait_for(&["round", "fetched=0", "unchanged=2"]);
  let requests = stage.github.requests();
  assert!(
    requests
      .iter()
      .all(|request| request.status == Some(200) && request.header("if-none-match").is_none())
  );
  assert!(
    requests
      .iter()
      .all(|request| request.header("authorization") == Some("Bearer ghp_hunter2_other"))
  );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rate_limit_outlives_a_restart() {
  let stage = Stage::set().await;
  stage.github.script_always("acme/alpha", Answer::secondary_limit("600"));
  let first = stage.serve_asked(TWO_APPS);
  assert_eq!(first.log().count(&["round", "rate_limited=true"]), 1);
  stop(first);
  stage.github.clear_requests();
  let second = stage.family(TWO_APPS).start();
  answer(&second);
  let log = second.log().clone();
  stop(second);
  assert_eq!(stage.github.request_count(), 0);
  assert_eq!(log.count(&["GitHub is left alone until then", "until=20"]), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_with_another_catalog_keeps_the_answers_of_the_first_and_says_so() {
  let stage = stopped_after_asking().await;
  stage.github.set_latest("acme/gamma", sample("v1"));
  let other = stage.serve_asked("gamma=Gamma=acme/gamma");
  assert_eq!(
    other.log().count(&["WARN", "apps=2", "kept=alpha, beta", "not served"]),
    1
  );
  assert_eq!(answer(&other)["release_info"]["apps"].as_object().unwrap().len(), 1);
  stop(other);
  stage.github.script_all_always(Answer::html_error(502));
  let back = stage.family(TWO_APPS).start();
  assert_eq!(
    answer(&back)["release_info"]["apps"]["alpha"]["latest_release"]["tag"],
    "v1"
  );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_snapshot_is_named_kept_aside_and_started_without() {
  let stage = stopped_after_asking().await;
  let path = stage.state.path().join("snapshot");
  let whole = fs::read(&path).unwrap();
  fs::write(&path, &whole[..whole.len() / 2]).unwrap();
  stage.github.script_all_always(Answer::html_error(502));
  let second = stage.serve_asked(TWO_APPS);
  second.log().wait_for(&["WARN", "snapshot", "checksum", "kept as"]);
  assert_eq!(
    fs::read(stage.state.path().join("snapshot.bad")).unwrap(),
    &whole[..whole.len() / 2]
  );
  assert_eq!(answer(&second)["release_info"]["last_fetched"], serde_json::Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_state_folder_that_goes_away_is_warned_of_once_and_nothing_else_happens() {
  let stage = Stage::set().await;
  stage.github.set_latest("acme/alpha", sample("v1"));
  let slow = SampleRelease::new("v1").to_json("acme/beta");
  stage.github.script(
    "acme/beta",
    [Answer::release(slow).delay(std::time::Duration::from_secs(2))],
  );
  let mut server = stage.family(TWO_APPS).start();
  stage.github.wait_for_requests(2).await;
  fs::remove_dir_all(stage.state.path()).unwrap();
  server.log().wait_for(&["WARN", "snapshot can't be written"]);
  server.log().wait_for(&["round", "fetched=2"]);
  assert_eq!(
    answer(&server)["release_info"]["apps"]["beta"]["latest_release"]["tag"],
    "v1"
  );
  server.terminate();
  assert!(server.wait().success());
  assert_eq!(server.log().count(&["snapshot can't be written"]), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_in_the_middle_of_a_request_to_github_is_prompt_and_keeps_what_is_known() {
  let stage = Stage::set().await;
  stage.github.set_latest("acme/alpha", sample("v1"));
  stage.github.script_always("acme/beta", Answer::status(200).hang());
  let mut server = stage.family(TWO_APPS).start();
  stage.github.wait_for_requests(2).await;
  let before = std::time::Instant::now();
  server.terminate();
  assert!(server.wait().success());
  assert!(
    before.elapsed() < std::time::Duration::from_secs(9),
    "it didn't wait for GitHub: {:?}",
    before.elapsed()
  );
  let second = stage.family(TWO_APPS).args(["--polling-enabled", "false"]).start();
  assert_eq!(
    answer(&second)["release_info"]["apps"]["alpha"]["latest_release"]["tag"],
    "v1"
  );
}

/// A stage on which the program knew two apps' releases and was stopped.
async fn stopped_after_asking() -> Stage {
  let stage = Stage::set().await;
  stage.github.set_latest("acme/alpha", sample("v1"));
  stage.github.set_latest("acme/beta", sample("v1"));
  stop(stage.serve_asked(TWO_APPS));
  stage.github.clear_requests();
  stage
}

fn stop(mut server: Server) {
  server.terminate();
  assert!(server.wait().success(), "{}", server.log().text());
}

/// Reads the snapshot until it tells of that app; a writer that never writes fails the test at its own deadline.
fn wait_until_saved(stage: &Stage, app: &str) {
  let until = std::time::Instant::now() + testkit::DEADLINE;
  let needle = format!("\"{app}\":{{\"repo\":\"storytold/{app}\",\"fetch\":{{");
  while !fs::read_to_string(stage.state.path().join("snapshot")).is_ok_and(|text| text.contains(&needle)) {
    assert!(std::time::Instant::now() < until, "the snapshot never told of {app}");
    std::thread::yield_now();
  }
}
