//! What is asked of the server, command by command.

use std::time::Duration;

use redis::{Arg, Cmd, cmd};

use crate::clock::{CLOCK_TOLERANCE, UnixMs};
use crate::shared::entry::FIELDS;
use crate::shared::guarded_write::GuardedWrite;
use crate::shared::keys::INSTANCE_TTL;

/// The set of instances outlives the last of them by that much.
const INSTANCES_KEPT: Duration = Duration::from_secs(2 * INSTANCE_TTL.as_secs());

pub(super) fn time() -> Cmd {
  cmd("TIME")
}

/// The fields of a hash that mean something to us, in their order.
pub(super) fn read(key: &str) -> Cmd {
  let mut command = cmd("HMGET");
  command.arg(key).arg(&FIELDS[..]);
  command
}

/// Says that an instance is there, forgets those that aren't any more, and counts the rest.
pub(super) fn presence(key: &str, instance: &str, now: UnixMs) -> [Cmd; 5] {
  let [mut add, mut forget, mut disbelieve, mut count, mut keep] =
    ["ZADD", "ZREMRANGEBYSCORE", "ZREMRANGEBYSCORE", "ZCARD", "PEXPIRE"].map(cmd);
  let gone = now.shifted_by_ms(-i64::try_from(INSTANCE_TTL.as_millis()).unwrap_or(i64::MAX));
  add.arg(key).arg(now.0).arg(instance);
  forget.arg(key).arg("-inf").arg(gone.0);
  // The server's clock was wrong, or somebody else wrote it.
  disbelieve.arg(key).arg(now.plus(CLOCK_TOLERANCE).0).arg("+inf");
  count.arg(key);
  keep.arg(key).arg(milliseconds(INSTANCES_KEPT));
  [add, forget, disbelieve, count, keep]
}

/// Where the count is among the replies to [`presence`].
pub(super) const COUNT_AT: usize = 3;

pub(super) fn watch(key: &str) -> Cmd {
  let mut command = cmd("WATCH");
  command.arg(key);
  command
}

pub(super) fn kind(key: &str) -> Cmd {
  let mut command = cmd("TYPE");
  command.arg(key);
  command
}

pub(super) fn delete(key: &str) -> Cmd {
  let mut command = cmd("DEL");
  command.arg(key);
  command
}

/// What a guarded write does once it is allowed.
pub(super) fn write(write: &GuardedWrite, key: &str) -> [Cmd; 2] {
  let [mut set, mut keep] = ["HSET", "PEXPIRE"].map(cmd);
  set.arg(key);
  for (name, value) in &write.fields {
    set.arg(*name).arg(&value[..]);
  }
  keep.arg(key).arg(milliseconds(write.ttl));
  [set, keep]
}

pub(super) fn announce(channel: &str, message: &str) -> Cmd {
  let mut command = cmd("PUBLISH");
  command.arg(channel).arg(message);
  command
}

/// Whether a command concerns a key; those that don't may be asked of any node of a cluster.
pub(super) fn has_key(command: &Cmd) -> bool {
  let name = command.args_iter().next();
  !matches!(name, Some(Arg::Simple(b"TIME" | b"PUBLISH")))
}

pub(super) fn milliseconds(duration: Duration) -> String {
  duration.as_millis().to_string()
}
