//! Why a request for a release failed, in words for a log line or a table.

use std::fmt;
use std::time::Duration;

use super::read_body::MAX_BODY_BYTES;
use crate::catalog::RepoName;
use crate::release::InvalidRelease;

const UNAVAILABLE_FOR_LEGAL_REASONS: u16 = 451;
/// How long a repository that was taken down is left alone.
const TAKEN_DOWN: Duration = Duration::from_secs(4 * 60 * 60);
/// How long a repository is left alone that isn't for us: rights are given by people.
const NOT_FOR_US: Duration = Duration::from_secs(60 * 60);

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
  /// 401 to whoever asked: a token that may be bad, or a repository that nobody may ask about.
  #[error("GitHub refuses every token and also a request without one (401) for {repo}")]
  RefusedToAll {
    /// What was asked about.
    repo: RepoName,
    /// Whether GitHub has answered about others since this one was last refused.
    are_others_answered: bool,
  },
  /// 401 to a request with a token; the next one goes without.
  #[error("GitHub refused the token (401)")]
  TokenRefused,
  /// 403 that is no limit, and nothing without a token either: this repository isn't for us.
  #[error("GitHub answered 403: {why}{}", message.as_ref().map(|message| format!(": {message}")).unwrap_or_default())]
  Forbidden {
    /// What stands in the way.
    why: Forbidden,
    /// What GitHub's JSON says about it, where that says more.
    message: Option<String>,
  },
  /// 404 to a request that went without the token, and there is no such repository for everybody: nobody knows whether there is one.
  #[error("GitHub answered 404: the repository can't be seen without the token, which GitHub doesn't take")]
  Unseen,
  /// 400 or 410: what we ask, or whom, is wrong.
  #[error("GitHub answered {status}{}: check that LAUNCHFEED_GITHUB_API_URL is the API's address; if it is, this program is too old for it", message.as_ref().map(|message| format!(" ({message})")).unwrap_or_default())]
  WrongRequest {
    /// The status code.
    status: u16,
    /// What GitHub's JSON says about it.
    message: Option<String>,
  },
  /// A page for people, whatever it calls itself.
  #[error(
    "GitHub answered {status} with a page of HTML instead of JSON (from a proxy, a login page, or GitHub's front?)"
  )]
  HtmlPage {
    /// The status code.
    status: u16,
  },
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
  /// The answer holds our token, which would be published with it.
  #[error("the answer holds the token: whoever answers isn't GitHub, or a proxy on the way shows what it is sent")]
  TokenSaidBack,
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
  /// A list whose pages repeat what was on earlier ones, and nothing in it is the app's.
  #[error(
    "GitHub's pages of releases go in circles: after the first {releases} they begin again, and none of these is the app's by its tag_prefix and select"
  )]
  PagesRepeat {
    /// As many are different ones.
    releases: usize,
  },
}

/// Why a repository isn't for us.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Forbidden {
  /// Its organization wants single sign-on of the token.
  SingleSignOn,
  /// GitHub blocked it.
  Blocked,
  /// The token has no right to it, or may not be used from here.
  Denied,
}

impl fmt::Display for Forbidden {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(match self {
      Self::SingleSignOn => {
        "the repository's organization wants single sign-on for the token, and nothing is told without the token"
      }
      Self::Blocked => "the repository is blocked",
      Self::Denied => "access is denied",
    })
  }
}

impl FetchFailure {
  /// One word for it, without anything that GitHub said.
  pub fn kind(&self) -> &'static str {
    match self {
      Self::Network(_) => "network",
      Self::TimedOut(_) => "timeout",
      Self::Status { .. } => "status",
      Self::RefusedToAll { .. } => "refused_to_all",
      Self::TokenRefused => "token_refused",
      Self::Forbidden { .. } => "forbidden",
      Self::Unseen => "unseen",
      Self::WrongRequest { .. } => "wrong_request",
      Self::HtmlPage { .. } => "html_page",
      Self::Redirected { .. } => "redirect",
      Self::NothingToConfirm => "nothing_to_confirm",
      Self::BodyTooLong => "body_too_long",
      Self::Unreadable(_) => "unreadable",
      Self::Draft => "draft",
      Self::TokenSaidBack => "token_said_back",
      Self::Invalid(_) => "invalid",
      Self::NoneFits { .. } => "none_fits",
      Self::PagesRepeat { .. } => "pages_repeat",
    }
  }

  /// How long the app is left alone at least, beyond what follows from the number of failures.
  pub fn leaves_alone_for(&self) -> Option<Duration> {
    match self {
      Self::Status { status, .. } if *status == UNAVAILABLE_FOR_LEGAL_REASONS => Some(TAKEN_DOWN),
      Self::Forbidden {
        why: Forbidden::Blocked,
        ..
      } => Some(TAKEN_DOWN),
      Self::Forbidden { .. } | Self::Unseen => Some(NOT_FOR_US),
      _ => None,
    }
  }

  /// Whether it says nothing of GitHub or of us, so that no other app has to wait because of it.
  pub fn concerns_the_app_alone(&self) -> bool {
    match self {
      Self::Status { status, .. } => *status == UNAVAILABLE_FOR_LEGAL_REASONS,
      Self::RefusedToAll {
        are_others_answered, ..
      } => *are_others_answered,
      Self::Forbidden { .. }
      | Self::Unseen
      | Self::Redirected { .. }
      | Self::BodyTooLong
      | Self::Unreadable(_)
      | Self::Draft
      | Self::NoneFits { .. }
      | Self::PagesRepeat { .. }
      | Self::Invalid(_) => true,
      Self::Network(_)
      | Self::TimedOut(_)
      | Self::TokenRefused
      | Self::WrongRequest { .. }
      | Self::HtmlPage { .. }
      | Self::TokenSaidBack
      | Self::NothingToConfirm => false,
    }
  }
}
