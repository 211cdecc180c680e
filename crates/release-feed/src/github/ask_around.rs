//! One question, asked with one credential after the other until somebody is told something.

use super::credentials::{Asker, Choice};
use super::fetch_failure::FetchFailure;
use super::fetch_latest_release::GithubSource;
use super::release_source::{Ask, Outcome};
use crate::clock::Clock;

impl<C: Clock> GithubSource<C> {
  /// Asks: with the token that suits best; with the next one where GitHub doesn't take that one, or nothing is left of it; and without
  /// any where no token is taken, once.
  pub(super) async fn ask_around(&self, ask: Ask<'_>) -> Outcome {
    let mut refusal = None;
    // Each turn but the last one takes a token out of the choice.
    for _ in 0..=self.credentials.len() {
      let asker = match self.credentials.choose(ask, self.clock.now()) {
        Choice::Ask(asker) => asker,
        Choice::UsedUp { retry_at } => return Outcome::RateLimited { retry_at },
        Choice::Nobody(why) => {
          return Outcome::Failed(refusal.unwrap_or(FetchFailure::Forbidden { why, message: None }));
        }
      };
      let asked = self.ask(ask, &asker).await;
      if asker.is_anonymous() {
        return self.settle_without_token(ask, asker, asked, refusal).await;
      }
      match asked {
        Err(failure @ FetchFailure::TokenRefused) => refusal = refusal.or(Some(failure)),
        Err(failure @ FetchFailure::Forbidden { why, .. }) => {
          let now = self.clock.now();
          self.credentials.turn_away(&asker.identity, &ask.app.repo, why, now);
          refusal = Some(failure);
        }
        Ok(Outcome::RateLimited { .. }) if self.credentials.is_used_up(&asker.identity, self.clock.now()) => {}
        asked => return asked.unwrap_or_else(Outcome::Failed),
      }
    }
    // Nobody comes here: a token that is out of the choice stays so for an hour.
    Outcome::Failed(refusal.unwrap_or(FetchFailure::TokenRefused))
  }

  /// What an answer to nobody means where there are tokens. `refusal` is why they weren't used, where that was learnt just now.
  async fn settle_without_token(
    &self,
    ask: Ask<'_>,
    asker: Asker<'_>,
    asked: Result<Outcome, FetchFailure>,
    refusal: Option<FetchFailure>,
  ) -> Outcome {
    if self.credentials.len() == 0 {
      return asked.unwrap_or_else(Outcome::Failed);
    }
    let now = self.clock.now();
    let why = refusal.or_else(|| self.credentials.why_not_for(&ask.app.repo, now));
    match (asked, why) {
      // Of a repository that may be private, that says nothing.
      (Ok(Outcome::NoRelease), why) => match self.has_repository_for(&ask.app.repo, &asker).await {
        Ok(true) => Outcome::NoRelease,
        Ok(false) => Outcome::Failed(match why {
          Some(failure @ FetchFailure::Forbidden { .. }) => failure,
          _ => FetchFailure::Unseen,
        }),
        Err(failure) => Outcome::Failed(failure),
      },
      // What is used up there is nobody's business whose token is taken elsewhere.
      (Ok(Outcome::RateLimited { .. }), Some(failure @ FetchFailure::Forbidden { .. }))
        if self.credentials.is_used_up(&asker.identity, now) =>
      {
        Outcome::Failed(failure)
      }
      (Err(FetchFailure::Forbidden { .. }), Some(failure @ FetchFailure::Forbidden { .. })) => Outcome::Failed(failure),
      (Err(FetchFailure::Status { status: 401, .. }), Some(failure)) => Outcome::Failed(failure),
      (Err(FetchFailure::Status { status: 401, .. }), None) => Outcome::Failed(FetchFailure::TokenRefused),
      (asked, _) => asked.unwrap_or_else(Outcome::Failed),
    }
  }
}
