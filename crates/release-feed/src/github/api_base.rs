//! Where GitHub's API is.

use url::Url;

use crate::base_url::BaseUrl;
use crate::catalog::RepoName;

/// The API's base address: `https://api.github.com`, or an Enterprise server's `https://<host>/api/v3`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ApiBase(BaseUrl);

impl ApiBase {
  /// Takes the address.
  pub fn new(base: BaseUrl) -> Self {
    Self(base)
  }

  /// The address without a slash at its end.
  pub fn as_str(&self) -> &str {
    self.0.as_str()
  }

  /// The address.
  pub fn url(&self) -> &Url {
    self.0.url()
  }

  /// Where a repository's latest release is asked for.
  pub fn latest_release(&self, repo: &RepoName) -> String {
    format!("{}/releases/latest", self.repository(repo))
  }

  /// Where it says what whoever asks is allowed.
  pub fn rate_limit(&self) -> String {
    format!("{}/rate_limit", self.0)
  }

  /// Where a repository itself is asked for.
  pub fn repository(&self, repo: &RepoName) -> String {
    format!("{}/repos/{repo}", self.0)
  }
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case("https://api.github.com/", "https://api.github.com/repos/acme/demo")]
  #[case("https://ghe.example/api/v3", "https://ghe.example/api/v3/repos/acme/demo")]
  fn the_repository_goes_below_the_base(#[case] base: &str, #[case] address: &str) {
    let (base, repo) = (ApiBase::new(BaseUrl::read(base).unwrap()), "acme/demo".parse().unwrap());
    assert_eq!(base.repository(&repo), address);
    assert_eq!(base.latest_release(&repo), format!("{address}/releases/latest"));
  }
}
