//! Which tokens are good. By default all are, and none is needed. The tokens stay in here: no `Debug`.

use std::collections::HashSet;

use serde_json::Value;

use crate::answer::Answer;
use crate::error_body;

/// The rules that a test has set.
#[derive(Default)]
pub(crate) struct Tokens {
  required: Option<String>,
  refused: HashSet<String>,
  /// Owners in lowercase that want single sign-on of a token.
  single_sign_on: HashSet<(String, String)>,
  /// Repositories in lowercase that nobody sees without a token.
  private: HashSet<String>,
  /// What GitHub's headers say of every token, by lowercase name.
  described: Vec<(&'static str, String)>,
}

impl Tokens {
  pub(crate) fn require(&mut self, token: &str) {
    self.required = Some(token.to_owned());
  }

  pub(crate) fn refuse(&mut self, token: &str) {
    self.refused.insert(token.to_owned());
  }

  pub(crate) fn require_single_sign_on(&mut self, owner: &str, token: &str) {
    self
      .single_sign_on
      .insert((owner.to_ascii_lowercase(), token.to_owned()));
  }

  pub(crate) fn hide(&mut self, repo: &str) {
    self.private.insert(repo.to_ascii_lowercase());
  }

  /// What a request about that repository gets in place of everything else, if it does.
  pub(crate) fn turned_away(&self, authorization: Option<&str>, repo: &str) -> Option<Answer> {
    let repo = repo.to_ascii_lowercase();
    let Some(authorization) = authorization else {
      return self.private.contains(&repo).then(Answer::not_found);
    };
    let owner = repo.split('/').next().unwrap_or_default();
    let pair = (owner.to_owned(), token_of(authorization).to_owned());
    let is_wanted = self.single_sign_on.contains(&pair);
    is_wanted.then(|| Answer::single_sign_on(&format!("https://github.com/orgs/{}/sso", pair.0)))
  }

  pub(crate) fn describe(&mut self, header: &'static str, value: &str) {
    self.described.push((header, value.to_owned()));
  }

  /// An answer to a request with a token. What the answer says itself holds.
  pub(crate) fn described_in(&self, mut answer: Answer) -> Answer {
    for (name, value) in &self.described {
      let told = answer.headers.entry((*name).to_owned());
      told.or_insert_with(|| Some(value.clone().into_bytes()));
    }
    answer
  }

  pub(crate) fn clear(&mut self) {
    *self = Self::default();
  }

  /// The body of the 401 that this `Authorization` gets, if it gets one.
  pub(crate) fn refusal(&self, authorization: Option<&str>) -> Option<Value> {
    let token = authorization.map(token_of);
    match (token, &self.required) {
      (None, Some(_)) => Some(error_body::authentication_required()),
      (None, None) => None,
      (Some(token), _) if self.refused.contains(token) => Some(error_body::bad_credentials()),
      (Some(token), Some(required)) if token != required => Some(error_body::bad_credentials()),
      (Some(_), _) => None,
    }
  }
}

/// What follows the scheme, `Bearer` or the older `token`.
pub(crate) fn token_of(authorization: &str) -> &str {
  let (_, token) = authorization.split_once(' ').unwrap_or(("", authorization));
  token.trim()
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn by_default_every_token_is_good_and_none_is_needed() {
    let tokens = Tokens::default();
    assert_eq!(tokens.refusal(None), None);
    assert_eq!(tokens.refusal(Some("Bearer any")), None);
  }

  #[test]
  fn a_bad_token_is_refused_whatever_its_scheme() {
    let mut tokens = Tokens::default();
    tokens.refuse("bad");
    for authorization in ["Bearer bad", "token bad", "bearer  bad", "bad"] {
      let refusal = tokens.refusal(Some(authorization)).unwrap();
      assert_eq!(refusal["message"], "Bad credentials");
    }
    assert_eq!(tokens.refusal(Some("Bearer good")), None);
    assert_eq!(tokens.refusal(None), None);
  }

  #[test]
  fn where_one_is_required_others_and_none_are_refused() {
    let mut tokens = Tokens::default();
    tokens.require("good");
    assert_eq!(tokens.refusal(Some("Bearer good")), None);
    assert_eq!(
      tokens.refusal(Some("Bearer other")).unwrap()["message"],
      "Bad credentials"
    );
    assert_eq!(tokens.refusal(None).unwrap()["message"], "Requires authentication");
    tokens.clear();
    assert_eq!(tokens.refusal(None), None);
  }
}
