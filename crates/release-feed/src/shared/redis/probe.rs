//! Whether a fleet can share through a Redis: everything that an instance does there, done once, on keys of its own that are deleted
//! again. What the fleet shares is read and not touched.

use std::collections::HashMap;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use redis::{Cmd, RedisError, RedisResult, Value, cmd, from_redis_value};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

use super::address::{RedisAddress, Servers};
use super::commands;
use super::connection::{Connection, pipeline};
use super::listener::RedisListener;
use super::replies;
use super::scripts::Call;
use super::trouble::{lacks_script, refuses_scripts, shown, store_error};
use super::watched::write_watched;
use crate::clock::{CLOCK_TOLERANCE, Clock, UnixMs};
use crate::secret_text::hide_secrets;
use crate::shared::entry::{BY, V, VERSION};
use crate::shared::guarded_write::{GuardedWrite, TimeField};
use crate::shared::keys::{BACKOFF_KEY, CHANGES_CHANNEL, INSTANCE_TTL, INSTANCES_KEY, PROBE_KEY, app_key};
use crate::shared::shared_store::StoreError;
use crate::shared::survey::{Survey, SurveyRules};

/// The whole of it takes no longer.
const WHOLE: Duration = Duration::from_secs(9);
/// Odd, so that there is one in the middle.
const ROUND_TRIPS: usize = 5;
/// What is left if it can't be deleted is soon gone.
const KEPT: Duration = Duration::from_secs(10);
/// An announcement that isn't heard by then isn't heard.
const HEARD_WITHIN: Duration = Duration::from_secs(2);
/// No app's key, since it has a space: whoever hears it does nothing.
const ANNOUNCED: &str = "launchfeed doctor";
const MAX_WORD: usize = 40;

/// Looks at a Redis once.
#[derive(Debug)]
pub struct RedisProbe {
  address: RedisAddress,
  prefix: String,
}

/// What was found.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RedisReport {
  /// The middle one of five round trips.
  pub round_trip: Duration,
  /// How far the server's clock is ahead of ours, in milliseconds.
  pub ahead_ms: i64,
  /// What it is and which version, where it may be asked.
  pub version: Option<String>,
  /// What it does when its memory is full, where it may be asked.
  pub eviction: Option<String>,
  /// Whether entries can be written, and how.
  pub writing: Result<WayOfWriting, StoreError>,
  /// Whether an instance can say that it is there.
  pub presence: Result<(), StoreError>,
  /// Whether changes can be announced and heard.
  pub announcing: Announcing,
  /// How many instances there are.
  pub instances: Result<u32, StoreError>,
  /// What is shared.
  pub shared: Result<Survey, StoreError>,
}

/// How entries are written.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum WayOfWriting {
  /// By scripts.
  Scripts,
  /// With `WATCH`, since scripts are refused, for this reason.
  Watched(String),
}

/// What became of an announcement.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Announcing {
  /// It was heard.
  Heard,
  /// It was made, listened for, and not heard.
  NotHeard,
  /// It can't be listened for.
  Deaf(StoreError),
  /// It can't be made.
  Mute(StoreError),
}

struct Open<'p> {
  probe: &'p RedisProbe,
  connection: Connection,
  /// Names a server for commands without a key.
  home: String,
}

impl RedisProbe {
  /// For a Redis there, with that before every key.
  pub fn new(address: RedisAddress, prefix: impl Into<String>) -> Self {
    Self {
      address,
      prefix: prefix.into(),
    }
  }

  /// Does everything once. Ends within 9 s.
  ///
  /// # Errors
  ///
  /// When it can't be connected to, the login is refused, or the connection breaks.
  pub async fn run(&self, rules: &SurveyRules, clock: &impl Clock) -> Result<RedisReport, StoreError> {
    let report = timeout(WHOLE, Box::pin(self.try_run(rules, clock))).await;
    let report = report.unwrap_or(Err(StoreError::TimedOut(WHOLE.as_secs())));
    report.map_err(|error| self.address.hide(error))
  }

  async fn try_run(&self, rules: &SurveyRules, clock: &impl Clock) -> Result<RedisReport, StoreError> {
    let mut open = Open {
      probe: self,
      connection: Connection::open(&self.address).await?,
      home: self.key(BACKOFF_KEY),
    };
    let (round_trip, now, ahead_ms) = open.time(clock).await?;
    let (version, eviction) = open.about_the_server().await?;
    let writing = open.write(now).await?;
    let presence = open.be_present(now).await?;
    open.tidy_up().await?;
    Ok(RedisReport {
      round_trip,
      ahead_ms,
      version,
      eviction,
      writing,
      presence,
      instances: open.count_instances(now).await?,
      shared: open.survey(rules, now).await?,
      announcing: open.announce().await?,
    })
  }

  fn key(&self, name: &str) -> String {
    format!("{}{name}", self.prefix)
  }

  /// Where a set is written that is like that of the instances.
  fn presence_key(&self) -> String {
    self.key(&format!("{PROBE_KEY}:instances"))
  }
}

impl Open<'_> {
  /// An error of the server's as it is shown.
  fn refusal(&self, error: &RedisError) -> StoreError {
    self.probe.address.hide(store_error(error))
  }

  async fn one(&mut self, command: Cmd) -> Result<RedisResult<Value>, StoreError> {
    self.connection.one(command, &self.home).await
  }

  /// The middle round trip, the server's time, and how far that is ahead.
  async fn time(&mut self, clock: &impl Clock) -> Result<(Duration, UnixMs, i64), StoreError> {
    let mut trips = Vec::with_capacity(ROUND_TRIPS);
    for _ in 0..ROUND_TRIPS {
      let asked = Instant::now();
      let reply = self.one(commands::time()).await?;
      let took = asked.elapsed();
      let now = reply.and_then(replies::time).map_err(|error| self.refusal(&error))?;
      let on_the_way = i64::try_from(took.as_millis() / 2).unwrap_or(i64::MAX);
      let ahead_ms = now.0.saturating_sub(clock.now().0.saturating_sub(on_the_way));
      trips.push((took, now, ahead_ms));
    }
    let latest = trips.last().map_or(UnixMs(0), |(_, now, _)| *now);
    trips.sort_unstable_by_key(|(took, ..)| *took);
    let (took, _, ahead_ms) = trips[ROUND_TRIPS / 2];
    Ok((took, latest, ahead_ms))
  }

  /// Nothing where it may not be asked, and nothing of a cluster, whose nodes may differ.
  async fn about_the_server(&mut self) -> Result<(Option<String>, Option<String>), StoreError> {
    let Connection::Single(connection) = &mut self.connection else {
      return Ok((None, None));
    };
    let (mut info, mut policy) = (cmd("INFO"), cmd("CONFIG"));
    info.arg("server");
    policy.arg("GET").arg("maxmemory-policy");
    let mut replies = pipeline(connection, vec![info, policy]).await?.into_iter();
    let info: Option<String> = replies.next().and_then(|info| from_redis_value(info.ok()?).ok());
    let policy: Option<HashMap<String, String>> = replies.next().and_then(|policy| from_redis_value(policy.ok()?).ok());
    let policy = policy.and_then(|mut policy| policy.remove("maxmemory-policy"));
    let hidden = |text: String| self.probe.address.hide_in(&text);
    let (info, policy) = (info.map(hidden), policy.map(hidden));
    Ok((info.as_deref().and_then(version), policy.as_deref().map(word)))
  }

  /// Writes as an instance does, on a key of our own.
  async fn write(&mut self, now: UnixMs) -> Result<Result<WayOfWriting, StoreError>, StoreError> {
    let key = self.probe.key(PROBE_KEY);
    let write = GuardedWrite {
      key: PROBE_KEY.to_owned(),
      time_field: TimeField::Claimed,
      at: now,
      gap: Duration::ZERO,
      gap_once_finished: None,
      believed_ahead: CLOCK_TOLERANCE,
      requires_etag: None,
      fields: vec![
        (V, Bytes::from_static(VERSION)),
        (TimeField::Claimed.name(), now.0.to_string().into()),
        (BY, Bytes::from_static(ANNOUNCED.as_bytes())),
      ],
      ttl: KEPT,
    };
    let call = Call::guarded_write(&write, key.clone());
    let mut reply = self.one(call.by_digest()).await?;
    if reply.as_ref().is_err_and(lacks_script) {
      reply = self.one(call.whole()).await?;
    }
    let refusal = match reply {
      Ok(_) => return Ok(Ok(WayOfWriting::Scripts)),
      Err(error) if refuses_scripts(&error) => self.refusal(&error),
      Err(error) => return Ok(Err(self.refusal(&error))),
    };
    let written = write_watched(&self.probe.address, &mut self.connection, &key, |_| {
      Some(commands::write(&write, &key).into())
    });
    let written = written.await.map_err(|error| self.probe.address.hide(error));
    let written = written.map(|_| WayOfWriting::Watched(refusal.to_string()));
    if written.is_err() {
      // A key may still be watched on it, or a transaction open.
      self.connection = Connection::open(&self.probe.address).await?;
    }
    Ok(written)
  }

  async fn be_present(&mut self, now: UnixMs) -> Result<Result<(), StoreError>, StoreError> {
    let commands = commands::presence(&self.probe.presence_key(), ANNOUNCED, now);
    let replies = self.connection.all(commands.into(), &self.home).await?;
    let refused = replies.into_iter().find_map(RedisResult::err);
    Ok(refused.map_or(Ok(()), |error| Err(self.refusal(&error))))
  }

  /// What can't be deleted goes by itself.
  async fn tidy_up(&mut self) -> Result<(), StoreError> {
    for key in [self.probe.key(PROBE_KEY), self.probe.presence_key()] {
      drop(self.one(commands::delete(&key)).await?);
    }
    Ok(())
  }

  /// Those that were there lately, as [`commands::presence`] leaves them. Whoever may not count by time sees those that are only just gone, too.
  async fn count_instances(&mut self, now: UnixMs) -> Result<Result<u32, StoreError>, StoreError> {
    let key = self.probe.key(INSTANCES_KEY);
    let gone = now.shifted_by_ms(-i64::try_from(INSTANCE_TTL.as_millis()).unwrap_or(i64::MAX));
    let (mut lately, mut all) = (cmd("ZCOUNT"), cmd("ZCARD"));
    lately
      .arg(&key)
      .arg(format!("({}", gone.0))
      .arg(format!("({}", now.plus(CLOCK_TOLERANCE).0));
    all.arg(&key);
    let mut reply = self.one(lately).await?;
    if reply.as_ref().is_err_and(|error| error.code() == Some("NOPERM")) {
      reply = self.one(all).await?;
    }
    let count = reply.and_then(|count| Ok(from_redis_value(count)?));
    Ok(count.map_err(|error| self.refusal(&error)))
  }

  async fn survey(&mut self, rules: &SurveyRules, now: UnixMs) -> Result<Result<Survey, StoreError>, StoreError> {
    let keys = rules.catalog.apps().map(|(key, _)| app_key(key));
    let keys = keys.chain([BACKOFF_KEY.to_owned()]);
    let asked = keys.map(|key| commands::read(&self.probe.key(&key))).collect();
    let replies = self.connection.all(asked, &self.home).await?;
    let hashes: RedisResult<Vec<_>> = replies.into_iter().map(replies::hash).collect();
    let read = hashes.map(|mut hashes| {
      let (backoff, _) = hashes.pop().unwrap_or_default();
      let hashes = hashes
        .into_iter()
        .map(|(fields, oddity)| (fields, oddity.map(|why| why.to_string())));
      rules.judge(hashes.collect(), &backoff, now)
    });
    Ok(read.map_err(|error| self.refusal(&error)))
  }

  /// Listens and announces, as instances do to each other, where they do it: another channel might be allowed.
  async fn announce(&mut self) -> Result<Announcing, StoreError> {
    let channel = self.probe.key(CHANGES_CHANNEL);
    let listener = RedisListener::new(self.probe.address.clone(), &self.probe.prefix, mpsc::channel(1).0);
    let heard = listener.subscribe().await;
    let announced = self.one(commands::announce(&channel, ANNOUNCED)).await?;
    if let Err(error) = announced {
      return Ok(Announcing::Mute(self.refusal(&error)));
    }
    let mut messages = match heard {
      Ok(subscription) => subscription.into_on_message(),
      Err(error) => return Ok(Announcing::Deaf(self.probe.address.hide(error))),
    };
    let heard = timeout(HEARD_WITHIN, async {
      while let Some(message) = messages.next().await {
        if message.get_payload_bytes() == ANNOUNCED.as_bytes() {
          return true;
        }
      }
      false
    });
    let is_heard = heard.await.unwrap_or(false);
    Ok(if is_heard {
      Announcing::Heard
    } else {
      Announcing::NotHeard
    })
  }
}

impl RedisAddress {
  /// A text without the passwords of this address: a server that doesn't know a command may say back what came with it. To be used before
  /// the text is cut or escaped.
  pub fn hide_in(&self, text: &str) -> String {
    let (logins, of_sentinels) = match &self.servers {
      Servers::Single(info) => (std::slice::from_ref(info), None),
      Servers::Cluster(nodes) => (&nodes[..], None),
      Servers::Sentinel(sentinels) => (std::slice::from_ref(&sentinels.login), sentinels.password()),
    };
    let passwords = logins.iter().filter_map(|info| info.redis_settings().password());
    hide_secrets(text, passwords.chain(of_sentinels))
  }

  /// An error without them, as it is shown.
  pub(super) fn hide(&self, error: StoreError) -> StoreError {
    let hidden = |text: String| shown(&self.hide_in(&text));
    match error {
      StoreError::Unreachable(text) => StoreError::Unreachable(hidden(text)),
      StoreError::Unreadable(text) => StoreError::Unreadable(hidden(text)),
      StoreError::Refused(text) => StoreError::Refused(hidden(text)),
      StoreError::TimedOut(_) => error,
    }
  }
}

/// `Redis 7.0.15`, or `valkey 8.1.0`.
fn version(info: &str) -> Option<String> {
  let value = |name: &str| {
    let line = info.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    line.map(word).filter(|word| !word.is_empty())
  };
  match (value("server_name"), value("valkey_version")) {
    (Some(name), Some(version)) => Some(format!("{name} {version}")),
    _ => value("redis_version").map(|version| format!("Redis {version}")),
  }
}

/// What a server calls something, as far as it is fit to be shown.
fn word(text: &str) -> String {
  text.chars().filter(char::is_ascii_graphic).take(MAX_WORD).collect()
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case(
    "# Server\r\nredis_version:7.0.15\r\nredis_mode:standalone\r\n",
    Some("Redis 7.0.15")
  )]
  #[case(
    "redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.1.0\r\n",
    Some("valkey 8.1.0")
  )]
  #[case("redis_version:\u{1b}[31m7\r\n", Some("Redis [31m7"))]
  #[case("redis_version:\r\n", None)]
  #[case("", None)]
  fn a_version_is_read_whoever_the_server_is(#[case] info: &str, #[case] expected: Option<&str>) {
    assert_eq!(version(info).as_deref(), expected);
  }

  #[rstest]
  #[case("redis://u:hunter2@h")]
  #[case("redis-cluster://u:hunter2@a,b")]
  #[case("redis-sentinel://u:hunter2@a,b?master=m")]
  #[case("redis-sentinel://a,b?master=m&sentinel_password=hunter2")]
  fn a_password_that_a_server_says_back_is_hidden(#[case] url: &str) {
    let address = RedisAddress::parse(url).unwrap();
    let text = address.hide_in("unknown command 'AUTH', with args beginning with: 'u' 'hunter2'");
    assert_eq!(text, "unknown command 'AUTH', with args beginning with: 'u' '***'");
  }

  #[test]
  fn a_password_is_hidden_before_the_text_is_cut_or_made_one_line() {
    let address = RedisAddress::parse("redis://u:hunter2%0Ahunter2@h").unwrap();
    for length in 180..220 {
      let text = format!("ERR {} hunter2\nhunter2\r\n", "x".repeat(length));
      let StoreError::Refused(said) = address.hide(StoreError::Refused(text)) else {
        panic!("another error")
      };
      assert!(!said.contains("h") && !said.contains('\n'), "{said:?}");
      assert!(said.len() <= 200, "{said:?}");
    }
  }

  #[test]
  fn without_a_password_nothing_is_hidden() {
    let address = RedisAddress::parse("redis://h").unwrap();
    assert_eq!(address.hide_in("redis"), "redis");
  }
}
