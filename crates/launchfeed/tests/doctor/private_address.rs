//! The private address: free, the running instance's, somebody else's, or open to others.

use std::net::TcpListener;

use rstest::rstest;
use testkit::{Server, ServerBuilder, free_port};

use crate::stage::*;

const VARIABLE: &str = "LAUNCHFEED_ADMIN_LISTEN";

#[tokio::test(flavor = "multi_thread")]
async fn one_that_is_free_and_none_at_all_are_fine() {
  let stage = Stage::set().await;
  let at = |address: &str| visit(stage.doctor_with_token().env(VARIABLE, address));
  let free = format!("127.0.0.1:{}", free_port());
  at(&free).expect("admin_listen", "ok", &[&free, "is free"]);
  at("localhost:0").expect("admin_listen", "ok", &["any free port"]);
  at("none").expect("admin_listen", "ok", &["switched off"]);
}

#[rstest]
#[case::of_nobody_it_knows("nothing", "")]
#[case::of_a_server_of_another_kind("another server", "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nok\n")]
#[tokio::test(flavor = "multi_thread")]
async fn one_that_another_program_has_is_wrong(#[case] _what: &str, #[case] answer: &'static str) {
  let stage = Stage::set().await;
  let taken = TcpListener::bind("127.0.0.1:0").unwrap();
  let address = taken.local_addr().unwrap().to_string();
  std::thread::spawn(move || {
    for mut stream in taken.incoming().flatten() {
      drop(std::io::Write::write_all(&mut stream, answer.as_bytes()));
    }
  });
  let visit = visit(stage.doctor_with_token().env(VARIABLE, &address));
  visit.expect(
    "admin_listen",
    "wrong",
    &[&address, "another program listens there already", "--admin-listen"],
  );
  visit.expect_wrong(&["admin_listen"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_takes_connections_and_says_nothing_holds_nobody_up() {
  let stage = Stage::set().await;
  let taken = TcpListener::bind("127.0.0.1:0").unwrap();
  let address = taken.local_addr().unwrap().to_string();
  let visit = visit(stage.doctor_with_token().env(VARIABLE, &address));
  visit.expect("admin_listen", "wrong", &["another program listens there already"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn that_the_running_instance_has_it_is_fine() {
  let stage = Stage::set().await;
  let server = instance(&stage, stage.state.path());
  let address = server.admin_address().to_string();
  let visit = visit(stage.doctor_with_token().env(VARIABLE, &address));
  visit.expect("admin_listen", "ok", &["a running instance has", &address, "and is "]);
  visit.expect_wrong(&[]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_with_another_state_folder_is_another_program() {
  let (stage, other) = (Stage::set().await, testkit::temporary_folder());
  let server = instance(&stage, other.path());
  let address = server.admin_address().to_string();
  let visit = visit(stage.doctor_with_token().env(VARIABLE, &address));
  let words = ["another instance of launchfeed", &address, "--state-dir"];
  visit.expect("admin_listen", "wrong", &words);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_another_machine_is_wrong_and_a_value_that_is_none_is_not_replaced() {
  let stage = Stage::set().await;
  let at = |address: &str| visit(stage.doctor_with_token().env(VARIABLE, address));
  let elsewhere = at("192.0.2.1:8081");
  let found = elsewhere.of("admin_listen");
  assert_eq!(found[0].verdict, "wrong", "{found:?}");
  assert!(found[0].what.contains("no address of this machine"), "{found:?}");
  at("nowhere").expect("admin_listen", "not_applicable", &["not checked", "--admin-listen"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_others_can_reach_is_warned_of() {
  let stage = Stage::set().await;
  for address in ["0.0.0.0:0", "[::]:0"] {
    let visit = visit(stage.doctor_with_token().env(VARIABLE, address));
    let found = visit.of("admin_listen");
    assert_eq!(
      found.iter().map(|found| found.verdict.as_str()).collect::<Vec<_>>(),
      ["ok", "warning"]
    );
    assert!(found[1].what.contains("whoever reaches it reads"), "{found:?}");
    visit.expect_wrong(&[]);
  }
}

fn instance(stage: &Stage, state: &std::path::Path) -> Server {
  ServerBuilder::new(env!("CARGO_BIN_EXE_launchfeed"), "serve")
    .against(&stage.github.api_url(), state)
    .args(["--apps", TWO_APPS, "--polling-enabled", "false"])
    .start()
}
