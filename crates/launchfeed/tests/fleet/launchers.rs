//! Launchers that poll every instance all the time and take down every answer that none should get.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use testkit::HttpConnection;

use super::stage::{PATH, Shared};

const BETWEEN_POLLS: Duration = Duration::from_millis(20);

/// They poll until it is stopped or dropped.
pub(crate) struct Launchers {
  running: Vec<Sender<()>>,
  polls: Arc<AtomicUsize>,
  failures: Shared<Vec<String>>,
  threads: Vec<JoinHandle<()>>,
}

impl Launchers {
  pub(crate) fn poll(addresses: impl Iterator<Item = SocketAddr>) -> Self {
    let mut running = Vec::new();
    let polls = Arc::new(AtomicUsize::new(0));
    let failures: Shared<Vec<String>> = Shared::default();
    let threads = addresses.map(|address| {
      let (polls, failures) = (Arc::clone(&polls), Arc::clone(&failures));
      let (sender, stopped) = channel();
      running.push(sender);
      thread::spawn(move || {
        let mut connection = HttpConnection::open(address);
        while stopped.recv_timeout(BETWEEN_POLLS) == Err(RecvTimeoutError::Timeout) {
          let answer = connection.request("GET", PATH);
          let is_cold = answer.status != 200 || answer.json()["release_info"]["last_fetched"].is_null();
          if is_cold {
            failures
              .lock()
              .unwrap()
              .push(format!("{address}: {} {:?}", answer.status, answer.headers));
          }
          polls.fetch_add(1, Ordering::Relaxed);
        }
      })
    });
    let threads: Vec<_> = threads.collect();
    Self {
      running,
      polls,
      failures,
      threads,
    }
  }

  /// Panics if one got a failed or cold answer.
  pub(crate) fn check(&self, after: &str) {
    let failures = self.failures.lock().unwrap();
    assert!(
      failures.is_empty(),
      "by the end of {after}: {} bad answers, first {}",
      failures.len(),
      failures[0]
    );
  }

  /// Stops them, and says how many polls there were.
  pub(crate) fn stop(&mut self) -> usize {
    self.running.clear();
    for thread in self.threads.drain(..) {
      thread.join().unwrap();
    }
    self.check("everything");
    self.polls.load(Ordering::Relaxed)
  }
}
