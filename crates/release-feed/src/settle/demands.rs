//! What a step from what is served to what is told demands.

use feed_types::{Platform, Release};

use super::platforms::{files_under_way, missing_platforms, platforms};
use super::served_before::ServedBefore;
use super::told::Told;
use crate::clock::UnixMs;

/// What must be, before the step is taken.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Demands {
  /// Files must come, or time must pass.
  pub(super) is_incomplete: bool,
  pub(super) missing: Vec<Platform>,
  pub(super) not_uploaded: Vec<String>,
  /// What the wait also counts from.
  pub(super) published_at: Option<UnixMs>,
  /// Of the served files those that are gone under the same tag, and aren't being uploaded anew.
  pub(super) gone: Vec<String>,
  /// It must be told twice.
  pub(super) second_look: bool,
}

impl Demands {
  /// Of a step to something else.
  pub(super) fn of(served: &Told, told: &Told, before: &ServedBefore) -> Self {
    match (served.release.as_deref(), told.release.as_deref()) {
      (_, None) => Self::second_look(),
      (None, Some(new)) => Self {
        second_look: before.has_tag(&new.tag),
        ..Self::of_new(None, new, told)
      },
      (Some(old), Some(new)) if old.tag != new.tag => Self::of_other_tag(old, new, told, before),
      (Some(old), Some(new)) if is_made_anew(served, told) => Self {
        second_look: before.has_reading(new),
        ..Self::of_new(Some(old), new, told)
      },
      (Some(old), Some(new)) => Self::of_same_tag(old, new, told, before),
    }
  }

  fn second_look() -> Self {
    Self {
      second_look: true,
      ..Self::default()
    }
  }

  fn of_other_tag(old: &Release, new: &Release, told: &Told, before: &ServedBefore) -> Self {
    let published = old.published_at.zip(new.published_at);
    let is_older = published.is_some_and(|(old, new)| new < old);
    let is_newer = published.is_some_and(|(old, new)| new > old);
    let was_served = before.has_tag(&new.tag);
    if is_older || (was_served && !is_newer) {
      return Self::second_look();
    }
    // One that was deleted and is made anew has its files to come, like any new one.
    Self {
      second_look: was_served,
      ..Self::of_new(Some(old), new, told)
    }
  }

  /// Where there is nothing to compare with, files that are being uploaded are waited for.
  fn of_new(old: Option<&Release>, new: &Release, told: &Told) -> Self {
    let not_uploaded = files_under_way(told);
    let missing = old.map_or_else(Vec::new, |old| missing_platforms(old, new));
    let is_comparable = old.is_some_and(|old| !platforms(old).is_empty());
    Self {
      is_incomplete: !missing.is_empty() || (!is_comparable && !not_uploaded.is_empty()),
      missing,
      not_uploaded,
      published_at: new.published_at.map(|time| UnixMs(time.unix_ms())),
      ..Self::default()
    }
  }

  /// A file that is gone is taken back, unless it is being uploaded anew.
  fn of_same_tag(old: &Release, new: &Release, told: &Told, before: &ServedBefore) -> Self {
    let is_listed = |name: &str| new.assets.iter().any(|asset| asset.name == name);
    let names = old.assets.iter().map(|asset| asset.name.as_str());
    let under_way = files_under_way(told);
    let (not_uploaded, gone): (Vec<String>, Vec<String>) = names
      .filter(|name| !is_listed(name))
      .map(str::to_owned)
      .partition(|name| under_way.contains(name));
    Self {
      is_incomplete: !not_uploaded.is_empty(),
      missing: missing_platforms(old, new),
      not_uploaded,
      published_at: None,
      second_look: !gone.is_empty() || before.has_reading(new),
      gone,
    }
  }
}

/// Whether a release was deleted and made anew under its tag.
fn is_made_anew(served: &Told, told: &Told) -> bool {
  let ids = served.facts.id.zip(told.facts.id);
  let published_at = |told: &Told| told.release.as_deref().and_then(|release| release.published_at);
  let times = published_at(served).zip(published_at(told));
  ids.is_some_and(|(old, new)| old != new) || times.is_some_and(|(old, new)| new > old)
}
