//! How old a release may get so that the requests that are left last until there are new ones.

use std::time::Duration;

/// What stays unused, for restarts, new releases and whoever else asks as we do.
const SHARE_USED: f64 = 0.8;
/// No release gets older because of what is left, where the interval itself isn't longer.
const LONGEST: Duration = Duration::from_secs(3_600);

/// What one asker has left.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct RequestsLeft {
  /// Requests.
  pub remaining: u64,
  /// For how long they must do.
  pub time: Duration,
}

/// The interval that holds: `interval`, or so much longer that `apps`, asked about once in each, need no more than four fifths of what
/// is left in the time for which it must do; an hour at most, or `interval` where that is longer. `cost_share` (0 to 1) is how many of the
/// answers count. Without anything known of what is left, `interval` holds.
///
/// `need = apps × time / interval × cost_share` requests within `0.8 × remaining`; of several askers the paces add up.
pub fn interval_within_budget(interval: Duration, apps: usize, cost_share: f64, left: &[RequestsLeft]) -> Duration {
  let pace = |left: &RequestsLeft| SHARE_USED * left.remaining as f64 / left.time.as_secs_f64();
  if left.is_empty() || left.iter().any(|left| left.time.is_zero()) {
    return interval;
  }
  let affordable: f64 = left.iter().map(pace).sum();
  let seconds = apps as f64 * cost_share.clamp(0.0, 1.0) / affordable;
  let longest = LONGEST.max(interval).as_secs_f64();
  // Nothing left, and nothing to ask about, is no number.
  let seconds = if seconds.is_nan() { 0.0 } else { seconds.min(longest) };
  interval.max(Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
  use proptest::prelude::*;
  use rstest::rstest;

  use super::*;

  const INTERVAL: Duration = Duration::from_secs(120);
  const TICK_SECS: u64 = 30;

  #[rstest]
  #[case::plenty(13, 1.0, 5_000, 3_600, 120)]
  #[case::just_enough(13, 1.0, 488, 3_600, 120)]
  #[case::half_of_that(13, 1.0, 244, 3_600, 239)]
  #[case::soon_there_are_more(13, 1.0, 100, 600, 120)]
  #[case::confirmations_are_free(300, 0.05, 5_000, 3_600, 120)]
  #[case::an_hour_at_most(300, 1.0, 10, 3_600, 3_600)]
  #[case::nothing_left(13, 1.0, 0, 3_600, 3_600)]
  #[case::nothing_left_for_nothing(0, 1.0, 0, 3_600, 120)]
  #[case::right_before_the_reset(300, 1.0, 1, 0, 120)]
  fn the_interval_grows_with_what_is_missing(
    #[case] apps: usize,
    #[case] cost_share: f64,
    #[case] remaining: u64,
    #[case] time_secs: u64,
    #[case] secs: u64,
  ) {
    let left = [left(remaining, time_secs)];
    assert_eq!(
      interval_within_budget(INTERVAL, apps, cost_share, &left).as_secs(),
      secs
    );
  }

  #[test]
  fn what_isnt_known_changes_nothing_and_several_askers_add_up() {
    assert_eq!(interval_within_budget(INTERVAL, 300, 1.0, &[]), INTERVAL);
    let one = interval_within_budget(INTERVAL, 13, 1.0, &[left(100, 3_600)]);
    let two = interval_within_budget(INTERVAL, 13, 1.0, &[left(100, 3_600), left(100, 3_600)]);
    assert_eq!((one.as_secs(), two.as_secs()), (585, 292));
    let long = Duration::from_secs(7_200);
    assert_eq!(interval_within_budget(long, 300, 1.0, &[left(0, 3_600)]), long);
  }

  proptest! {
    #[test]
    fn it_is_never_shorter_than_the_interval_nor_longer_than_an_hour_or_that(
      interval_secs in 60u64..10_000, apps in 0usize..10_000, share in -1.0..2.0f64, remaining: u64, time_secs in 0u64..100_000,
    ) {
      let interval = Duration::from_secs(interval_secs);
      let stretched = interval_within_budget(interval, apps, share, &[left(remaining, time_secs)]);
      prop_assert!(stretched >= interval && stretched <= interval.max(LONGEST));
    }

    #[test]
    fn more_to_ask_and_less_to_ask_with_never_make_it_shorter(
      apps in 1usize..300, more_apps in 0usize..300, remaining in 0u64..15_000, less in 0u64..15_000,
      time_secs in 1u64..3_600, longer_secs in 0u64..3_600, share in 0.05..1.0f64,
    ) {
      let base = interval_within_budget(INTERVAL, apps, share, &[left(remaining, time_secs)]);
      let fewer = left(remaining.saturating_sub(less), time_secs + longer_secs);
      prop_assert!(interval_within_budget(INTERVAL, apps + more_apps, share, &[fewer]) >= base);
      prop_assert!(interval_within_budget(INTERVAL, apps, 1.0, &[left(remaining, time_secs)]) >= base);
    }

    /// Looks every half minute at every app, as the poller does, which judges anew before each request. Where each app can be afforded
    /// once an hour with a fifth to spare, no app that is an hour old finds nothing left before the reset.
    #[test]
    fn what_is_left_lasts_to_the_reset(
      apps in 1usize..300, limit in prop::sample::select(vec![60u64, 5_000, 15_000]), part in 0.0..1.0f64,
      time_secs in 1u64..3_600, interval_secs in 60u64..1_800, ages in prop::collection::vec(0u64..3_600, 300),
    ) {
      let interval = Duration::from_secs(interval_secs);
      let mut remaining = (limit as f64 * part) as u64;
      let is_affordable = apps as f64 <= SHARE_USED * remaining as f64;
      let mut fetched: Vec<i64> = ages.iter().take(apps).map(|age| -(*age as i64)).collect();
      let mut now = 0;
      while now < time_secs {
        for fetched in &mut fetched {
          let holds = interval_within_budget(interval, apps, 1.0, &[left(remaining, time_secs - now)]);
          let age = Duration::from_secs(now.saturating_add_signed(-*fetched));
          if age < holds {
            continue;
          }
          if remaining == 0 {
            prop_assert!(!is_affordable, "nothing left {} s before the reset", time_secs - now);
            continue;
          }
          remaining -= 1;
          *fetched = now as i64;
        }
        now += TICK_SECS;
      }
    }
  }

  fn left(remaining: u64, time_secs: u64) -> RequestsLeft {
    RequestsLeft {
      remaining,
      time: Duration::from_secs(time_secs),
    }
  }
}
