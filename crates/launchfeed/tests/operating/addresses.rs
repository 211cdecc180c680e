//! Where the private listener listens.

use std::net::TcpListener;

use testkit::request;

use crate::stage::*;

const DEFAULT: &str = "127.0.0.1:8081";

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_is_taken_stops_the_start_with_the_name_of_the_setting() {
  let stage = Stage::set().await;
  let taken = TcpListener::bind("127.0.0.1:0").unwrap();
  let address = taken.local_addr().unwrap().to_string();
  let (status, _, log) = stage.family().args(["--admin-listen", &address]).run();
  assert_eq!(status.code(), Some(2), "{log}");
  let said = format!("launchfeed: LAUNCHFEED_ADMIN_LISTEN (--admin-listen): can't listen on {address}: ");
  assert!(log.lines().any(|line| line.starts_with(&said)), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_public_address_can_not_be_the_private_one_too() {
  let same = "127.0.0.1:12345";
  let (status, _, log) = program("serve").args(["--listen", same, "--admin-listen", same]).run();
  assert_eq!(status.code(), Some(2), "{log}");
  assert!(log.contains("can't be listened on beside LAUNCHFEED_LISTEN"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn it_can_be_switched_off() {
  let stage = Stage::set().await;
  let server = stage.family().args(["--admin-listen", "none"]).start();
  server.log().wait_for(&["metrics, health and status are switched off"]);
  assert_eq!(server.request("GET", PATH).status, 200);
}

#[test]
fn a_demonstration_takes_any_free_port_where_its_own_is_taken() {
  // Somebody else may have it: that is as good.
  let taken = TcpListener::bind(DEFAULT);
  // A blank variable counts as none.
  let demo = program("demo")
    .args(["--listen", "127.0.0.1:0"])
    .env("LAUNCHFEED_ADMIN_LISTEN", "")
    .start();
  let address = demo.admin_address();
  assert_ne!(address.to_string(), DEFAULT);
  demo.output().wait_for(&[&format!("http://{address}/status")]);
  assert_eq!(request(address, "GET", "/livez").status, 200);
  drop(taken);
}
