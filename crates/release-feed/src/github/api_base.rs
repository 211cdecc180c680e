//! Where GitHub's API is.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

use crate::base_url::BaseUrl;
use crate::catalog::RepoName;

/// What stays as it is in a segment of a path.
const IN_SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

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

  /// Where the release of a tag is asked for. The tag is one segment of the path, whatever it holds.
  pub fn release_by_tag(&self, repo: &RepoName, tag: &str) -> String {
    let tag = utf8_percent_encode(tag, IN_SEGMENT);
    format!("{}/releases/tags/{tag}", self.repository(repo))
  }

  /// Where a page of a repository's releases is asked for; the first is 1.
  pub fn release_page(&self, repo: &RepoName, releases: usize, page: usize) -> String {
    format!("{}/releases?per_page={releases}&page={page}", self.repository(repo))
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

  #[rstest]
  #[case("v1.2", "v1.2")]
  #[case("flagd/v0.4.4", "flagd%2Fv0.4.4")]
  #[case("app@1.2.3", "app%401.2.3")]
  #[case("100%", "100%25")]
  #[case("a%2Fb", "a%252Fb")]
  #[case("a?b#c", "a%3Fb%23c")]
  #[case("ä", "%C3%A4")]
  fn a_tag_is_one_segment(#[case] tag: &str, #[case] segment: &str) {
    let (base, repo) = (
      ApiBase::new(BaseUrl::read("https://api.github.com").unwrap()),
      "acme/demo".parse().unwrap(),
    );
    let address = base.release_by_tag(&repo, tag);
    assert_eq!(
      address,
      format!("https://api.github.com/repos/acme/demo/releases/tags/{segment}")
    );
    assert_eq!(Url::parse(&address).unwrap().as_str(), address);
  }
}
