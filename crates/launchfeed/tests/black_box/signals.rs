//! Stopping by signals.

use std::io::{ErrorKind, Write};
use std::net::TcpStream;
use std::time::Duration;

use rstest::rstest;

use crate::program::{Running, launchfeed};

#[rstest]
#[case("TERM")]
#[case("INT")]
fn a_signal_ends_it_with_success(#[case] signal: &str) {
  let server = start();
  let idle = server.connect();
  server.signal(signal);
  let (status, said) = server.wait();
  assert_eq!(status.code(), Some(0), "{said}");
  assert!(said.contains("stopped"), "{said}");
  drop(idle);
}

#[rstest]
#[case("TERM", 143)]
#[case("INT", 130)]
fn a_second_signal_ends_it_at_once_though_requests_are_in_flight(#[case] second: &str, #[case] code: i32) {
  let server = start();
  let stuck = stuck_client(&server);
  server.signal("TERM");
  server.wait_for("stopping");
  server.signal(second);
  let (status, said) = server.wait();
  assert_eq!(status.code(), Some(code), "{said}");
  assert!(!said.contains("stopped"), "{said}");
  drop(stuck);
}

/// A client that asks and asks without reading, until the server can't write any more and so no longer reads.
fn stuck_client(server: &Running) -> TcpStream {
  let mut stream = server.connect();
  stream.set_write_timeout(Some(Duration::from_millis(500))).unwrap();
  loop {
    match stream.write_all(&b"GET /v1/release_info HTTP/1.1\r\nHost: x\r\n\r\n".repeat(100)) {
      Ok(()) => {}
      Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => return stream,
      Err(error) => panic!("{error}"),
    }
  }
}

fn start() -> Running {
  Running::start(launchfeed(&[
    "serve",
    "--listen",
    "127.0.0.1:0",
    "--polling-enabled",
    "false",
  ]))
}
