//! What a refusal (403 or 429) is: a rate limit, of which kind and until when, or a repository that isn't for us.
//!
//! GitHub's times are its own: a date or a reset time is read against the `Date` of the same answer, so that a clock of ours that
//! is wrong makes nobody come back too early or too late.

use std::time::{Duration, UNIX_EPOCH};

use http::{HeaderMap, StatusCode, header};

use super::error_answer::ErrorAnswer;
use super::fetch_failure::Forbidden;
use crate::clock::UnixMs;

/// The longest wait that is believed.
const MAX_WAIT: Duration = Duration::from_secs(86_400);
/// How long a limit lasts at least of which GitHub says nothing but that there is one.
const UNTOLD_LIMIT: Duration = Duration::from_secs(60);
const REMAINING: &str = "x-ratelimit-remaining";
const RESET: &str = "x-ratelimit-reset";
const RESOURCE: &str = "x-ratelimit-resource";
/// What our requests are counted as; an answer that doesn't say counts as that.
const OUR_RESOURCE: &str = "core";
const SINGLE_SIGN_ON: &str = "x-github-sso";

/// What a refusal means.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Refusal {
  /// Whoever asked has no requests left.
  UsedUp {
    /// Until then, where GitHub says.
    retry_at: Option<UnixMs>,
  },
  /// Too much at once, by everybody of us.
  TooMuch {
    /// Until then, where GitHub says.
    retry_at: Option<UnixMs>,
  },
  /// The repository isn't for whoever asked.
  Forbidden(Forbidden),
}

/// What a 403 or 429 is.
pub(super) fn judge(status: StatusCode, headers: &HeaderMap, answer: &ErrorAnswer, now: UnixMs) -> Refusal {
  let message = answer.message.as_deref();
  let says_too_much = message.is_some_and(says_secondary_limit);
  let untold = Refusal::TooMuch {
    retry_at: Some(now.plus(UNTOLD_LIMIT)),
  };
  if is_rate_limit(status, headers) {
    let (retry_at, remaining) = (retry_at(headers, now), text(headers, REMAINING));
    return match remaining {
      Some("0") if !says_too_much && is_about_us(headers) => Refusal::UsedUp { retry_at },
      // The time that stands there is that of another limit.
      Some(remaining) if remaining != "0" && says_too_much && !headers.contains_key(header::RETRY_AFTER) => untold,
      _ => Refusal::TooMuch { retry_at },
    };
  }
  if message.is_some_and(says_rate_limit) {
    return untold;
  }
  let wants_sign_on = text(headers, SINGLE_SIGN_ON).is_some_and(|value| value.starts_with("required"));
  Refusal::Forbidden(if wants_sign_on {
    Forbidden::SingleSignOn
  } else if answer.is_blocked {
    Forbidden::Blocked
  } else {
    Forbidden::Denied
  })
}

/// Whether the numbers in an answer are of the kind of requests that we make.
pub(super) fn is_about_us(headers: &HeaderMap) -> bool {
  text(headers, RESOURCE).is_none_or(|resource| resource.eq_ignore_ascii_case(OUR_RESOURCE))
}

/// Whether GitHub wants to be left alone: 429, or 403 with nothing remaining or a `Retry-After`.
pub(super) fn is_rate_limit(status: StatusCode, headers: &HeaderMap) -> bool {
  match status {
    StatusCode::TOO_MANY_REQUESTS => true,
    StatusCode::FORBIDDEN => headers.contains_key(header::RETRY_AFTER) || text(headers, REMAINING) == Some("0"),
    _ => false,
  }
}

/// Whether the message of a 403 speaks of a limit that no header tells of. GitHub's wordings: "API rate limit exceeded for …", "You
/// have exceeded a secondary rate limit", and formerly "You have triggered an abuse detection mechanism".
fn says_rate_limit(message: &str) -> bool {
  message.to_ascii_lowercase().contains("rate limit") || says_secondary_limit(message)
}

fn says_secondary_limit(message: &str) -> bool {
  let message = message.to_ascii_lowercase();
  message.contains("secondary rate limit") || message.contains("abuse detection mechanism")
}

/// When GitHub may be asked again, by our clock: the longest `Retry-After` that can be read, else the time when the limit starts anew;
/// `None` where neither can be read.
pub(super) fn retry_at(headers: &HeaderMap, now: UnixMs) -> Option<UnixMs> {
  let values = headers.get_all(header::RETRY_AFTER).iter();
  let retry_after = values.filter_map(|value| read_retry_after(value.to_str().ok()?.trim(), headers, now));
  retry_after.max().or_else(|| reset_at(headers, now))
}

fn read_retry_after(value: &str, headers: &HeaderMap, now: UnixMs) -> Option<UnixMs> {
  let seconds = read_seconds(value).or_else(|| {
    let until = by_our_clock(read_date(value)?, headers, now);
    Some(until.after(now).as_secs_f64())
  })?;
  Some(now.plus(Duration::from_secs_f64(
    seconds.ceil().clamp(0.0, MAX_WAIT.as_secs_f64()),
  )))
}

/// When the limit starts anew, by our clock, in a day at most; `None` where that can't be read.
pub(super) fn reset_at(headers: &HeaderMap, now: UnixMs) -> Option<UnixMs> {
  let reset_secs: i64 = text(headers, RESET)?.parse().ok()?;
  let reset_at = by_our_clock(UnixMs(reset_secs.checked_mul(1_000)?), headers, now);
  Some(reset_at.min(now.plus(MAX_WAIT)))
}

fn by_our_clock(github_time: UnixMs, headers: &HeaderMap, now: UnixMs) -> UnixMs {
  let github_now = text(headers, "date").and_then(read_date).unwrap_or(now);
  now.shifted_by_ms(github_time.0.saturating_sub(github_now.0))
}

fn read_seconds(value: &str) -> Option<f64> {
  value.parse::<f64>().ok().filter(|seconds| seconds.is_finite())
}

pub(super) fn read_date(value: &str) -> Option<UnixMs> {
  let since = httpdate::parse_http_date(value).ok()?.duration_since(UNIX_EPOCH).ok()?;
  i64::try_from(since.as_millis()).ok().map(UnixMs)
}

pub(super) fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
  headers.get(name)?.to_str().ok().map(str::trim)
}

#[cfg(test)]
mod tests {
  use http::HeaderValue;
  use rstest::rstest;

  use super::*;

  /// 2026-10-08T14:52:50Z.
  const NOW: UnixMs = UnixMs(1_791_471_170_000);

  #[rstest]
  #[case(429, &[], true)]
  #[case(403, &[("x-ratelimit-remaining", "0")], true)]
  #[case(403, &[("retry-after", "60")], true)]
  #[case(403, &[("retry-after", "")], true)]
  #[case(403, &[("x-ratelimit-remaining", "59")], false)]
  #[case(403, &[], false)]
  #[case(200, &[("x-ratelimit-remaining", "0")], false)]
  #[case(404, &[("x-ratelimit-remaining", "0")], false)]
  #[case(500, &[("retry-after", "60")], false)]
  #[case(503, &[("retry-after", "60")], false)]
  fn only_429_and_a_403_that_says_so_are_limits(
    #[case] status: u16,
    #[case] pairs: &[(&str, &str)],
    #[case] limit: bool,
  ) {
    assert_eq!(
      is_rate_limit(StatusCode::from_u16(status).unwrap(), &headers(pairs)),
      limit
    );
  }

  #[rstest]
  #[case::seconds("60", Some(60))]
  #[case::none("0", Some(0))]
  #[case::a_day("86400", Some(86_400))]
  #[case::more_than_a_day("86401", Some(86_400))]
  #[case::far_more("99999999999999999999", Some(86_400))]
  #[case::a_fraction("1.2", Some(2))]
  #[case::negative("-5", Some(0))]
  #[case::a_date("Thu, 08 Oct 2026 14:54:50 GMT", Some(120))]
  #[case::a_past_date("Thu, 08 Oct 2026 14:50:50 GMT", Some(0))]
  #[case::a_far_date("Fri, 08 Oct 2027 14:50:50 GMT", Some(86_400))]
  #[case::nonsense("soon", None)]
  #[case::no_number("NaN", None)]
  #[case::infinity("inf", None)]
  fn retry_after_is_seconds_or_a_date(#[case] value: &str, #[case] seconds: Option<u64>) {
    let expected = seconds.map(|seconds| NOW.plus(Duration::from_secs(seconds)));
    assert_eq!(retry_at(&headers(&[("retry-after", value)]), NOW), expected);
  }

  #[test]
  fn retry_after_comes_before_the_reset_time() {
    let both = headers(&[("retry-after", "60"), ("x-ratelimit-reset", "1791475000")]);
    assert_eq!(retry_at(&both, NOW), Some(NOW.plus(Duration::from_secs(60))));
    let unreadable = headers(&[("retry-after", "soon"), ("x-ratelimit-reset", "1791471270")]);
    assert_eq!(retry_at(&unreadable, NOW), Some(NOW.plus(Duration::from_secs(100))));
  }

  #[rstest]
  #[case::the_second(&["60", "120"], 120)]
  #[case::the_first(&["120", "60"], 120)]
  #[case::a_date(&["60", "Thu, 08 Oct 2026 14:54:50 GMT"], 120)]
  #[case::the_one_that_can_be_read(&["soon", "120", ""], 120)]
  #[case::none(&["soon", ""], 100)]
  fn of_several_the_longest_that_can_be_read_counts(#[case] values: &[&str], #[case] secs: u64) {
    let mut headers = headers(&[("x-ratelimit-reset", "1791471270")]);
    for value in values {
      headers.append("retry-after", HeaderValue::from_str(value).unwrap());
    }
    assert_eq!(retry_at(&headers, NOW), Some(NOW.plus(Duration::from_secs(secs))));
  }

  #[rstest]
  #[case::our_clock_is_an_hour_ahead("Thu, 08 Oct 2026 13:52:50 GMT", "1791467670", 100)]
  #[case::our_clock_is_an_hour_behind("Thu, 08 Oct 2026 15:52:50 GMT", "1791474870", 100)]
  #[case::both_agree("Thu, 08 Oct 2026 14:52:50 GMT", "1791471270", 100)]
  fn githubs_own_date_takes_the_clocks_difference_out(#[case] date: &str, #[case] reset: &str, #[case] seconds: u64) {
    let expected = Some(NOW.plus(Duration::from_secs(seconds)));
    assert_eq!(
      retry_at(&headers(&[("date", date), ("x-ratelimit-reset", reset)]), NOW),
      expected
    );
  }

  #[test]
  fn a_date_in_retry_after_is_read_against_githubs_date_too() {
    let pairs = [
      ("date", "Thu, 08 Oct 2026 13:52:50 GMT"),
      ("retry-after", "Thu, 08 Oct 2026 13:53:50 GMT"),
    ];
    assert_eq!(retry_at(&headers(&pairs), NOW), Some(NOW.plus(Duration::from_secs(60))));
  }

  #[rstest]
  #[case::nothing_left(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1791471270")], "API rate limit exceeded", used_up(100))]
  #[case::nothing_left_by_429(429, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1791471270")], "", used_up(100))]
  #[case::retry_after_comes_first(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1791471270"), ("retry-after", "7")], "", used_up(7))]
  #[case::an_absurd_reset(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "4000000000")], "", used_up(86_400))]
  #[case::nothing_left_of_another_kind(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-resource", "search"), ("retry-after", "7")], "", too_much(7))]
  #[case::too_much_with_a_time(403, &[("retry-after", "30")], "You have exceeded a secondary rate limit", too_much(30))]
  #[case::too_much_by_its_message(403, &[("x-ratelimit-remaining", "59"), ("x-ratelimit-reset", "1791474770")], "You have exceeded a secondary rate limit", too_much(60))]
  #[case::too_much_by_429_and_its_message(429, &[("x-ratelimit-remaining", "59"), ("x-ratelimit-reset", "1791474770")], "You have exceeded a secondary rate limit", too_much(60))]
  #[case::too_much_in_older_words(403, &[], "You have triggered an abuse detection mechanism.", too_much(60))]
  #[case::a_limit_in_words(403, &[], "API Rate Limit exceeded for 192.0.2.1.", too_much(60))]
  #[case::a_429_with_an_empty_retry_after(429, &[("retry-after", ""), ("x-ratelimit-remaining", "59"), ("x-ratelimit-reset", "1791471270")], "Too Many Requests", too_much(100))]
  #[case::a_429_with_a_reset(429, &[("x-ratelimit-reset", "1791471270")], "Too Many Requests", too_much(100))]
  #[case::single_sign_on(403, &[("x-github-sso", "required; url=https://github.com/orgs/acme/sso")], "Resource protected", Refusal::Forbidden(Forbidden::SingleSignOn))]
  #[case::partial_results_are_no_refusal(403, &[("x-github-sso", "partial-results; organizations=1")], "", Refusal::Forbidden(Forbidden::Denied))]
  #[case::denied(403, &[("x-ratelimit-remaining", "59")], "Resource not accessible by personal access token", Refusal::Forbidden(Forbidden::Denied))]
  fn a_refusal_is_told_apart(
    #[case] status: u16,
    #[case] pairs: &[(&str, &str)],
    #[case] message: &str,
    #[case] expected: Refusal,
  ) {
    let answer = ErrorAnswer {
      message: Some(message.to_owned()),
      ..ErrorAnswer::default()
    };
    let status = StatusCode::from_u16(status).unwrap();
    assert_eq!(judge(status, &headers(pairs), &answer, NOW), expected);
  }

  #[test]
  fn a_repository_is_blocked_where_the_body_says_so() {
    let answer = ErrorAnswer {
      is_blocked: true,
      ..ErrorAnswer::default()
    };
    let refusal = judge(StatusCode::FORBIDDEN, &headers(&[]), &answer, NOW);
    assert_eq!(refusal, Refusal::Forbidden(Forbidden::Blocked));
  }

  #[rstest]
  #[case("")]
  #[case("never")]
  #[case("9223372036854775807")]
  fn a_reset_time_that_is_none_says_nothing(#[case] reset: &str) {
    assert_eq!(retry_at(&headers(&[("x-ratelimit-reset", reset)]), NOW), None);
  }

  fn used_up(secs: u64) -> Refusal {
    Refusal::UsedUp {
      retry_at: Some(NOW.plus(Duration::from_secs(secs))),
    }
  }

  fn too_much(secs: u64) -> Refusal {
    Refusal::TooMuch {
      retry_at: Some(NOW.plus(Duration::from_secs(secs))),
    }
  }

  fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
    pairs
      .iter()
      .map(|(name, value)| {
        (
          name.parse::<http::HeaderName>().unwrap(),
          HeaderValue::from_str(value).unwrap(),
        )
      })
      .collect()
  }
}
