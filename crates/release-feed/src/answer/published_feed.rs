//! Everything that is answered at a moment, and the place where it is found.
//!
//! A request reads what is current without a lock and without waiting for anybody; the encoder swaps the next one in.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use arc_swap::ArcSwap;
use feed_types::{App, AppAnswer, ReleaseInfoAnswer};

use super::coding::Effort;
use super::encoded_answer::EncodedAnswer;

/// The answers of a moment.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PublishedFeed {
  all: EncodedAnswer,
  apps: BTreeMap<String, PublishedApp>,
}

#[derive(Clone, Debug, Eq, PartialEq)]
struct PublishedApp {
  encoded: EncodedAnswer,
  app: App,
}

impl PublishedFeed {
  /// Encodes everything. Blocks for as long as compressing takes.
  ///
  /// # Errors
  ///
  /// When a compressor fails, which none does in memory.
  pub fn encode(answer: ReleaseInfoAnswer, effort: Effort) -> io::Result<Self> {
    Self::plain(answer)?.compressed(effort)
  }

  /// Everything but the compressing. Not to be published like that.
  pub(super) fn plain(answer: ReleaseInfoAnswer) -> io::Result<Self> {
    let all = EncodedAnswer::of_all(&answer)?;
    let apps = answer.release_info.apps.into_iter().map(|(key, app)| {
      let one = AppAnswer {
        success: true,
        app_key: key.clone(),
        app,
      };
      let encoded = EncodedAnswer::of_one(&one)?;
      Ok((key, PublishedApp { encoded, app: one.app }))
    });
    Ok(Self {
      all,
      apps: apps.collect::<io::Result<_>>()?,
    })
  }

  /// The same in every coding.
  pub(super) fn compressed(&self, effort: Effort) -> io::Result<Self> {
    let apps = self.apps.iter().map(|(key, one)| {
      let encoded = one.encoded.compressed(effort)?;
      let app = one.app.clone();
      Ok((key.clone(), PublishedApp { encoded, app }))
    });
    Ok(Self {
      all: self.all.compressed(effort)?.with_kernel_copy(),
      apps: apps.collect::<io::Result<_>>()?,
    })
  }

  /// The whole answer.
  pub fn all(&self) -> &EncodedAnswer {
    &self.all
  }

  /// One app's answer.
  pub fn one(&self, key: &str) -> Option<&EncodedAnswer> {
    self.apps.get(key).map(|app| &app.encoded)
  }

  /// What is said of one app.
  pub fn app(&self, key: &str) -> Option<&App> {
    self.apps.get(key).map(|app| &app.app)
  }
}

/// Where the current answers are found. Clones share them.
#[derive(Clone, Debug)]
pub struct Publication(Arc<ArcSwap<PublishedFeed>>);

impl Publication {
  /// Starts with these.
  pub fn new(feed: PublishedFeed) -> Self {
    Self(Arc::new(ArcSwap::from_pointee(feed)))
  }

  /// The current ones.
  pub fn current(&self) -> Arc<PublishedFeed> {
    self.0.load_full()
  }

  /// Replaces them for every reader from now on.
  pub fn replace(&self, feed: PublishedFeed) {
    self.0.store(Arc::new(feed));
  }
}
