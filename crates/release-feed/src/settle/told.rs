//! What an answer tells of an app.

use std::sync::Arc;

use feed_types::Release;
use serde::{Deserialize, Serialize};

use crate::github::{ReleaseAnswer, Validators};
use crate::release::ReleaseFacts;

/// A release with all that goes with it, or that there is none. Cheap to clone.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Told {
  /// The release, held against the contract; `None` for a repository without one.
  // Without this a missing field would read as "no release".
  #[serde(deserialize_with = "Option::deserialize")]
  pub release: Option<Arc<Release>>,
  /// What GitHub says of it beyond the contract; nothing where that isn't known.
  #[serde(default)]
  pub facts: Arc<ReleaseFacts>,
  /// The validators of the bodies that it was read from.
  #[serde(default)]
  pub validators: Validators,
}

impl Told {
  /// Its tag, if it is a release.
  pub fn tag(&self) -> Option<&str> {
    self.release.as_deref().map(|release| release.tag.as_str())
  }

  /// Whether GitHub lets nobody change its files.
  pub(super) fn is_immutable(&self) -> bool {
    self.facts.immutable == Some(true)
  }

  /// The same with the validators of an earlier answer that told just this.
  pub(super) fn with_validators_of(&self, earlier: &Self) -> Self {
    let is_the_same = self.release == earlier.release && self.facts.not_uploaded().eq(earlier.facts.not_uploaded());
    let mut told = self.clone();
    if is_the_same {
      told.validators = earlier.validators.clone();
      told.validators.take_over(self.validators.clone());
    }
    told
  }
}

impl From<ReleaseAnswer> for Told {
  fn from(answer: ReleaseAnswer) -> Self {
    Self {
      release: Some(Arc::new(answer.valid.release)),
      facts: Arc::new(answer.facts),
      validators: Validators::of(&answer.asker, answer.etag),
    }
  }
}

#[cfg(test)]
mod tests {
  use super::*;
  use crate::github::{ETag, Identity};
  use crate::settle::samples::{etagged, release, starting, told};

  #[test]
  fn validators_of_the_same_telling_are_kept_and_of_another_are_not() {
    let (a, b) = (Identity::anonymous(), Identity::read("0123456789ab").unwrap());
    let earlier = Told {
      validators: Validators::of(&a, ETag::new("\"a\"")),
      ..told(release("v1"))
    };
    let later = Told {
      validators: Validators::of(&b, ETag::new("\"b\"")),
      ..told(release("v1"))
    };
    let both = later.with_validators_of(&earlier).validators;
    assert_eq!(both.last(), ETag::new("\"b\"").as_ref());
    assert_eq!(both.for_asker(&a), ETag::new("\"a\"").as_ref());
    let later = starting(later, "more.deb");
    assert_eq!(later.with_validators_of(&earlier).validators, later.validators);
  }

  #[test]
  fn what_does_not_say_whether_there_is_a_release_cannot_be_read() {
    assert!(serde_json::from_str::<Told>(r#"{"release": null}"#).is_ok());
    assert!(serde_json::from_str::<Told>("{}").is_err());
    let told = etagged(told(release("v1")), "\"a\"");
    let text = serde_json::to_string(&told).unwrap();
    assert_eq!(serde_json::from_str::<Told>(&text).unwrap(), told);
  }
}
