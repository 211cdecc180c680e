//! What can be asked for an app's latest release, and what comes back. GitHub is one; a simulation is another.

use std::future::Future;

use super::budget_left::BudgetLeft;
use super::etag::ETag;
use super::fetch_failure::FetchFailure;
use crate::catalog::{AppKey, CatalogApp};
use crate::clock::UnixMs;
use crate::release::ValidRelease;

/// One question.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
  /// The app's key.
  pub key: &'a AppKey,
  /// The app.
  pub app: &'a CatalogApp,
  /// The validator of the release that we have, if any.
  pub etag: Option<&'a ETag>,
}

/// What an answer means.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Outcome {
  /// The latest release, with its validator.
  Release {
    /// The release, held against the contract.
    valid: ValidRelease,
    /// Its validator, where GitHub gave one.
    etag: Option<ETag>,
  },
  /// What we have is current.
  NotModified,
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
      Self::Release { .. } => "release",
      Self::NotModified => "not_modified",
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
}
