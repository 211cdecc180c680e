//! The token, whether GitHub takes it, and how many requests it leaves.
//!
//! A token that is refused (revoked, expired, mistyped) must not keep public releases from anybody: requests go on without it, and it
//! is tried again each hour, since it may have been mended on GitHub's side.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tracing::{info, warn};

use super::budget_left::BudgetLeft;
use super::token::Token;
use crate::clock::UnixMs;

const TRIED_AGAIN_AFTER: Duration = Duration::from_secs(60 * 60);

/// What is sent with requests.
#[derive(Debug, Default)]
pub struct Credentials {
  token: Option<Token>,
  /// When it was refused last; none while it is taken.
  refused: Mutex<Option<UnixMs>>,
  /// As the last answer said.
  budget: Mutex<Option<BudgetLeft>>,
}

impl Credentials {
  /// A token that nobody has refused yet, or none.
  pub fn new(token: Option<Token>) -> Self {
    Self {
      token,
      refused: Mutex::default(),
      budget: Mutex::default(),
    }
  }

  /// The token to send at `now`.
  pub(super) fn token_at(&self, now: UnixMs) -> Option<&Token> {
    self.token.as_ref().filter(|_| !self.is_refused_at(now))
  }

  /// Whether there is a token that was refused less than an hour ago.
  pub fn is_refused_at(&self, now: UnixMs) -> bool {
    let refused = *self.refused.lock().unwrap_or_else(PoisonError::into_inner);
    refused
      .and_then(|at| at.age_at(now))
      .is_some_and(|age| age < TRIED_AGAIN_AFTER)
  }

  /// How many requests are left, as the last answer said.
  pub fn budget(&self) -> Option<BudgetLeft> {
    *self.budget.lock().unwrap_or_else(PoisonError::into_inner)
  }

  /// An answer said how many requests are left.
  pub(super) fn note_budget(&self, budget: BudgetLeft) {
    *self.budget.lock().unwrap_or_else(PoisonError::into_inner) = Some(budget);
  }

  /// The token, whether it is taken or not: whoever was sent it might say it back.
  pub(super) fn token(&self) -> Option<&Token> {
    self.token.as_ref()
  }

  /// GitHub refused the token.
  pub(super) fn refuse(&self, now: UnixMs) {
    *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
    warn!(
      "GitHub refused the token (401): going on without it at the slower interval, and trying it again in an hour. \
       Put a valid one into CRAFT_APPS_RELEASE_GITHUB_TOKEN, or none"
    );
  }

  /// GitHub took the token.
  pub(super) fn accept(&self) {
    if self
      .refused
      .lock()
      .unwrap_or_else(PoisonError::into_inner)
      .take()
      .is_some()
    {
      info!("GitHub takes the token again");
    }
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  const NOW: UnixMs = UnixMs(1_791_471_170_000);

  #[test]
  fn a_refused_token_is_tried_again_after_an_hour() {
    let credentials = Credentials::new(Token::new("ghp_secret").unwrap());
    assert!(credentials.token_at(NOW).is_some());
    credentials.refuse(NOW);
    let after = |secs: u64| NOW.plus(Duration::from_secs(secs));
    assert!(credentials.is_refused_at(after(3_599)) && credentials.token_at(after(3_599)).is_none());
    assert!(!credentials.is_refused_at(after(3_600)) && credentials.token_at(after(3_600)).is_some());
    credentials.refuse(after(3_600));
    assert!(credentials.is_refused_at(after(3_601)));
    credentials.accept();
    assert!(!credentials.is_refused_at(after(3_601)));
  }

  #[test]
  fn a_clock_that_was_set_back_takes_no_token_away_for_longer() {
    let credentials = Credentials::new(Token::new("ghp_secret").unwrap());
    credentials.refuse(NOW);
    assert!(credentials.token_at(NOW.shifted_by_ms(-3_600_000)).is_some());
  }
}
