//! An address that others are built on: GitHub's API, and its pages.

use std::fmt;

use url::Url;

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

#[cfg(test)]
mod tests {
  use rstest::rstest;

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
  #[case("api.github.com")]
  #[case("ftp://api.github.com")]
  #[case("mailto:someone@example.com")]
  #[case("https://token@api.github.com")]
  #[case("https://api.github.com?x=1")]
  #[case("https://api.github.com#x")]
  #[case("https://api. github.com")]
  fn what_nothing_can_be_built_on_is_refused(#[case] address: &str) {
    assert!(BaseUrl::read(address).is_err());
  }
}
