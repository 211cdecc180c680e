//! When each instance first showed each release.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use testkit::HttpConnection;
use tokio::time::sleep;

use super::stage::{PATH, Shared};

const BETWEEN_POLLS: Duration = Duration::from_millis(50);

/// Two looks, and some.
const LONGEST: Duration = Duration::from_secs(90);

/// By app and tag: when it was first seen, by instance.
pub(crate) type Seen = HashMap<(String, String), Vec<Instant>>;

/// Watches until it is stopped or dropped.
pub(crate) struct Sightings {
  running: Vec<Sender<()>>,
  seen: Shared<Seen>,
  threads: Vec<JoinHandle<()>>,
}

impl Sightings {
  pub(crate) fn watch(addresses: impl Iterator<Item = SocketAddr>) -> Self {
    let mut running = Vec::new();
    let seen: Shared<Seen> = Shared::default();
    let threads = addresses.map(|address| {
      let (sender, stopped) = channel();
      running.push(sender);
      let seen = Arc::clone(&seen);
      thread::spawn(move || watch(address, &seen, || stopped.recv_timeout(BETWEEN_POLLS)))
    });
    let threads = threads.collect();
    Self { running, seen, threads }
  }

  /// Waits until so many have seen it.
  pub(crate) async fn wait_for(&self, what: &(String, String), instances: usize) {
    let started = Instant::now();
    while self.seen.lock().unwrap().get(what).map_or(0, Vec::len) < instances {
      assert!(started.elapsed() < LONGEST, "{what:?} isn't shown by all");
      sleep(BETWEEN_POLLS).await;
    }
  }

  pub(crate) fn stop(mut self) -> Seen {
    self.running.clear();
    for thread in self.threads.drain(..) {
      thread.join().unwrap();
    }
    std::mem::take(&mut self.seen.lock().unwrap())
  }
}

fn watch(address: SocketAddr, seen: &Shared<Seen>, pause: impl Fn() -> Result<(), RecvTimeoutError>) {
  let mut connection = HttpConnection::open(address);
  let mut known: HashMap<String, String> = HashMap::new();
  while pause() == Err(RecvTimeoutError::Timeout) {
    let answer = connection.request("GET", PATH).json();
    let now = Instant::now();
    let apps = answer["release_info"]["apps"].as_object().cloned().unwrap_or_default();
    for (app, shown) in apps {
      let Some(tag) = shown["latest_release"]["tag"].as_str() else {
        continue;
      };
      if known.insert(app.clone(), tag.to_owned()).as_deref() != Some(tag) {
        let mut seen = seen.lock().unwrap();
        seen.entry((app, tag.to_owned())).or_default().push(now);
      }
    }
  }
}
