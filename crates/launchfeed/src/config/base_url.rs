//! Addresses that others are built on: GitHub's API, its pages, a collector of traces.

use std::ffi::OsString;

use release_feed::BaseUrl;

use super::findings::Findings;
use super::setting::Setting;
use super::values::text;

const EXPECTED: &str = "an http:// or https:// address with a host, and without user, query and fragment";

/// The address given, or the default one, which must be right.
pub(super) fn base_url(
  setting: Setting,
  value: Option<&OsString>,
  default: &'static str,
  findings: &mut Findings,
) -> BaseUrl {
  given_url(setting, value, findings).unwrap_or_else(|| default_url(default))
}

/// The address given, if one is.
pub(super) fn given_url(setting: Setting, value: Option<&OsString>, findings: &mut Findings) -> Option<BaseUrl> {
  let address = text(setting, value, findings)?;
  match BaseUrl::read(address) {
    Ok(url) => Some(url),
    // Whatever stands before an @ may be a password, even where the rest is no address, and in a query there may be a key.
    Err(why) if address.contains(['@', '?', '#']) => {
      findings.unusable_secret(setting, why, EXPECTED);
      None
    }
    Err(why) => {
      findings.unusable(setting, address, why, EXPECTED);
      None
    }
  }
}

/// An address that stands in our own code.
pub(super) fn default_url(address: &'static str) -> BaseUrl {
  #[expect(clippy::expect_used, reason = "the defaults are constants that a test reads")]
  BaseUrl::read(address).expect("a default address is right")
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::super::setting::GITHUB_API_URL;
  use super::*;

  #[rstest]
  #[case("api.github.com", "is no address")]
  #[case("localhost:8080", "is neither http nor https")]
  #[case("ftp://api.github.com", "is neither http nor https")]
  #[case("file:///etc/passwd", "is neither http nor https")]
  #[case("http://", "is no address")]
  #[case("http://host:70000", "is no address")]
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
  #[case("https://host/?key=hunter2")]
  #[case("host?key=hunter2")]
  #[case("https://host#hunter2")]
  fn a_secret_in_an_address_is_refused_and_never_shown(#[case] address: &str) {
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
