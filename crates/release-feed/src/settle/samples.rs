//! Releases and times for the tests.

use std::sync::Arc;

use asset_names::contract_platform;
use feed_types::{Asset, Release, UtcTime};

use super::answer::Answer;
use super::pending::Pending;
use super::policy::Policy;
use super::served::Served;
use super::served_before::ServedBefore;
use super::settle_answer::settle;
use super::settled::{Settled, TakeWhy};
use super::told::Told;
use crate::clock::UnixMs;
use crate::github::{ETag, Identity, Validators};
use crate::release::{AssetFacts, ReleaseFacts};

pub(super) const NOW: UnixMs = UnixMs(1_791_471_170_000);

/// So many seconds after [`NOW`].
pub(super) fn later(seconds: i64) -> UnixMs {
  NOW.shifted_by_ms(seconds * 1_000)
}

/// One without files and times.
pub(super) fn release(tag: &str) -> Release {
  Release {
    tag: tag.to_owned(),
    ..Release::default()
  }
}

/// One with a file for each of these endings of names.
pub(super) fn release_for(tag: &str, endings: &[&str]) -> Release {
  let assets = endings.iter().map(|ending| {
    let name = format!("demo-1.0-{ending}");
    Asset {
      platform: contract_platform(&name),
      size_bytes: 7,
      name,
      ..Asset::default()
    }
  });
  Release {
    assets: assets.collect(),
    ..release(tag)
  }
}

pub(super) fn published(release: Release, at: UnixMs) -> Release {
  Release {
    published_at: UtcTime::from_unix_ms(at.0),
    ..release
  }
}

/// With one file more, of that digest.
pub(super) fn digested(mut release: Release, name: &str, digest: &str) -> Release {
  release.assets.push(Asset {
    name: name.to_owned(),
    platform: contract_platform(name),
    size_bytes: 7,
    sha256: Some(digest.repeat(64)),
    ..Asset::default()
  });
  release
}

/// Every file with that size.
pub(super) fn sized(mut release: Release, size_bytes: u64) -> Release {
  for asset in &mut release.assets {
    asset.size_bytes = size_bytes;
  }
  release
}

pub(super) fn told(release: Release) -> Told {
  Told {
    release: Some(Arc::new(release)),
    ..Told::default()
  }
}

/// With numbers from that one on for the release and each of its files.
pub(super) fn with_ids(told: Told, first: u64) -> Told {
  let names = told.release.iter().flat_map(|release| &release.assets);
  let names = names.map(|asset| asset.name.clone()).zip(first + 1..);
  let assets = names.map(|(name, id)| AssetFacts {
    id: Some(id),
    name,
    ..AssetFacts::default()
  });
  let facts = ReleaseFacts {
    id: Some(first),
    assets: assets.collect(),
    ..ReleaseFacts::default()
  };
  Told {
    facts: Arc::new(facts),
    ..told
  }
}

/// With a file that is being uploaded.
pub(super) fn starting(told: Told, name: &str) -> Told {
  let mut facts = ReleaseFacts::clone(&told.facts);
  facts.assets.push(AssetFacts {
    name: name.to_owned(),
    state: Some("starter".to_owned()),
    ..AssetFacts::default()
  });
  Told {
    facts: Arc::new(facts),
    ..told
  }
}

pub(super) fn immutable(told: Told) -> Told {
  let mut facts = ReleaseFacts::clone(&told.facts);
  facts.immutable = Some(true);
  Told {
    facts: Arc::new(facts),
    ..told
  }
}

pub(super) fn etagged(told: Told, etag: &str) -> Told {
  Told {
    validators: Validators::of(&Identity::anonymous(), ETag::new(etag)),
    ..told
  }
}

/// One app as whoever calls keeps it.
#[derive(Clone, Debug, Default)]
pub(super) struct App {
  pub(super) told: Option<Told>,
  pub(super) at: Option<UnixMs>,
  pub(super) before: ServedBefore,
  pub(super) pending: Option<Pending>,
  pub(super) told_gone_at: Option<UnixMs>,
  pub(super) choice_changed: bool,
  pub(super) policy: Policy,
}

impl App {
  /// One that serves that since [`NOW`] less an hour.
  pub(super) fn serving(told: Told) -> Self {
    Self {
      told: Some(told),
      at: Some(later(-3_600)),
      ..Self::default()
    }
  }

  /// Settles an answer and takes what follows.
  pub(super) fn hear(&mut self, answer: Answer<'_>, now: UnixMs) -> Settled {
    let settled = settle(&self.served(), self.pending.as_ref(), answer, &self.policy, now);
    let at = match answer {
      Answer::Shared { fetched_at, .. } => fetched_at,
      Answer::Told(_) | Answer::NotModified { .. } => now,
    };
    match &settled {
      Settled::Confirmed { .. } => {
        self.at = Some(at);
        self.pending = None;
        self.choice_changed = false;
      }
      Settled::Take(taken) => {
        self.told = Some(taken.told.clone());
        self.at = Some(at);
        self.before = taken.before.clone();
        self.pending = None;
        self.told_gone_at = None;
        self.choice_changed = false;
      }
      Settled::Keep(pending) => self.pending = Some((**pending).clone()),
      Settled::Ignored => {}
    }
    settled
  }

  /// GitHub tells that so many seconds after [`NOW`].
  pub(super) fn github(&mut self, told: &Told, seconds: i64) -> Settled {
    self.hear(Answer::Told(told), later(seconds))
  }

  pub(super) fn served(&self) -> Served<'_> {
    Served {
      told: self.told.as_ref(),
      at: self.at,
      before: &self.before,
      told_gone_at: self.told_gone_at,
      choice_changed: self.choice_changed,
    }
  }

  pub(super) fn tag(&self) -> Option<&str> {
    self.told.as_ref().and_then(Told::tag)
  }
}

/// Why it was taken, which it must have been.
pub(super) fn why(settled: Settled) -> TakeWhy {
  match settled {
    Settled::Take(taken) => taken.why,
    other => panic!("not taken: {other:?}"),
  }
}

/// What waits, which something must.
pub(super) fn kept(settled: Settled) -> Pending {
  match settled {
    Settled::Keep(pending) => *pending,
    other => panic!("not kept: {other:?}"),
  }
}
