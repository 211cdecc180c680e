//! A GitHub that publishes a release now and then and confirms the last one in between.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use feed_types::Release;
use release_feed::github::{Ask, ETag, Identity, Outcome, ReleaseAnswer, ReleaseSource};
use release_feed::release::ValidRelease;
use release_feed::{Clock, VirtualClock};

use crate::START;

const RELEASE_EVERY_MS: i64 = 5 * 60 * 60 * 1_000;

#[derive(Clone)]
pub(crate) struct ChangingGithub {
  clock: Arc<VirtualClock>,
  newest: Arc<AtomicU32>,
}

impl ChangingGithub {
  pub(crate) fn new(clock: Arc<VirtualClock>) -> Self {
    Self {
      clock,
      newest: Arc::default(),
    }
  }

  /// How many releases came after the first.
  pub(crate) fn changes(&self) -> u32 {
    self.newest.load(Ordering::SeqCst)
  }
}

impl ReleaseSource for ChangingGithub {
  async fn latest_release(&self, ask: Ask<'_>) -> Outcome {
    // All the releases are app `a`'s.
    let number = if ask.key.as_str() == "a" {
      (self.clock.now().0 - START.0) / RELEASE_EVERY_MS
    } else {
      0
    };
    self.newest.fetch_max(u32::try_from(number).unwrap(), Ordering::SeqCst);
    let etag = ETag::new(format!("\"{number}\""));
    let asker = Identity::anonymous();
    if let Some(named) = ask.etag_for(&asker).filter(|named| etag.as_ref() == Some(named)) {
      return Outcome::NotModified { named: named.clone() };
    }
    let release = Release {
      tag: format!("v{number}"),
      ..Release::default()
    };
    let valid = ValidRelease {
      release,
      left_out: Vec::new(),
    };
    Outcome::Release(Box::new(ReleaseAnswer {
      valid,
      etag,
      asker,
      ..ReleaseAnswer::default()
    }))
  }
}
