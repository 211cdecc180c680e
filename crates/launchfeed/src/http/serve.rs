//! The accept loop.

use std::io;
use std::sync::Arc;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::accept_trouble::{AcceptTrouble, Reaction};
use super::connection::serve_connection;
use super::front::Front;
use super::limits::Limits;

/// Answers until `stop` is cancelled; then takes no more connections, closes the idle ones, and returns once the requests in flight
/// are answered, or after the grace that `limits` gives them. No task outlives it.
pub async fn serve(listener: TcpListener, front: Front, limits: Limits, stop: CancellationToken) {
  let server = Server {
    front,
    limits,
    stop,
    cut: CancellationToken::new(),
    shed: Arc::new(Notify::new()),
    slots: Arc::new(Semaphore::new(limits.max_connections)),
    connections: TaskTracker::new(),
  };
  server.accept_until_stopped(listener).await;
  server.finish().await;
}

struct Server {
  front: Front,
  limits: Limits,
  /// The server stops.
  stop: CancellationToken,
  /// The grace is over.
  cut: CancellationToken,
  /// Connections are needed.
  shed: Arc<Notify>,
  slots: Arc<Semaphore>,
  connections: TaskTracker,
}

impl Server {
  /// The listener is closed at the end, so that clients go elsewhere at once.
  async fn accept_until_stopped(&self, listener: TcpListener) {
    let mut trouble = AcceptTrouble::default();
    let mut is_full = false;
    while let Some(accepted) = self.stop.run_until_cancelled(listener.accept()).await {
      match accepted {
        Ok((stream, _)) => {
          if trouble.on_success() {
            tracing::info!("connections are accepted again");
          }
          let Some(slot) = self.stop.run_until_cancelled(self.slot(&mut is_full)).await else {
            break;
          };
          self.spawn(stream, slot);
        }
        Err(error) => self.after(&error, &mut trouble).await,
      }
    }
  }

  /// A slot for a connection that is there. When all are taken, every connection is asked to end after its present request, which
  /// frees those that are idle.
  async fn slot(&self, is_full: &mut bool) -> Option<OwnedSemaphorePermit> {
    if let Ok(slot) = self.slots.clone().try_acquire_owned() {
      // Half of them free again: the next time is news.
      *is_full &= self.slots.available_permits() < self.limits.max_connections / 2;
      return Some(slot);
    }
    if !std::mem::replace(is_full, true) {
      let max = self.limits.max_connections;
      tracing::warn!(max, "all connections are taken; idle ones are closed and new ones wait");
    }
    self.shed.notify_waiters();
    self.slots.clone().acquire_owned().await.ok()
  }

  fn spawn(&self, stream: TcpStream, slot: Option<OwnedSemaphorePermit>) {
    // Answers are written whole, so there is nothing to gather.
    let _ = stream.set_nodelay(true);
    let (stop, cut) = (self.stop.clone(), self.cut.clone());
    // From now on, not from when the task first runs.
    let shed = self.shed.clone().notified_owned();
    let (front, limits, tasks) = (self.front.for_connection(), self.limits, self.connections.clone());
    let finish = async move {
      tokio::select! {
        () = stop.cancelled() => {}
        () = shed => {}
      }
    };
    self.connections.spawn(async move {
      cut
        .run_until_cancelled(serve_connection(stream, front, limits, tasks, finish))
        .await;
      drop(slot);
    });
  }

  async fn after(&self, error: &io::Error, trouble: &mut AcceptTrouble) {
    match trouble.on_error(error) {
      Reaction::Next => {}
      Reaction::Pause { pause, is_new } => {
        if is_new {
          tracing::warn!(%error, "no connection can be accepted; trying again and again");
        }
        self.shed.notify_waiters();
        self.stop.run_until_cancelled(sleep(pause)).await;
      }
    }
  }

  async fn finish(self) {
    self.connections.close();
    if timeout(self.limits.grace, self.connections.wait()).await.is_err() {
      tracing::warn!(
        left = self.connections.len(),
        "connections are cut, since their requests took too long"
      );
      self.cut.cancel();
      self.connections.wait().await;
    }
  }
}
