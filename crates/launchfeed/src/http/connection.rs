//! One connection, from its first byte to its last.

use std::future::Future;
use std::pin::pin;

use hyper::rt::Executor;
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::task::TaskTracker;

use super::front::Front;
use super::limits::Limits;
use super::patient_io::{Patience, PatientIo};
use super::transmit::{Outbox, Transmit};

/// What an HTTP/2 client begins with (RFC 9113, 3.4).
const HTTP2_PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Requests at a time on one HTTP/2 connection: more than any launcher asks, few enough that one connection can't outweigh others.
const HTTP2_STREAMS: u32 = 100;

/// Of answers that an HTTP/2 client doesn't take, per request.
const HTTP2_SEND_BUFFER_BYTES: usize = 64 * 1024;

/// Answers a client until it goes, is too slow, or, once `finish` is ready, has the answers to its present requests. HTTP/1.1, or
/// HTTP/2 for whoever begins with it.
pub(super) async fn serve_connection<I>(
  io: I,
  front: Front,
  limits: Limits,
  tasks: TaskTracker,
  finish: impl Future<Output = ()>,
) where
  I: AsyncRead + AsyncWrite + Transmit + Unpin + Send + 'static,
{
  let mut finish = pin!(finish);
  let patience = Patience {
    head: limits.head_timeout,
    idle: limits.idle_timeout,
    write: limits.write_timeout,
  };
  let mut io = PatientIo::new(io, patience);
  let is_http2 = tokio::select! {
    biased;
    is_http2 = io.begins_with(HTTP2_PREFACE) => is_http2,
    () = finish.as_mut() => return,
  };
  let ended = match is_http2 {
    Ok(false) => serve_http1(io, front, limits, finish).await,
    Ok(true) => serve_http2(io, front, limits, tasks, finish).await,
    Err(error) => {
      tracing::debug!(%error, "a connection ended before its first request");
      return;
    }
  };
  if let Err(error) = ended {
    tracing::debug!(error = &error as &dyn std::error::Error, "a connection ended early");
  }
}

async fn serve_http1<I>(
  io: PatientIo<I>,
  front: Front,
  limits: Limits,
  finish: impl Future<Output = ()>,
) -> hyper::Result<()>
where
  I: AsyncRead + AsyncWrite + Transmit + Unpin + Send + 'static,
{
  let (head_complete, outbox) = (io.head_complete(), io.outbox());
  let service = service_fn(move |request| {
    head_complete.mark();
    front.call(request, &outbox)
  });
  let mut builder = http1::Builder::new();
  builder
    // A client that has said all it wants to say still waits for the answer.
    .half_close(true)
    // The connection has its own limits.
    .header_read_timeout(None)
    .max_buf_size(limits.max_head_bytes);
  let mut connection = pin!(builder.serve_connection(TokioIo::new(io), service));
  tokio::select! {
    // A request that has arrived is answered, whatever comes at the same time.
    biased;
    ended = connection.as_mut() => ended,
    () = finish => {
      connection.as_mut().graceful_shutdown();
      connection.await
    }
  }
}

/// Whoever is idle is asked for a sign of life, and must give it in the time that a head may take.
async fn serve_http2<I>(
  io: PatientIo<I>,
  front: Front,
  limits: Limits,
  tasks: TaskTracker,
  finish: impl Future<Output = ()>,
) -> hyper::Result<()>
where
  I: AsyncRead + AsyncWrite + Transmit + Unpin + Send + 'static,
{
  // Frames are not bodies: nothing is sent from a file.
  let outbox = Outbox::default();
  let service = service_fn(move |request| front.call(request, &outbox));
  let mut builder = http2::Builder::new(Tracked(tasks));
  builder
    .timer(TokioTimer::new())
    .max_concurrent_streams(HTTP2_STREAMS)
    .max_send_buf_size(HTTP2_SEND_BUFFER_BYTES)
    .max_header_list_size(u32::try_from(limits.max_head_bytes).unwrap_or(u32::MAX))
    .keep_alive_interval(limits.idle_timeout)
    .keep_alive_timeout(limits.head_timeout);
  let io = TokioIo::new(io.multiplexed());
  let mut connection = pin!(builder.serve_connection(io, service));
  tokio::select! {
    biased;
    ended = connection.as_mut() => ended,
    () = finish => {
      connection.as_mut().graceful_shutdown();
      connection.await
    }
  }
}

/// Runs what an HTTP/2 connection does beside itself where its end is waited for.
#[derive(Clone, Debug)]
struct Tracked(TaskTracker);

impl<F> Executor<F> for Tracked
where
  F: Future<Output: Send> + Send + 'static,
{
  fn execute(&self, future: F) {
    self.0.spawn(future);
  }
}

#[cfg(test)]
mod tests {
  use std::future::pending;
  use std::time::Duration;

  use axum::Router;
  use axum::routing::get;
  use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
  use tokio::task::JoinHandle;
  use tokio::time::{Instant, sleep, timeout};
  use tokio_util::sync::CancellationToken;

  use super::*;

  const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n";

  /// More than the pipe and hyper hold.
  const LONG_ANSWER_BYTES: usize = 1_000_000;

  const PIPE_BYTES: usize = 1024;

  mod slow_clients {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_says_nothing_is_closed_after_the_head_timeout() {
      let mut client = Client::connect();
      assert_eq!(client.seconds_until_closed().await, 10);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_sends_a_byte_a_second_is_closed_after_the_head_timeout() {
      let mut client = Client::connect();
      let started = Instant::now();
      for byte in b"GET /".iter().chain(&[b'x'; 1000]) {
        if client.io.write_all(&[*byte]).await.is_err() {
          break;
        }
        sleep(Duration::from_secs(1)).await;
      }
      assert_eq!(started.elapsed().as_secs(), 11);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_begins_with_http2_and_says_no_more_is_closed_when_it_gives_no_sign_of_life() {
      let Client { mut io, server } = Client::connect();
      io.write_all(HTTP2_PREFACE).await.unwrap();
      let started = Instant::now();
      let reading = async { while io.read_u8().await.is_ok() {} };
      tokio::join!(reading, async { server.await.unwrap() });
      let seconds = started.elapsed().as_secs();
      assert!((10..=75 + 10).contains(&seconds), "{seconds}");
    }

    #[tokio::test(start_paused = true)]
    async fn the_head_timeout_holds_for_later_requests_too() {
      let mut client = Client::connect();
      client.ask().await;
      sleep(Duration::from_secs(30)).await;
      client.io.write_all(b"GET").await.unwrap();
      assert_eq!(client.seconds_until_closed().await, 10);
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_connection_is_kept_for_the_idle_timeout() {
      let mut client = Client::connect();
      for _ in 0..3 {
        client.ask().await;
        sleep(Duration::from_secs(74)).await;
      }
      client.ask().await;
      assert_eq!(client.seconds_until_closed().await, 75);
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_that_takes_its_time_is_answered_all_the_same() {
      let mut client = Client::connect();
      client
        .io
        .write_all(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        .await
        .unwrap();
      assert!(client.read_until("after a while").await.starts_with("HTTP/1.1 200"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_has_said_all_it_wants_to_say_is_answered() {
      let Client { mut io, server } = Client::connect();
      io.write_all(REQUEST).await.unwrap();
      io.shutdown().await.unwrap();
      let mut answer = String::new();
      io.read_to_string(&mut answer).await.unwrap();
      assert!(answer.ends_with("at once"), "{answer}");
      server.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_never_reads_its_answer_is_closed_after_the_write_timeout() {
      let client = Client::connect();
      let Client { mut io, server } = client;
      io.write_all(b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
      let started = Instant::now();
      server.await.unwrap();
      assert_eq!(started.elapsed().as_secs(), 120);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_a_byte_a_second_is_closed_after_the_write_timeout() {
      let Client { mut io, server } = Client::connect();
      io.write_all(b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
      let started = Instant::now();
      let reading = async {
        loop {
          let _ = io.read_u8().await;
          sleep(Duration::from_secs(1)).await;
        }
      };
      tokio::select! {
        ended = server => ended.unwrap(),
        () = reading => {}
      }
      assert!(
        (120..=121).contains(&started.elapsed().as_secs()),
        "{:?}",
        started.elapsed()
      );
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_slowly_but_in_time_gets_answer_after_answer() {
      let mut client = Client::connect();
      let started = Instant::now();
      for _ in 0..2 {
        client
          .io
          .write_all(b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
          .await
          .unwrap();
        let (mut received, mut buffer) = (0, vec![0; PIPE_BYTES]);
        while received < LONG_ANSWER_BYTES {
          let read = client.io.read(&mut buffer).await.unwrap();
          assert!(read > 0, "closed after {:?}", started.elapsed());
          received += read;
          sleep(Duration::from_millis(80)).await;
        }
      }
      assert!(
        started.elapsed() > Duration::from_secs(121),
        "each alone is in time: {:?}",
        started.elapsed()
      );
    }

    #[tokio::test(start_paused = true)]
    async fn a_head_without_end_is_refused() {
      let mut client = Client::connect();
      client.io.write_all(b"GET / HTTP/1.1\r\n").await.unwrap();
      let endless = async { while client.io.write_all(b"X-Header: value\r\n").await.is_ok() {} };
      endless.await;
      client.server.await.unwrap();
    }
  }

  mod finishing {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_idle_connection_is_closed_at_once() {
      let finish = CancellationToken::new();
      let mut client = Client::connect_until(finish.clone());
      client.ask().await;
      finish.cancel();
      assert_eq!(client.seconds_until_closed().await, 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_has_said_nothing_is_closed_at_once() {
      let finish = CancellationToken::new();
      let mut client = Client::connect_until(finish.clone());
      finish.cancel();
      assert_eq!(client.seconds_until_closed().await, 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_in_flight_is_answered_and_then_the_connection_closed() {
      let finish = CancellationToken::new();
      let mut client = Client::connect_until(finish.clone());
      client
        .io
        .write_all(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        .await
        .unwrap();
      sleep(Duration::from_secs(1)).await;
      finish.cancel();
      let answer = client.read_until("after a while").await;
      assert!(answer.contains("connection: close"), "{answer}");
      assert_eq!(client.seconds_until_closed().await, 0);
    }
  }

  struct Client {
    io: DuplexStream,
    server: JoinHandle<()>,
  }

  impl Client {
    fn connect() -> Self {
      Self::connect_with(pending())
    }

    fn connect_until(finish: CancellationToken) -> Self {
      Self::connect_with(async move { finish.cancelled().await })
    }

    fn connect_with(finish: impl Future<Output = ()> + Send + 'static) -> Self {
      let (io, server_io) = duplex(PIPE_BYTES);
      let after_a_while = || async {
        sleep(Duration::from_secs(60)).await;
        "after a while"
      };
      let router = Router::new()
        .route("/", get(|| async { "at once" }))
        .route("/slow", get(after_a_while))
        .route("/long", get(|| async { vec![b'x'; LONG_ANSWER_BYTES] }));
      let server = tokio::spawn(serve_connection(
        server_io,
        Front::of_routes(router),
        Limits::default(),
        TaskTracker::new(),
        finish,
      ));
      Self { io, server }
    }

    async fn ask(&mut self) {
      self.io.write_all(REQUEST).await.unwrap();
      self.read_until("at once").await;
    }

    async fn read_until(&mut self, end: &str) -> String {
      let mut answer = Vec::new();
      while !answer.ends_with(end.as_bytes()) {
        answer.push(self.io.read_u8().await.unwrap());
      }
      String::from_utf8(answer).unwrap()
    }

    async fn seconds_until_closed(&mut self) -> u64 {
      let started = Instant::now();
      let mut rest = Vec::new();
      timeout(Duration::from_secs(1000), self.io.read_to_end(&mut rest))
        .await
        .unwrap()
        .unwrap();
      assert!(rest.is_empty(), "something is said at the end");
      started.elapsed().as_secs()
    }
  }
}
