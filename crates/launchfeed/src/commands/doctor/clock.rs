//! Another's clock beside this machine's.

use std::time::Duration;

use super::finding::Finding;
use super::words::length;

/// Smaller differences are the network's, or those of clocks that are told in whole seconds.
const NOTICED_FROM: Duration = Duration::from_secs(5);
/// What is further ahead counts as absent, wherever it comes from.
const WRONG_FROM: Duration = Duration::from_secs(60);
const ADVICE: &str = "one of the two clocks is wrong: set it by NTP (timedatectl set-ntp true)";

/// What a difference means.
pub(super) fn clock(check: &'static str, whose: &str, ahead_ms: i64) -> Finding {
  let difference = Duration::from_millis(ahead_ms.unsigned_abs());
  if difference < NOTICED_FROM {
    return Finding::ok(check, format_args!("{whose} clock agrees with this machine's"));
  }
  let direction = if ahead_ms > 0 { "ahead of" } else { "behind" };
  let what = format!("{whose} clock is {} {direction} this machine's", length(difference));
  if difference < WRONG_FROM {
    Finding::warning(check, what, ADVICE)
  } else {
    Finding::wrong(check, what, ADVICE)
  }
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::super::finding::Verdict;
  use super::*;

  #[rstest]
  #[case(0, Verdict::Ok, "agrees")]
  #[case(4_999, Verdict::Ok, "agrees")]
  #[case(-4_999, Verdict::Ok, "agrees")]
  #[case(5_000, Verdict::Warning, "5 s ahead of")]
  #[case(-59_999, Verdict::Warning, "59 s behind")]
  #[case(60_000, Verdict::Wrong, "60 s ahead of")]
  #[case(i64::MIN, Verdict::Wrong, "days behind")]
  fn a_difference_is_noticed_from_5_s_and_wrong_from_60(
    #[case] ahead_ms: i64,
    #[case] verdict: Verdict,
    #[case] words: &str,
  ) {
    let finding = clock("redis_clock", "Redis's", ahead_ms);
    assert_eq!(finding.verdict, verdict);
    assert!(finding.what.contains(words), "{}", finding.what);
  }
}
