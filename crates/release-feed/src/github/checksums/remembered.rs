//! What the release that we have says of its files, as far as they are still the same.

use std::collections::BTreeSet;

use feed_types::{Asset, Release};

use super::conflict::Conflict;
use super::memo::{Reading, ReleaseMemo};
use super::plan::{FileIdentity, Plan, needs_digest};
use crate::github::release_source::Known;
use crate::release::ReleaseFacts;

/// The release that we have, under the tag that is told now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Remembered<'a> {
  known: Known<'a>,
  facts: &'a ReleaseFacts,
  /// Whether it had the same checksum files. With others, names and sizes aren't enough to know a file again.
  has_same_files: bool,
}

impl<'a> Remembered<'a> {
  /// None where another release is told now.
  pub(super) fn of(known: Option<Known<'a>>, told: &Release, facts: &'a ReleaseFacts, plan: &Plan) -> Option<Self> {
    let known = known.filter(|known| known.release.tag == told.tag)?;
    if let (Some(then), Some(now)) = (known.facts.id, facts.id)
      && then != now
    {
      return None;
    }
    Some(Self {
      known,
      facts,
      has_same_files: plan.has_the_files_of(&Plan::of(known.release, known.facts)),
    })
  }

  /// Whether it answers for every file of a release for which GitHub doesn't, and agrees where GitHub does.
  pub(super) fn is_complete_for(&self, told: &Release) -> bool {
    let mut needy = told.assets.iter().filter(|asset| needs_digest(asset));
    self.has_same_files
      && needy.all(|asset| match (self.same(asset), &asset.sha256) {
        (Some(same), None) => same.sha256.is_some(),
        (Some(same), digest) => same.sha256 == *digest,
        (None, digest) => digest.is_some(),
      })
  }

  /// Files whose checksum files weren't read stay as they were. After a restart a digest that wasn't told before, most likely because a checksum
  /// file contradicts it, isn't told either while one can't be read. `is_first_look` tells that nothing is known of the files yet.
  pub(super) fn fill(
    &self,
    release: &mut Release,
    plan: &Plan,
    memo: &mut ReleaseMemo,
    conflicts: &[Conflict],
    is_first_look: bool,
  ) {
    let mut withheld = BTreeSet::new();
    for asset in release.assets.iter_mut().filter(|asset| needs_digest(asset)) {
      let is_contested = conflicts.iter().any(|conflict| conflict.asset == asset.name);
      let Some(same) = self.same(asset).filter(|_| !is_contested) else {
        continue;
      };
      let readings: Vec<_> = plan.about(asset).map(|file| memo.reading(&file.identity)).collect();
      let is_unread = readings
        .iter()
        .any(|reading| !matches!(reading, Some(Reading::Read(_))));
      let has_failed = readings
        .iter()
        .any(|reading| matches!(reading, Some(Reading::Failed { .. } | Reading::PutOff)));
      match &asset.sha256 {
        None if is_unread => asset.sha256 = same.sha256.clone(),
        Some(_) if has_failed && same.sha256.is_none() && (is_first_look || memo.withheld.contains(&asset.name)) => {
          asset.sha256 = None;
          withheld.insert(asset.name.clone());
        }
        _ => {}
      }
    }
    memo.withheld = withheld;
  }

  /// The same file in the release that we have.
  fn same(&self, asset: &Asset) -> Option<&'a Asset> {
    let now = FileIdentity::of(asset, self.facts);
    self.known.release.assets.iter().find(|known| {
      let then = FileIdentity::of(known, self.known.facts);
      if self.has_same_files {
        then.may_be(&now)
      } else {
        then.is_surely(&now)
      }
    })
  }
}
