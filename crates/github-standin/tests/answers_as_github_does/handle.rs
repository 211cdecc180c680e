//! What the handle shows of the requests, and how the stand-in starts and stops.

use std::{io::ErrorKind, time::Duration};

use github_standin::{Answer, StandIn, StandInOptions};
use tokio::{
  io::{AsyncReadExt, AsyncWriteExt},
  net::{TcpSocket, TcpStream},
  time::timeout,
};

use crate::asking::{
  LATEST, REPO, connection_that_asked, exchange, get, gzip_client, header, latest, latest_with, number, running_tasks,
  start_with_release, within_patience,
};

mod requests {
  use super::*;

  #[tokio::test]
  async fn each_is_logged_as_it_arrived_with_header_names_in_lowercase() {
    let github = start_with_release().await;
    let head = format!("GET {LATEST}?page=2 HTTP/1.1\r\nUSER-Agent: Some/1\r\nX-Odd-CASE: Some Value\r\n");
    exchange(&github, &head).await;
    let requests = github.requests();
    assert_eq!(requests.len(), 1);
    let request = &requests[0];
    assert_eq!(request.method, "GET");
    assert_eq!(request.path, format!("{LATEST}?page=2"));
    assert_eq!(request.status, Some(200));
    let logged: Vec<(&str, &str)> = request
      .headers
      .iter()
      .map(|(name, value)| (name.as_str(), value.as_str()))
      .collect();
    let expected = [
      ("user-agent", "Some/1"),
      ("x-odd-case", "Some Value"),
      ("host", "api"),
      ("connection", "close"),
    ];
    assert_eq!(logged, expected);
    assert_eq!(request.header("X-ODD-case"), Some("Some Value"));
    assert_eq!(request.header("x-none"), None);
  }

  #[tokio::test]
  async fn they_stand_in_the_order_of_arrival_with_what_was_decided() {
    let github = start_with_release().await;
    github.script(REPO, [Answer::html_error(502)]);
    latest(&github).await;
    latest_with(&github, &[("if-none-match", "*")]).await;
    get(&github, "/nowhere").await;
    let seen: Vec<(String, Option<u16>)> = github
      .requests()
      .into_iter()
      .map(|request| (request.path, request.status))
      .collect();
    let expected = [(LATEST, 502), (LATEST, 304), ("/nowhere", 404)];
    assert_eq!(seen, expected.map(|(path, status)| (path.to_owned(), Some(status))));
    let times: Vec<_> = github.requests().iter().map(|request| request.received_at).collect();
    assert!(times.is_sorted(), "{times:?}");
  }

  #[tokio::test]
  async fn they_name_the_repository_in_its_own_case_or_else_as_asked() {
    let github = start_with_release().await;
    github.set_repo_id(REPO, 7);
    let paths = [
      ("/repos/ACME/demo/releases/latest", Some(REPO)),
      ("/repos/ACME/demo", Some(REPO)),
      ("/repositories/7", Some(REPO)),
      ("/repos/ACME/none", Some("ACME/none")),
      ("/repositories/8", None),
      ("/nowhere", None),
    ];
    for (path, repo) in paths {
      github.clear_requests();
      get(&github, path).await;
      assert_eq!(github.requests()[0].repo.as_deref(), repo, "{path}");
    }
  }

  #[tokio::test]
  async fn a_token_is_kept_but_never_printed() {
    let github = start_with_release().await;
    latest_with(&github, &[("authorization", "Bearer s3cret"), ("x-plain", "shown")]).await;
    let requests = github.requests();
    assert_eq!(requests[0].header("authorization"), Some("Bearer s3cret"));
    let printed = format!("{requests:?} {requests:#?} {github:?}");
    assert!(!printed.contains("s3cret"), "{printed}");
    assert!(printed.contains("shown"), "{printed}");
  }

  #[tokio::test]
  async fn clearing_forgets_them() {
    let github = start_with_release().await;
    latest(&github).await;
    assert_eq!(github.request_count(), 1);
    github.clear_requests();
    assert_eq!(github.request_count(), 0);
    assert!(github.requests().is_empty());
    latest(&github).await;
    assert_eq!(github.request_count(), 1);
  }

  #[tokio::test]
  async fn waiting_for_them_ends_with_the_last_one_and_not_before() {
    let github = start_with_release().await;
    latest(&github).await;
    within_patience(github.wait_for_requests(1)).await;
    assert!(
      timeout(Duration::ZERO, github.wait_for_requests(2)).await.is_err(),
      "one request was enough"
    );
    within_patience(async { tokio::join!(github.wait_for_requests(2), latest(&github)) }).await;
    assert_eq!(github.request_count(), 2);
  }

  #[tokio::test]
  async fn waiting_ends_when_an_unanswered_request_has_arrived() {
    let github = start_with_release().await;
    github.script_all_always(Answer::status(200).hang());
    let connections = [
      connection_that_asked(&github).await,
      connection_that_asked(&github).await,
    ];
    within_patience(github.wait_for_requests(2)).await;
    assert_eq!(github.request_count(), connections.len());
  }

  #[tokio::test]
  async fn each_answer_has_a_request_id_of_its_own() {
    let github = start_with_release().await;
    github.set_latency(Duration::from_millis(50));
    let (one, other) = tokio::join!(latest(&github), latest(&github));
    github.clear_requests();
    let later = latest(&github).await;
    let ids = [one, other, later].map(|response| header(&response, "x-github-request-id").unwrap().to_owned());
    assert!(ids[0] != ids[1] && ids[0] != ids[2] && ids[1] != ids[2], "{ids:?}");
  }
}

mod bytes_sent {
  use super::*;

  #[tokio::test]
  async fn it_adds_up_the_bodies_as_they_were_encoded() {
    let github = start_with_release().await;
    assert_eq!(github.bytes_sent(), 0);
    let plain = latest(&github).await;
    let plain_length = number(&plain, "content-length");
    assert_eq!(plain.bytes().await.unwrap().len() as u64, plain_length);
    assert_eq!(github.bytes_sent(), plain_length);
    let url = format!("{}{LATEST}", github.api_url());
    let decoded = gzip_client().get(url).send().await.unwrap().bytes().await.unwrap();
    assert_eq!(decoded.len() as u64, plain_length);
    let compressed_length = github.bytes_sent() - plain_length;
    assert!(
      0 < compressed_length && compressed_length < plain_length,
      "{compressed_length} bytes"
    );
  }

  #[tokio::test]
  async fn a_304_adds_nothing() {
    let github = start_with_release().await;
    latest_with(&github, &[("if-none-match", "*")]).await;
    assert_eq!(github.bytes_sent(), 0);
  }

  #[tokio::test]
  async fn of_an_endless_body_it_is_little_more_than_what_was_read() {
    const READ: usize = 8 * 1024 * 1024;
    const BUFFERED_AT_MOST: u64 = 1024 * 1024;
    let github = start_with_release().await;
    github.script(REPO, [Answer::status(200).endless()]);
    let socket = TcpSocket::new_v4().unwrap();
    // Else the system lets it grow with what is read.
    socket.set_recv_buffer_size(64 * 1024).unwrap();
    let mut connection = socket.connect(github.address()).await.unwrap();
    let request = format!("GET {LATEST} HTTP/1.1\r\nHost: api\r\nUser-Agent: t\r\n\r\n");
    connection.write_all(request.as_bytes()).await.unwrap();
    within_patience(connection.read_exact(&mut vec![0; READ]))
      .await
      .unwrap();
    let sent = github.bytes_sent();
    // Chunks have heads too, so that a little less may have been sent than was read.
    let read = READ as u64;
    assert!(
      read - read / 100 < sent && sent < read + BUFFERED_AT_MOST,
      "{sent} bytes sent"
    );
  }
}

mod start_and_stop {
  use super::*;

  #[tokio::test]
  async fn after_the_shutdown_connecting_is_refused() {
    let github = start_with_release().await;
    assert_eq!(latest(&github).await.status(), 200);
    github.shutdown().await;
    let refusal = TcpStream::connect(github.address()).await.unwrap_err();
    assert_eq!(refusal.kind(), ErrorKind::ConnectionRefused);
  }

  #[tokio::test]
  async fn the_shutdown_cuts_open_connections() {
    let github = start_with_release().await;
    github.script(REPO, [Answer::status(200).hang(), Answer::status(200).endless()]);
    let mut hanging = connection_that_asked(&github).await;
    within_patience(github.wait_for_requests(1)).await;
    let mut endless = connection_that_asked(&github).await;
    within_patience(github.wait_for_requests(2)).await;
    let mut idle = connection_that_asked(&github).await;
    within_patience(idle.read_exact(&mut [0; 64])).await.unwrap();
    within_patience(github.shutdown()).await;
    assert_eq!(running_tasks(), 0);
    assert_eq!(bytes_until_the_end(&mut hanging).await, 0);
    assert_ne!(bytes_until_the_end(&mut endless).await, 0);
    bytes_until_the_end(&mut idle).await;
  }

  #[tokio::test]
  async fn a_second_shutdown_does_nothing() {
    let github = start_with_release().await;
    within_patience(github.shutdown()).await;
    within_patience(github.shutdown()).await;
  }

  #[tokio::test]
  async fn the_log_can_be_read_after_the_shutdown() {
    let github = start_with_release().await;
    latest(&github).await;
    github.shutdown().await;
    assert_eq!(github.requests().len(), 1);
  }

  #[tokio::test]
  async fn dropping_it_stops_it() {
    let github = start_with_release().await;
    let address = github.address();
    let mut connection = connection_that_asked(&github).await;
    within_patience(github.wait_for_requests(1)).await;
    drop(github);
    bytes_until_the_end(&mut connection).await;
    within_patience(async { while TcpStream::connect(address).await.is_ok() {} }).await;
  }

  #[tokio::test]
  async fn the_same_port_can_be_taken_again() {
    let github = start_with_release().await;
    let port = github.address().port();
    let open = connection_that_asked(&github).await;
    within_patience(github.wait_for_requests(1)).await;
    github.shutdown().await;
    let again = StandIn::start_with(StandInOptions::new().port(port)).await.unwrap();
    assert_eq!(again.address(), github.address());
    assert_eq!(again.request_count(), 0);
    assert_eq!(latest(&again).await.status(), 404);
    drop(open);
  }

  #[tokio::test]
  async fn a_port_that_is_taken_cannot_be_bound() {
    let github = start_with_release().await;
    let options = StandInOptions::new().port(github.address().port());
    let refusal = StandIn::start_with(options).await.unwrap_err();
    assert_eq!(refusal.kind(), ErrorKind::AddrInUse);
  }

  #[tokio::test]
  async fn it_listens_on_this_machine_only() {
    let github = StandIn::start().await.unwrap();
    assert!(github.address().ip().is_loopback());
    assert_eq!(github.api_url(), format!("http://{}", github.address()));
  }

  /// An abortive end counts as well.
  async fn bytes_until_the_end(connection: &mut TcpStream) -> usize {
    let mut bytes = Vec::new();
    let _ = within_patience(connection.read_to_end(&mut bytes)).await;
    bytes.len()
  }
}
