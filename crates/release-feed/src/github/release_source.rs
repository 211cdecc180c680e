//! What can be asked for an app's latest release, and what comes back. GitHub is one; a simulation is another.

use std::future::Future;

use feed_types::Release;

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
pub trait ReleaseSource: Send {
  /// Asks for an app's latest release. Ends in bounded time, whatever the other side does.
  fn latest_release(&self, ask: Ask<'_>) -> impl Future<Output = Outcome> + Send;

  /// Whether there is a token that isn't taken, so that requests are counted as nobody's and must be fewer.
  fn is_token_refused(&self) -> bool {
    false
  }

  /// How many requests are left, as the last answer said.
  fn budget(&self) -> Option<BudgetLeft> {
    None
  }

  /// Files of an app's release for which it and its checksum files say different digests, as far as they were read.
  fn checksum_conflicts(&self, _key: &AppKey, _tag: &str) -> Vec<String> {
    Vec::new()
  }
}
