//! Where a repository's pages and downloads lie, and whether a URL lies there.
//!
//! A URL is parsed, not compared as text: the same scheme, host and port as the configured address, no user, no dot segments,
//! the repository's path. What is told to launchers must also be spelled the way it was understood, since they may read it with
//! another parser: a URL that parsing would change is refused.

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use url::Url;

use crate::base_url::BaseUrl;
use crate::catalog::RepoName;

/// What a path segment can't hold as it is; the slash stays, since a tag may span segments.
const TAG_IN_PATH: &AsciiSet = &CONTROLS
  .add(b' ')
  .add(b'"')
  .add(b'#')
  .add(b'%')
  .add(b'<')
  .add(b'>')
  .add(b'?')
  .add(b'@')
  .add(b'\\')
  .add(b'^')
  .add(b'`')
  .add(b'{')
  .add(b'|')
  .add(b'}');

/// The address of GitHub's pages, `https://github.com` or an Enterprise server's.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WebBase(BaseUrl);

impl WebBase {
  /// Takes the address.
  pub fn new(base: BaseUrl) -> Self {
    Self(base)
  }

  /// The address without a slash at its end.
  pub fn as_str(&self) -> &str {
    self.0.as_str()
  }

  /// The address.
  pub(crate) fn url(&self) -> &Url {
    self.0.url()
  }

  /// The page of a tag's release.
  pub fn tag_page(&self, repo: &RepoName, tag: &str) -> String {
    format!(
      "{}/{repo}/releases/tag/{}",
      self.0,
      utf8_percent_encode(tag, TAG_IN_PATH)
    )
  }

  /// Whether a URL is a page below the repository's releases.
  pub fn is_release_page(&self, url: &str, repo: &RepoName) -> bool {
    self.below_releases(url, repo).is_some()
  }

  /// Whether a URL is the download of a file of that name from one of the repository's releases.
  pub fn is_download(&self, url: &str, repo: &RepoName, asset_name: &str) -> bool {
    let Some(path) = self.below_releases(url, repo) else {
      return false;
    };
    let Some((tag, file)) = path.strip_prefix("download/").and_then(|rest| rest.rsplit_once('/')) else {
      return false;
    };
    !tag.is_empty()
      && percent_decode_str(file)
        .decode_utf8()
        .is_ok_and(|name| name == asset_name)
  }

  /// The path below `<repository>/releases/`, where a URL lies there and says nothing but a path.
  fn below_releases(&self, text: &str, repo: &RepoName) -> Option<String> {
    let url = Url::parse(text)
      .ok()
      .filter(|url| url.as_str() == text && is_plain(url))?;
    let same_server = url.scheme() == self.0.url().scheme()
      && url.host() == self.0.url().host()
      && url.port_or_known_default() == self.0.url().port_or_known_default();
    let path = url
      .path()
      .strip_prefix(self.0.url().path().trim_end_matches('/'))?
      .strip_prefix('/')?;
    let mut parts = path.splitn(4, '/');
    let (owner, name, releases, rest) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let same_repo = owner.eq_ignore_ascii_case(repo.owner()) && name.eq_ignore_ascii_case(repo.name());
    let below = same_server && same_repo && releases == "releases" && !rest.is_empty() && !has_dot_segments(rest);
    below.then(|| rest.to_owned())
  }
}

fn is_plain(url: &Url) -> bool {
  url.username().is_empty() && url.password().is_none() && url.query().is_none() && url.fragment().is_none()
}

/// Also the ones that appear only once an encoded slash is read as one.
fn has_dot_segments(path: &str) -> bool {
  let decoded = percent_decode_str(path).decode_utf8_lossy();
  decoded
    .split(['/', '\\'])
    .any(|segment| matches!(segment, "" | "." | ".."))
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  const NAME: &str = "demo-1.0-linux-x64.deb";

  #[rstest]
  #[case::as_github_writes_it("https://github.com/acme/demo/releases/download/v1.0/demo-1.0-linux-x64.deb")]
  #[case::another_case_of_the_repository("https://github.com/Acme/Demo/releases/download/v1.0/demo-1.0-linux-x64.deb")]
  #[case::a_tag_of_two_segments("https://github.com/acme/demo/releases/download/desktop/v1.0/demo-1.0-linux-x64.deb")]
  #[case::a_tag_with_an_encoded_slash(
    "https://github.com/acme/demo/releases/download/desktop%2Fv1.0/demo-1.0-linux-x64.deb"
  )]
  #[case::an_encoded_letter_in_the_name("https://github.com/acme/demo/releases/download/v1.0/demo%2D1.0-linux-x64.deb")]
  fn a_download_of_the_repository_is_one(#[case] url: &str) {
    assert!(github().is_download(url, &repo(), NAME));
  }

  #[rstest]
  #[case::plain_http("http://github.com/acme/demo/releases/download/v1.0/demo-1.0-linux-x64.deb")]
  #[case::another_host("https://github.com.evil.example/acme/demo/releases/download/v1.0/demo-1.0-linux-x64.deb")]
  #[case::a_user("https://github.com@evil.example/acme/demo/releases/download/v1.0/demo-1.0-linux-x64.deb")]
  #[case::a_port("https://github.com:8443/acme/demo/releases/download/v1.0/demo-1.0-linux-x64.deb")]
  #[case::the_default_port("https://github.com:443/acme/demo/releases/download/v1.0/demo-1.0-linux-x64.deb")]
  #[case::another_spelling_of_the_host("https://GitHub.com/acme/demo/releases/download/v1.0/demo-1.0-linux-x64.deb")]
  #[case::another_repository("https://github.com/acme/demo2/releases/download/v1.0/demo-1.0-linux-x64.deb")]
  #[case::dot_segments(
    "https://github.com/acme/demo/releases/download/../../../evil/x/releases/download/v1/demo-1.0-linux-x64.deb"
  )]
  #[case::encoded_dot_segments("https://github.com/acme/demo/releases/download/%2e%2e/demo-1.0-linux-x64.deb")]
  #[case::dot_segments_behind_an_encoded_slash(
    "https://github.com/acme/demo/releases/download/v1%2F..%2F../demo-1.0-linux-x64.deb"
  )]
  #[case::a_backslash("https://github.com/acme\\demo/releases/download/v1.0/demo-1.0-linux-x64.deb")]
  #[case::a_tab("https://github.com/acme/demo/releases/download/v1.0/demo-1.0\t-linux-x64.deb")]
  #[case::another_file("https://github.com/acme/demo/releases/download/v1.0/other.deb")]
  #[case::no_tag("https://github.com/acme/demo/releases/download/demo-1.0-linux-x64.deb")]
  #[case::an_empty_tag("https://github.com/acme/demo/releases/download//demo-1.0-linux-x64.deb")]
  #[case::not_below_download("https://github.com/acme/demo/releases/tag/v1.0/demo-1.0-linux-x64.deb")]
  #[case::a_query("https://github.com/acme/demo/releases/download/v1.0/demo-1.0-linux-x64.deb?x=1")]
  #[case::a_fragment("https://github.com/acme/demo/releases/download/v1.0/demo-1.0-linux-x64.deb#x")]
  #[case::a_script("javascript:alert(1)")]
  #[case::nothing("")]
  fn anything_else_is_refused(#[case] url: &str) {
    assert!(!github().is_download(url, &repo(), NAME));
  }

  #[test]
  fn an_enterprise_server_may_have_a_port_and_a_path() {
    let base = WebBase::new(BaseUrl::read("http://ghe.example:8443/git/").unwrap());
    assert!(base.is_download(
      &format!("http://ghe.example:8443/git/acme/demo/releases/download/v1/{NAME}"),
      &repo(),
      NAME
    ));
    assert!(!base.is_download(
      &format!("http://ghe.example/git/acme/demo/releases/download/v1/{NAME}"),
      &repo(),
      NAME
    ));
    assert!(!base.is_download(
      &format!("http://ghe.example:8443/acme/demo/releases/download/v1/{NAME}"),
      &repo(),
      NAME
    ));
    assert_eq!(
      base.tag_page(&repo(), "v1"),
      "http://ghe.example:8443/git/acme/demo/releases/tag/v1"
    );
  }

  #[rstest]
  #[case("v1.0")]
  #[case("desktop/v1.0")]
  #[case("@acme/demo@2.0")]
  #[case("50% off?#\"<>\\^`{|}")]
  #[case("für")]
  fn the_page_of_any_tag_is_below_the_repositorys_releases(#[case] tag: &str) {
    let page = github().tag_page(&repo(), tag);
    assert!(github().is_release_page(&page, &repo()), "{page}");
  }

  fn github() -> WebBase {
    WebBase::new(BaseUrl::read("https://github.com").unwrap())
  }

  fn repo() -> RepoName {
    "acme/demo".parse().unwrap()
  }
}
