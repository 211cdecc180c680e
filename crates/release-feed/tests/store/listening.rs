//! What is announced is heard, also after a loss.

use std::time::Duration;

use release_feed::shared::{RedisAddress, RedisListener, RedisStore, SharedStore};
use testkit::{DEADLINE, RedisCluster, RedisServer};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

#[tokio::test(flavor = "multi_thread")]
async fn what_is_announced_is_heard_under_the_same_prefix() {
  let server = RedisServer::start();
  let (mut ours, mut others) = (heard(&server.url(), "a:"), heard(&server.url(), "b:"));
  announce_until_heard(&server.url(), "a:", &mut ours).await;
  announce_until_heard(&server.url(), "b:", &mut others).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_tells_whoever_listens_at_any_node() {
  let cluster = RedisCluster::start();
  let mut changes = heard(&cluster.url(), "");
  announce_until_heard(&cluster.url(), "", &mut changes).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_subscription_is_made_again() {
  let mut server = RedisServer::start();
  let mut changes = heard(&server.url(), "");
  announce_until_heard(&server.url(), "", &mut changes).await;
  server.kill();
  server.start_again();
  announce_until_heard(&server.url(), "", &mut changes).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_long_or_no_text_is_not_passed_on() {
  let server = RedisServer::start();
  let mut changes = heard(&server.url(), "");
  announce_until_heard(&server.url(), "", &mut changes).await;
  let channel = release_feed::shared::CHANGES_CHANNEL;
  server.command::<()>(&["PUBLISH", channel, &"x".repeat(300)]);
  redis::cmd("PUBLISH")
    .arg(channel)
    .arg(b"\xff")
    .exec(&mut server.connection())
    .unwrap();
  server.command::<()>(&["PUBLISH", channel, "good"]);
  let mut next = changes.recv().await.unwrap();
  while next == "photocraft" {
    next = changes.recv().await.unwrap();
  }
  assert_eq!(next, "good");
}

pub(crate) fn heard(url: &str, prefix: &str) -> mpsc::Receiver<String> {
  let (sender, changes) = mpsc::channel(64);
  let listener = RedisListener::new(RedisAddress::parse(url).unwrap(), prefix, sender);
  tokio::spawn(listener.run(CancellationToken::new()));
  changes
}

/// When a subscription is there can't be seen from outside, so it is announced until it is heard.
pub(crate) async fn announce_until_heard(url: &str, prefix: &str, changes: &mut mpsc::Receiver<String>) {
  let mut store = RedisStore::new(RedisAddress::parse(url).unwrap(), prefix);
  let heard = timeout(DEADLINE, async {
    loop {
      let _ = store.announce("photocraft").await;
      if let Ok(heard) = timeout(Duration::from_millis(100), changes.recv()).await {
        return heard;
      }
    }
  });
  assert_eq!(heard.await.unwrap().as_deref(), Some("photocraft"));
}
