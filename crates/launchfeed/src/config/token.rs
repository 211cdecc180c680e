//! The tokens for GitHub.

use release_feed::github::{InvalidToken, Token};

use super::args::RawSecret;
use super::findings::Findings;
use super::setting::{GITHUB_TOKEN, GITHUB_TOKENS, Setting};

const EXPECTED: &str = "visible ASCII characters, as GitHub's tokens have";

/// The contract's one and those beside it, each once, in that order. What a header can't carry, or what no token holds, is refused
/// without showing it.
pub(super) fn tokens(one: Option<&RawSecret>, more: Option<&RawSecret>, findings: &mut Findings) -> Vec<Token> {
  let mut tokens: Vec<Token> = Vec::new();
  let more = listed(more, findings);
  for token in read(GITHUB_TOKEN, exposed(GITHUB_TOKEN, one, findings), findings)
    .into_iter()
    .chain(more)
  {
    if tokens.iter().all(|known| known.identity() != token.identity()) {
      tokens.push(token);
    }
  }
  tokens
}

/// Those between commas; blank ones are none.
fn listed(value: Option<&RawSecret>, findings: &mut Findings) -> Vec<Token> {
  let Some(list) = exposed(GITHUB_TOKENS, value, findings) else {
    return Vec::new();
  };
  let tokens = list.split(',');
  tokens
    .filter_map(|token| read(GITHUB_TOKENS, Some(token), findings))
    .collect()
}

fn exposed<'v>(setting: Setting, value: Option<&'v RawSecret>, findings: &mut Findings) -> Option<&'v str> {
  let text = value?.expose();
  if text.is_none() {
    findings.unusable_secret(setting, "is not UTF-8", EXPECTED);
  }
  text
}

/// A token, trimmed; blank is none.
fn read(setting: Setting, text: Option<&str>, findings: &mut Findings) -> Option<Token> {
  Token::new(text?).unwrap_or_else(|InvalidToken| {
    let why = "holds a character that a token can't have (white space, control or non-ASCII)";
    findings.unusable_secret(setting, why, EXPECTED);
    None
  })
}

#[cfg(test)]
mod tests {
  use std::ffi::OsString;

  use release_feed::github::Identity;
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
    let value = value.map(secret);
    let found = tokens(value.as_ref(), None, &mut findings);
    let expected: Vec<&str> = expected.into_iter().collect();
    assert_eq!(identities(&found), identities_of(&expected));
    assert_eq!(findings.errors(), [""; 0]);
  }

  #[rstest]
  #[case("hunter\n2")]
  #[case("hunter 2")]
  #[case("hunter\u{7f}2")]
  #[case("hünter2")]
  fn what_a_header_cannot_carry_is_refused_and_never_shown(#[case] value: &str) {
    let mut findings = Findings::default();
    assert!(tokens(Some(&secret(value)), None, &mut findings).is_empty());
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
    let raw = secret("hunter2,hunter2_other");
    let found = tokens(None, Some(&raw), &mut Findings::default());
    assert_eq!(found.len(), 2);
    assert!(!format!("{raw:?} {found:?}").contains("hunter2"));
  }

  #[rstest]
  #[case::beside_the_one("ghp_one", "ghp_two, ghp_three ", &["ghp_one", "ghp_two", "ghp_three"])]
  #[case::alone("", "ghp_two", &["ghp_two"])]
  #[case::blank_ones(" ", " ,, ghp_two,\n,", &["ghp_two"])]
  #[case::twice("ghp_one", "ghp_two,ghp_one,ghp_two", &["ghp_one", "ghp_two"])]
  #[case::none("", ",", &[])]
  fn more_tokens_stand_between_commas_and_each_counts_once(
    #[case] one: &str,
    #[case] more: &str,
    #[case] expected: &[&str],
  ) {
    let mut findings = Findings::default();
    let found = tokens(Some(&secret(one)), Some(&secret(more)), &mut findings);
    assert_eq!(identities(&found), identities_of(expected));
    assert_eq!(findings.errors(), [""; 0]);
  }

  #[test]
  fn one_of_several_that_is_no_token_is_an_error_that_shows_none_of_them() {
    let mut findings = Findings::default();
    tokens(None, Some(&secret("hunter2,hun ter2,hunter3")), &mut findings);
    let errors = findings.errors();
    assert_eq!(errors.len(), 1);
    assert!(
      errors[0].starts_with("LAUNCHFEED_GITHUB_TOKENS (--github-tokens): "),
      "{errors:?}"
    );
    assert!(!errors[0].contains("nter"), "{errors:?}");
  }

  fn secret(text: &str) -> RawSecret {
    RawSecret::from(OsString::from(text))
  }

  fn identities(tokens: &[Token]) -> Vec<Identity> {
    tokens.iter().map(Token::identity).collect()
  }

  fn identities_of(texts: &[&str]) -> Vec<Identity> {
    texts
      .iter()
      .map(|text| Token::new(text).unwrap().unwrap().identity())
      .collect()
  }
}
