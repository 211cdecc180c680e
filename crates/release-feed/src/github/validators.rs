//! The validators of one release: GitHub's ETags differ between tokens, and each belongs to the body that it came with.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::etag::ETag;
use super::identity::Identity;

/// As many askers' validators are kept.
const MAX_ASKERS: usize = 16;

/// What GitHub's answers that told one and the same release were tagged with.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Validators {
  /// Of the last answer, whoever asked: the one that the contract's field holds.
  last: Option<ETag>,
  /// By asker.
  #[serde(default)]
  own: BTreeMap<Identity, ETag>,
}

impl Validators {
  /// That of an answer to somebody.
  pub fn of(asker: &Identity, etag: Option<ETag>) -> Self {
    let mut validators = Self::default();
    validators.note(asker, etag);
    validators
  }

  /// One of which nobody says to whom it was given.
  pub fn unowned(etag: Option<ETag>) -> Self {
    Self {
      last: etag,
      own: BTreeMap::new(),
    }
  }

  /// The last answer's.
  pub fn last(&self) -> Option<&ETag> {
    self.last.as_ref()
  }

  /// What that asker may send: its own, or one of which nobody knows that it is another's.
  pub fn for_asker(&self, asker: &Identity) -> Option<&ETag> {
    let unowned = || {
      self
        .last
        .as_ref()
        .filter(|last| !self.own.values().any(|etag| etag == *last))
    };
    self.own.get(asker).or_else(unowned)
  }

  /// What that asker was given itself.
  pub fn own(&self, asker: &Identity) -> Option<&ETag> {
    self.own.get(asker)
  }

  /// Whether it is among them.
  pub fn contains(&self, etag: &ETag) -> bool {
    self.last.as_ref() == Some(etag) || self.own.values().any(|own| own == etag)
  }

  /// The same release came again, with that validator or with none.
  pub fn note(&mut self, asker: &Identity, etag: Option<ETag>) {
    match &etag {
      Some(etag) if self.own.len() < MAX_ASKERS || self.own.contains_key(asker) => {
        self.own.insert(asker.clone(), etag.clone());
      }
      _ => {
        self.own.remove(asker);
      }
    }
    self.last = etag;
  }

  /// Keeps what others were given for the same release.
  pub fn add_owned(&mut self, own: impl IntoIterator<Item = (Identity, ETag)>) {
    for (asker, etag) in own {
      if self.own.len() < MAX_ASKERS {
        self.own.entry(asker).or_insert(etag);
      }
    }
  }

  /// Others have newer ones of the same release.
  pub fn take_over(&mut self, newer: Self) {
    let older = std::mem::replace(self, newer);
    self.add_owned(older.own);
  }

  /// By asker.
  pub fn owned(&self) -> impl Iterator<Item = (&Identity, &ETag)> {
    self.own.iter()
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn everybody_sends_their_own() {
    let (ours, theirs) = (identity("a"), identity("b"));
    let mut validators = Validators::of(&ours, ETag::new("\"1\""));
    assert_eq!(validators.for_asker(&ours), ETag::new("\"1\"").as_ref());
    assert_eq!(validators.for_asker(&theirs), None);
    validators.note(&theirs, ETag::new("W/\"2\""));
    assert_eq!(validators.for_asker(&ours), ETag::new("\"1\"").as_ref());
    assert_eq!(validators.for_asker(&theirs), ETag::new("W/\"2\"").as_ref());
    assert_eq!(validators.last(), ETag::new("W/\"2\"").as_ref());
    assert!(validators.contains(&ETag::new("\"1\"").unwrap()) && !validators.contains(&ETag::new("\"3\"").unwrap()));
  }

  #[test]
  fn one_of_which_nobody_knows_whose_it_is_may_be_sent() {
    let validators = Validators::unowned(ETag::new("\"1\""));
    assert_eq!(validators.for_asker(&identity("a")), ETag::new("\"1\"").as_ref());
  }

  #[test]
  fn an_answer_without_one_takes_the_askers_away() {
    let (ours, theirs) = (identity("a"), identity("b"));
    let mut validators = Validators::of(&ours, ETag::new("\"1\""));
    validators.note(&theirs, ETag::new("\"2\""));
    validators.note(&ours, None);
    assert_eq!((validators.for_asker(&ours), validators.last()), (None, None));
    assert_eq!(validators.for_asker(&theirs), ETag::new("\"2\"").as_ref());
  }

  #[test]
  fn of_many_askers_the_first_are_kept() {
    let mut validators = Validators::default();
    for asker in 0..1_000 {
      validators.note(&identity(&asker.to_string()), ETag::new(format!("\"{asker}\"")));
    }
    assert_eq!(validators.owned().count(), MAX_ASKERS);
    assert_eq!(validators.last(), ETag::new("\"999\"").as_ref());
  }

  fn identity(text: &str) -> Identity {
    Identity::of_digest(text.to_owned())
  }
}
