//! The questions of a round that are out: one that hangs doesn't keep the others waiting.

use std::collections::HashSet;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;
use tracing::Instrument;

use crate::cache::Fetch;
use crate::catalog::{AppKey, Catalog};
use crate::github::{Ask, Outcome, ReleaseSource};

/// An answer is waited for that long before the next app is asked about. Nearly every answer of GitHub's comes within it.
pub(super) const SLOW_AFTER: Duration = Duration::from_secs(3);
/// As many are out at most: a GitHub that answers nobody isn't asked about everything at once.
const MOST: usize = 16;

/// What is out. Dropped, all of it is given up.
#[derive(Debug, Default)]
pub(super) struct Asking {
  tasks: JoinSet<Answered>,
  out: HashSet<AppKey>,
}

/// What came of a question.
#[derive(Debug)]
pub(super) struct Answered {
  pub(super) key: AppKey,
  pub(super) outcome: Outcome,
  pub(super) took: Duration,
}

impl Asking {
  /// Asks about an app of which that is known.
  pub(super) fn ask<S: ReleaseSource>(
    &mut self,
    source: Arc<S>,
    catalog: Arc<Catalog>,
    key: AppKey,
    fetch: Option<Fetch>,
  ) {
    self.out.insert(key.clone());
    let asking = async move {
      let asked = Instant::now();
      let outcome = match catalog.get(&key) {
        Some(app) => {
          let known = fetch.as_ref().and_then(Fetch::known);
          source.latest_release(Ask { key: &key, app, known }).await
        }
        None => Outcome::NoRelease,
      };
      Answered {
        took: asked.elapsed(),
        key,
        outcome,
      }
    };
    self.tasks.spawn(asking.in_current_span());
  }

  /// The next answer; for ever where nothing is out. Nothing is lost of one that isn't waited for.
  pub(super) async fn next(&mut self) -> Answered {
    loop {
      match self.tasks.join_next().await {
        Some(Ok(answered)) => {
          self.out.remove(&answered.key);
          return answered;
        }
        // As if it had been asked here.
        Some(Err(error)) => {
          if let Ok(panic) = error.try_into_panic() {
            resume_unwind(panic);
          }
        }
        None => std::future::pending().await,
      }
    }
  }

  pub(super) fn is_out(&self, key: &AppKey) -> bool {
    self.out.contains(key)
  }

  pub(super) fn is_empty(&self) -> bool {
    self.out.is_empty()
  }

  pub(super) fn has_room(&self) -> bool {
    self.out.len() < MOST
  }
}
