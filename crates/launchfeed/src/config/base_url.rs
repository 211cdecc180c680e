//! Addresses that others are built on: GitHub's API and its pages.

use std::ffi::OsString;
use std::fmt;

use url::Url;

use super::findings::Findings;
use super::setting::Setting;
use super::values::text;

const EXPECTED: &str = "an http:// or https:// address with a host, and without user, query and fragment";

/// An http or https address with a host and neither user, password, query nor fragment.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BaseUrl {
  url: Url,
  text: String,
}

impl BaseUrl {
  /// Reads an address; trailing slashes don't count.
  ///
  /// # Errors
  ///
  /// What is wrong with it, to follow the address.
  pub fn read(address: &str) -> Result<Self, &'static str> {
    if address.contains(|c: char| c.is_control() || c.is_whitespace()) {
      return Err("has white space or control characters");
    }
    let mut url = Url::parse(address).map_err(|_| "is no address")?;
    if !matches!(url.scheme(), "http" | "https") {
      return Err("is neither http nor https");
    }
    if url.host_str().is_none_or(str::is_empty) {
      return Err("has no host");
    }
    if !url.username().is_empty() || url.password().is_some() {
      return Err("has a user or password");
    }
    if url.query().is_some() || url.fragment().is_some() {
      return Err("has a query or fragment");
    }
    let path = url.path().trim_end_matches('/').to_owned();
    url.set_path(&path);
    let text = url.as_str().trim_end_matches('/').to_owned();
    Ok(Self { url, text })
  }

  /// The address.
  pub fn url(&self) -> &Url {
    &self.url
  }

  /// The address as text, without a slash at its end: a path that begins with one may follow.
  pub fn as_str(&self) -> &str {
    &self.text
  }
}

impl fmt::Display for BaseUrl {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(&self.text)
  }
}

/// The address given, or the default one, which must be right.
pub(super) fn base_url(
  setting: Setting,
  value: Option<&OsString>,
  default: &'static str,
  findings: &mut Findings,
) -> BaseUrl {
  let given = text(setting, value, findings);
  let url = given.and_then(|address| match BaseUrl::read(address) {
    Ok(url) => Some(url),
    // Whatever stands before an @ may be a password, even where the rest is no address.
    Err(why) if address.contains('@') => {
      findings.unusable_secret(setting, why, EXPECTED);
      None
    }
    Err(why) => {
      findings.unusable(setting, address, why, EXPECTED);
      None
    }
  });
  #[expect(clippy::expect_used, reason = "the defaults are constants that a test reads")]
  url.unwrap_or_else(|| BaseUrl::read(default).expect("a default address is right"))
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::super::setting::GITHUB_API_URL;
  use super::*;

  #[rstest]
  #[case("https://api.github.com", "https://api.github.com")]
  #[case("HTTPS://API.GitHub.com/", "https://api.github.com")]
  #[case("http://127.0.0.1:8080", "http://127.0.0.1:8080")]
  #[case("http://[::1]:80//", "http://[::1]")]
  #[case("https://ghe.example.org/api/v3/", "https://ghe.example.org/api/v3")]
  fn an_address_has_no_slash_at_its_end(#[case] address: &str, #[case] expected: &str) {
    let url = BaseUrl::read(address).unwrap();
    assert_eq!(url.as_str(), expected);
    assert_eq!(url.url().as_str().trim_end_matches('/'), expected);
  }

  #[rstest]
  #[case("api.github.com", "is no address")]
  #[case("localhost:8080", "is neither http nor https")]
  #[case("ftp://api.github.com", "is neither http nor https")]
  #[case("file:///etc/passwd", "is neither http nor https")]
  #[case("http://", "is no address")]
  #[case("http://host:70000", "is no address")]
  #[case("https://host/?q=1", "has a query or fragment")]
  #[case("https://host/?", "has a query or fragment")]
  #[case("https://host#top", "has a query or fragment")]
  #[case("https://ho st", "has white space or control characters")]
  #[case("https://ho\tst", "has white space or control characters")]
  fn what_nothing_can_be_built_on_is_refused(#[case] address: &str, #[case] why: &str) {
    let mut findings = Findings::default();
    base_url(
      GITHUB_API_URL,
      Some(&address.into()),
      "https://example.org",
      &mut findings,
    );
    assert_eq!(
      findings.errors(),
      [format!(
        "LAUNCHFEED_GITHUB_API_URL (--github-api-url): {address:?} {why}; expected {EXPECTED}"
      )]
    );
  }

  #[rstest]
  #[case("https://me:hunter2@host")]
  #[case("https://hunter2@host")]
  #[case("me:hunter2@host")]
  #[case("https://me:hunter2@host:port")]
  fn a_password_in_an_address_is_refused_and_never_shown(#[case] address: &str) {
    let mut findings = Findings::default();
    base_url(
      GITHUB_API_URL,
      Some(&address.into()),
      "https://example.org",
      &mut findings,
    );
    assert_eq!(findings.errors().len(), 1);
    assert!(!findings.errors()[0].contains("hunter2"), "{:?}", findings.errors());
  }
}
