//! More than one token: which of them asks, and what happens when nothing is left of one.

use std::time::Duration;

use github_standin::{Answer, SampleRelease, StandIn};
use release_feed::github::{Outcome, ReleaseSource};

use crate::asking::*;

const ONE: &str = "ghp_hunter2_one";
const TWO: &str = "ghp_hunter2_two";
/// In 100 s.
const RESET: u64 = 1_791_471_270;

#[tokio::test]
async fn of_one_that_is_used_up_the_next_one_takes_over_within_the_same_question() {
  let github = stage().await;
  github.set_rate_limit_of(Some(ONE), 5_000, 0, RESET);
  github.set_rate_limit_of(Some(TWO), 5_000, 4_000, RESET);
  let asker = Asker::of(&github).with_tokens(&[ONE, TWO]);
  for _ in 0..3 {
    assert!(matches!(asker.ask().await, Outcome::Release(_)));
  }
  assert_eq!(tokens_sent(&github), [ONE, TWO, TWO, TWO]);
  assert_eq!(asker.source.used_up_until(), None);
}

#[tokio::test]
async fn once_nothing_is_left_of_any_the_earliest_reset_counts_and_nobody_asks_before() {
  let github = stage().await;
  github.set_rate_limit_of(Some(ONE), 5_000, 0, RESET + 500);
  github.set_rate_limit_of(Some(TWO), 5_000, 0, RESET);
  let asker = Asker::of(&github).with_tokens(&[ONE, TWO]);
  let retry_at = Some(NOW.plus(Duration::from_secs(100)));
  for _ in 0..2 {
    assert_eq!(asker.ask().await, Outcome::RateLimited { retry_at });
  }
  assert_eq!(tokens_sent(&github), [ONE, TWO]);
  assert_eq!(asker.source.used_up_until(), retry_at);
}

#[tokio::test]
async fn the_answer_that_uses_up_the_last_request_is_the_last_one_before_the_reset() {
  let github = stage().await;
  github.set_rate_limit_of(None, 60, 1, RESET);
  let asker = Asker::of(&github);
  assert!(matches!(asker.ask().await, Outcome::Release(_)));
  assert_eq!(asker.source.used_up_until(), Some(NOW.plus(Duration::from_secs(100))));
  assert!(matches!(asker.ask().await, Outcome::RateLimited { .. }));
  assert_eq!(github.request_count(), 1);
}

#[tokio::test]
async fn too_much_at_once_is_no_reason_to_ask_with_another() {
  let github = stage().await;
  github.script(REPO, [Answer::secondary_limit("30")]);
  let asker = Asker::of(&github).with_tokens(&[ONE, TWO]);
  assert!(matches!(asker.ask().await, Outcome::RateLimited { .. }));
  assert_eq!(github.request_count(), 1);
}

#[tokio::test]
async fn a_refused_one_leaves_the_others_and_only_without_any_the_interval_is_slower() {
  let github = stage().await;
  github.set_bad_token(ONE);
  let asker = Asker::of(&github).with_tokens(&[ONE, TWO]);
  assert!(matches!(asker.ask().await, Outcome::Release(_)));
  assert!(!asker.is_token_refused());
  github.set_bad_token(TWO);
  assert!(matches!(asker.ask().await, Outcome::Release(_)));
  assert!(asker.is_token_refused() && asker.source.pays_for_confirmations());
  assert_eq!(tokens_sent(&github), [ONE, TWO, TWO, ""]);
}

#[tokio::test]
async fn one_that_single_sign_on_lets_in_asks_for_the_other() {
  let github = stage().await;
  github.set_private(REPO);
  github.require_single_sign_on("acme", ONE);
  let asker = Asker::of(&github).with_tokens(&[ONE, TWO]);
  for _ in 0..2 {
    assert!(matches!(asker.ask().await, Outcome::Release(_)));
  }
  assert_eq!(tokens_sent(&github), [ONE, TWO, TWO]);
}

#[tokio::test]
async fn an_app_that_goes_without_a_token_limits_nobody_once_that_budget_is_gone() {
  let github = stage().await;
  github.require_single_sign_on("acme", ONE);
  github.set_rate_limit_of(None, 60, 0, RESET);
  let asker = Asker::of(&github).with_token(ONE);
  for _ in 0..2 {
    let failure = asker.fail().await;
    assert!(failure.concerns_the_app_alone(), "{failure}");
  }
  assert_eq!(asker.source.used_up_until(), None);
  assert_eq!(tokens_sent(&github), [ONE, ""]);
}

#[tokio::test]
async fn each_keeps_its_own_account() {
  let github = stage().await;
  github.set_rate_limit_of(Some(ONE), 5_000, 3_000, RESET);
  github.set_rate_limit_of(Some(TWO), 15_000, 9_000, RESET);
  let asker = Asker::of(&github).with_tokens(&[ONE, TWO]);
  for _ in 0..3 {
    asker.ask().await;
  }
  let budgets = asker.source.budgets();
  let mut left: Vec<(u64, u64)> = budgets.iter().map(|(_, left)| (left.limit, left.remaining)).collect();
  left.sort_unstable();
  assert_eq!(left, [(5_000, 2_999), (15_000, 8_998)]);
  let all = asker.source.budget().unwrap();
  assert_eq!((all.limit, all.remaining), (20_000, 11_997));
}

async fn stage() -> StandIn {
  let github = StandIn::start().await.unwrap();
  github.set_latest(REPO, SampleRelease::new("v1"));
  // The resets of these tests are told by the clock that stands.
  github.set_date(GITHUBS_DATE);
  github
}

/// The token of each request; an empty one where there was none.
fn tokens_sent(github: &StandIn) -> Vec<String> {
  let requests = github.requests();
  let tokens = requests.iter().map(|request| {
    let authorization = request.header("authorization").unwrap_or_default();
    authorization.trim_start_matches("Bearer ").to_owned()
  });
  tokens.collect()
}
