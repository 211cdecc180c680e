//! What was said of each app, so that the log says a thing when it changes and not at every look.

use std::collections::HashMap;

use tracing::{info, warn};

use crate::catalog::{AppKey, RepoName};
use crate::github::FetchFailure;
use crate::release::LeftOut;

/// Files named in one line; the rest is counted.
const MAX_NAMED: usize = 10;

/// By app: the last thing said.
#[derive(Debug, Default)]
pub(super) struct SaidOnce {
  failures: HashMap<AppKey, String>,
  left_out: HashMap<AppKey, Vec<LeftOut>>,
}

impl SaidOnce {
  /// A request failed.
  pub(super) fn failed(&mut self, key: &AppKey, repo: &RepoName, failure: &FetchFailure) {
    let reason = failure.to_string();
    if self.failures.get(key) != Some(&reason) {
      warn!(app = %key, %repo, %reason, "asking failed; the last good answer stays");
      self.failures.insert(key.clone(), reason);
    }
  }

  /// A request succeeded.
  pub(super) fn succeeded(&mut self, key: &AppKey, repo: &RepoName) {
    if self.failures.remove(key).is_some() {
      info!(app = %key, %repo, "asking succeeds again");
    }
  }

  /// A release had files that aren't listed, or none.
  pub(super) fn left_out(&mut self, key: &AppKey, tag: &str, left_out: Vec<LeftOut>) {
    if left_out.is_empty() {
      self.left_out.remove(key);
      return;
    }
    if self.left_out.get(key) != Some(&left_out) {
      let named: Vec<String> = left_out
        .iter()
        .take(MAX_NAMED)
        .map(|file| format!("{:?} ({})", file.name, file.why))
        .collect();
      warn!(app = %key, %tag, files = left_out.len(), named = %named.join(", "), "files of the release aren't listed");
      self.left_out.insert(key.clone(), left_out);
    }
  }
}
