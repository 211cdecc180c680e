//! What to do about a failed request.

use release_feed::github::{FetchFailure, Forbidden};
use release_feed::release::InvalidRelease;

pub(super) const MISSING_REPOSITORY: &str = "check the app's repository in the catalog, or the token's rights";
pub(super) const USED_UP: &str =
  "try again later, or set CRAFT_APPS_RELEASE_GITHUB_TOKEN to a token that has requests left";
pub(super) const TOO_MUCH: &str = "try again later; whoever else uses this token or address may ask too much";
pub(super) const ODD_CONFIRMATION: &str = "look for a cache or proxy before GitHub that answers in its place";
pub(super) const NOTHING_LISTED: &str =
  "compare the files' addresses with the app's repository and with --github-web-url";

pub(super) const NOTHING_FITS: &str =
  "compare tag_prefix, select and pinned_tag in the catalog with the tags on the repository's page of releases";

/// What to do about a failure; `None` where the failure says it itself.
pub(super) fn advice(failure: &FetchFailure) -> Option<&'static str> {
  match failure {
    FetchFailure::Network(_) => Some("check the network, the proxy (HTTPS_PROXY) and --github-api-url"),
    FetchFailure::TimedOut(_) => Some("check the network and --github-api-url, or try again later"),
    FetchFailure::Status { status: 401, .. } => {
      Some("this GitHub answers nobody without a token: set CRAFT_APPS_RELEASE_GITHUB_TOKEN")
    }
    FetchFailure::Status { status: 451, .. } => Some("it was taken down: take the app out of the catalog"),
    FetchFailure::Status { status: 500.., .. } => Some("that is GitHub's own trouble: try again later"),
    FetchFailure::Status { .. } => Some("check the app's repository in the catalog, and --github-api-url"),
    FetchFailure::RefusedToAll { .. } => Some(
      "set CRAFT_APPS_RELEASE_GITHUB_TOKEN to a token that is valid there; if others are answered, check the app's repository",
    ),
    FetchFailure::TokenRefused => Some("set CRAFT_APPS_RELEASE_GITHUB_TOKEN to a token that is valid, or to none"),
    FetchFailure::Forbidden { why, .. } => Some(match why {
      Forbidden::SingleSignOn => "authorize the token for the organization on GitHub (Settings, tokens, Configure SSO)",
      Forbidden::Blocked => "it was blocked: ask its owner, or take the app out of the catalog",
      Forbidden::Denied => {
        "check the token's rights, and whether the organization allows its kind and this address (IP allow list)"
      }
    }),
    FetchFailure::Unseen => Some("set CRAFT_APPS_RELEASE_GITHUB_TOKEN to a valid token that may see it"),
    FetchFailure::HtmlPage { status: 500.. } => Some(
      "that is GitHub's own trouble, or that of a proxy between: try again later, and check HTTPS_PROXY if it stays",
    ),
    FetchFailure::HtmlPage { .. } => Some("check --github-api-url, and what stands between (a proxy, a login page)"),
    FetchFailure::WrongRequest { .. } | FetchFailure::Redirected { .. } => None,
    FetchFailure::NothingToConfirm => Some(ODD_CONFIRMATION),
    FetchFailure::BodyTooLong => Some("shorten the release's notes, or publish fewer files with it"),
    FetchFailure::Unreadable(_) => Some("check that --github-api-url is the API's address"),
    FetchFailure::TokenSaidBack => Some("take the token back on GitHub, and check --github-api-url and the proxy"),
    FetchFailure::Draft => Some("publish the release"),
    FetchFailure::PagesRepeat { .. } => {
      Some("check --github-api-url, and look for a cache or proxy before GitHub that answers in its place")
    }
    FetchFailure::NoneFits { .. } => Some(NOTHING_FITS),
    FetchFailure::Invalid(InvalidRelease::OtherPrefix { .. } | InvalidRelease::NotPinned { .. }) => Some(NOTHING_FITS),
    FetchFailure::Invalid(_) => Some("publish the release anew under a usable tag"),
  }
}
