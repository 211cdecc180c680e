//! Apps for which GitHub asked to be left alone, so that one of them, of which it always does, stands in nobody's way.

use std::collections::HashMap;
use std::time::Duration;

use crate::catalog::AppKey;
use crate::clock::UnixMs;

/// No app is left alone for longer.
const LONGEST: Duration = Duration::from_secs(86_400);
/// Doubling stops here.
const MAX_DOUBLINGS: u32 = 16;

/// By app: its last rate limit. Whatever was told of it since ends that.
#[derive(Debug, Default)]
pub(super) struct LimitedApps(HashMap<AppKey, Met>);

#[derive(Clone, Copy, Debug)]
struct Met {
  at: UnixMs,
  /// How often in a row others were answered between this one and the one before.
  times_alone: u32,
}

impl LimitedApps {
  /// How long an app is left alone that met limits alone so many times in a row, where everybody waits for `everybodys` each time.
  pub(super) fn wait(everybodys: Duration, times_alone: u32) -> Duration {
    everybodys
      .saturating_mul(1 << times_alone.min(MAX_DOUBLINGS))
      .min(LONGEST)
  }

  /// When it last met one.
  pub(super) fn last_met(&self, key: &AppKey) -> Option<UnixMs> {
    self.0.get(key).map(|met| met.at)
  }

  /// It met a limit; alone, where others were answered since the one before. Gives back how often in a row it did alone.
  pub(super) fn met(&mut self, key: &AppKey, at: UnixMs, is_alone: bool) -> u32 {
    let before = self.0.get(key).map_or(0, |met| met.times_alone);
    let times_alone = before.saturating_add(u32::from(is_alone));
    self.0.insert(key.clone(), Met { at, times_alone });
    times_alone
  }

  /// Something was told of it.
  pub(super) fn answered(&mut self, key: &AppKey) {
    self.0.remove(key);
  }

  /// Those that met a limit are asked about last, whatever their age: the others might never be.
  pub(super) fn last(&self, mut due: Vec<AppKey>) -> Vec<AppKey> {
    due.sort_by_key(|key| self.0.contains_key(key));
    due
  }

  /// Moves every time by that much.
  pub(super) fn shift_times(&mut self, milliseconds: i64) {
    for met in self.0.values_mut() {
      met.at = met.at.shifted_by_ms(milliseconds);
    }
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn the_ones_that_met_a_limit_come_last_until_something_is_told_of_them() {
    let keys = |names: &[&str]| names.iter().map(|name| name.parse().unwrap()).collect::<Vec<AppKey>>();
    let (mut limited, a) = (LimitedApps::default(), keys(&["a"]).remove(0));
    limited.met(&a, UnixMs(5), false);
    limited.shift_times(-2);
    assert_eq!(limited.last_met(&a), Some(UnixMs(3)));
    assert_eq!(limited.last(keys(&["a", "c", "b"])), keys(&["c", "b", "a"]));
    limited.answered(&a);
    assert_eq!(limited.last(keys(&["a", "c", "b"])), keys(&["a", "c", "b"]));
  }

  #[test]
  fn the_more_often_an_app_is_limited_alone_the_longer_it_waits_up_to_a_day() {
    let (mut limited, a) = (LimitedApps::default(), "a".parse().unwrap());
    let mut secs = |is_alone| {
      let times = limited.met(&a, UnixMs(1), is_alone);
      LimitedApps::wait(Duration::from_secs(120), times).as_secs()
    };
    assert_eq!(
      [false, true, true, false, true].map(&mut secs),
      [120, 240, 480, 480, 960]
    );
    assert_eq!((0..40).map(|_| secs(true)).max(), Some(86_400));
    limited.answered(&a);
    assert_eq!(limited.met(&a, UnixMs(1), false), 0);
  }
}
