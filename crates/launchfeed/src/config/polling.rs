//! When GitHub is asked.

use std::time::Duration;

use super::args::PollingArgs;
use super::findings::Findings;
use super::setting::{MAX_BACKOFF_SECS, POLL_INTERVAL_SECS, POLLING_ENABLED, Setting};
use super::values::{boolean, seconds};

/// GitHub allows 5000 requests an hour with a token, 60 without.
const INTERVAL_WITH_TOKEN: Duration = Duration::from_secs(120);
const INTERVAL_WITHOUT_TOKEN: Duration = Duration::from_secs(1800);
const MIN_INTERVAL_WITH_TOKEN: Duration = Duration::from_secs(60);
const MIN_INTERVAL_WITHOUT_TOKEN: Duration = Duration::from_secs(300);

const MAX_BACKOFF: Duration = Duration::from_secs(14_400);

/// When GitHub is asked.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PollingSettings {
  /// Whether GitHub is asked at all.
  pub enabled: bool,
  /// How old a release may get.
  pub interval: Duration,
  /// The same where there is a token that GitHub refuses.
  pub interval_without_token: Duration,
  /// Longest wait after trouble; not below the interval.
  pub max_backoff: Duration,
}

impl PollingSettings {
  /// What holds where nothing is set.
  pub fn default_for(has_token: bool) -> Self {
    polling(&PollingArgs::default(), has_token, &mut Findings::default())
  }
}

/// Values below a minimum are raised to it; only those that somebody set are worth a warning.
pub(super) fn polling(args: &PollingArgs, has_token: bool, findings: &mut Findings) -> PollingSettings {
  let enabled = boolean(POLLING_ENABLED, args.polling_enabled.as_ref(), true, findings);
  let (default, minimum, because) = if has_token {
    (INTERVAL_WITH_TOKEN, MIN_INTERVAL_WITH_TOKEN, "the least there is")
  } else {
    (
      INTERVAL_WITHOUT_TOKEN,
      MIN_INTERVAL_WITHOUT_TOKEN,
      "the least without a token",
    )
  };
  let interval = seconds(POLL_INTERVAL_SECS, args.poll_interval_secs.as_ref(), findings);
  let interval = at_least(POLL_INTERVAL_SECS, interval, default, minimum, because, findings);
  let max_backoff = seconds(MAX_BACKOFF_SECS, args.max_backoff_secs.as_ref(), findings);
  let because = "the interval";
  let max_backoff = at_least(MAX_BACKOFF_SECS, max_backoff, MAX_BACKOFF, interval, because, findings);
  // Somebody who set an interval for a token's budget meant that one.
  let interval_without_token = if has_token {
    interval.max(INTERVAL_WITHOUT_TOKEN)
  } else {
    interval
  };
  PollingSettings {
    enabled,
    interval,
    interval_without_token,
    max_backoff,
  }
}

fn at_least(
  setting: Setting,
  given: Option<Duration>,
  default: Duration,
  minimum: Duration,
  because: &str,
  findings: &mut Findings,
) -> Duration {
  if let Some(given) = given.filter(|given| *given < minimum) {
    let (given, minimum) = (given.as_secs(), minimum.as_secs());
    findings.warn(format!("{setting}: {given} is raised to {minimum}, {because}"));
  }
  given.unwrap_or(default).max(minimum)
}

#[cfg(test)]
mod tests {
  use std::ffi::OsString;

  use rstest::rstest;

  use super::*;

  const WITH_TOKEN: bool = true;
  const WITHOUT: bool = false;

  #[rstest]
  #[case::default_with_token(WITH_TOKEN, None, None, 120, 14_400)]
  #[case::default_without(WITHOUT, None, None, 1800, 14_400)]
  #[case::least_with_token(WITH_TOKEN, Some("60"), None, 60, 14_400)]
  #[case::least_without(WITHOUT, Some("300"), None, 300, 14_400)]
  #[case::backoff_may_be_the_interval(WITH_TOKEN, Some("600"), Some("600"), 600, 600)]
  #[case::default_backoff_follows_a_longer_interval(WITH_TOKEN, Some("20000"), None, 20_000, 20_000)]
  #[case::longer_backoff(WITH_TOKEN, None, Some("86400"), 120, 86_400)]
  fn intervals_depend_on_the_token_and_stay_as_given(
    #[case] has_token: bool,
    #[case] interval: Option<&str>,
    #[case] max_backoff: Option<&str>,
    #[case] expected_interval: u64,
    #[case] expected_backoff: u64,
  ) {
    let mut findings = Findings::default();
    let settings = polling(&args(interval, max_backoff), has_token, &mut findings);
    assert_eq!(settings.interval.as_secs(), expected_interval);
    assert_eq!(settings.max_backoff.as_secs(), expected_backoff);
    assert_eq!((findings.warnings(), findings.errors()), (vec![], vec![]));
  }

  #[rstest]
  #[case::with_token(
    WITH_TOKEN,
    Some("59"),
    None,
    60,
    14_400,
    "INTERVAL_SECS (--poll-interval-secs): 59 is raised to 60, the least there is"
  )]
  #[case::without(
    WITHOUT,
    Some("299"),
    None,
    300,
    14_400,
    "INTERVAL_SECS (--poll-interval-secs): 299 is raised to 300, the least without a token"
  )]
  #[case::zero(WITH_TOKEN, Some("0"), None, 60, 14_400, "0 is raised to 60")]
  #[case::backoff(
    WITH_TOKEN,
    None,
    Some("119"),
    120,
    120,
    "MAX_BACKOFF_SECS (--max-backoff-secs): 119 is raised to 120, the interval"
  )]
  fn smaller_values_are_raised_with_a_warning(
    #[case] has_token: bool,
    #[case] interval: Option<&str>,
    #[case] max_backoff: Option<&str>,
    #[case] expected_interval: u64,
    #[case] expected_backoff: u64,
    #[case] warning: &str,
  ) {
    let mut findings = Findings::default();
    let settings = polling(&args(interval, max_backoff), has_token, &mut findings);
    assert_eq!(settings.interval.as_secs(), expected_interval);
    assert_eq!(settings.max_backoff.as_secs(), expected_backoff);
    let [only] = &findings.warnings()[..] else {
      panic!("not one warning: {:?}", findings.warnings())
    };
    assert!(only.contains(warning), "{only}");
  }

  #[rstest]
  #[case::default_with_token(WITH_TOKEN, None, 1800)]
  #[case::default_without(WITHOUT, None, 1800)]
  #[case::shorter_without(WITHOUT, Some("300"), 300)]
  #[case::longer_with_token(WITH_TOKEN, Some("7200"), 7200)]
  fn a_token_that_is_refused_means_the_slower_interval(
    #[case] has_token: bool,
    #[case] interval: Option<&str>,
    #[case] expected: u64,
  ) {
    let settings = polling(&args(interval, None), has_token, &mut Findings::default());
    assert_eq!(settings.interval_without_token.as_secs(), expected);
  }

  #[test]
  fn polling_is_on_unless_switched_off() {
    assert!(PollingSettings::default_for(WITHOUT).enabled);
    let args = PollingArgs {
      polling_enabled: Some("off".into()),
      ..PollingArgs::default()
    };
    let mut findings = Findings::default();
    assert!(!polling(&args, WITHOUT, &mut findings).enabled);
    assert_eq!((findings.warnings(), findings.errors()), (vec![], vec![]));
  }

  fn args(interval: Option<&str>, max_backoff: Option<&str>) -> PollingArgs {
    PollingArgs {
      poll_interval_secs: interval.map(OsString::from),
      max_backoff_secs: max_backoff.map(OsString::from),
      ..PollingArgs::default()
    }
  }
}
