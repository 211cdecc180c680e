//! The Redis of a fleet: everything that an instance does there.

use std::sync::Arc;
use std::time::Duration;

use release_feed::shared::{
  Announcing, RedisProbe, RedisReport, Standing, StoreError, Survey, SurveyRules, WayOfWriting,
};
use release_feed::{SystemClock, UnixMs};

use super::clock::clock;
use super::finding::Finding;
use super::words::counted;
use crate::config::{APPS, CATALOG, Examined, GITHUB_WEB_URL, REDIS_URL, RedisSettings};
use crate::github::release_rules;

pub(super) const NAME: &str = "redis";
const CLOCK: &str = "redis_clock";
const WRITING: &str = "redis_writing";
const PRESENCE: &str = "redis_instances";
const ANNOUNCEMENTS: &str = "redis_announcements";
const ENTRIES: &str = "redis_entries";
const BACKOFF: &str = "redis_backoff";
const EVICTION: &str = "redis_eviction";
/// Calls are given up after 5 s.
const SLOW_FROM: Duration = Duration::from_millis(500);
/// Apps whose entries can't be used, named in one line; the rest is counted.
const MAX_NAMED: usize = 3;

pub(super) async fn check(examined: &Examined) -> Vec<Finding> {
  let Some(redis) = &examined.settings.redis else {
    return vec![Finding::not_applicable(
      NAME,
      "none is set: this instance shares with nobody",
    )];
  };
  let rules = SurveyRules {
    catalog: Arc::new(examined.settings.source.catalog.clone()),
    rules: release_rules(&examined.settings.source.github),
    max_backoff: examined.settings.polling.max_backoff,
  };
  let probe = RedisProbe::new(redis.address.clone(), &redis.prefix);
  match probe.run(&rules, &SystemClock).await {
    Ok(report) => judge(examined, redis, report),
    Err(error) => vec![Finding::wrong(
      NAME,
      format_args!("{}: {error}", redis.address),
      advice(&error),
    )],
  }
}

fn judge(examined: &Examined, redis: &RedisSettings, report: RedisReport) -> Vec<Finding> {
  let mut findings = vec![
    connection(redis, &report),
    clock(CLOCK, "Redis's", report.ahead_ms),
    writing(report.writing),
    announcements(report.announcing),
    instances(report.presence, report.instances),
  ];
  let is_judged_rightly = ![APPS, CATALOG, GITHUB_WEB_URL]
    .iter()
    .any(|setting| examined.is_unusable(*setting));
  match report.shared {
    Ok(survey) => {
      let backoff = backoff(&survey, report.ahead_ms);
      findings.extend(is_judged_rightly.then(|| entries(survey.apps)));
      findings.extend(backoff);
    }
    Err(error) => findings.push(Finding::wrong(
      ENTRIES,
      format_args!("they can't be read: it {error}"),
      advice(&error),
    )),
  }
  findings.extend(report.eviction.as_deref().and_then(eviction));
  findings
}

fn connection(redis: &RedisSettings, report: &RedisReport) -> Finding {
  let version = report.version.as_deref();
  let version = version.map(|version| format!(", {version}")).unwrap_or_default();
  let milliseconds = report.round_trip.as_secs_f64() * 1_000.0;
  let what = format!(
    "{} answers{version}; a round trip takes {milliseconds:.2} ms",
    redis.address
  );
  if report.round_trip < SLOW_FROM {
    Finding::ok(NAME, what)
  } else {
    Finding::warning(NAME, what, "look at the network between; calls are given up after 5 s")
  }
}

fn writing(writing: Result<WayOfWriting, StoreError>) -> Finding {
  match writing {
    Ok(WayOfWriting::Scripts) => Finding::ok(WRITING, "by scripts"),
    Ok(WayOfWriting::Watched(refusal)) => Finding::ok(
      WRITING,
      format_args!("with WATCH, which is as good, since scripts are refused: it {refusal}"),
    ),
    Err(error) => Finding::wrong(
      WRITING,
      format_args!("nothing can be written: it {error}"),
      advice(&error),
    ),
  }
}

fn announcements(announcing: Announcing) -> Finding {
  const LATER: &str = "a new release is seen by the others at their next look, within 30 s";
  let allow = |what: &str| format!("allow the login {what} on the channel launchfeed:releases:changed (docs/fleet.md)");
  match announcing {
    Announcing::Heard => Finding::ok(ANNOUNCEMENTS, "made and heard"),
    Announcing::NotHeard => Finding::warning(
      ANNOUNCEMENTS,
      format_args!("made, and not heard within 2 s: {LATER}"),
      "look whether all instances use the same Redis; a proxy before it may not carry them",
    ),
    Announcing::Deaf(error) => Finding::warning(
      ANNOUNCEMENTS,
      format_args!("they can't be listened to: it {error}; {LATER}"),
      allow("SUBSCRIBE"),
    ),
    Announcing::Mute(error) => Finding::warning(
      ANNOUNCEMENTS,
      format_args!("none can be made: it {error}; {LATER}"),
      allow("PUBLISH"),
    ),
  }
}

fn instances(presence: Result<(), StoreError>, count: Result<u32, StoreError>) -> Finding {
  if let Err(error) = presence {
    let what = format!("an instance can't say that it is there: it {error}");
    return Finding::wrong(PRESENCE, what, advice(&error));
  }
  match count {
    Ok(count) => {
      let count = counted(usize::try_from(count).unwrap_or(usize::MAX), "instance");
      Finding::ok(PRESENCE, format_args!("{count} in the last two minutes"))
    }
    Err(error) => Finding::warning(
      PRESENCE,
      format_args!("they can't be counted: it {error}"),
      "find out who wrote launchfeed:releases:instances; an instance makes it anew",
    ),
  }
}

fn entries(apps: Vec<(release_feed::catalog::AppKey, Standing)>) -> Finding {
  let known = apps.iter().filter(|(_, standing)| *standing == Standing::Known).count();
  let what = format!("{known} of {} are shared", counted(apps.len(), "app"));
  let unusable = apps.iter().filter_map(|(key, standing)| match standing {
    Standing::Unusable(why) => Some(format!("{key}: {why}")),
    Standing::Known | Standing::Absent => None,
  });
  let unusable: Vec<String> = unusable.collect();
  if unusable.is_empty() {
    return Finding::ok(ENTRIES, what);
  }
  let named = unusable[..unusable.len().min(MAX_NAMED)].join("; ");
  let more = if unusable.len() > MAX_NAMED { "; …" } else { "" };
  Finding::warning(
    ENTRIES,
    format_args!("{what}, {} can't be used ({named}{more})", unusable.len()),
    "find out who wrote them (their field `by`); instances ask anew and replace them",
  )
}

fn backoff(survey: &Survey, ahead_ms: i64) -> Option<Finding> {
  let backoff = survey.backoff?;
  let until: UnixMs = backoff.until.shifted_by_ms(ahead_ms.saturating_neg());
  let until = until.to_utc_time().map(|until| until.to_string()).unwrap_or_default();
  Some(Finding::warning(
    BACKOFF,
    format_args!(
      "the fleet leaves GitHub alone until {until}, after {} with trouble in a row",
      counted(usize::try_from(backoff.trouble).unwrap_or(usize::MAX), "round")
    ),
    "nothing: it ends by itself; `launchfeed check` shows whether GitHub answers",
  ))
}

fn eviction(policy: &str) -> Option<Finding> {
  let evicts_all = policy.starts_with("allkeys-");
  evicts_all.then(|| {
    Finding::warning(
      EVICTION,
      format_args!("{policy}: when its memory is full, it forgets what is shared"),
      "nothing: instances give back what they know; noeviction or volatile-* elsewhere saves requests",
    )
  })
}

fn advice(error: &StoreError) -> String {
  let StoreError::Refused(text) = error else {
    return match error {
      StoreError::Unreadable(_) => format!("check that it is a Redis that answers there: {REDIS_URL}"),
      StoreError::TimedOut(_) => "look at the server and at what stands between: something hangs".to_owned(),
      _ => format!("check that Redis runs, the network, and {REDIS_URL}"),
    };
  };
  let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
  if has(&["WRONGPASS", "NOAUTH", "assword", "uthentication"]) {
    format!("put the right user and password into {}", REDIS_URL.variable)
  } else if has(&["READONLY", "read only"]) {
    format!(
      "it is a replica: point {} at the master, or use redis-sentinel://",
      REDIS_URL.variable
    )
  } else if has(&["OOM", "memory"]) {
    "give it more memory (maxmemory), or take away what it needn't keep".to_owned()
  } else if has(&["NOPERM", "permission"]) {
    "allow the login what docs/fleet.md lists".to_owned()
  } else if has(&["MISCONF"]) {
    "it can't save to its disk: look at its log".to_owned()
  } else {
    "look at the server".to_owned()
  }
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case(StoreError::TimedOut(3), "hangs")]
  #[case(StoreError::Unreachable("refused".to_owned()), "--redis-url")]
  #[case(StoreError::Unreadable("<html>".to_owned()), "--redis-url")]
  #[case(StoreError::Refused("NOAUTH Authentication required.".to_owned()), "password")]
  #[case(StoreError::Refused("READONLY You can't write".to_owned()), "redis-sentinel://")]
  #[case(StoreError::Refused("OOM command not allowed".to_owned()), "maxmemory")]
  #[case(StoreError::Refused("NOPERM this user".to_owned()), "docs/fleet.md")]
  #[case(StoreError::Refused("MISCONF Redis is configured".to_owned()), "disk")]
  #[case(StoreError::Refused("BUSY".to_owned()), "look at the server")]
  fn every_error_has_its_advice(#[case] error: StoreError, #[case] words: &str) {
    assert!(advice(&error).contains(words), "{}", advice(&error));
  }

  #[test]
  fn only_a_policy_that_evicts_all_keys_is_worth_a_word() {
    assert!(eviction("allkeys-lru").is_some());
    assert!(eviction("noeviction").is_none() && eviction("volatile-lru").is_none());
  }

  #[test]
  fn many_entries_that_cannot_be_used_are_counted() {
    let unusable = |number: usize| {
      let key = format!("app{number}").parse().unwrap();
      (key, Standing::Unusable("rubbish".to_owned()))
    };
    let finding = entries((0..9).map(unusable).collect());
    assert!(
      finding
        .what
        .ends_with("9 can't be used (app0: rubbish; app1: rubbish; app2: rubbish; …)"),
      "{finding:?}"
    );
  }
}
