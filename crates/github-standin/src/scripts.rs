//! The answers that were scripted, for one repository's releases or for everything.

use std::collections::{HashMap, VecDeque};

use crate::answer::Answer;

/// All scripts.
#[derive(Default)]
pub(crate) struct Scripts {
  everywhere: Option<Answer>,
  /// By `owner/name` in lowercase.
  by_repo: HashMap<String, Script>,
}

#[derive(Default)]
struct Script {
  queue: VecDeque<Answer>,
  always: Option<Answer>,
}

impl Scripts {
  pub(crate) fn queue(&mut self, repo: &str, answers: impl IntoIterator<Item = Answer>) {
    self.of(repo).queue.extend(answers);
  }

  pub(crate) fn always(&mut self, repo: &str, answer: Answer) {
    self.of(repo).always = Some(answer);
  }

  pub(crate) fn clear(&mut self, repo: &str) {
    self.by_repo.remove(&repo.to_ascii_lowercase());
  }

  pub(crate) fn everywhere(&mut self, answer: Answer) {
    self.everywhere = Some(answer);
  }

  pub(crate) fn clear_all(&mut self) {
    *self = Self::default();
  }

  /// The answer that everything gets.
  pub(crate) fn for_everything(&self) -> Option<Answer> {
    self.everywhere.clone()
  }

  /// The answer that a request for a repository's releases gets this time.
  pub(crate) fn next_for(&mut self, repo: &str) -> Option<Answer> {
    let script = self.by_repo.get_mut(&repo.to_ascii_lowercase())?;
    script.queue.pop_front().or_else(|| script.always.clone())
  }

  fn of(&mut self, repo: &str) -> &mut Script {
    self.by_repo.entry(repo.to_ascii_lowercase()).or_default()
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn the_queue_comes_first_then_what_is_always_answered_then_the_usual() {
    let mut scripts = Scripts::default();
    scripts.always("a/b", Answer::status(503));
    scripts.queue("A/B", [Answer::status(500), Answer::status(501)]);
    let statuses: Vec<u16> = (0..4).map(|_| scripts.next_for("a/B").unwrap().status).collect();
    assert_eq!(statuses, [500, 501, 503, 503]);
    scripts.clear("a/b");
    assert!(scripts.next_for("a/b").is_none());
  }

  #[test]
  fn clearing_all_ends_every_script() {
    let mut scripts = Scripts::default();
    scripts.everywhere(Answer::reset());
    scripts.queue("a/b", [Answer::status(500)]);
    scripts.clear_all();
    assert!(scripts.for_everything().is_none());
    assert!(scripts.next_for("a/b").is_none());
  }
}
