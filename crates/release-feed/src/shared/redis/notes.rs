//! Reading and leaving notes: fields of hashes that are ours alone, so that nothing need be guarded.

use bytes::Bytes;
use redis::{Cmd, RedisError, RedisResult, Value, cmd, from_redis_value};

use super::commands;
use super::connection::Connection;
use super::replies::MAX_FIELD;
use super::trouble::store_error;
use crate::shared::notes::{Note, NotePlace};
use crate::shared::shared_store::StoreError;

/// A hash, and its fields that are asked for together.
pub(super) struct Group<'p> {
  key: String,
  fields: Vec<&'p str>,
}

impl Group<'_> {
  pub(super) fn read(&self) -> Cmd {
    let mut command = cmd("HMGET");
    command.arg(&self.key).arg(&self.fields);
    command
  }

  fn understand(&self, reply: RedisResult<Value>) -> RedisResult<Vec<Option<Bytes>>> {
    let mut values: Vec<Option<Bytes>> = match reply {
      Ok(reply) => from_redis_value(reply)?,
      Err(error) if is_of_another_type(&error) => Vec::new(),
      Err(error) => return Err(error),
    };
    values.resize(self.fields.len(), None);
    let fits = |value: Option<Bytes>| value.filter(|value| value.len() <= MAX_FIELD);
    Ok(values.into_iter().map(fits).collect())
  }

  /// The same where nothing may fail because of notes.
  pub(super) fn understand_or_absent(&self, reply: RedisResult<Value>) -> Vec<Option<Bytes>> {
    self.understand(reply).unwrap_or_else(|_| vec![None; self.fields.len()])
  }
}

/// Reads notes in one round trip.
pub(super) async fn recall(
  connection: &mut Connection,
  home: &str,
  prefix: &str,
  places: &[NotePlace],
) -> Result<Vec<Option<Bytes>>, StoreError> {
  let groups = grouped(prefix, places);
  let asked = groups.iter().map(Group::read).collect();
  let replies = connection.all(asked, home).await?;
  let mut values = Vec::with_capacity(places.len());
  for (group, reply) in groups.iter().zip(replies) {
    values.extend(group.understand(reply).map_err(|error| store_error(&error))?);
  }
  Ok(values)
}

/// Leaves notes in one round trip, or in two where something of another type stood in the way.
pub(super) async fn leave(
  connection: &mut Connection,
  home: &str,
  prefix: &str,
  notes: &[Note],
) -> Result<(), StoreError> {
  let written = |note: &Note| {
    let key = format!("{prefix}{}", note.place.key);
    let [mut set, mut keep] = ["HSET", "PEXPIRE"].map(cmd);
    set.arg(&key).arg(&note.place.field).arg(&note.value[..]);
    keep.arg(&key).arg(commands::milliseconds(note.ttl));
    [set, keep]
  };
  let replies = connection.all(notes.iter().flat_map(written).collect(), home).await?;
  let is_foreign = |reply: &RedisResult<Value>| reply.as_ref().is_err_and(is_of_another_type);
  // The replies come in pairs.
  let foreign = notes.iter().zip(replies.chunks(2));
  let foreign: Vec<&Note> = foreign
    .filter(|(_, replies)| replies.iter().any(is_foreign))
    .map(|(note, _)| note)
    .collect();
  for error in replies.iter().filter_map(|reply| reply.as_ref().err()) {
    if !is_of_another_type(error) {
      return Err(store_error(error));
    }
  }
  if foreign.is_empty() {
    return Ok(());
  }
  let again = foreign
    .iter()
    .map(|note| commands::delete(&format!("{prefix}{}", note.place.key)))
    .chain(foreign.iter().copied().flat_map(written))
    .collect();
  let replies: RedisResult<Vec<Value>> = connection.all(again, home).await?.into_iter().collect();
  replies.map(drop).map_err(|error| store_error(&error))
}

fn is_of_another_type(error: &RedisError) -> bool {
  error.code() == Some("WRONGTYPE")
}

/// Neighbours in one hash are asked for together.
pub(super) fn grouped<'p>(prefix: &str, places: &'p [NotePlace]) -> Vec<Group<'p>> {
  let neighbours = places.chunk_by(|one, next| one.key == next.key);
  let groups = neighbours.filter_map(|places| {
    Some(Group {
      key: format!("{prefix}{}", places.first()?.key),
      fields: places.iter().map(|place| place.field.as_str()).collect(),
    })
  });
  groups.collect()
}
