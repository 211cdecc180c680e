//! Where GitHub's API is.

use url::Url;

use crate::catalog::RepoName;

/// The API's base address: `https://api.github.com`, or an Enterprise server's `https://<host>/api/v3`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ApiBase {
  /// Without a slash at the end.
  text: String,
}

/// An address that can't be the API's.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("expected http:// or https:// with a host, and no user, query or fragment")]
pub struct InvalidApiUrl;

impl ApiBase {
  /// Takes an address; a slash at its end makes no difference.
  ///
  /// # Errors
  ///
  /// When it is not http(s), or has no host, or a user, a query or a fragment.
  pub fn new(url: &Url) -> Result<Self, InvalidApiUrl> {
    let plain =
      url.username().is_empty() && url.password().is_none() && url.query().is_none() && url.fragment().is_none();
    let fits = plain && matches!(url.scheme(), "http" | "https") && url.has_host();
    if fits {
      Ok(Self {
        text: url.as_str().trim_end_matches('/').to_owned(),
      })
    } else {
      Err(InvalidApiUrl)
    }
  }

  /// The address without a slash at its end.
  pub fn as_str(&self) -> &str {
    &self.text
  }

  /// Where a repository's latest release is asked for.
  pub fn latest_release(&self, repo: &RepoName) -> String {
    format!("{}/repos/{repo}/releases/latest", self.text)
  }
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case("https://api.github.com", "https://api.github.com/repos/acme/demo/releases/latest")]
  #[case("https://api.github.com/", "https://api.github.com/repos/acme/demo/releases/latest")]
  #[case(
    "https://ghe.example/api/v3",
    "https://ghe.example/api/v3/repos/acme/demo/releases/latest"
  )]
  fn the_repository_goes_below_the_base(#[case] base: &str, #[case] address: &str) {
    let base = ApiBase::new(&base.parse().unwrap()).unwrap();
    assert_eq!(base.latest_release(&"acme/demo".parse().unwrap()), address);
  }

  #[rstest]
  #[case("ftp://api.github.com")]
  #[case("https://token@api.github.com")]
  #[case("https://api.github.com?x=1")]
  #[case("https://api.github.com#x")]
  fn an_address_with_more_than_that_is_refused(#[case] base: &str) {
    assert_eq!(ApiBase::new(&base.parse().unwrap()), Err(InvalidApiUrl));
  }
}
