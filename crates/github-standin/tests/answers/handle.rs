//! What the handle tells and does.

use std::io::Read;
use std::net::TcpStream;

use github_standin::{SampleRelease, StandIn, StandInOptions};

use crate::asking::*;

#[tokio::test(flavor = "multi_thread")]
async fn every_request_is_remembered_as_it_came_and_secrets_are_not_printed() {
  let github = StandIn::start().await.unwrap();
  get_with(
    &github,
    &format!("{LATEST}?x=1"),
    &[("Authorization", "Bearer s3cret"), ("X-Odd", "1")],
  );
  let requests = github.requests();
  let request = &requests[0];
  assert_eq!(
    (request.method.as_str(), request.path.as_str()),
    ("GET", "/repos/acme/demo/releases/latest?x=1")
  );
  assert_eq!(request.header("authorization"), Some("Bearer s3cret"));
  assert_eq!(
    (request.header("x-odd"), request.header("x-other"), request.status),
    (Some("1"), None, Some(404))
  );
  assert!(!format!("{requests:?} {github:?}").contains("s3cret"));
  assert_eq!(github.request_count(), 1);
  github.clear_requests();
  assert_eq!((github.request_count(), github.requests().len()), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_for_requests_is_woken_by_them() {
  let github = StandIn::start().await.unwrap();
  let asking = {
    let address = github.address();
    tokio::task::spawn_blocking(move || (0..3).for_each(|_| drop(testkit::request(address, "GET", "/"))))
  };
  github.wait_for_requests(3).await;
  assert!(github.request_count() >= 3);
  asking.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_shutdown_the_port_is_free_and_can_be_taken_again() {
  let github = StandIn::start().await.unwrap();
  let address = github.address();
  let mut open = TcpStream::connect(address).unwrap();
  get(&github, LATEST);
  github.shutdown().await;
  assert!(!matches!(open.read(&mut [0]), Ok(1..)), "open connections are cut");
  assert!(TcpStream::connect(address).is_err());
  let again = StandIn::start_with(StandInOptions::new().port(address.port()))
    .await
    .unwrap();
  again.set_latest(REPO, SampleRelease::new("v1"));
  assert_eq!((again.address(), status(&again, LATEST)), (address, 200));
}
