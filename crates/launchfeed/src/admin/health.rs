//! Whether there is an answer to serve, and what is amiss: a state and a reason for each part.
//!
//! Only one thing makes an instance unready: having nothing to serve. GitHub, Redis and the disk may all be gone while the last good
//! answer is served, and taking such an instance out of service would help nobody.

use release_feed::UnixMs;
use release_feed::status::{FeedStatus, SnapshotStatus};
use serde::Serialize;

use super::parts::{answer, github, redis, snapshot};

/// How it goes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Health {
  pub(super) status: Readiness,
  pub(super) parts: Parts,
}

/// Whether to send requests here.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Readiness {
  /// All is well.
  Ready,
  /// There is an answer to serve, and something is amiss.
  Degraded,
  /// There is nothing to serve.
  Unready,
  /// The process ends.
  Stopping,
}

/// By part.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Parts {
  pub(super) answer: Part,
  pub(super) github: Part,
  pub(super) redis: Part,
  pub(super) snapshot: Part,
}

/// One part.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Part {
  pub(super) state: PartState,
  pub(super) reason: String,
}

/// How a part is.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum PartState {
  /// As it should be.
  Ok,
  /// Not there, and not wanted.
  Off,
  /// Something is amiss.
  Degraded,
  /// There is nothing to serve.
  Unready,
  /// The process ends.
  Stopping,
}

impl Health {
  /// What follows from what is known at `now`.
  pub(super) fn of(feed: &FeedStatus, disk: &SnapshotStatus, now: UnixMs, is_stopping: bool) -> Self {
    let parts = Parts {
      answer: if is_stopping {
        Part::new(PartState::Stopping, "the process was told to stop")
      } else {
        answer(feed, now)
      },
      github: github(feed, now),
      redis: redis(&feed.fleet, now),
      snapshot: snapshot(disk, now),
    };
    Self {
      status: parts.readiness(),
      parts,
    }
  }
}

impl Readiness {
  pub(super) const ALL: [Self; 4] = [Self::Ready, Self::Degraded, Self::Unready, Self::Stopping];

  /// Whether requests should be sent here.
  pub(super) fn is_served(self) -> bool {
    matches!(self, Self::Ready | Self::Degraded)
  }

  /// The word for it.
  pub(super) fn as_str(self) -> &'static str {
    match self {
      Self::Ready => "ready",
      Self::Degraded => "degraded",
      Self::Unready => "unready",
      Self::Stopping => "stopping",
    }
  }
}

impl Parts {
  /// Each with its name.
  pub(super) fn all(&self) -> [(&'static str, &Part); 4] {
    [
      ("answer", &self.answer),
      ("github", &self.github),
      ("redis", &self.redis),
      ("snapshot", &self.snapshot),
    ]
  }

  fn readiness(&self) -> Readiness {
    match self.answer.state {
      PartState::Stopping => Readiness::Stopping,
      PartState::Unready => Readiness::Unready,
      _ if self.all().iter().any(|(_, part)| part.is_amiss()) => Readiness::Degraded,
      _ => Readiness::Ready,
    }
  }
}

impl Part {
  pub(super) fn new(state: PartState, reason: impl Into<String>) -> Self {
    Self {
      state,
      reason: reason.into(),
    }
  }

  fn is_amiss(&self) -> bool {
    !matches!(self.state, PartState::Ok | PartState::Off)
  }
}

#[cfg(test)]
mod tests {
  use std::time::Duration;

  use release_feed::schedule::Backoff;
  use release_feed::status::{
    AppStatus, FailureStatus, FleetStatus, Mode, PollingStatus, RedisStatus, RedisTrouble, ServedRelease, Trouble,
  };

  use super::*;

  const NOW: UnixMs = UnixMs(1_791_471_170_000);

  #[test]
  fn with_all_apps_known_and_nothing_amiss_it_is_ready() {
    let health = health(&well());
    assert_eq!(health.status, Readiness::Ready, "{health:?}");
    assert_eq!(
      health.parts.answer.reason,
      "all 2 apps are known; the oldest was fetched 10 s ago"
    );
    assert_eq!(health.parts.redis.state, PartState::Off);
  }

  #[test]
  fn only_having_nothing_to_serve_makes_it_unready() {
    let mut feed = well();
    for app in feed.apps.values_mut() {
      app.fetched_at = None;
    }
    let nothing = health(&feed);
    assert_eq!(nothing.status, Readiness::Unready);
    feed.apps.values_mut().next().unwrap().fetched_at = Some(NOW);
    let one = health(&feed);
    assert_eq!(
      (one.status, one.parts.answer.state),
      (Readiness::Degraded, PartState::Degraded)
    );
    assert_eq!(one.parts.answer.reason, "1 of 2 apps is known; not yet: beta");
  }

  #[test]
  fn before_the_poller_has_said_anything_it_is_unready() {
    assert_eq!(health(&FeedStatus::default()).status, Readiness::Unready);
  }

  #[test]
  fn failures_of_github_degrade_it_and_say_why() {
    let mut feed = well();
    feed.apps.values_mut().next().unwrap().failure = Some(FailureStatus {
      count: 3,
      since: NOW.shifted_by_ms(-120_000),
      last_at: NOW,
      reason: Some("GitHub answered 500".to_owned()),
    });
    let health = health(&feed);
    assert_eq!(
      (health.status, health.parts.github.state),
      (Readiness::Degraded, PartState::Degraded)
    );
    assert_eq!(
      health.parts.github.reason,
      "asking about 1 of 2 apps fails, about alpha for 2 min (3 in a row): GitHub answered 500"
    );
  }

  #[test]
  fn a_backoff_degrades_it_until_it_has_passed() {
    let mut feed = well();
    let until = |millis| {
      Some(Backoff {
        until: NOW.shifted_by_ms(millis),
        trouble: 2,
      })
    };
    feed.polling.backoff = until(60_000);
    assert_eq!(
      health(&feed).parts.github.reason,
      "GitHub is left alone until 2026-10-08T14:53:50Z, after 2 rounds in a row with rate limits or nothing but failures"
    );
    feed.polling.backoff = until(-1);
    assert_eq!(health(&feed).status, Readiness::Ready);
  }

  #[test]
  fn a_poller_that_says_nothing_any_more_is_noticed() {
    let mut feed = well();
    feed.as_of = Some(NOW.shifted_by_ms(-600_000));
    assert_eq!(
      health(&feed).parts.github.reason,
      "the poller has said nothing for 10 min; restart this instance if that goes on"
    );
  }

  #[test]
  fn old_data_degrades_it_unless_nobody_is_asked() {
    let mut feed = well();
    for app in feed.apps.values_mut() {
      app.fetched_at = Some(NOW.shifted_by_ms(-400_000));
    }
    assert_eq!(health(&feed).parts.answer.state, PartState::Degraded);
    feed.polling.enabled = false;
    let health = health(&feed);
    assert_eq!(
      (health.status, health.parts.github.state),
      (Readiness::Ready, PartState::Off)
    );
  }

  #[test]
  fn redis_that_fails_degrades_it() {
    let mut feed = well();
    feed.fleet = FleetStatus {
      mode: Mode::Standalone,
      instances: Some(3),
      redis: RedisStatus::Fails {
        what: RedisTrouble::Reading,
        trouble: Trouble {
          since: NOW.shifted_by_ms(-30_000),
          error: "didn't answer within 5 s".to_owned(),
        },
      },
    };
    let health = health(&feed);
    assert_eq!(health.status, Readiness::Degraded);
    assert_eq!(
      health.parts.redis.reason,
      "reading what the fleet shares fails for 30 s: didn't answer within 5 s"
    );
  }

  #[test]
  fn a_snapshot_that_can_not_be_written_degrades_it() {
    let disk = SnapshotStatus {
      saved_at: Some(NOW.shifted_by_ms(-7_200_000)),
      trouble: Some(Trouble {
        since: NOW.shifted_by_ms(-3_600_000),
        error: "No space left on device".to_owned(),
      }),
    };
    let health = Health::of(&well(), &disk, NOW, false);
    assert_eq!(health.status, Readiness::Degraded);
    assert_eq!(
      health.parts.snapshot.reason,
      "it can't be written for 1 h: No space left on device; the last one is 2 h old"
    );
  }

  #[test]
  fn a_process_that_stops_is_not_to_be_sent_requests() {
    let health = Health::of(&well(), &SnapshotStatus::default(), NOW, true);
    assert_eq!(health.status, Readiness::Stopping);
    assert!(!health.status.is_served());
  }

  #[test]
  fn the_words_are_those_of_the_json() {
    for readiness in Readiness::ALL {
      assert_eq!(serde_json::to_value(readiness).unwrap(), readiness.as_str());
    }
  }

  fn health(feed: &FeedStatus) -> Health {
    Health::of(feed, &SnapshotStatus::default(), NOW, false)
  }

  fn well() -> FeedStatus {
    let app = AppStatus {
      repo: "acme/demo".to_owned(),
      fetched_at: Some(NOW.shifted_by_ms(-10_000)),
      release: Some(ServedRelease::default()),
      ..AppStatus::default()
    };
    FeedStatus {
      as_of: Some(NOW),
      apps: ["alpha", "beta"].map(|key| (key.parse().unwrap(), app.clone())).into(),
      polling: PollingStatus {
        enabled: true,
        interval: Duration::from_secs(120),
        ..PollingStatus::default()
      },
      ..FeedStatus::default()
    }
  }
}
