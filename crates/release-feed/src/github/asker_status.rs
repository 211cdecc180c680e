//! One asker for whoever looks.

use super::budget_left::BudgetLeft;
use super::identity::Identity;

/// What GitHub says of a token, or of nobody.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AskerStatus {
  /// Whose.
  pub identity: Identity,
  /// Requests that are left, as the last answer said.
  pub budget: Option<BudgetLeft>,
  /// Whether it is a token that isn't taken.
  pub is_refused: bool,
}
