//! One question, asked with one credential after the other until somebody is told something.

use std::mem;

use super::credentials::{Asker, Choice};
use super::fetch_failure::FetchFailure;
use super::fetch_latest_release::GithubSource;
use super::identity::Identity;
use super::release_source::{Ask, Outcome};
use crate::clock::Clock;

const UNAUTHORIZED: u16 = 401;

/// What one question has met so far.
#[derive(Debug, Default)]
struct Met {
  /// Who was answered with 401, while nobody was answered otherwise: that may be the token's fault, the repository's or the server's.
  refused: Vec<Identity>,
  /// How a token was turned away from the repository last.
  turned_away: Option<FetchFailure>,
}

impl<C: Clock> GithubSource<C> {
  /// Asks: with the token that suits best; with the next one where GitHub doesn't take that one, or nothing is left of it; and without
  /// any where no token is taken, once.
  pub(super) async fn ask_around(&self, ask: Ask<'_>) -> Outcome {
    let mut met = Met::default();
    // Each turn but the last one takes a token out of the choice.
    for _ in 0..=self.credentials.len() {
      let asker = match self.credentials.choose(ask, &met.refused, self.clock.now()) {
        Choice::Ask(asker) => asker,
        Choice::UsedUp { retry_at } => return Outcome::RateLimited { retry_at },
        Choice::Nobody(why) => {
          let failure = FetchFailure::Forbidden { why, message: None };
          return self.ask_untried(ask, met, failure).await;
        }
      };
      let asked = self.ask_as(ask, &asker, &mut met).await;
      if asker.is_anonymous() {
        return match self.settle_without_token(ask, asker, asked, &met).await {
          Ok(outcome) => outcome,
          Err(failure) => self.ask_untried(ask, met, failure).await,
        };
      }
      if let Some(outcome) = self.told(&asker, asked) {
        return outcome;
      }
    }
    // Nobody comes here: a token that is out of the choice stays so for this question.
    Outcome::Failed(met.turned_away.unwrap_or(FetchFailure::TokenRefused))
  }

  /// Asks as somebody, and notes what the answer says of the tokens.
  async fn ask_as(&self, ask: Ask<'_>, asker: &Asker<'_>, met: &mut Met) -> Result<Outcome, FetchFailure> {
    let asked = self.ask(ask, asker).await;
    let (repo, now) = (&ask.app.repo, self.clock.now());
    if is_unauthorized(&asked) {
      met.refused.push(asker.identity.clone());
    } else if is_githubs_word(&asked) {
      // Somebody may ask that: who may not isn't taken.
      for identity in mem::take(&mut met.refused) {
        self.credentials.refuse(&identity, now);
      }
    }
    match &asked {
      Err(failure @ FetchFailure::Forbidden { why, .. }) if !asker.is_anonymous() => {
        self.credentials.turn_away(&asker.identity, repo, *why, now);
        met.turned_away = Some(failure.clone());
      }
      Ok(Outcome::Release(_) | Outcome::NotModified { .. }) => self.credentials.let_in(&asker.identity, repo),
      _ => {}
    }
    asked
  }

  /// What a token was told; `None` where somebody else is to ask.
  fn told(&self, asker: &Asker<'_>, asked: Result<Outcome, FetchFailure>) -> Option<Outcome> {
    match asked {
      Err(FetchFailure::TokenRefused | FetchFailure::Forbidden { .. }) => None,
      Ok(Outcome::RateLimited { .. }) if self.credentials.is_used_up(&asker.identity, self.clock.now()) => None,
      asked => Some(asked.unwrap_or_else(Outcome::Failed)),
    }
  }

  /// What an answer to nobody means where there are tokens; `Err` where it tells nothing, and why then nothing is known.
  async fn settle_without_token(
    &self,
    ask: Ask<'_>,
    asker: Asker<'_>,
    asked: Result<Outcome, FetchFailure>,
    met: &Met,
  ) -> Result<Outcome, FetchFailure> {
    if self.credentials.len() == 0 {
      return Ok(asked.unwrap_or_else(Outcome::Failed));
    }
    let now = self.clock.now();
    let turned_away = met.turned_away.clone();
    let why = turned_away.or_else(|| self.credentials.why_not_for(&ask.app.repo, now));
    match (asked, why) {
      // Of a repository that may be private, that says nothing.
      (Ok(Outcome::NoRelease), why) => match self.has_repository_for(&ask.app.repo, &asker).await {
        Ok(true) => Ok(Outcome::NoRelease),
        Ok(false)
        | Err(FetchFailure::Status {
          status: UNAUTHORIZED, ..
        }) => Err(why.unwrap_or(FetchFailure::Unseen)),
        Err(failure) => Ok(Outcome::Failed(failure)),
      },
      // What is used up there is nobody's business whose token is taken elsewhere.
      (Ok(Outcome::RateLimited { .. }), Some(failure)) if self.credentials.is_used_up(&asker.identity, now) => {
        Err(failure)
      }
      (
        Err(
          FetchFailure::Forbidden { .. }
          | FetchFailure::Status {
            status: UNAUTHORIZED, ..
          },
        ),
        Some(failure),
      ) => Err(failure),
      (
        Err(
          failure @ FetchFailure::Status {
            status: UNAUTHORIZED, ..
          },
        ),
        None,
      ) => Err(failure),
      (asked, _) => Ok(asked.unwrap_or_else(Outcome::Failed)),
    }
  }

  /// Nothing was told without a token. A token that is left out because of another repository of the same owner may know, and what GitHub
  /// says to it is true of this one. It is asked once.
  async fn ask_untried(&self, ask: Ask<'_>, mut met: Met, failure: FetchFailure) -> Outcome {
    let repo = &ask.app.repo;
    for _ in 0..self.credentials.len() {
      let Some(asker) = self.credentials.untried_for(repo, &met.refused, self.clock.now()) else {
        break;
      };
      let asked = self.ask_as(ask, &asker, &mut met).await;
      if let Some(outcome) = self.told(&asker, asked) {
        return outcome;
      }
    }
    let is_nobody_refused = met.refused.iter().any(Identity::is_anonymous);
    if is_nobody_refused && self.credentials.are_all_refused(&met.refused, self.clock.now()) {
      return Outcome::Failed(self.credentials.refused_to_all(repo));
    }
    Outcome::Failed(met.turned_away.unwrap_or(failure))
  }
}

fn is_unauthorized(asked: &Result<Outcome, FetchFailure>) -> bool {
  matches!(
    asked,
    Err(
      FetchFailure::TokenRefused
        | FetchFailure::Status {
          status: UNAUTHORIZED,
          ..
        }
    )
  )
}

/// Whether GitHub answered, and was well enough to know whom.
fn is_githubs_word(asked: &Result<Outcome, FetchFailure>) -> bool {
  !matches!(
    asked,
    Err(
      FetchFailure::Network(_)
        | FetchFailure::TimedOut(_)
        | FetchFailure::HtmlPage { .. }
        | FetchFailure::TokenSaidBack
        | FetchFailure::Status { status: 500.., .. }
    )
  )
}
