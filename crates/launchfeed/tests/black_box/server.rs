//! The server over real connections.

use std::io::{Read, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::Version;
use axum::routing::get;
use feed_types::ReleaseInfoAnswer;
use launchfeed::http::{Answers, Front, Limits, serve};
use release_feed::answer::{Effort, Publication, PublishedFeed};
use release_feed::catalog::Catalog;
use rstest::rstest;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::program::{PATIENCE, Running, launchfeed};

mod on_the_wire {
  use super::*;

  #[rstest]
  #[case::answer("/v1/release_info")]
  #[case::unknown_path("/")]
  #[tokio::test]
  async fn head_says_what_get_says_and_ends_there(#[case] path: &str) {
    let server = Server::of_release_info().await;
    let (get_head, get_body) = server.ask("GET", path).await;
    let (head_head, head_body) = server.ask("HEAD", path).await;
    assert_eq!(without_date(&get_head), without_date(&head_head));
    assert!(
      get_head.contains(&format!("content-length: {}\r\n", get_body.len())),
      "{get_head}"
    );
    assert_eq!((get_body.is_empty(), head_body.as_str()), (false, ""));
  }

  #[tokio::test]
  async fn requests_one_after_the_other_in_one_packet_are_all_answered() {
    let server = Server::of_release_info().await;
    let two = "GET /v1/release_info HTTP/1.1\r\nHost: x\r\n\r\nHEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let answer = server.send(two).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.contains("HTTP/1.1 404 Not Found\r\n"), "{answer}");
  }

  #[rstest]
  #[case::no_http("EHLO example.org\r\n\r\n", "HTTP/1.1 400 ")]
  #[case::binary("\x16\x03\x01\x02\r\n\r\n", "HTTP/1.1 400 ")]
  #[case::an_overlong_head("GET / HTTP/1.1\r\nX: LONG\r\n\r\n", "HTTP/1.1 431 ")]
  #[tokio::test]
  async fn what_is_no_request_is_refused(#[case] sent: &str, #[case] expected: &str) {
    let server = Server::of_release_info().await;
    let answer = server.send(&sent.replace("LONG", &"x".repeat(20_000))).await;
    assert!(answer.starts_with(expected), "{answer}");
  }

  /// Without what differs from request to request.
  fn without_date(head: &str) -> Vec<&str> {
    let differs = |line: &str| line.starts_with("date: ") || line.starts_with("x-request-id: ");
    head.lines().filter(|line| !differs(line)).collect()
  }
}

mod many_clients {
  use super::*;

  #[test]
  fn a_thousand_idle_connections_and_slow_ones_are_noticed_by_nobody() {
    // Each is a file of ours.
    let files = rlimit::increase_nofile_limit(4096).unwrap();
    assert!(files > 1200, "this test needs more than {files} open files");
    let server = Running::start(launchfeed(&[
      "serve",
      "--listen",
      "127.0.0.1:0",
      "--polling-enabled",
      "false",
    ]));
    let idle: Vec<_> = (0..1000).map(|_| server.connect()).collect();
    let mut slow: Vec<_> = (0..100).map(|_| server.connect()).collect();
    for byte in b"GET /v1/" {
      slow.iter_mut().for_each(|stream| stream.write_all(&[*byte]).unwrap());
      let asked = Instant::now();
      assert!(server.ask().starts_with("HTTP/1.1 200 OK\r\n"));
      assert!(asked.elapsed() < Duration::from_secs(1), "{:?}", asked.elapsed());
    }
    assert_eq!(idle.len(), 1000);
  }

  #[cfg(unix)]
  #[test]
  fn where_files_are_few_idle_connections_make_room() {
    let mut command = std::process::Command::new("sh");
    let serve = r#"ulimit -n 80; exec "$0" serve --listen 127.0.0.1:0 --polling-enabled false"#;
    command
      .args(["-c", serve, env!("CARGO_BIN_EXE_launchfeed")])
      .env_clear()
      .env("LAUNCHFEED_ADMIN_LISTEN", "127.0.0.1:0")
      .env("HOME", env!("CARGO_TARGET_TMPDIR"));
    let server = Running::start(command);
    let mut idle: Vec<_> = (0..200).map(|_| server.connect()).collect();
    let asked = Instant::now();
    assert!(server.ask().starts_with("HTTP/1.1 200 OK\r\n"));
    // The head timeout, after which they are closed anyway, is 10 s.
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
    assert_eq!(idle[0].read(&mut [0]).unwrap(), 0, "the first one was closed");
  }

  #[tokio::test]
  async fn when_all_connections_are_busy_the_next_one_waits_for_its_turn() {
    let server = Server::start(Limits {
      max_connections: 1,
      ..Limits::default()
    })
    .await;
    let mut busy = server.connect().await;
    busy.write_all(b"GET /held HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    server.held.wait().await;
    let mut next = server.connect().await;
    next
      .write_all(b"GET /at-once HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      .await
      .unwrap();
    assert!(
      timeout(Duration::from_millis(100), next.read_u8()).await.is_err(),
      "it had to wait"
    );
    server.held.release();
    assert!(read_all(&mut busy).await.ends_with("held"));
    assert!(read_all(&mut next).await.ends_with("at once"));
  }
}

mod over_http2 {
  use super::*;

  #[tokio::test]
  async fn many_requests_share_a_connection_and_a_held_one_holds_up_no_other() {
    let server = Server::start(Limits::default()).await;
    let client = client();
    let held = tokio::spawn(client.get(server.url("/held")).send());
    server.held.wait().await;
    for _ in 0..50 {
      let answer = client.get(server.url("/at-once")).send().await.unwrap();
      assert_eq!(answer.version(), Version::HTTP_2);
      assert_eq!(answer.text().await.unwrap(), "at once");
    }
    server.held.release();
    assert_eq!(held.await.unwrap().unwrap().text().await.unwrap(), "held");
  }

  #[tokio::test]
  async fn the_release_info_is_the_same_as_over_http1() {
    let server = Server::of_release_info().await;
    let (head, body) = server.ask("GET", "/v1/release_info").await;
    let answer = client().get(server.url("/v1/release_info")).send().await.unwrap();
    assert!(
      head.contains(answer.headers()["cache-control"].to_str().unwrap()),
      "{head}"
    );
    assert_eq!(answer.text().await.unwrap(), body);
    let answer = client()
      .post(server.url("/v1/release_info"))
      .body("x")
      .send()
      .await
      .unwrap();
    assert_eq!(answer.status(), 405);
  }

  #[tokio::test]
  async fn a_stop_answers_what_is_in_flight_and_closes_the_idle() {
    let mut server = Server::start(Limits {
      grace: Duration::MAX,
      ..Limits::default()
    })
    .await;
    let (idle, busy) = (client(), client());
    idle.get(server.url("/at-once")).send().await.unwrap();
    let held = tokio::spawn(busy.get(server.url("/held")).send());
    server.held.wait().await;
    server.stop.cancel();
    server.held.release();
    assert_eq!(held.await.unwrap().unwrap().text().await.unwrap(), "held");
    timeout(PATIENCE, &mut server.task).await.unwrap().unwrap();
  }

  #[tokio::test]
  async fn a_beginning_that_is_cut_short_is_closed_with_the_client() {
    let server = Server::of_release_info().await;
    let mut stream = server.connect().await;
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nS").await.unwrap();
    stream.shutdown().await.unwrap();
    assert!(!read_all(&mut stream).await.contains("200"));
  }

  #[expect(
    clippy::disallowed_methods,
    reason = "a client without any policy, for a local server"
  )]
  fn client() -> reqwest::Client {
    release_feed::github::install_tls_provider();
    reqwest::Client::builder().http2_prior_knowledge().build().unwrap()
  }
}

mod stopping {
  use super::*;

  #[tokio::test]
  async fn a_request_in_flight_is_answered_and_nothing_else_is_accepted() {
    let mut server = Server::start(Limits::default()).await;
    let mut idle = server.connect().await;
    idle
      .write_all(b"GET /at-once HTTP/1.1\r\nHost: x\r\n\r\n")
      .await
      .unwrap();
    let mut busy = server.connect().await;
    busy.write_all(b"GET /held HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    server.held.wait().await;
    server.stop.cancel();
    assert!(read_all(&mut idle).await.ends_with("at once"));
    assert!(
      TcpStream::connect(server.address).await.is_err(),
      "the listener is closed"
    );
    assert!(!server.task.is_finished());
    server.held.release();
    assert!(read_all(&mut busy).await.ends_with("held"));
    timeout(PATIENCE, &mut server.task).await.unwrap().unwrap();
  }

  #[tokio::test]
  async fn a_request_that_outlasts_the_grace_is_cut() {
    let mut server = Server::start(Limits {
      grace: Duration::from_millis(50),
      ..Limits::default()
    })
    .await;
    let mut busy = server.connect().await;
    busy.write_all(b"GET /held HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    server.held.wait().await;
    server.stop.cancel();
    timeout(PATIENCE, &mut server.task).await.unwrap().unwrap();
    assert_eq!(read_all(&mut busy).await, "");
  }

  #[tokio::test]
  async fn without_connections_it_ends_at_once() {
    let mut server = Server::start(Limits {
      grace: Duration::MAX,
      ..Limits::default()
    })
    .await;
    server.stop.cancel();
    timeout(PATIENCE, &mut server.task).await.unwrap().unwrap();
  }
}

/// A server in this process. Its route `/held` answers once it is released.
struct Server {
  address: std::net::SocketAddr,
  held: Held,
  stop: CancellationToken,
  task: JoinHandle<()>,
}

#[derive(Clone, Default)]
struct Held {
  arrived: Arc<Notify>,
  released: Arc<Notify>,
}

impl Held {
  async fn wait(&self) {
    timeout(PATIENCE, self.arrived.notified()).await.unwrap();
  }

  fn release(&self) {
    self.released.notify_one();
  }
}

impl Server {
  async fn of_release_info() -> Self {
    let feed = PublishedFeed::encode(ReleaseInfoAnswer::default(), Effort::Quick).unwrap();
    let answers = Answers {
      publication: Publication::new(feed),
      catalog: Arc::new(Catalog::craft_apps()),
    };
    Self::with(Front::of(answers), Held::default(), Limits::default()).await
  }

  async fn start(limits: Limits) -> Self {
    let held = Held::default();
    let in_route = held.clone();
    let hold = move || async move {
      in_route.arrived.notify_one();
      in_route.released.notified().await;
      "held"
    };
    let router = Router::new()
      .route("/held", get(hold))
      .route("/at-once", get(|| async { "at once" }));
    Self::with(Front::of_routes(router), held, limits).await
  }

  async fn with(front: Front, held: Held, limits: Limits) -> Self {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let task = tokio::spawn(serve(listener, front, limits, stop.clone()));
    Self {
      address,
      held,
      stop,
      task,
    }
  }

  fn url(&self, path: &str) -> String {
    format!("http://{}{path}", self.address)
  }

  async fn connect(&self) -> TcpStream {
    TcpStream::connect(self.address).await.unwrap()
  }

  async fn send(&self, request: &str) -> String {
    let mut stream = self.connect().await;
    stream.write_all(request.as_bytes()).await.unwrap();
    read_all(&mut stream).await
  }

  /// The head and the body of an answer.
  async fn ask(&self, method: &str, path: &str) -> (String, String) {
    let answer = self
      .send(&format!(
        "{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
      ))
      .await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (format!("{head}\r\n"), body.to_owned())
  }
}

async fn read_all(stream: &mut TcpStream) -> String {
  let mut answer = Vec::new();
  // A connection that is reset has said what it said.
  let _ = timeout(PATIENCE, stream.read_to_end(&mut answer)).await.unwrap();
  String::from_utf8(answer).unwrap()
}
