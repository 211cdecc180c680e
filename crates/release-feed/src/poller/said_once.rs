//! What was said of each app, so that the log says a thing when it changes and not at every look.

use std::collections::HashMap;
use std::time::Duration;

use tokio::time::Instant;
use tracing::{info, warn};

use crate::catalog::{AppKey, RepoName};
use crate::github::FetchFailure;
use crate::release::LeftOut;

/// Files or apps named in one line; the rest is counted.
const MAX_NAMED: usize = 20;
/// How long a failure may wait for others like it: a round in which every request times out takes minutes.
const UNSAID_FOR: Duration = Duration::from_secs(30);

/// By app: the last thing said.
#[derive(Debug, Default)]
pub(super) struct SaidOnce {
  failures: HashMap<AppKey, String>,
  left_out: HashMap<AppKey, Vec<LeftOut>>,
  /// What is to be said of failures, so that a reason which many apps share is said once.
  unsaid: Vec<Unsaid>,
  unsaid_since: Option<Instant>,
}

#[derive(Debug)]
struct Unsaid {
  key: AppKey,
  repo: RepoName,
  has_answer: bool,
  reason: String,
}

impl SaidOnce {
  /// A request failed; `has_answer` tells whether there is an earlier answer to stay. Said with the others of the round.
  pub(super) fn failed(&mut self, key: &AppKey, repo: &RepoName, failure: &FetchFailure, has_answer: bool) {
    let reason = failure.to_string();
    if self.failures.get(key) != Some(&reason) {
      self.failures.insert(key.clone(), reason.clone());
      self.unsaid.push(Unsaid {
        key: key.clone(),
        repo: repo.clone(),
        has_answer,
        reason,
      });
    }
    let since = *self.unsaid_since.get_or_insert_with(Instant::now);
    if since.elapsed() >= UNSAID_FOR {
      self.say_failures();
    }
  }

  /// Says what failed since the last time, a line for each reason: the end of a round.
  pub(super) fn say_failures(&mut self) {
    self.unsaid_since = None;
    let mut unsaid = std::mem::take(&mut self.unsaid);
    while let Some(first) = unsaid.first() {
      let (reason, has_answer) = (first.reason.clone(), first.has_answer);
      let (alike, others): (Vec<Unsaid>, Vec<Unsaid>) = unsaid
        .into_iter()
        .partition(|other| other.reason == reason && other.has_answer == has_answer);
      say_alike(&alike);
      unsaid = others;
    }
  }

  /// A request succeeded.
  pub(super) fn succeeded(&mut self, key: &AppKey, repo: &RepoName) {
    if self.failures.remove(key).is_some() {
      info!(app = %key, %repo, "asking succeeds again");
    }
  }

  /// A release had files that aren't listed, or none.
  pub(super) fn left_out(&mut self, key: &AppKey, tag: &str, left_out: &[LeftOut]) {
    if left_out.is_empty() {
      self.left_out.remove(key);
      return;
    }
    if self.left_out.get(key).map(Vec::as_slice) != Some(left_out) {
      let named: Vec<String> = left_out
        .iter()
        .take(MAX_NAMED)
        .map(|file| format!("{:?} ({})", file.name, file.why))
        .collect();
      warn!(app = %key, %tag, files = left_out.len(), named = %named.join(", "), "files of the release aren't listed");
      self.left_out.insert(key.clone(), left_out.to_vec());
    }
  }
}

/// One line for failures that have everything but the app in common.
fn say_alike(failures: &[Unsaid]) {
  let Some(Unsaid {
    key,
    repo,
    has_answer,
    reason,
  }) = failures.first()
  else {
    return;
  };
  let what_now = if *has_answer {
    "the last good answer stays"
  } else {
    "there is no answer yet"
  };
  if failures.len() == 1 {
    warn!(app = %key, %repo, %reason, "asking failed; {what_now}");
  } else {
    let named: Vec<&str> = failures
      .iter()
      .take(MAX_NAMED)
      .map(|failure| failure.key.as_str())
      .collect();
    warn!(apps = failures.len(), named = %named.join(", "), %reason, "asking failed; {what_now}");
  }
}
