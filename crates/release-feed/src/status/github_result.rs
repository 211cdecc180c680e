//! How a request to GitHub ended, in few words that can be counted.

use crate::github::{FetchFailure, Outcome};

macro_rules! results {
  ($($(#[$doc:meta])+ $name:ident = $word:literal,)+) => {
    /// How a request to GitHub ended.
    #[derive(Clone, Copy, Debug, Eq, PartialEq)]
    pub enum GithubResult {
      $($(#[$doc])+ $name,)+
    }

    impl GithubResult {
      /// Every one, in its order.
      pub const ALL: &[Self] = &[$(Self::$name),+];

      /// The word for it.
      pub fn as_str(self) -> &'static str {
        match self {
          $(Self::$name => $word,)+
        }
      }
    }
  };
}

results! {
  /// A release that says something new.
  Changed = "changed",
  /// A release, sent whole, that says what we know.
  Unchanged = "unchanged",
  /// 304: what we have is current.
  NotModified = "not_modified",
  /// There is no release.
  NoRelease = "no_release",
  /// GitHub wants to be left alone.
  RateLimited = "rate_limited",
  /// No connection, or it broke.
  FailedNetwork = "failed_network",
  /// No whole answer in time.
  FailedTimeout = "failed_timeout",
  /// A status that means nothing to us, a redirect among them.
  FailedStatus = "failed_status",
  /// The token isn't taken.
  FailedToken = "failed_token",
  /// An answer that can't be read as a release.
  FailedBody = "failed_body",
  /// A release that can't be used, or none within reach that fits.
  FailedRelease = "failed_release",
}

impl GithubResult {
  /// What an outcome counts as; of a release only the cache knows whether it is [`Changed`](Self::Changed).
  pub fn of(outcome: &Outcome) -> Self {
    match outcome {
      Outcome::Release(_) => Self::Unchanged,
      Outcome::NotModified { .. } => Self::NotModified,
      Outcome::NoRelease => Self::NoRelease,
      Outcome::RateLimited { .. } => Self::RateLimited,
      Outcome::Failed(failure) => Self::of_failure(failure),
    }
  }

  fn of_failure(failure: &FetchFailure) -> Self {
    match failure {
      FetchFailure::Network(_) => Self::FailedNetwork,
      FetchFailure::TimedOut(_) => Self::FailedTimeout,
      FetchFailure::HtmlPage { status: 200 } => Self::FailedBody,
      FetchFailure::Status { .. }
      | FetchFailure::Forbidden { .. }
      | FetchFailure::WrongRequest { .. }
      | FetchFailure::HtmlPage { .. }
      | FetchFailure::Redirected { .. }
      | FetchFailure::NothingToConfirm => Self::FailedStatus,
      FetchFailure::RefusedToAll { .. } | FetchFailure::TokenRefused | FetchFailure::Unseen => Self::FailedToken,
      FetchFailure::BodyTooLong | FetchFailure::Unreadable(_) | FetchFailure::TokenSaidBack => Self::FailedBody,
      FetchFailure::Draft
      | FetchFailure::Invalid(_)
      | FetchFailure::NoneFits { .. }
      | FetchFailure::PagesRepeat { .. } => Self::FailedRelease,
    }
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn each_stands_at_its_own_place_and_has_a_word_of_its_own() {
    for (place, result) in GithubResult::ALL.iter().enumerate() {
      assert_eq!(*result as usize, place);
      let same = GithubResult::ALL
        .iter()
        .filter(|other| other.as_str() == result.as_str());
      assert_eq!(same.count(), 1);
    }
  }
}
