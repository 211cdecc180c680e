//! The address to listen on, and the one at which launchers find the server.

use std::net::TcpListener;

use github_standin::{Answer, StandIn};
use rstest::rstest;
use testkit::ServerBuilder;

use crate::stage::*;

const VARIABLE: &str = "LAUNCHFEED_PUBLIC_URL";
const FETCHED: (&str, &str) = ("x-last-fetched", "2026-10-08T14:52:50Z");

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_another_program_has_is_wrong() {
  let stage = Stage::set().await;
  let taken = TcpListener::bind("127.0.0.1:0").unwrap();
  let address = taken.local_addr().unwrap().to_string();
  let visit = visit(stage.doctor().args(["--listen", &address]));
  visit.expect("listen", "wrong", &[&address, "another program listens there already"]);
  visit.expect_wrong(&["listen"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_of_another_machine_is_wrong() {
  let stage = Stage::set().await;
  let visit = visit(stage.doctor().args(["--listen", "192.0.2.1:8080"]));
  visit.expect("listen", "wrong", &["no address of this machine", "--listen"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_has_not_asked_yet_is_known_all_the_same() {
  let stage = Stage::set().await;
  let state = testkit::temporary_folder();
  let server = ServerBuilder::new(env!("CARGO_BIN_EXE_launchfeed"), "serve")
    .against(&stage.github.api_url(), state.path())
    .args(["--apps", TWO_APPS, "--polling-enabled", "false"])
    .start();
  let url = format!("http://{}", server.address());
  let visit = visit(stage.doctor().env(VARIABLE, &url));
  visit.expect("public_url", "warning", &[&url, "not every app was fetched yet"]);
}

#[rstest]
#[case::without_etag(
  answer().header("content-encoding", "gzip"),
  "warning", &["no ETag", "If-None-Match"]
)]
#[case::not_compressed(
  answer().header("etag", "W/\"a\"").without_header("content-encoding").body("x".repeat(5_000)),
  "warning", &["isn't compressed"]
)]
#[case::whole(answer().header("etag", "W/\"a\"").header("content-encoding", "gzip"), "ok", &["as it should"])]
#[case::moved(Answer::redirect(301, "https://elsewhere.example/"), "warning", &["301", "https://elsewhere.example/"])]
#[case::moved_nowhere(Answer::redirect(302, "\u{9b}\u{85}"), "warning", &["302"])]
#[case::bad_gateway(Answer::html_error(502), "wrong", &["502", "proxy"])]
#[case::another_program(Answer::status(200), "wrong", &["something else than launchfeed"])]
#[case::broken_off(Answer::reset(), "wrong", &["can't be reached", "start the server"])]
#[tokio::test(flavor = "multi_thread")]
async fn what_a_proxy_makes_of_the_answer_is_told(
  #[case] answer: Answer,
  #[case] verdict: &str,
  #[case] words: &[&str],
) {
  let (stage, proxy) = (Stage::set().await, StandIn::start().await.unwrap());
  proxy.script_all_always(answer);
  let visit = visit(stage.doctor().env(VARIABLE, format!("{}/", proxy.api_url())));
  visit.expect("public_url", verdict, words);
  let asked = &proxy.requests()[0];
  assert_eq!(
    (asked.method.as_str(), asked.path.as_str()),
    ("HEAD", "/v1/release_info")
  );
  assert_eq!(asked.header("accept-encoding"), Some("gzip"));
}

#[rstest]
#[case("apps.example.org", "is no address")]
#[case("ftp://apps.example.org", "neither http nor https")]
#[case("https://apps.example.org/?a=b", "query or fragment")]
#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_is_no_address_is_wrong(#[case] value: &str, #[case] why: &str) {
  let stage = Stage::set().await;
  let visit = visit(stage.doctor().env(VARIABLE, value));
  visit.expect("public_url", "wrong", &[why]);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_tls_an_address_for_others_is_warned_of() {
  let stage = Stage::set().await;
  let visit = visit(stage.doctor().env(VARIABLE, "http://launchfeed.invalid"));
  let found = visit.of("public_url");
  assert_eq!(found[0].verdict, "warning", "{found:?}");
  assert!(found[0].what.contains("isn't https"), "{found:?}");
  assert!(found[1].what.contains("the name can't be resolved"), "{found:?}");
}

fn answer() -> Answer {
  Answer::status(200).header(FETCHED.0, FETCHED.1)
}
