//! Whom a round asks about: each app once, also those that fall due while it lasts.

use std::collections::{HashSet, VecDeque};

use crate::catalog::AppKey;

/// The apps of a round that were not asked about yet.
#[derive(Debug, Default)]
pub(super) struct RoundQueue {
  waiting: VecDeque<AppKey>,
  seen: HashSet<AppKey>,
}

impl RoundQueue {
  pub(super) fn of(due: Vec<AppKey>) -> Self {
    let mut queue = Self::default();
    queue.add(due);
    queue
  }

  /// Those that weren't in the round yet wait at its end, so that every round ends.
  pub(super) fn add(&mut self, due: Vec<AppKey>) {
    for key in due {
      if self.seen.insert(key.clone()) {
        self.waiting.push_back(key);
      }
    }
  }

  pub(super) fn next(&mut self) -> Option<AppKey> {
    self.waiting.pop_front()
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn each_app_is_in_a_round_once() {
    let keys = |names: &[&str]| names.iter().map(|name| name.parse().unwrap()).collect::<Vec<AppKey>>();
    let mut queue = RoundQueue::of(keys(&["b", "a"]));
    assert_eq!(queue.next(), keys(&["b"]).pop());
    queue.add(keys(&["c", "b", "a"]));
    assert_eq!(queue.next(), keys(&["a"]).pop());
    assert_eq!(queue.next(), keys(&["c"]).pop());
    assert_eq!(queue.next(), None);
  }
}
