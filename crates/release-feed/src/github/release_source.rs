//! What can be asked for an app's latest release, and what comes back. GitHub is one; a simulation is another.

use std::future::Future;

use feed_types::Release;

use super::asker_status::AskerStatus;
use super::budget_left::BudgetLeft;
use super::etag::ETag;
use super::fetch_failure::FetchFailure;
use super::identity::Identity;
use super::validators::Validators;
use crate::catalog::{AppKey, CatalogApp};
use crate::clock::UnixMs;
use crate::release::{ReleaseFacts, ValidRelease};

/// One question.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
  /// The app's key.
  pub key: &'a AppKey,
  /// The app.
  pub app: &'a CatalogApp,
  /// The release that we have, if any.
  pub known: Option<Known<'a>>,
}

/// A release that we have, which an answer may confirm.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
  /// Its validators.
  pub validators: &'a Validators,
  /// What it says.
  pub release: &'a Release,
  /// What GitHub says of it beyond that.
  pub facts: &'a ReleaseFacts,
}

impl<'a> Ask<'a> {
  /// The validator that an asker may send.
  pub fn etag_for(&self, asker: &Identity) -> Option<&'a ETag> {
    self.known?.validators.for_asker(asker)
  }

  /// Whether somebody may send one.
  pub(super) fn has_validator(&self) -> bool {
    let validators = self.known.map(|known| known.validators);
    validators.is_some_and(|validators| validators.last().is_some() || validators.owned().next().is_some())
  }
}

/// A release that was told.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ReleaseAnswer {
  /// The release, held against the contract.
  pub valid: ValidRelease,
  /// What GitHub says of it beyond the contract.
  pub facts: ReleaseFacts,
  /// Its validator, where GitHub gave one.
  pub etag: Option<ETag>,
  /// To whom it was given.
  pub asker: Identity,
}

/// What an answer means.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Outcome {
  /// The latest release.
  Release(Box<ReleaseAnswer>),
  /// What we have is current.
  NotModified {
    /// The validator that was sent.
    named: ETag,
  },
  /// The repository has no release.
  NoRelease,
  /// GitHub wants to be left alone.
  RateLimited {
    /// Until then, by our clock; `None` where GitHub doesn't say.
    retry_at: Option<UnixMs>,
  },
  /// Anything else.
  Failed(FetchFailure),
}

impl Outcome {
  /// One word for it.
  pub fn name(&self) -> &'static str {
    match self {
      Self::Release(_) => "release",
      Self::NotModified { .. } => "not_modified",
      Self::NoRelease => "no_release",
      Self::RateLimited { .. } => "rate_limited",
      Self::Failed(_) => "failed",
    }
  }
}

/// Where releases come from.
pub trait ReleaseSource: Send + Sync + 'static {
  /// Asks for an app's latest release. Ends in bounded time, whatever the other side does.
  fn latest_release(&self, ask: Ask<'_>) -> impl Future<Output = Outcome> + Send;

  /// Whether there is a token that isn't taken, so that requests are counted as nobody's and must be fewer.
  fn is_token_refused(&self) -> bool {
    false
  }

  /// Whether a confirmation (304) counts like any other answer: to those who ask without a token.
  fn pays_for_confirmations(&self) -> bool {
    false
  }

  /// How many requests are left to all who would ask, as the last answers said.
  fn budget(&self) -> Option<BudgetLeft> {
    None
  }

  /// How many are left to each of those who would ask; empty while nothing is known of any.
  fn budgets_in_force(&self) -> Vec<BudgetLeft> {
    Vec::new()
  }

  /// Until when nothing is left to anybody, so that asking brings nothing but a refusal.
  fn used_up_until(&self) -> Option<UnixMs> {
    None
  }

  /// Everybody who may ask, for whoever looks.
  fn askers(&self) -> Vec<AskerStatus> {
    Vec::new()
  }

  /// What is left of each token, for others that use it too; never what is left without one.
  fn budgets(&self) -> Vec<(Identity, BudgetLeft)> {
    Vec::new()
  }

  /// Takes what is left of a token as others were told: in the same period the lower number counts, else the newer one.
  fn heed_budget(&self, _identity: &Identity, _budget: BudgetLeft) {}

  /// Files of an app's release for which it and its checksum files say different digests, as far as they were read.
  fn checksum_conflicts(&self, _key: &AppKey, _tag: &str) -> Vec<String> {
    Vec::new()
  }
}
