//! What happened in a round, and the one line that says it.

use std::time::Duration;

use tracing::{Span, field, info, info_span};

use crate::clock::UnixMs;
use crate::schedule::{Backoff, RoundEnd};
use crate::status::RoundStatus;

/// How the requests of a round ended.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Round {
  pub(super) fetched: u32,
  pub(super) unchanged: u32,
  pub(super) failed: u32,
  /// Of those that failed, which say nothing of the other apps.
  pub(super) failed_alone: u32,
  /// Set by a rate limit; holds GitHub's own time, where it gave one.
  pub(super) limited: Option<Option<UnixMs>>,
}

impl Round {
  /// The span of a round that begins.
  pub(super) fn span() -> Span {
    info_span!(
      "round",
      mode = field::Empty,
      fetched = field::Empty,
      unchanged = field::Empty,
      failed = field::Empty,
      rate_limited = field::Empty,
    )
  }

  /// Puts what happened into its span.
  pub(super) fn note_in(&self, span: &Span, mode: &str) {
    span.record("mode", mode);
    span.record("fetched", self.fetched);
    span.record("unchanged", self.unchanged);
    span.record("failed", self.failed);
    span.record("rate_limited", self.limited.is_some());
  }

  /// How it ended; `None` without a request. An app's own trouble makes nobody wait: it counts neither as a failure of GitHub's nor
  /// as an answer that clears one.
  pub(super) fn end(&self) -> Option<RoundEnd> {
    match self {
      Self {
        limited: Some(retry_at),
        ..
      } => Some(RoundEnd::RateLimited { retry_at: *retry_at }),
      Self {
        fetched: 0,
        unchanged: 0,
        failed: 0,
        ..
      } => None,
      Self {
        fetched: 0,
        unchanged: 0,
        failed,
        failed_alone,
        ..
      } if failed > failed_alone => Some(RoundEnd::AllFailed),
      Self { .. } => Some(RoundEnd::Good),
    }
  }

  /// The same for whoever looks.
  pub(super) fn status(&self, ended_at: UnixMs, end: RoundEnd) -> RoundStatus {
    RoundStatus {
      ended_at,
      end,
      fetched: self.fetched,
      unchanged: self.unchanged,
      failed: self.failed,
    }
  }

  /// One line for the log. `instances` is how many share, where they do.
  pub(super) fn log(&self, mode: &str, instances: Option<u32>, backoff: Option<Backoff>, took: Duration) {
    let Self {
      fetched,
      unchanged,
      failed,
      failed_alone: _,
      limited,
    } = *self;
    let until = backoff
      .and_then(|backoff| backoff.until.to_utc_time())
      .map(|until| until.to_string());
    let backing_off_until = until.as_deref().unwrap_or("none");
    let took_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    let rate_limited = limited.is_some();
    info!(
      mode,
      instances, fetched, unchanged, failed, rate_limited, backing_off_until, took_ms, "round"
    );
  }
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case::nothing_asked(Round::default(), None)]
  #[case::a_limit_whatever_else_succeeded(Round { fetched: 3, limited: Some(None), ..Round::default() }, Some(RoundEnd::RateLimited { retry_at: None }))]
  #[case::a_limit_alone(Round { limited: Some(Some(UnixMs(7))), ..Round::default() }, Some(RoundEnd::RateLimited { retry_at: Some(UnixMs(7)) }))]
  #[case::nothing_but_failures(Round { failed: 2, ..Round::default() }, Some(RoundEnd::AllFailed))]
  #[case::an_apps_own_trouble(Round { failed: 2, failed_alone: 2, ..Round::default() }, Some(RoundEnd::Good))]
  #[case::an_apps_own_trouble_beside_githubs(Round { failed: 2, failed_alone: 1, ..Round::default() }, Some(RoundEnd::AllFailed))]
  #[case::one_success(Round { failed: 2, unchanged: 1, ..Round::default() }, Some(RoundEnd::Good))]
  fn a_round_ends_in_one_of_three_ways(#[case] round: Round, #[case] end: Option<RoundEnd>) {
    assert_eq!(round.end(), end);
  }
}
