//! Hears which apps' releases changed, on a connection of its own. What is missed meanwhile, the next look finds.

use std::pin::pin;
use std::time::Duration;

use futures_util::StreamExt;
use redis::aio::PubSub;
use redis::{Client, RedisResult};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tracing::{debug, info, warn};

use super::address::{RedisAddress, Servers};
use super::connection::{ROUND_TRIP, client, within};
use crate::shared::keys::CHANGES_CHANNEL;
use crate::shared::shared_store::StoreError;

const CONNECT: Duration = Duration::from_secs(3);
/// After silence the server is asked whether it is still there.
const SILENCE: Duration = Duration::from_secs(15);
/// Between one try and the next: the first, doubled up to the last.
const WAIT: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));
/// No app's key is longer.
const MAX_MESSAGE: usize = 256;

/// Hears what other instances announce.
#[derive(Debug)]
pub struct RedisListener {
  address: RedisAddress,
  channel: String,
  changes: mpsc::Sender<String>,
}

impl RedisListener {
  /// A listener that passes on what it hears.
  pub fn new(address: RedisAddress, prefix: &str, changes: mpsc::Sender<String>) -> Self {
    Self {
      address,
      channel: format!("{prefix}{CHANGES_CHANNEL}"),
      changes,
    }
  }

  /// Listens until stopped, and again after every loss.
  pub async fn run(self, stop: CancellationToken) {
    stop.run_until_cancelled(self.listen()).await;
  }

  async fn listen(&self) {
    let (mut wait, mut is_refused) = (WAIT.0, false);
    loop {
      match self.subscribe().await.map_err(|error| self.address.hide(error)) {
        Ok(subscription) => {
          if is_refused {
            info!("Redis: what others announce is heard again");
          }
          (wait, is_refused) = (WAIT.0, false);
          let error = self.address.hide(self.pass_on(subscription).await);
          debug!(%error, "Redis: the subscription was lost");
        }
        Err(StoreError::Refused(error)) => {
          if !is_refused {
            warn!(
              error,
              "Redis: announcements can't be listened to; what others find is seen at the next look, not at once"
            );
          }
          is_refused = true;
        }
        // The poller says the same, once.
        Err(error) => debug!(%error, "Redis: announcements can't be listened to now"),
      }
      sleep(wait).await;
      wait = (wait * 2).min(WAIT.1);
    }
  }

  pub(super) async fn subscribe(&self) -> Result<PubSub, StoreError> {
    let clients = match &self.address.servers {
      // Every node hears what any of them is told.
      Servers::Cluster(nodes) => nodes.iter().map(|node| Client::open(node.clone())).collect(),
      _ => vec![Ok(within(CONNECT, client(&self.address)).await?)],
    };
    let mut last = StoreError::Unreachable("no nodes".to_owned());
    for client in clients {
      match self.subscribe_at(client).await {
        Ok(subscription) => return Ok(subscription),
        Err(error) => last = error,
      }
    }
    Err(last)
  }

  async fn subscribe_at(&self, client: RedisResult<Client>) -> Result<PubSub, StoreError> {
    within(CONNECT, async {
      let mut subscription = client?.get_async_pubsub().await?;
      subscription.subscribe(&self.channel).await?;
      Ok(subscription)
    })
    .await
  }

  /// Passes on what comes until the subscription is lost.
  async fn pass_on(&self, subscription: PubSub) -> StoreError {
    let (mut sink, stream) = subscription.split();
    let mut stream = pin!(stream);
    loop {
      match timeout(SILENCE, stream.next()).await {
        Ok(Some(message)) => {
          let Ok(key) = str::from_utf8(message.get_payload_bytes()) else {
            continue;
          };
          if key.len() <= MAX_MESSAGE {
            // A full queue means that much changed; the next look finds it.
            let _ = self.changes.try_send(key.to_owned());
          }
        }
        Ok(None) => return StoreError::Unreachable("the connection was closed".to_owned()),
        Err(_) => {
          if let Err(error) = within(ROUND_TRIP, sink.ping::<redis::Value>()).await {
            return error;
          }
        }
      }
    }
  }
}
