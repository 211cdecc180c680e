//! An encoded answer, and the place where the current one is found.
//!
//! A request reads the current answer without a lock and without waiting for anybody; the poller swaps the next one in.

use std::sync::Arc;

use arc_swap::ArcSwap;
use bytes::Bytes;
use feed_types::ReleaseInfoAnswer;

/// The body of the answer as it is sent, and what its headers depend on.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PublishedAnswer {
  body: Bytes,
  complete: bool,
}

impl PublishedAnswer {
  /// Encodes an answer.
  pub fn encode(answer: &ReleaseInfoAnswer) -> Self {
    #[expect(
      clippy::expect_used,
      reason = "writing these types can't fail: string keys, no custom error"
    )]
    let body = serde_json::to_vec(answer).expect("wire types are always JSON");
    Self {
      body: body.into(),
      complete: answer.release_info.last_fetched.is_some(),
    }
  }

  /// The body, JSON.
  pub fn body(&self) -> &Bytes {
    &self.body
  }

  /// Whether every app has been fetched at least once, so that caches may keep the answer.
  pub fn is_complete(&self) -> bool {
    self.complete
  }
}

/// Where the current answer is found. Clones share it.
#[derive(Clone, Debug)]
pub struct Publication(Arc<ArcSwap<PublishedAnswer>>);

impl Publication {
  /// Starts with this answer.
  pub fn new(answer: PublishedAnswer) -> Self {
    Self(Arc::new(ArcSwap::from_pointee(answer)))
  }

  /// The current answer.
  pub fn current(&self) -> Arc<PublishedAnswer> {
    self.0.load_full()
  }

  /// Replaces the answer for every reader from now on.
  pub fn replace(&self, answer: PublishedAnswer) {
    self.0.store(Arc::new(answer));
  }
}

#[cfg(test)]
mod tests {
  use feed_types::{App, ReleaseInfo};

  use super::*;

  #[test]
  fn every_reader_sees_what_was_published_last() {
    let publication = Publication::new(PublishedAnswer::encode(&ReleaseInfoAnswer::default()));
    let reader = publication.clone();
    let apps = [(
      "demo".to_owned(),
      App {
        app_last_fetched: "2026-10-08T14:52:50Z".parse().ok(),
        ..App::default()
      },
    )];
    let answer = ReleaseInfoAnswer {
      release_info: ReleaseInfo::new(apps.into()),
      ..ReleaseInfoAnswer::default()
    };
    publication.replace(PublishedAnswer::encode(&answer));
    assert!(reader.current().is_complete());
    assert_eq!(
      serde_json::from_slice::<ReleaseInfoAnswer>(reader.current().body()).unwrap(),
      answer
    );
  }

  #[test]
  fn an_answer_without_a_last_fetched_is_not_complete() {
    assert!(!PublishedAnswer::encode(&ReleaseInfoAnswer::default()).is_complete());
  }
}
