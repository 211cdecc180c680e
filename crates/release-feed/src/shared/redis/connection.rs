//! Connections, and what goes over them in one round trip.

use std::time::Duration;

use futures_util::future::join_all;
use redis::aio::MultiplexedConnection;
use redis::cluster::ClusterClient;
use redis::cluster_async::ClusterConnection;
use redis::cluster_routing::{Route, RoutingInfo, SingleNodeRoutingInfo, SlotAddr};
use redis::sentinel::{SentinelClientBuilder, SentinelServerType};
use redis::{
  AsyncConnectionConfig, Client, Cmd, ConnectionAddr, ConnectionInfo, Pipeline, RedisError, RedisResult, TlsMode, Value,
};
use tokio::time::timeout;

use super::address::{RedisAddress, Sentinels, Servers};
use super::commands;
use super::trouble::{store_error, store_error_within};
use crate::shared::shared_store::StoreError;

/// Making a connection takes no longer.
const CONNECT: Duration = Duration::from_secs(3);
/// One of a cluster's nodes; others are tried after it.
const CONNECT_NODE: Duration = Duration::from_secs(1);
/// A command and its reply take no longer.
pub(super) const ROUND_TRIP: Duration = Duration::from_secs(5);
/// A node that is asked for another's key says which one; more often than that in a row it is a loop.
const CLUSTER_RETRIES: u32 = 3;

/// To one server, or to all of a cluster's.
pub(super) enum Connection {
  Single(MultiplexedConnection),
  Cluster(ClusterConnection),
}

impl Connection {
  pub(super) async fn open(address: &RedisAddress) -> Result<Self, StoreError> {
    let opening = async {
      match &address.servers {
        Servers::Cluster(nodes) => {
          let client = ClusterClient::builder(nodes.clone())
            .connection_timeout(CONNECT_NODE)
            .response_timeout(ROUND_TRIP)
            .retries(CLUSTER_RETRIES)
            .build()?;
          client.get_async_connection().await.map(Self::Cluster)
        }
        _ => {
          let client = client(address).await?;
          multiplexed(&client).await.map(Self::Single)
        }
      }
    };
    let opened = within(CONNECT, opening).await;
    match opened {
      // A server without TLS waits for the end of a line.
      Err(StoreError::TimedOut(limit)) if address.uses_tls() => Err(StoreError::Unreachable(format!(
        "no connection within {limit} s; does this port speak TLS? rediss:// does, redis:// doesn't"
      ))),
      opened => opened,
    }
  }

  /// Sends commands together, and gives back a reply to each. Those without a key are meant for the server that holds `home`.
  pub(super) async fn all(&mut self, commands: Vec<Cmd>, home: &str) -> Result<Vec<RedisResult<Value>>, StoreError> {
    match self {
      Self::Single(connection) => pipeline(connection, commands).await,
      Self::Cluster(connection) => {
        let replies = commands.into_iter().map(|command| {
          let mut connection = connection.clone();
          async move {
            if commands::has_key(&command) {
              command.query_async(&mut connection).await
            } else {
              connection.route_command(command, to_holder_of(home)).await
            }
          }
        });
        let replies = within(ROUND_TRIP, async { Ok(join_all(replies).await) }).await?;
        match replies.iter().find_map(|reply| broken(reply.as_ref().err()?)) {
          Some(error) => Err(error),
          None => Ok(replies),
        }
      }
    }
  }

  /// Sends one command.
  pub(super) async fn one(&mut self, command: Cmd, home: &str) -> Result<RedisResult<Value>, StoreError> {
    let mut replies = self.all(vec![command], home).await?;
    replies.pop().ok_or_else(|| StoreError::Refused("no reply".to_owned()))
  }
}

/// Sends commands together to one server.
pub(super) async fn pipeline(
  connection: &mut MultiplexedConnection,
  commands: Vec<Cmd>,
) -> Result<Vec<RedisResult<Value>>, StoreError> {
  let mut pipeline = Pipeline::with_capacity(commands.len());
  for command in commands {
    pipeline.add_command(command);
  }
  pipeline.ignore_errors();
  within(ROUND_TRIP, pipeline.query_async(connection)).await
}

/// Another node of a cluster, as one of them names it; the login is the same.
pub(super) fn beside(node: &ConnectionInfo, host: &str, port: u16) -> ConnectionInfo {
  let mut address = node.addr().clone();
  if let ConnectionAddr::Tcp(node_host, node_port)
  | ConnectionAddr::TcpTls {
    host: node_host,
    port: node_port,
    ..
  } = &mut address
  {
    // An empty host means the one that says so.
    if !host.is_empty() {
      host.clone_into(node_host);
    }
    *node_port = port;
  }
  node.clone().set_addr(address)
}

/// A connection to one node of a cluster.
pub(super) async fn open_node(node: ConnectionInfo) -> Result<(ConnectionInfo, MultiplexedConnection), StoreError> {
  let connection = within(CONNECT_NODE, async { multiplexed(&Client::open(node.clone())?).await }).await?;
  Ok((node, connection))
}

/// A client of the one server, or of whichever the Sentinels say is the master; of a cluster, of the first node.
pub(super) async fn client(address: &RedisAddress) -> RedisResult<Client> {
  match &address.servers {
    Servers::Single(info) => Client::open(info.clone()),
    Servers::Sentinel(sentinels) => master(sentinels).await,
    Servers::Cluster(nodes) => Client::open(nodes.first().cloned().ok_or_else(no_nodes)?),
  }
}

fn no_nodes() -> RedisError {
  RedisError::from((redis::ErrorKind::InvalidClientConfig, "no nodes"))
}

async fn master(sentinels: &Sentinels) -> RedisResult<Client> {
  let nodes = sentinels.nodes.iter().map(|node| node.addr().clone());
  let login = sentinels.login.redis_settings();
  let mut builder = SentinelClientBuilder::new(nodes, &sentinels.master, SentinelServerType::Master)?
    .set_client_to_redis_db(login.db());
  if matches!(sentinels.login.addr(), ConnectionAddr::TcpTls { .. }) {
    builder = builder
      .set_client_to_redis_tls_mode(TlsMode::Secure)
      .set_client_to_sentinel_tls_mode(TlsMode::Secure);
  }
  if let Some(user) = login.username() {
    builder = builder.set_client_to_redis_username(user);
  }
  if let Some(password) = login.password() {
    builder = builder.set_client_to_redis_password(password);
  }
  if let Some(password) = sentinels.password() {
    builder = builder.set_client_to_sentinel_password(password);
  }
  builder.build()?.async_get_client().await
}

async fn multiplexed(client: &Client) -> RedisResult<MultiplexedConnection> {
  let config = AsyncConnectionConfig::new()
    .set_connection_timeout(Some(CONNECT))
    .set_response_timeout(Some(ROUND_TRIP));
  client.get_multiplexed_async_connection_with_config(&config).await
}

/// Waits for something at most that long.
pub(super) async fn within<T>(limit: Duration, what: impl Future<Output = RedisResult<T>>) -> Result<T, StoreError> {
  match timeout(limit, what).await {
    Ok(done) => done.map_err(|error| store_error_within(&error, limit)),
    Err(_) => Err(StoreError::TimedOut(limit.as_secs())),
  }
}

/// The error that means that nothing more is to be had of the connection.
fn broken(error: &RedisError) -> Option<StoreError> {
  let is_broken = error.is_timeout()
    || error.is_io_error()
    || error.is_connection_dropped()
    || error.is_connection_refusal()
    || error.kind() == redis::ErrorKind::ClusterConnectionNotFound;
  is_broken.then(|| store_error(error))
}

fn to_holder_of(key: &str) -> RoutingInfo {
  RoutingInfo::SingleNode(SingleNodeRoutingInfo::SpecificNode(Route::with_key(
    key,
    SlotAddr::Master,
  )))
}
