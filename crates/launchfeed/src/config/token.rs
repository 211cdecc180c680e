//! The token for GitHub.

use release_feed::github::{InvalidToken, Token};

use super::args::RawSecret;
use super::findings::Findings;
use super::setting::GITHUB_TOKEN;

const EXPECTED: &str = "visible ASCII characters, as GitHub's tokens have";

/// The token, trimmed; blank is none. What a header can't carry, or what no token holds, is refused without showing it.
pub(super) fn token(value: Option<&RawSecret>, findings: &mut Findings) -> Option<Token> {
  let Some(token) = value?.expose() else {
    findings.unusable_secret(GITHUB_TOKEN, "is not UTF-8", EXPECTED);
    return None;
  };
  Token::new(token).unwrap_or_else(|InvalidToken| {
    let why = "holds a character that a token can't have (white space, control or non-ASCII)";
    findings.unusable_secret(GITHUB_TOKEN, why, EXPECTED);
    None
  })
}

#[cfg(test)]
mod tests {
  use std::ffi::OsString;

  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case(None, None)]
  #[case(Some(""), None)]
  #[case(Some(" \n"), None)]
  #[case(Some("ghp_abc"), Some("ghp_abc"))]
  #[case(Some(" ghp_abc\r\n"), Some("ghp_abc"))]
  fn a_token_is_trimmed_and_blank_is_none(#[case] value: Option<&str>, #[case] expected: Option<&str>) {
    let mut findings = Findings::default();
    let token = token(
      value.map(|value| RawSecret::from(OsString::from(value))).as_ref(),
      &mut findings,
    );
    let expected = expected.map(|token| Token::new(token).unwrap().unwrap().identity());
    assert_eq!(token.map(|token| token.identity()), expected);
    assert_eq!(findings.errors(), [""; 0]);
  }

  #[rstest]
  #[case("hunter\n2")]
  #[case("hunter 2")]
  #[case("hunter\u{7f}2")]
  #[case("hünter2")]
  fn what_a_header_cannot_carry_is_refused_and_never_shown(#[case] value: &str) {
    let mut findings = Findings::default();
    assert!(token(Some(&RawSecret::from(OsString::from(value))), &mut findings).is_none());
    let [error] = &findings.errors()[..] else {
      panic!("not one error")
    };
    assert!(
      error.starts_with("CRAFT_APPS_RELEASE_GITHUB_TOKEN (--github-token): "),
      "{error}"
    );
    assert!(error.ends_with(EXPECTED), "{error}");
    assert!(!error.contains("nter") && !error.contains('\n'), "{error}");
  }

  #[test]
  fn no_debug_form_shows_it() {
    let raw = RawSecret::from(OsString::from("hunter2"));
    let token = token(Some(&raw), &mut Findings::default());
    assert!(!format!("{raw:?} {token:?}").contains("hunter2"));
  }
}
