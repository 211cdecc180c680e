//! What the server's replies say.

use bytes::Bytes;
use redis::{RedisResult, Value, from_redis_value};
use tracing::warn;

use crate::clock::UnixMs;
use crate::shared::entry::FIELDS;
use crate::shared::fields::Fields;

/// What is longer counts as absent; GitHub's own answers may be no longer.
const MAX_FIELD: usize = 4 * 1024 * 1024;

/// The server's time, of the reply to `TIME`.
pub(super) fn time(reply: Value) -> RedisResult<UnixMs> {
  let (seconds, microseconds): (i64, i64) = from_redis_value(reply)?;
  Ok(UnixMs(
    seconds.saturating_mul(1_000).saturating_add(microseconds / 1_000),
  ))
}

/// A hash, of the reply to `HMGET`. A key of another type reads as absent.
pub(super) fn hash(key: &str, reply: RedisResult<Value>) -> RedisResult<Fields> {
  let values: Vec<Option<Bytes>> = match reply {
    Ok(reply) => from_redis_value(reply)?,
    Err(error) if error.code() == Some("WRONGTYPE") => {
      warn!(key, "Redis: a key of another type stands there; it counts as absent");
      return Ok(Fields::default());
    }
    Err(error) => return Err(error),
  };
  let present = FIELDS.into_iter().zip(values).filter_map(|(name, value)| {
    let value = value?;
    if value.len() > MAX_FIELD {
      warn!(
        key,
        field = name,
        bytes = value.len(),
        "Redis: a field is too long; it counts as absent"
      );
      return None;
    }
    Some((name, value))
  });
  Ok(present.collect())
}
