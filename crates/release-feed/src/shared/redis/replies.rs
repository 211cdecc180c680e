//! What the server's replies say.

use bytes::Bytes;
use redis::{RedisResult, Value, from_redis_value};

use crate::clock::UnixMs;
use crate::shared::entry::FIELDS;
use crate::shared::fields::Fields;

/// What is longer counts as absent. A release with the longest notes and the most files there may be is about half as long.
pub(super) const MAX_FIELD: usize = 1024 * 1024;

/// The server's time, of the reply to `TIME`.
pub(super) fn time(reply: Value) -> RedisResult<UnixMs> {
  let (seconds, microseconds): (i64, i64) = from_redis_value(reply)?;
  Ok(UnixMs(
    seconds.saturating_mul(1_000).saturating_add(microseconds / 1_000),
  ))
}

/// How many instances there are, of the reply to `ZCARD`: the one that asks is always one of them.
pub(super) fn instances(reply: &Value) -> Option<u32> {
  let count: i64 = from_redis_value(reply.clone()).ok()?;
  u32::try_from(count).ok().filter(|count| *count > 0)
}

/// Why something that stands there counts as absent.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub(super) enum Oddity {
  #[error("it is of another type")]
  Type,
  #[error("its field {0} is longer than 1 MiB")]
  TooLong(&'static str),
}

/// A hash, of the reply to `HMGET`, and what of it counts as absent: all of a key of another type, and fields that are too long.
pub(super) fn hash(reply: RedisResult<Value>) -> RedisResult<(Fields, Option<Oddity>)> {
  let values: Vec<Option<Bytes>> = match reply {
    Ok(reply) => from_redis_value(reply)?,
    Err(error) if error.code() == Some("WRONGTYPE") => return Ok((Fields::default(), Some(Oddity::Type))),
    Err(error) => return Err(error),
  };
  let mut oddity = None;
  let present = FIELDS.into_iter().zip(values).filter_map(|(name, value)| {
    let value = value?;
    if value.len() > MAX_FIELD {
      oddity = Some(Oddity::TooLong(name));
      return None;
    }
    Some((name, value))
  });
  Ok((present.collect(), oddity))
}
