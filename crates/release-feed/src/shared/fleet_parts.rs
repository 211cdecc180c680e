//! What a fleet is made of, and what it says.

use std::sync::Arc;
use std::time::Duration;

use super::entry::SharedEntry;
use crate::catalog::{AppKey, Catalog};
use crate::clock::Clock;
use crate::github::{BudgetLeft, Identity};
use crate::release::ReleaseRules;
use crate::schedule::Backoff;

/// Who takes part, and by which rules.
#[derive(Debug)]
pub struct FleetParts<S> {
  /// Where things are shared.
  pub store: S,
  /// Tells this instance from every other one.
  pub instance: String,
  /// This machine's clock.
  pub clock: Arc<dyn Clock>,
  /// The host's name, for people who look.
  pub host: String,
  /// The apps.
  pub catalog: Arc<Catalog>,
  /// What a release must be, wherever it comes from.
  pub rules: ReleaseRules,
  /// The longest wait after rate limits.
  pub max_backoff: Duration,
  /// As whom this instance asks GitHub.
  pub askers: Vec<Identity>,
}

/// What the fleet knows at a moment.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Seen {
  /// By app, in the order of the keys.
  pub entries: Vec<(AppKey, SharedEntry)>,
  /// Until when nobody asks.
  pub backoff: Option<Backoff>,
  /// How many requests GitHub leaves tokens of ours, as others were told.
  pub budgets: Vec<(Identity, BudgetLeft)>,
}

/// How urgent an ask is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Urgency {
  /// It is due by its age.
  Usual,
  /// Something is known to have changed.
  Urgent,
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Claim {
  /// This instance asks.
  Won,
  /// Another one does, or has just done.
  Lost,
  /// Nobody can be asked: this instance goes on alone.
  Alone,
}
