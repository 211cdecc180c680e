//! `/livez`, `/readyz` and `launchfeed health`.

use std::time::Duration;

use github_standin::Answer;
use release_feed::{Clock, SystemClock};
use rstest::rstest;
use testkit::{RedisServer, Server, age_snapshot, free_port};

use crate::stage::*;

#[tokio::test(flavor = "multi_thread")]
async fn it_is_unready_until_there_is_something_to_serve() {
  let stage = Stage::set().await;
  stage.github.set_latency(Duration::from_secs(5));
  let server = stage.family().start();
  let answer = ready(&server);
  assert_eq!((answer.status, answer.header("cache-control")), (503, Some("no-store")));
  let said = answer.json();
  assert_eq!(
    (&said["status"], &said["parts"]["answer"]["state"]),
    (&"unready".into(), &"unready".into())
  );
  assert_eq!(server.admin_request("GET", "/livez").body, b"ok\n");
  server.log().wait_for(&["round", "mode="]);
  let answer = ready(&server);
  assert_eq!(answer.status, 200);
  let said = answer.json();
  assert_eq!(said["status"], "ready", "{said}");
  assert_eq!(said["parts"]["redis"]["state"], "off");
}

#[tokio::test(flavor = "multi_thread")]
async fn with_github_down_it_is_degraded_and_serves() {
  let stage = Stage::set().await;
  let mut server = stage.serve_asked();
  server.terminate();
  assert!(server.wait().success());
  age_snapshot(stage.state.path(), 7_200);
  stage.github.script_all_always(Answer::status(500));
  let server = stage.serve_asked();
  let answer = ready(&server);
  assert_eq!(answer.status, 200);
  let said = answer.json();
  assert_eq!(
    (&said["status"], &said["parts"]["github"]["state"]),
    (&"degraded".into(), &"degraded".into())
  );
  let reason = said["parts"]["github"]["reason"].as_str().unwrap();
  assert!(reason.starts_with("GitHub is left alone until "), "{reason}");
  assert_eq!(
    said["parts"]["answer"]["state"], "degraded",
    "the answer is two hours old: {said}"
  );
  let status = server.admin_request("GET", "/status").json();
  let failure = status["apps"]["alpha"]["last_failure"].as_str().unwrap();
  assert!(failure.starts_with("GitHub answered 500"), "{failure}");
  assert_eq!(server.request("GET", PATH).status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn with_no_requests_left_it_is_degraded_and_says_until_when() {
  let stage = Stage::set().await;
  let reset_secs = 1_800 + SystemClock.now().0.unsigned_abs() / 1_000;
  // As many as there are apps: each of them is known, and then nothing is left.
  stage.github.set_rate_limit(60, 2, reset_secs);
  let server = stage.serve_asked();
  let answer = ready(&server);
  assert_eq!(answer.status, 200);
  let said = answer.json();
  assert_eq!(said["parts"]["github"]["state"], "degraded", "{said}");
  let reason = said["parts"]["github"]["reason"].as_str().unwrap();
  let expected = "nothing is left of the requests that GitHub allows: nobody asks before there are new ones at ";
  assert!(reason.starts_with(expected), "{reason}");
  let status = server.admin_request("GET", "/status").json();
  let until = status["github"]["used_up_until"].as_str().unwrap();
  assert!(reason.ends_with(until), "{reason} but {until}");
  assert!(status["github"]["backoff_until"].is_null(), "{status}");
}

#[tokio::test(flavor = "multi_thread")]
async fn with_redis_gone_it_is_degraded_and_ready_again_when_it_is_back() {
  let (stage, mut redis) = (Stage::set().await, RedisServer::start());
  redis.kill();
  let server = stage.family().env("LAUNCHFEED_REDIS_URL", redis.url()).start();
  server.log().wait_for(&["round", "mode="]);
  let said = ready(&server).json();
  assert_eq!(
    (&said["status"], &said["parts"]["redis"]["state"]),
    (&"degraded".into(), &"degraded".into())
  );
  let reason = said["parts"]["redis"]["reason"].as_str().unwrap();
  assert!(
    reason.starts_with("reading what the fleet shares fails for "),
    "{reason}"
  );
  assert_eq!(
    server.admin_request("GET", "/status").json()["fleet"]["mode"],
    "standalone"
  );
  redis.start_again();
  server.log().wait_for(&["Redis:", "works again"]);
  wait_for_status(&server, "ready");
}

#[test]
fn while_it_stops_it_is_not_to_be_sent_requests() {
  let state = testkit::temporary_folder();
  let serve = program("serve").against("http://127.0.0.1:1", state.path());
  let mut server = serve.args(["--polling-enabled", "false"]).start();
  let stuck = stuck_client(server.address());
  server.terminate();
  server.log().wait_for(&["stopping"]);
  let answer = ready(&server);
  assert_eq!((answer.status, &answer.json()["status"]), (503, &"stopping".into()));
  drop(stuck);
  assert!(server.wait().success());
}

#[rstest]
#[case::live("/livez")]
#[case::ready("/readyz")]
#[case::metrics("/metrics")]
#[case::status("/status")]
#[tokio::test(flavor = "multi_thread")]
async fn a_private_path_can_only_be_read(#[case] path: &str) {
  let stage = Stage::set().await;
  let server = stage.serve_asked();
  let (get, head) = (server.admin_request("GET", path), server.admin_request("HEAD", path));
  assert_eq!((get.status, head.status, head.body.len()), (200, 200, 0));
  assert_eq!(get.header("cache-control"), Some("no-store"));
  let post = server.admin_request("POST", path);
  assert_eq!((post.status, post.header("allow")), (405, Some("GET, HEAD")));
  assert_eq!(post.json()["error"]["code"], "method_not_allowed");
  let elsewhere = server.admin_request("GET", &format!("{path}/"));
  assert_eq!(
    (elsewhere.status, &elsewhere.json()["error"]["code"]),
    (404, &"not_found".into())
  );
  assert_eq!(server.request("GET", path).status, 404, "it isn't for everybody");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_says_in_one_line_and_by_its_exit_code_how_it_is() {
  let stage = Stage::set().await;
  stage.github.script_always("acme/beta", Answer::status(500));
  let degraded = stage.serve_asked();
  let (code, line) = health(&degraded, &[]);
  assert_eq!(code, 0);
  assert!(
    line.starts_with("degraded: answer: 1 of 2 apps is known; not yet: beta; github: "),
    "{line}"
  );
  assert!(line.contains("GitHub answered 500"), "{line}");
  let (code, json) = health(&degraded, &["--json"]);
  let said: serde_json::Value = serde_json::from_str(&json).unwrap();
  assert_eq!((code, &said["status"]), (0, &"degraded".into()));

  stage.github.clear_all();
  let other = Stage::set().await;
  let ready = other.serve_asked();
  assert_eq!(
    health(&ready, &[]),
    (
      0,
      "ready: all 2 apps are known; the oldest was fetched 0 s ago".to_owned()
    )
  );
  let url = format!("http://{}", ready.admin_address());
  let (status, line, _) = program("health").args(["--url", &url]).run();
  assert!(status.success() && line.starts_with("ready: "), "{line}");

  let empty_state = testkit::temporary_folder();
  let unready = program("serve").against(&stage.github.api_url(), empty_state.path());
  let unready = unready.args(["--polling-enabled", "false"]).start();
  let (code, line) = health(&unready, &[]);
  assert_eq!(code, 1);
  assert!(
    line.starts_with("unready: answer: there is nothing to serve yet"),
    "{line}"
  );
  assert_eq!(health(&unready, &["--live"]), (0, "live".to_owned()));
}

#[rstest]
#[case::ready("")]
#[case::live("--live")]
#[case::json("--json")]
fn where_nobody_answers_the_command_says_so(#[case] flag: &str) {
  let flags: Vec<&str> = [flag].into_iter().filter(|flag| !flag.is_empty()).collect();
  let port = free_port();
  let asked = program("health").env("LAUNCHFEED_ADMIN_LISTEN", format!("127.0.0.1:{port}"));
  let (status, line, said) = asked.args(flags).run();
  assert_eq!((status.code(), said.as_str()), (Some(1), ""));
  assert!(
    line.contains("unreachable") && line.contains(&port.to_string()),
    "{line}"
  );
  assert_eq!(line.lines().count(), 1);
}

#[test]
fn somebody_else_who_answers_is_not_taken_for_an_instance() {
  let state = testkit::temporary_folder();
  let serve = program("serve").against("http://127.0.0.1:1", state.path());
  let server = serve.args(["--polling-enabled", "false"]).start();
  let url = format!("http://{}", server.address());
  for flags in [&["--url", &url][..], &["--url", &url, "--live"]] {
    let (status, line, _) = program("health").args(flags).run();
    assert_eq!(status.code(), Some(1));
    assert!(line.contains("404"), "{line}");
  }
}

#[rstest]
#[case::switched_off("none", &[])]
#[case::any_port("127.0.0.1:0", &[])]
#[case::no_address("nowhere", &[])]
#[case::no_url("127.0.0.1:1", &["--url", "https://example.org"])]
#[case::unknown_flag("127.0.0.1:1", &["--port", "1"])]
fn used_wrongly_the_command_exits_with_2(#[case] listen: &str, #[case] flags: &[&str]) {
  let asked = program("health").env("LAUNCHFEED_ADMIN_LISTEN", listen).args(flags);
  let (status, line, said) = asked.run();
  assert_eq!((status.code(), line.as_str()), (Some(2), ""));
  assert!(!said.is_empty());
}

/// The exit code and what is printed.
fn health(server: &Server, flags: &[&str]) -> (i32, String) {
  let asked = program("health").env("LAUNCHFEED_ADMIN_LISTEN", server.admin_address().to_string());
  let (status, line, said) = asked.args(flags).run();
  assert_eq!((said.as_str(), line.lines().count()), ("", 1), "{line}");
  (status.code().unwrap(), line)
}

#[test]
fn a_password_in_an_address_is_not_said_back() {
  for url in ["http://me:hunter2@127.0.0.1:1", "http://127.0.0.1:1/?key=hunter2"] {
    let (status, _, said) = program("health").args(["--url", url]).run();
    assert_eq!(status.code(), Some(2));
    assert!(said.contains("--url") && !said.contains("hunter2"), "{said}");
  }
}
