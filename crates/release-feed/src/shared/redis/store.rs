//! What a fleet shares, in Redis.

use std::collections::HashMap;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use redis::{Cmd, RedisError, from_redis_value};
use tokio::time::{Instant, timeout};
use tracing::{Instrument, warn};

use super::address::RedisAddress;
use super::call_span::CallSpan;
use super::commands;
use super::connection::Connection;
use super::notes::{self, Group};
use super::replies::{self, Oddity};
use super::scripts::Call;
use super::trouble::{lacks_script, leaves_connection_good, refuses_scripts, store_error};
use super::watched::{Watched, write_watched};
use crate::clock::UnixMs;
use crate::shared::fields::Fields;
use crate::shared::guarded_write::GuardedWrite;
use crate::shared::keys::{BACKOFF_KEY, CHANGES_CHANNEL, INSTANCES_KEY};
use crate::shared::notes::{Note, NotePlace};
use crate::shared::shared_store::{Reading, SharedStore, StoreError};

/// A whole call takes no longer.
const CALL: Duration = Duration::from_secs(10);
/// A server that forbade scripts is offered one again after that long.
const REFUSAL_HOLDS: Duration = Duration::from_secs(60 * 60);

/// A call under way. Its type is hidden, since the library's futures nest deeper than the compiler looks.
type Calling<'c, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'c>>;

/// A call that was made: its span, and how it ended.
type Made<T> = (CallSpan, Result<T, StoreError>);

/// Hashes in Redis. Not connected until the first call.
#[derive(Debug)]
pub struct RedisStore {
  address: RedisAddress,
  prefix: String,
  connected: Option<Connected>,
  scripts: Scripts,
  /// What was said of keys.
  odd: HashMap<String, Oddity>,
}

struct Connected {
  connection: Connection,
  /// The server's time, and ours when it said so.
  time: (UnixMs, Instant),
}

#[derive(Clone, Copy, Debug)]
enum Scripts {
  Allowed,
  RefusedAt(Instant),
  Never,
}

impl RedisStore {
  /// A store there, with that before every key.
  pub fn new(address: RedisAddress, prefix: impl Into<String>) -> Self {
    Self {
      address,
      prefix: prefix.into(),
      connected: None,
      scripts: Scripts::Allowed,
      odd: HashMap::new(),
    }
  }

  /// The same without scripts, whatever the server allows.
  #[must_use]
  pub fn without_scripts(self) -> Self {
    Self {
      scripts: Scripts::Never,
      ..self
    }
  }

  async fn connected(&mut self) -> Result<&mut Connected, StoreError> {
    let connected = match self.connected.take() {
      Some(connected) => connected,
      None => {
        let home = self.key(BACKOFF_KEY);
        let mut connection = Connection::open(&self.address).await?;
        let reply = connection.one(commands::time(), &home).await?;
        let now = reply.and_then(replies::time).map_err(|error| store_error(&error))?;
        Connected {
          connection,
          time: (now, Instant::now()),
        }
      }
    };
    Ok(self.connected.insert(connected))
  }

  async fn try_read(
    &mut self,
    keys: &[String],
    places: &[NotePlace],
    present: Option<&str>,
  ) -> Result<Reading, StoreError> {
    let home = self.key(BACKOFF_KEY);
    let instances_key = self.key(INSTANCES_KEY);
    let keys: Vec<String> = keys.iter().map(|key| self.key(key)).collect();
    let prefix = self.prefix.clone();
    let Connected { connection, time } = self.connected().await?;
    let mut asked = vec![commands::time()];
    asked.extend(keys.iter().map(|key| commands::read(key)));
    let groups = notes::grouped(&prefix, places);
    asked.extend(groups.iter().map(Group::read));
    if let Some(instance) = present {
      let (said, at) = *time;
      asked.extend(commands::presence(&instances_key, instance, said.plus(at.elapsed())));
    }
    let mut replies = connection.all(asked, &home).await?.into_iter();
    let mut next = || {
      let reply = replies.next();
      reply.unwrap_or_else(|| {
        Err(RedisError::from((
          redis::ErrorKind::UnexpectedReturnType,
          "a reply is missing",
        )))
      })
    };
    let now = next().and_then(replies::time).map_err(|error| store_error(&error))?;
    *time = (now, Instant::now());
    let hashes = keys.iter().map(|_| replies::hash(next())).collect::<Result<_, _>>();
    let hashes: Vec<(Fields, Option<Oddity>)> = hashes.map_err(|error| store_error(&error))?;
    let notes = groups.iter().flat_map(|group| group.understand_or_absent(next()));
    let notes = notes.collect();
    let presence: Vec<_> = replies.collect();
    if let Some(Err(error)) = presence.first()
      && error.code() == Some("WRONGTYPE")
    {
      // The key is ours alone, so nobody misses what stands there.
      warn!("Redis: the key of the instances is of another type; it is made anew");
      drop(connection.one(commands::delete(&instances_key), &home).await?);
    }
    let count = match (presence.first(), presence.get(commands::COUNT_AT)) {
      (Some(Ok(_)), Some(Ok(count))) => replies::instances(count),
      // What can't be written there can't be counted; the last number holds.
      _ => None,
    };
    let hashes = keys.iter().zip(hashes).map(|(key, (fields, oddity))| {
      self.note_oddity(key, oddity);
      fields
    });
    Ok(Reading {
      now,
      hashes: hashes.collect(),
      notes,
      instances: count,
    })
  }

  async fn try_write(&mut self, write: &GuardedWrite) -> Result<bool, StoreError> {
    let key = self.key(&write.key);
    if let Some(written) = self.try_script(&Call::guarded_write(write, key.clone())).await? {
      return Ok(written);
    }
    self
      .try_watched(&key, |watched| {
        write.is_allowed(&watched.fields, watched.now).then(|| {
          let replaced = watched.is_foreign.then(|| commands::delete(&key));
          replaced.into_iter().chain(commands::write(write, &key)).collect()
        })
      })
      .await
  }

  async fn try_delete_if(&mut self, key: &str, field: &str, value: &str) -> Result<bool, StoreError> {
    let key = self.key(key);
    if let Some(deleted) = self.try_script(&Call::delete_if(key.clone(), field, value)).await? {
      return Ok(deleted);
    }
    self
      .try_watched(&key, |watched| {
        (watched.fields.text(field) == Some(value)).then(|| vec![commands::delete(&key)])
      })
      .await
  }

  async fn try_watched(
    &mut self,
    key: &str,
    decide: impl Fn(&Watched) -> Option<Vec<Cmd>>,
  ) -> Result<bool, StoreError> {
    let address = self.address.clone();
    let connected = self.connected().await?;
    let written = write_watched(&address, &mut connected.connection, key, decide).await;
    if written.is_err() {
      // A key may still be watched on it, or a transaction open.
      self.connected = None;
    }
    written
  }

  async fn try_recall(&mut self, places: &[NotePlace]) -> Result<Vec<Option<Bytes>>, StoreError> {
    if places.is_empty() {
      return Ok(Vec::new());
    }
    let (home, prefix) = (self.key(BACKOFF_KEY), self.prefix.clone());
    let connected = self.connected().await?;
    notes::recall(&mut connected.connection, &home, &prefix, places).await
  }

  async fn try_note(&mut self, left: &[Note]) -> Result<(), StoreError> {
    if left.is_empty() {
      return Ok(());
    }
    let (home, prefix) = (self.key(BACKOFF_KEY), self.prefix.clone());
    let connected = self.connected().await?;
    notes::leave(&mut connected.connection, &home, &prefix, left).await
  }

  async fn try_announce(&mut self, message: &str) -> Result<(), StoreError> {
    let (home, channel) = (self.key(BACKOFF_KEY), self.key(CHANGES_CHANNEL));
    let connected = self.connected().await?;
    let reply = connected
      .connection
      .one(commands::announce(&channel, message), &home)
      .await?;
    reply.map(drop).map_err(|error| store_error(&error))
  }

  /// Runs a script; `None` where scripts are refused.
  async fn try_script(&mut self, call: &Call) -> Result<Option<bool>, StoreError> {
    match self.scripts {
      Scripts::Never => return Ok(None),
      Scripts::RefusedAt(at) if at.elapsed() < REFUSAL_HOLDS => return Ok(None),
      _ => {}
    }
    let home = self.key(BACKOFF_KEY);
    let connected = self.connected().await?;
    let mut reply = connected.connection.one(call.by_digest(), &home).await?;
    if reply.as_ref().is_err_and(lacks_script) {
      reply = connected.connection.one(call.whole(), &home).await?;
    }
    match reply.and_then(|reply| Ok(from_redis_value::<i64>(reply)?)) {
      Ok(done) => {
        self.scripts = Scripts::Allowed;
        Ok(Some(done == 1))
      }
      Err(error) if refuses_scripts(&error) => {
        if matches!(self.scripts, Scripts::Allowed) {
          let error = self.address.hide(store_error(&error));
          warn!(%error, "Redis: scripts are refused; writing with WATCH, and trying again in an hour");
        }
        self.scripts = Scripts::RefusedAt(Instant::now());
        Ok(None)
      }
      Err(error) => Err(store_error(&error)),
    }
  }

  /// Says it once, until it changes.
  fn note_oddity(&mut self, key: &str, oddity: Option<Oddity>) {
    let Some(why) = oddity else {
      self.odd.remove(key);
      return;
    };
    if self.odd.get(key) != Some(&why) {
      warn!(key, %why, "Redis: what stands there counts as absent");
      self.odd.insert(key.to_owned(), why);
    }
  }

  fn key(&self, name: &str) -> String {
    format!("{}{name}", self.prefix)
  }

  /// Whatever is under way on a connection when a call fails is nobody's any more, so the connection goes too, and with it a server
  /// that isn't the right one any more.
  fn ended<T>(&mut self, made: Made<T>) -> Result<T, StoreError> {
    let (span, result) = made;
    let result = result.map_err(|error| self.address.hide(error));
    if result.as_ref().is_err_and(|error| !leaves_connection_good(error)) {
      self.connected = None;
    }
    span.noted(result)
  }
}

/// Makes a call, in a span of its own, that may take only so long.
async fn in_time<T>(operation: &'static str, call: Calling<'_, T>) -> Made<T> {
  let span = CallSpan::begin(operation);
  let result = timeout(CALL, call.instrument(span.span().clone())).await;
  (span, result.unwrap_or(Err(StoreError::TimedOut(CALL.as_secs()))))
}

// The library's futures are large, and most of the time nothing is called.
impl SharedStore for RedisStore {
  async fn read_with(
    &mut self,
    keys: &[String],
    notes: &[NotePlace],
    present: Option<&str>,
  ) -> Result<Reading, StoreError> {
    let read = in_time("read", Box::pin(self.try_read(keys, notes, present))).await;
    self.ended(read)
  }

  async fn write(&mut self, write: &GuardedWrite) -> Result<bool, StoreError> {
    let written = in_time("write", Box::pin(self.try_write(write))).await;
    self.ended(written)
  }

  async fn delete_if(&mut self, key: &str, field: &str, value: &str) -> Result<bool, StoreError> {
    let deleted = in_time("delete_if", Box::pin(self.try_delete_if(key, field, value))).await;
    self.ended(deleted)
  }

  async fn recall(&mut self, places: &[NotePlace]) -> Result<Vec<Option<Bytes>>, StoreError> {
    let recalled = in_time("recall", Box::pin(self.try_recall(places))).await;
    self.ended(recalled)
  }

  async fn note(&mut self, notes: &[Note]) -> Result<(), StoreError> {
    let noted = in_time("note", Box::pin(self.try_note(notes))).await;
    self.ended(noted)
  }

  async fn announce(&mut self, message: &str) -> Result<(), StoreError> {
    let announced = in_time("announce", Box::pin(self.try_announce(message))).await;
    self.ended(announced)
  }
}

impl std::fmt::Debug for Connected {
  fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    f.debug_struct("Connected")
      .field("time", &self.time)
      .finish_non_exhaustive()
  }
}
