//! The same in several steps, for servers without scripts: watch the key, read it, decide, write if nobody else did meanwhile.

use futures_util::future::select_ok;
use redis::aio::MultiplexedConnection;
use redis::{Cmd, RedisResult, Value, from_redis_value};

use super::address::{RedisAddress, Servers};
use super::commands;
use super::connection::{Connection, beside, open_node, pipeline};
use super::replies;
use super::trouble::{moved_to, store_error};
use crate::clock::UnixMs;
use crate::shared::fields::Fields;
use crate::shared::shared_store::StoreError;

/// Whoever loses that often leaves it to the others.
const MAX_ATTEMPTS: usize = 3;
/// Nodes that are asked for a key until one has it.
const MAX_NODES: usize = 5;

/// What stands under a key.
pub(super) struct Watched {
  /// Absent for a key of another type.
  pub(super) fields: Fields,
  /// Something that isn't ours stands there.
  pub(super) is_foreign: bool,
  pub(super) now: UnixMs,
}

/// Writes what `decide` says, if it says anything. Whether it was written.
pub(super) async fn write_watched(
  address: &RedisAddress,
  connection: &mut Connection,
  key: &str,
  decide: impl Fn(&Watched) -> Option<Vec<Cmd>>,
) -> Result<bool, StoreError> {
  let mut of_node;
  let (connection, mut first) = match (connection, &address.servers) {
    (Connection::Single(connection), _) => {
      let replies = look(connection, key).await?;
      (connection, replies)
    }
    (Connection::Cluster(_), Servers::Cluster(nodes)) => {
      let (node, replies) = node_with(nodes, key).await?;
      of_node = node;
      (&mut of_node, replies)
    }
    (Connection::Cluster(_), _) => return Err(StoreError::Refused("a cluster where there is none".to_owned())),
  };
  for attempt in 0..MAX_ATTEMPTS {
    if attempt > 0 {
      first = look(connection, key).await?;
    }
    let watched = understand(first).map_err(|error| store_error(&error))?;
    let Some(commands) = decide(&watched) else {
      let _ = pipeline(connection, vec![redis::cmd("UNWATCH")]).await?;
      return Ok(false);
    };
    if transact(connection, commands).await? {
      return Ok(true);
    }
    first = Vec::new();
  }
  Ok(false)
}

/// Does all of it unless somebody else wrote meanwhile, and says whether it did. Nothing is sent before the server has agreed to a
/// transaction: outside one it would be done at once, whatever others have written.
async fn transact(connection: &mut MultiplexedConnection, commands: Vec<Cmd>) -> Result<bool, StoreError> {
  let begun = pipeline(connection, vec![redis::cmd("MULTI")]).await?.pop();
  begun.unwrap_or(Ok(Value::Nil)).map_err(|error| store_error(&error))?;
  let expected = commands.len();
  let commands = commands.into_iter().chain([redis::cmd("EXEC")]).collect();
  // Where a command can't even be queued, its own error says more than the end's.
  let replies: RedisResult<Vec<Value>> = pipeline(connection, commands).await?.into_iter().collect();
  let mut replies = replies.map_err(|error| store_error(&error))?;
  match replies.pop().unwrap_or(Value::Nil) {
    Value::Nil => Ok(false),
    Value::Array(replies) if replies.len() == expected => {
      let failure = replies.into_iter().find_map(|reply| reply.extract_error().err());
      failure.map_or(Ok(true), |error| Err(store_error(&error)))
    }
    _ => Err(StoreError::Unreadable(
      "a transaction ended with something else than its replies".to_owned(),
    )),
  }
}

async fn look(connection: &mut MultiplexedConnection, key: &str) -> Result<Vec<RedisResult<Value>>, StoreError> {
  let commands = vec![
    commands::watch(key),
    commands::time(),
    commands::kind(key),
    commands::read(key),
  ];
  pipeline(connection, commands).await
}

/// The node that holds a key, which is watched there. A connection of its own: the cluster's may be made anew at any moment, by which
/// a watch would be lost.
async fn node_with(
  nodes: &[redis::ConnectionInfo],
  key: &str,
) -> Result<(MultiplexedConnection, Vec<RedisResult<Value>>), StoreError> {
  let opened = nodes.iter().map(|node| Box::pin(open_node(node.clone())));
  // Whoever answers first; some may hang.
  let ((mut node, mut connection), _) = select_ok(opened).await?;
  for _ in 0..MAX_NODES {
    let replies = look(&mut connection, key).await?;
    let elsewhere = replies.iter().find_map(|reply| moved_to(reply.as_ref().err()?));
    let Some((host, port)) = elsewhere else {
      return Ok((connection, replies));
    };
    (node, connection) = open_node(beside(&node, &host, port)).await?;
  }
  Err(StoreError::Refused("no node of the cluster has the key".to_owned()))
}

fn understand(replies: Vec<RedisResult<Value>>) -> RedisResult<Watched> {
  let mut replies = replies.into_iter();
  let mut next = || replies.next().unwrap_or(Ok(Value::Nil));
  next()?;
  let now = replies::time(next()?)?;
  let kind: String = from_redis_value(next()?)?;
  let (fields, _) = replies::hash(next())?;
  Ok(Watched {
    is_foreign: kind != "none" && !fields.is_ours(),
    fields,
    now,
  })
}
