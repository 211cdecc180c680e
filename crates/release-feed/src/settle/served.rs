//! What is served while an answer is settled.

use super::served_before::ServedBefore;
use super::told::Told;
use crate::clock::UnixMs;

/// What is served of an app, and what bears on leaving it.
#[derive(Clone, Copy, Debug)]
pub struct Served<'a> {
  /// What is served; `None` where nothing was ever told.
  pub told: Option<&'a Told>,
  /// When GitHub gave or last confirmed it.
  pub at: Option<UnixMs>,
  /// What was served before it.
  pub before: &'a ServedBefore,
  /// When a webhook said that the served release was deleted or unpublished, which counts as the first answer that takes it back unless
  /// it was confirmed since. To be dropped when another release is taken.
  pub told_gone_at: Option<UnixMs>,
  /// Whether the catalog has come to choose another release for the app than when this one was taken (another prefix, selection or pin).
  pub choice_changed: bool,
}
