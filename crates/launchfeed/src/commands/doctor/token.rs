//! The token for GitHub, and whether what it allows is enough.

use std::time::Duration;

use release_feed::github::{Allowance, AllowanceAnswer, AllowanceFailure, Budget};
use release_feed::{Clock, SystemClock, UnixMs};

use super::finding::Finding;
use super::words::{counted, length};
use crate::config::{APPS, CATALOG, Examined, GITHUB_TOKEN, GITHUB_TOKENS, POLL_INTERVAL_SECS};

pub(super) const NAME: &str = "token";
const BUDGET: &str = "budget";
const HOUR_SECS: u128 = 3_600;
/// What remains for restarts, new releases and whoever else uses the token.
const SPARE_PERCENT: u128 = 20;
const EXPIRES_SOON: Duration = Duration::from_secs(14 * 24 * 60 * 60);
/// What GitHub allows an address.
const ANONYMOUS_PER_HOUR: u32 = 60;
const NO_RIGHTS: &str = "public repositories need no rights";
const SHARED: &str = "others use this token or address too: give this server a token of its own";

/// What the answers, one for each token, say of the tokens and of what they allow together.
pub(super) fn judge(examined: &Examined, answers: &[AllowanceAnswer]) -> Vec<Finding> {
  let now = SystemClock.now();
  let mut findings = tokens(examined, answers, now);
  findings.push(budget(examined, answers, now));
  findings
}

fn tokens(examined: &Examined, answers: &[AllowanceAnswer], now: UnixMs) -> Vec<Finding> {
  if [GITHUB_TOKEN, GITHUB_TOKENS]
    .iter()
    .any(|setting| examined.is_unusable(*setting))
  {
    return vec![Finding::not_applicable(NAME, "not checked: its value can't be used")];
  }
  let tokens = &examined.settings.source.github.tokens;
  if tokens.is_empty() {
    return vec![Finding::warning(
      NAME,
      format_args!("none: GitHub allows this address {ANONYMOUS_PER_HOUR} requests an hour, and everybody behind it"),
      format_args!(
        "set {} to a token ({NO_RIGHTS}): 5000 an hour, and releases at most 2 minutes old",
        GITHUB_TOKEN.variable
      ),
    )];
  }
  let all = tokens.len();
  let findings = tokens.iter().zip(answers).enumerate().map(|(at, (token, answer))| {
    let which = move |text: &str| match all {
      1 => text.to_owned(),
      _ => format!("{} of {all} ({}): {text}", at + 1, token.identity()),
    };
    of_token(answer, now)
      .into_iter()
      .map(move |finding| finding.with_what(which))
  });
  findings.flatten().collect()
}

fn of_token(answer: &AllowanceAnswer, now: UnixMs) -> Vec<Finding> {
  match &answer.says {
    Ok(allowance) => taken(allowance, now),
    Err(AllowanceFailure::TokenRefused) => vec![Finding::wrong(
      NAME,
      "GitHub refused it (401): it was revoked, has expired or is mistyped",
      format_args!(
        "set {} to a valid token ({NO_RIGHTS}), or to none",
        GITHUB_TOKEN.variable
      ),
    )],
    Err(_) => vec![Finding::not_applicable(
      NAME,
      "not checked: GitHub's answer says nothing of it",
    )],
  }
}

fn taken(allowance: &Allowance, now: UnixMs) -> Vec<Finding> {
  let mut odd = Vec::new();
  if allowance
    .budget
    .is_some_and(|budget| budget.limit <= ANONYMOUS_PER_HOUR)
  {
    odd.push(Finding::warning(
      NAME,
      "GitHub counts requests with it as nobody's",
      "look for a proxy that takes the Authorization header away",
    ));
  }
  if !allowance.scopes.is_empty() {
    odd.push(Finding::warning(
      NAME,
      format_args!(
        "it is a classic token with more rights than it needs: {}",
        allowance.scopes
      ),
      format_args!("replace it by one without scopes, or a fine-grained one ({NO_RIGHTS})"),
    ));
  }
  let left = allowance
    .expires
    .as_ref()
    .and_then(|(_, at)| Some(at.as_ref()?.after(now)));
  if let Some(left) = left.filter(|left| *left < EXPIRES_SOON) {
    odd.push(Finding::warning(
      NAME,
      format_args!("it expires in {}", length(left)),
      format_args!("make a new one in time and put it into {}", GITHUB_TOKEN.variable),
    ));
  }
  if !odd.is_empty() {
    return odd;
  }
  let expires = match (&allowance.expires, left) {
    (_, Some(left)) => format!("; it expires in {}", length(left)),
    (Some((words, _)), None) => format!("; it expires: {words}"),
    (None, None) => String::new(),
  };
  vec![Finding::ok(NAME, format_args!("GitHub takes it{expires}"))]
}

fn budget(examined: &Examined, answers: &[AllowanceAnswer], now: UnixMs) -> Finding {
  let allowances = answers
    .iter()
    .filter_map(|answer| Some((answer, answer.says.as_ref().ok()?)));
  let allowances: Vec<(&AllowanceAnswer, &Allowance)> = allowances.collect();
  let Some((answer, _)) = allowances.first() else {
    return untold(answers);
  };
  let budgets: Option<Vec<Budget>> = allowances.iter().map(|(_, allowance)| allowance.budget).collect();
  let Some(budget) = budgets.and_then(|budgets| budgets.into_iter().reduce(together)) else {
    return Finding::ok(BUDGET, "this GitHub sets no limit");
  };
  if [APPS, CATALOG, GITHUB_TOKEN, GITHUB_TOKENS, POLL_INTERVAL_SECS]
    .iter()
    .any(|setting| examined.is_unusable(*setting))
  {
    let what = format!(
      "{}; what is needed isn't known, since the configuration is wrong",
      said(budget, None)
    );
    return Finding::not_applicable(BUDGET, what);
  }
  let need = Need {
    apps: examined.settings.source.catalog.len(),
    interval_secs: examined.settings.polling.interval.as_secs(),
  };
  let github_now = now.shifted_by_ms(answer.ahead_ms.unwrap_or_default());
  need.judge(budget, github_now)
}

/// No answer says what is allowed.
fn untold(answers: &[AllowanceAnswer]) -> Finding {
  let limited = answers.iter().find_map(|answer| match &answer.says {
    Err(AllowanceFailure::Limited(until)) => Some(*until),
    _ => None,
  });
  let Some(until) = limited else {
    return Finding::not_applicable(BUDGET, "not checked: GitHub's answer says nothing of it");
  };
  let until = until.and_then(UnixMs::to_utc_time);
  let until = until.map(|until| format!(" until {until}")).unwrap_or_default();
  Finding::wrong(
    BUDGET,
    format_args!("GitHub wants to be left alone{until}"),
    "wait; whoever else uses this token or address asks too much",
  )
}

/// What two tokens allow together, until the first of them starts anew.
fn together(one: Budget, other: Budget) -> Budget {
  Budget {
    limit: one.limit.saturating_add(other.limit),
    remaining: one.remaining.saturating_add(other.remaining),
    reset_secs: one.reset_secs.min(other.reset_secs),
  }
}

/// What a fleet asks, however many instances it has. Numbers are far wider than any that are real, so that none overflows.
#[derive(Clone, Copy, Debug)]
struct Need {
  apps: usize,
  interval_secs: u64,
}

impl Need {
  /// At most: what didn't change costs nothing with a token.
  fn per_hour(self) -> u128 {
    (self.apps as u128 * HOUR_SECS).div_ceil(u128::from(self.interval_secs.max(1)))
  }

  /// The shortest interval that leaves what should be spare.
  fn least_interval_secs(self, limit: u128) -> u128 {
    (self.apps as u128 * HOUR_SECS * 100).div_ceil((limit * (100 - SPARE_PERCENT)).max(1))
  }

  fn judge(self, budget: Budget, github_now: UnixMs) -> Finding {
    let (limit, remaining, needed) = (u128::from(budget.limit), u128::from(budget.remaining), self.per_hour());
    let left = UnixMs(budget.reset_secs.saturating_mul(1_000)).after(github_now);
    let what = format!(
      "{}; {} every {} s need at most {needed}",
      said(budget, Some(left)),
      counted(self.apps, "app"),
      self.interval_secs
    );
    let interval = POLL_INTERVAL_SECS.variable;
    let longer = format!("set {interval} to {} or more", self.least_interval_secs(limit));
    if needed > limit {
      return Finding::wrong(
        BUDGET,
        what,
        format_args!("{longer}, or use a token that is allowed more"),
      );
    }
    if remaining == 0 {
      return Finding::wrong(
        BUDGET,
        format_args!("{what}: nothing is left until then"),
        format_args!("wait; {SHARED}"),
      );
    }
    if needed * 100 > limit * (100 - SPARE_PERCENT) {
      return Finding::warning(BUDGET, what, format_args!("{longer}: little is left for anything else"));
    }
    if remaining < needed * u128::from(left.as_secs()).min(HOUR_SECS) / HOUR_SECS {
      return Finding::warning(BUDGET, format_args!("{what}: not enough is left until then"), SHARED);
    }
    Finding::ok(BUDGET, what)
  }
}

fn said(budget: Budget, left: Option<Duration>) -> String {
  let left = left.map(|left| format!(" for {}", length(left))).unwrap_or_default();
  format!(
    "{} of {} requests an hour are left{left}",
    budget.remaining, budget.limit
  )
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::super::finding::Verdict;
  use super::*;

  const NOW: UnixMs = UnixMs(1_791_471_170_000);

  #[rstest]
  #[case::usual(13, 120, (5_000, 4_900), Verdict::Ok, "need at most 390")]
  #[case::without_a_token(13, 1_800, (60, 60), Verdict::Ok, "need at most 26")]
  #[case::too_often(13, 300, (60, 60), Verdict::Wrong, "need at most 156")]
  #[case::just_fits(13, 780, (60, 60), Verdict::Warning, "need at most 60")]
  #[case::with_a_fifth_to_spare(12, 900, (60, 60), Verdict::Ok, "need at most 48")]
  #[case::used_up(13, 120, (5_000, 0), Verdict::Wrong, "nothing is left")]
  #[case::used_by_others(13, 120, (5_000, 100), Verdict::Warning, "not enough is left")]
  #[case::no_limit_at_all(13, 120, (0, 0), Verdict::Wrong, "0 of 0")]
  #[case::many_apps(usize::MAX, 1, (u32::MAX, 1), Verdict::Wrong, "need at most")]
  fn a_budget_must_cover_every_poll_with_a_fifth_to_spare(
    #[case] apps: usize,
    #[case] interval_secs: u64,
    #[case] (limit, remaining): (u32, u32),
    #[case] verdict: Verdict,
    #[case] words: &str,
  ) {
    let budget = Budget {
      limit,
      remaining,
      reset_secs: NOW.0 / 1_000 + 3_000,
    };
    let finding = Need { apps, interval_secs }.judge(budget, NOW);
    assert_eq!(finding.verdict, verdict, "{finding:?}");
    assert!(finding.what.contains(words), "{finding:?}");
  }

  #[test]
  fn the_interval_that_is_advised_is_enough() {
    let budget = Budget {
      limit: 60,
      remaining: 60,
      reset_secs: 0,
    };
    let too_often = Need {
      apps: 13,
      interval_secs: 300,
    };
    assert!(too_often.judge(budget, NOW).advice.unwrap().contains(" to 975 or more"));
    let advised = Need {
      interval_secs: 975,
      ..too_often
    };
    assert_eq!(advised.judge(budget, NOW).verdict, Verdict::Ok);
  }

  #[rstest]
  #[case::nothing_said("", None, &["GitHub takes it"])]
  #[case::in_a_month("", Some(30), &["expires in 30 days"])]
  #[case::in_a_week("", Some(7), &["expires in 7 days"])]
  #[case::classic("repo, user", Some(7), &["more rights than it needs: repo, user", "expires in 7 days"])]
  fn a_token_that_is_taken_may_still_be_odd(#[case] scopes: &str, #[case] days: Option<u64>, #[case] words: &[&str]) {
    let at = |days: u64| NOW.plus(Duration::from_secs(days * 86_400));
    let allowance = Allowance {
      budget: None,
      scopes: scopes.to_owned(),
      expires: days.map(|days| ("then".to_owned(), Some(at(days)))),
    };
    let findings = taken(&allowance, NOW);
    assert_eq!(findings.len(), words.len(), "{findings:?}");
    for (finding, words) in findings.iter().zip(words) {
      assert!(finding.what.contains(words), "{finding:?}");
    }
    let is_odd = findings[0].verdict == Verdict::Warning;
    assert_eq!(is_odd, !scopes.is_empty() || days == Some(7));
  }
}
