//! Another program that shares the same Redis and knows the contract's format only: none of our keys, none of our fields.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use release_feed::{Clock, SystemClock};
use serde_json::Value;
use testkit::request;

use super::stage::PATH;

/// Well within the interval, so that it is the one that keeps its app fresh.
const EVERY: Duration = Duration::from_secs(20);

/// Runs until it is dropped.
pub(crate) struct OtherProgram {
  _alive: Sender<()>,
}

impl OtherProgram {
  /// Keeps an app's entry fresh, with the release as an instance answers it.
  pub(crate) fn start(redis_url: String, app: String, instance: SocketAddr) -> Self {
    let (alive, dropped) = channel();
    let app = Arc::new(app);
    thread::spawn(move || {
      while dropped.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
        // Redis may be away just now.
        let _ = refresh(&redis_url, &app, instance);
      }
    });
    Self { _alive: alive }
  }
}

fn refresh(redis_url: &str, app: &str, instance: SocketAddr) -> redis::RedisResult<()> {
  let mut release = request(instance, "GET", &format!("{PATH}/{app}")).json()["app"]["latest_release"].take();
  for asset in release["assets"].as_array_mut().into_iter().flatten() {
    asset.as_object_mut().map(|asset| asset.remove("build"));
  }
  if release == Value::Null {
    return Ok(());
  }
  let now = SystemClock.now().0.to_string();
  let key = format!("craftApps:releases:app:{app}");
  let client = redis::Client::open(redis_url)?;
  let mut connection = client.get_connection_with_timeout(Duration::from_secs(1))?;
  connection.set_read_timeout(Some(Duration::from_secs(1)))?;
  redis::pipe()
    .cmd("HSET")
    .arg(&key)
    .arg(&[
      ("v", "1"),
      ("by", "another-program"),
      ("etag", ""),
      ("claimed_ms", &now),
      ("fetched_ms", &now),
    ])
    .arg("release")
    .arg(release.to_string())
    .cmd("EXPIRE")
    .arg(&key)
    .arg(7 * 24 * 60 * 60)
    .exec(&mut connection)
}
