//! The credential for GitHub's API, which is never shown.

use std::{fmt, slice};

use http::HeaderValue;
use secrecy::{ExposeSecret, SecretString};

use super::identity::{DIGITS, Identity};
use crate::hex_digest::sha256_hex;
use crate::secret_text::hide_secrets;

/// Shorter ones aren't looked for in what GitHub tells of releases: a letter would be in each.
const LEAST_BYTES: usize = 8;

/// A non-blank token that a header can carry.
#[derive(Clone)]
pub struct Token {
  secret: SecretString,
  identity: Identity,
}

/// A token with a character that no header can carry. Says nothing of the token itself.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("expected printable ASCII characters without spaces")]
pub struct InvalidToken;

impl Token {
  /// Trims a token; a blank one is none.
  ///
  /// # Errors
  ///
  /// When it holds anything but visible ASCII characters.
  pub fn new(text: &str) -> Result<Option<Self>, InvalidToken> {
    let token = text.trim();
    if token.is_empty() {
      return Ok(None);
    }
    if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
      return Err(InvalidToken);
    }
    let mut digest = sha256_hex(token.as_bytes());
    digest.truncate(DIGITS);
    Ok(Some(Self {
      secret: token.to_owned().into(),
      identity: Identity::of_digest(digest),
    }))
  }

  /// Tells two tokens apart without giving either away; GitHub's validators differ between tokens.
  pub fn identity(&self) -> Identity {
    self.identity.clone()
  }

  /// A text without the token: whoever was sent it might say it back. To be used before the text is cut or escaped.
  pub fn hide_in(&self, text: &str) -> String {
    Self::hide_all_in(slice::from_ref(self), text)
  }

  /// A text without any of the tokens, which may begin alike. To be used before the text is cut or escaped.
  pub fn hide_all_in(tokens: &[Self], text: &str) -> String {
    hide_secrets(text, tokens.iter().map(|token| token.secret.expose_secret()))
  }

  /// Whether a text that has nothing to do with it holds it. A shorter text than any token of GitHub's may stand anywhere by chance.
  pub(super) fn is_in(&self, text: &str) -> bool {
    let token = self.secret.expose_secret();
    token.len() >= LEAST_BYTES && text.contains(token)
  }

  /// The header's value, marked so that it is left out of debug output.
  pub(super) fn authorization(&self) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", self.secret.expose_secret())).ok()?;
    value.set_sensitive(true);
    Some(value)
  }
}

impl fmt::Debug for Token {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("Token(…)")
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn a_token_is_trimmed_and_a_blank_one_is_none() {
    let token = Token::new(" ghp_secret\n").unwrap().unwrap();
    assert_eq!(token.authorization().unwrap(), "Bearer ghp_secret");
    assert!(Token::new(" \t ").unwrap().is_none());
  }

  #[test]
  fn a_token_that_no_header_can_carry_is_refused() {
    for bad in ["ghp\u{1}secret", "ghp secret", "ghp_sécret", "a\r\nb"] {
      assert_eq!(Token::new(bad).unwrap_err(), InvalidToken);
    }
  }

  #[test]
  fn a_text_that_gives_it_away_is_mended() {
    let token = Token::new("ghp_0123456789").unwrap().unwrap();
    assert_eq!(token.hide_in("for ghp_0123456789, ghp_01234"), "for ***, ***");
  }

  #[test]
  fn one_of_eight_characters_is_looked_for_and_a_shorter_one_is_not() {
    let is_in = |token: &str| Token::new(token).unwrap().unwrap().is_in("the notes say 12345678");
    assert!(is_in("12345678") && !is_in("1234567") && !is_in("e") && !is_in("123456789"));
    assert_eq!(Token::new("e").unwrap().unwrap().hide_in("e"), "***");
  }

  #[test]
  fn neither_debug_output_nor_the_identity_shows_it() {
    let token = Token::new("ghp_secret").unwrap().unwrap();
    assert!(!format!("{token:?} {:?}", token.authorization()).contains("secret"));
    assert_eq!(token.identity().as_str().len(), 12);
    assert_ne!(token.identity(), Token::new("ghp_other").unwrap().unwrap().identity());
  }
}
