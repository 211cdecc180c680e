//! How often to ask, as of now, and whether at all.

use std::time::Duration;

use tracing::warn;

use super::poll::{Poller, PollerSettings, RequestsPerHour};
use crate::clock::{Clock, UnixMs};
use crate::github::ReleaseSource;
use crate::schedule::{Freshness, RequestsLeft, interval_alone, interval_within_budget};
use crate::shared::SharedStore;

impl<S: ReleaseSource, C: Clock, F: SharedStore> Poller<S, C, F> {
  pub(super) fn is_backing_off(&self, now: UnixMs) -> bool {
    let max_backoff = self.max_backoff();
    self
      .feed
      .backoff
      .is_some_and(|backoff| backoff.lasts_at(now, max_backoff))
  }

  pub(super) fn max_backoff(&self) -> Duration {
    self.settings.max_backoff.max(self.usual_interval())
  }

  pub(super) fn freshness(&self) -> Freshness {
    let instances = self
      .coordination
      .instances()
      .filter(|_| !self.coordination.is_cut_off());
    Freshness {
      interval: self.interval(),
      instances: instances.unwrap_or(1),
    }
  }

  /// How old a release may get now: longer where many instances ask, each for itself, and where few requests are left.
  pub(super) fn interval(&self) -> Duration {
    let (interval, apps) = (self.usual_interval(), self.feed.cache.catalog().len());
    let instances = self.coordination.instances().filter(|_| self.coordination.is_cut_off());
    let budgeted = self.interval_within_budget(interval, apps, instances.unwrap_or(1));
    let Some(instances) = instances else { return budgeted };
    let RequestsPerHour { usual, without_token } = self.settings.requests_per_hour;
    let limit = if self.source.is_token_refused() {
      without_token
    } else {
      usual
    };
    interval_alone(interval, instances, apps, limit).max(budgeted)
  }

  fn interval_within_budget(&self, interval: Duration, apps: usize, instances: u32) -> Duration {
    let now = self.clock.now();
    let budgets = self.source.budgets_in_force();
    let left = budgets.iter().map(|budget| RequestsLeft {
      remaining: budget.remaining_at(now),
      time: budget.time_left_at(now),
    });
    let left: Vec<RequestsLeft> = left.collect();
    let cost_share = if self.source.pays_for_confirmations() {
      1.0
    } else {
      self.cost_share.share(apps)
    };
    let asked = apps.saturating_mul(usize::try_from(instances.max(1)).unwrap_or(usize::MAX));
    interval_within_budget(interval, asked, cost_share, &left)
  }

  /// Whether GitHub would refuse whatever is asked. Said once for each time.
  pub(super) fn is_used_up(&mut self, now: UnixMs) -> bool {
    let until = self.source.used_up_until().filter(|until| *until > now);
    if until.is_some() && until != self.used_up_said {
      let until = until.and_then(UnixMs::to_utc_time).map(|until| until.to_string());
      warn!(
        until = until.as_deref().unwrap_or("none"),
        "GitHub's requests are used up: nobody asks before there are new ones"
      );
    }
    self.used_up_said = until.or(self.used_up_said);
    until.is_some()
  }

  pub(super) fn usual_interval(&self) -> Duration {
    let PollerSettings {
      interval,
      interval_without_token,
      ..
    } = self.settings;
    if self.source.is_token_refused() {
      interval.max(interval_without_token)
    } else {
      interval
    }
  }
}
