//! Clients of every kind, which take down each answer that should not have been given.

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use testkit::{DEADLINE, HttpAnswer, HttpConnection};

const PATH: &str = "/v1/craft_apps/release_info";
const BETWEEN: Duration = Duration::from_millis(2);
/// Requests on one connection before another one is opened.
const ON_ONE_CONNECTION: usize = 50;

type Ask = fn(&mut HttpConnection) -> Result<(), HttpAnswer>;

/// They ask until they are stopped.
pub(crate) struct Clients {
  running: Vec<Sender<()>>,
  answers: Arc<AtomicU64>,
  threads: Vec<JoinHandle<()>>,
}

impl Clients {
  pub(crate) fn start(public: SocketAddr, private: SocketAddr) -> Self {
    let mut clients = Self {
      running: Vec::new(),
      answers: Arc::default(),
      threads: Vec::new(),
    };
    for ask in [whole, launcher, others] {
      clients.spawn(public, BETWEEN, ask);
    }
    clients.spawn(private, BETWEEN * 50, scrape);
    clients.spawn_rude(public);
    clients
  }

  /// Stops them, and says how many answers they got. Panics with the first one that failed.
  pub(crate) fn stop(mut self) -> u64 {
    self.running.clear();
    for thread in self.threads.drain(..) {
      thread.join().unwrap();
    }
    self.answers.load(Ordering::Relaxed)
  }

  fn spawn(&mut self, address: SocketAddr, between: Duration, ask: Ask) {
    let answers = Arc::clone(&self.answers);
    let (sender, stopped) = channel();
    self.running.push(sender);
    self.threads.push(thread::spawn(move || {
      loop {
        let mut connection = HttpConnection::open(address);
        for _ in 0..ON_ONE_CONNECTION {
          if stopped.recv_timeout(between) != Err(RecvTimeoutError::Timeout) {
            return;
          }
          if let Err(answer) = ask(&mut connection) {
            panic!("a failed answer: {answer:?}");
          }
          answers.fetch_add(1, Ordering::Relaxed);
        }
      }
    }));
  }

  /// Connections that are opened and left, in the middle of a request or of an answer.
  fn spawn_rude(&mut self, address: SocketAddr) {
    let (sender, stopped) = channel();
    self.running.push(sender);
    self.threads.push(thread::spawn(move || {
      let half = ["", "GET /v1/rele", "GET /v1/release_info HTTP/1.1\r\nhost: x\r\n\r\n"];
      for request in half.iter().cycle() {
        if stopped.recv_timeout(BETWEEN * 10) != Err(RecvTimeoutError::Timeout) {
          return;
        }
        let mut stream = TcpStream::connect_timeout(&address, DEADLINE).unwrap();
        // Whatever becomes of it, nobody looks.
        let _ = stream.write_all(request.as_bytes());
      }
    }));
  }
}

/// In every encoding.
fn whole(connection: &mut HttpConnection) -> Result<(), HttpAnswer> {
  for encoding in ["identity", "gzip", "br", "zstd"] {
    let answer = ask(connection, "GET", PATH, &format!("accept-encoding: {encoding}\r\n"));
    let is_good = answer.status == 200 && answer.body.len() > 1_000 && answer.header("etag").is_some();
    good(answer, is_good)?;
  }
  Ok(())
}

/// Asks, and asks whether anything is new.
fn launcher(connection: &mut HttpConnection) -> Result<(), HttpAnswer> {
  let first = ask(connection, "GET", PATH, "accept-encoding: gzip\r\n");
  let etag = first.header("etag").unwrap_or_default().to_owned();
  good(first, !etag.is_empty())?;
  for _ in 0..5 {
    let again = ask(
      connection,
      "GET",
      PATH,
      &format!("accept-encoding: gzip\r\nif-none-match: {etag}\r\n"),
    );
    let is_good = [200, 304].contains(&again.status);
    good(again, is_good)?;
  }
  Ok(())
}

fn others(connection: &mut HttpConnection) -> Result<(), HttpAnswer> {
  let asks = [
    ("HEAD", PATH, 200),
    ("GET", "/v1/release_info/app3", 200),
    ("GET", "/v1/release_info/nobody", 404),
    ("GET", "/download/app5/linux/arm64/deb", 302),
    ("GET", "/docs", 200),
    ("GET", "/nowhere", 404),
    ("POST", PATH, 405),
  ];
  for (method, path, status) in asks {
    let answer = ask(connection, method, path, "content-length: 0\r\n");
    let is_good = answer.status == status;
    good(answer, is_good)?;
  }
  Ok(())
}

fn scrape(connection: &mut HttpConnection) -> Result<(), HttpAnswer> {
  for path in ["/metrics", "/livez", "/readyz", "/status"] {
    let answer = ask(connection, "GET", path, "");
    let is_good = answer.status == 200;
    good(answer, is_good)?;
  }
  Ok(())
}

fn ask(connection: &mut HttpConnection, method: &str, path: &str, headers: &str) -> HttpAnswer {
  connection.send(format!("{method} {path} HTTP/1.1\r\nhost: x\r\n{headers}\r\n").as_bytes());
  connection.answer(method)
}

fn good(answer: HttpAnswer, is_good: bool) -> Result<(), HttpAnswer> {
  if is_good { Ok(()) } else { Err(answer) }
}
