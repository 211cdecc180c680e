//! The decision itself.

use feed_types::Release;

use super::answer::Answer;
use super::changed_files::{ReplacedFile, known_after, replaced_files};
use super::demands::Demands;
use super::heard::{Heard, News};
use super::known_file::KnownFile;
use super::pending::Pending;
use super::policy::Policy;
use super::served::Served;
use super::settled::{Settled, TakeWhy, Taken};
use super::times::Times;
use super::told::Told;
use super::why::Why;
use crate::clock::UnixMs;

/// What becomes of an answer, given what is served and what waits beside it.
pub fn settle(
  served: &Served<'_>,
  pending: Option<&Pending>,
  answer: Answer<'_>,
  policy: &Policy,
  now: UnixMs,
) -> Settled {
  let pending = pending.filter(|pending| pending.counts_at(now));
  let news = match Heard::of(served, pending, answer, now) {
    Heard::News(news) => news,
    Heard::Current => return Settled::Confirmed { replaced: Vec::new() },
    Heard::Nothing => return Settled::Ignored,
  };
  let told = pending.map_or_else(
    || news.told.clone(),
    |pending| news.told.with_validators_of(&pending.candidate),
  );
  let Some(known) = served.told else {
    return take(served, told, Vec::new(), TakeWhy::NothingKnown);
  };
  let times = Times::of(served, pending, &news, now);
  let keep = |told: Told, why: Why| Settled::Keep(Box::new(Pending::new(told, why, times, pending, now)));

  let replaced = replaced(served, known, &told);
  if let Some(fingerprint) = policy.holds(&told, &replaced) {
    return keep(told, Why::Held { replaced, fingerprint });
  }
  if told.release == known.release || says_only_less(&news, known) {
    return Settled::Confirmed { replaced };
  }
  if served.choice_changed {
    return take(served, told, replaced, TakeWhy::ChoiceChanged);
  }
  if news.settled_by_fleet {
    return take(served, told, replaced, TakeWhy::SettledByFleet);
  }

  let demands = Demands::of(known, &told, served.before);
  let has_waited = told.is_immutable() || times.has_waited(demands.published_at, now);
  if demands.is_incomplete && !has_waited {
    let why = Why::Waiting {
      missing: demands.missing,
      not_uploaded: demands.not_uploaded,
      until: times.waits_until(demands.published_at),
    };
    return keep(told, why);
  }
  if demands.second_look && !times.is_second_look(&news, now) {
    let why = Why::TakingBack {
      served: known.tag().map(str::to_owned),
      gone: demands.gone,
      believed_from: times.believed_from(),
    };
    return keep(told, why);
  }
  let why = take_why(known, &told, demands);
  take(served, told, replaced, why)
}

fn take(served: &Served<'_>, told: Told, replaced: Vec<ReplacedFile>, why: TakeWhy) -> Settled {
  let before = served.told.map(|known| served.before.with(known));
  Settled::Take(Box::new(Taken {
    told,
    before: before.unwrap_or_else(|| served.before.clone()),
    replaced,
    why,
  }))
}

fn take_why(known: &Told, told: &Told, demands: Demands) -> TakeWhy {
  let Demands {
    missing, not_uploaded, ..
  } = demands;
  if demands.is_incomplete && told.is_immutable() {
    TakeWhy::Immutable { missing }
  } else if demands.is_incomplete {
    TakeWhy::WaitedLongEnough { missing, not_uploaded }
  } else if demands.second_look {
    TakeWhy::TakenBack
  } else if known.release.is_none() {
    TakeWhy::FirstRelease
  } else if known.tag() == told.tag() {
    TakeWhy::SameTag
  } else {
    TakeWhy::Complete
  }
}

/// The files that are others than they were when they were last served under their tag.
fn replaced(served: &Served<'_>, known: &Told, told: &Told) -> Vec<ReplacedFile> {
  let Some(tag) = told.tag() else { return Vec::new() };
  let before = served.before.files(tag);
  let files = KnownFile::all_of(told);
  if known.tag() == Some(tag) {
    replaced_files(&known_after(before, KnownFile::all_of(known)), &files)
  } else {
    replaced_files(before, &files)
  }
}

/// Whether others share what is served but don't know all of its digests, which not every program reads from checksum files.
fn says_only_less(news: &News<'_>, known: &Told) -> bool {
  let (Some(ours), Some(theirs)) = (known.release.as_deref(), news.told.release.as_deref()) else {
    return false;
  };
  if !news.is_shared || news.settled_by_fleet || ours.tag != theirs.tag {
    return false;
  }
  let mut filled: Release = theirs.clone();
  for (asset, known) in filled.assets.iter_mut().zip(&ours.assets) {
    if asset.sha256.is_none() {
      asset.sha256.clone_from(&known.sha256);
    }
  }
  filled == *ours
}
