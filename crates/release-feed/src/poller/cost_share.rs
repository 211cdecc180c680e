//! How many of GitHub's answers count against the limit: to those who ask with a token a confirmation is free.

use std::collections::VecDeque;

/// Never counted as fewer: every app may have a release at once.
const LEAST: f64 = 0.05;
/// As many answers of each app are looked back at.
const ANSWERS_OF_EACH: usize = 2;

/// The last answers: which of them counted.
#[derive(Debug, Default)]
pub(super) struct CostShare(VecDeque<bool>);

impl CostShare {
  /// An answer came.
  pub(super) fn note(&mut self, counted: bool, apps: usize) {
    self.0.push_back(counted);
    while self.0.len() > window(apps) {
      self.0.pop_front();
    }
  }

  /// The share that counted; what hasn't been asked yet counts.
  pub(super) fn share(&self, apps: usize) -> f64 {
    let free = self.0.iter().filter(|counted| !**counted).count();
    (1.0 - free as f64 / window(apps) as f64).clamp(LEAST, 1.0)
  }
}

fn window(apps: usize) -> usize {
  apps.saturating_mul(ANSWERS_OF_EACH).max(1)
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn it_begins_with_all_and_follows_the_last_answers() {
    let (mut share, apps) = (CostShare::default(), 2);
    assert_eq!(share.share(apps), 1.0);
    share.note(false, apps);
    assert_eq!(share.share(apps), 0.75);
    for _ in 0..9 {
      share.note(false, apps);
    }
    assert_eq!(share.share(apps), LEAST);
    share.note(true, apps);
    share.note(true, apps);
    assert_eq!(share.share(apps), 0.5);
  }
}
