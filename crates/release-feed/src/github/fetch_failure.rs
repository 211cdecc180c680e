//! Why a request for a release failed, in words for a log line or a table.

use std::time::Duration;

use super::read_body::MAX_BODY_BYTES;
use crate::release::InvalidRelease;

/// How long a repository that was taken down for legal reasons is left alone.
const UNAVAILABLE_FOR_LEGAL_REASONS: (u16, Duration) = (451, Duration::from_secs(4 * 60 * 60));

/// A failed request. Nothing about the app changes because of it.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum FetchFailure {
  /// No connection, or it broke. The text is the network's, without the address.
  #[error("GitHub can't be reached: {0}")]
  Network(String),
  /// The whole request took too long.
  #[error("GitHub didn't answer in full within {} s", .0.as_secs_f32())]
  TimedOut(Duration),
  /// Another status than the ones that mean something to us.
  #[error("GitHub answered {status}{}", message.as_ref().map(|message| format!(": {message}")).unwrap_or_default())]
  Status {
    /// The status code.
    status: u16,
    /// What GitHub's JSON says about it.
    message: Option<String>,
  },
  /// 401 to a request with a token; the next one goes without.
  #[error("GitHub refused the token (401)")]
  TokenRefused,
  /// The repository's address moved.
  #[error("GitHub answered {status}, a redirect{}: put the repository's new name into the catalog", to.as_ref().map(|to| format!(" to {to}")).unwrap_or_default())]
  Redirected {
    /// The status code.
    status: u16,
    /// Where to, escaped.
    to: Option<String>,
  },
  /// 304 to a request without a validator.
  #[error("GitHub answered 304 (not modified) to a request that named nothing")]
  NothingToConfirm,
  /// A body over the cap, before or after decompression.
  #[error("GitHub's answer is longer than {} MiB", MAX_BODY_BYTES / 1024 / 1024)]
  BodyTooLong,
  /// A body that isn't the JSON of a release.
  #[error("GitHub's answer can't be read as a release: {0}")]
  Unreadable(String),
  /// A draft is nobody's latest release.
  #[error("GitHub's answer is a draft")]
  Draft,
  /// A release that can't be used.
  #[error("GitHub's answer can't be used: {0}")]
  Invalid(#[from] InvalidRelease),
  /// A list that is longer than it is looked through, and nothing in it is the app's.
  #[error(
    "none of the newest {releases} releases is the app's by its tag_prefix and select, and older ones aren't looked through"
  )]
  NoneFits {
    /// As many were looked through.
    releases: usize,
  },
}

impl FetchFailure {
  /// One word for it, without anything that GitHub said.
  pub fn kind(&self) -> &'static str {
    match self {
      Self::Network(_) => "network",
      Self::TimedOut(_) => "timeout",
      Self::Status { .. } => "status",
      Self::TokenRefused => "token_refused",
      Self::Redirected { .. } => "redirect",
      Self::NothingToConfirm => "nothing_to_confirm",
      Self::BodyTooLong => "body_too_long",
      Self::Unreadable(_) => "unreadable",
      Self::Draft => "draft",
      Self::Invalid(_) => "invalid",
      Self::NoneFits { .. } => "none_fits",
    }
  }

  /// How long the app is left alone at least, beyond what follows from the number of failures.
  pub fn leaves_alone_for(&self) -> Option<Duration> {
    let (legal, wait) = UNAVAILABLE_FOR_LEGAL_REASONS;
    matches!(self, Self::Status { status, .. } if *status == legal).then_some(wait)
  }
}
