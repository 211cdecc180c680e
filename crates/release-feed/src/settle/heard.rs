//! What is new in an answer.

use super::answer::Answer;
use super::pending::Pending;
use super::served::Served;
use super::told::Told;
use crate::clock::UnixMs;

/// What an answer comes to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Heard<'a> {
  /// Something is told, perhaps again.
  News(News<'a>),
  /// Nothing but that what is served is current.
  Current,
  /// Nothing.
  Nothing,
}

/// What is told, and by whom.
#[derive(Clone, Copy, Debug)]
pub(super) struct News<'a> {
  pub(super) told: &'a Told,
  /// When GitHub told it.
  pub(super) told_at: UnixMs,
  pub(super) is_shared: bool,
  pub(super) settled_by_fleet: bool,
}

impl<'a> Heard<'a> {
  pub(super) fn of(served: &Served<'_>, pending: Option<&'a Pending>, answer: Answer<'a>, now: UnixMs) -> Self {
    match answer {
      Answer::Told(told) => Self::News(News::from_github(told, now)),
      // While something waits its validators are sent.
      Answer::NotModified { named } => match pending.map(|pending| &pending.candidate) {
        Some(candidate) if candidate.validators.contains(named) => Self::News(News::from_github(candidate, now)),
        _ if served.told.is_some_and(|told| told.validators.contains(named)) => Self::Current,
        _ => Self::Nothing,
      },
      Answer::Shared { fetched_at, .. } if !is_newer(fetched_at, served, pending, now) => Self::Nothing,
      Answer::Shared {
        told,
        fetched_at,
        settled_by_fleet,
      } => Self::News(News {
        told,
        told_at: fetched_at,
        is_shared: true,
        settled_by_fleet,
      }),
    }
  }
}

impl<'a> News<'a> {
  fn from_github(told: &'a Told, now: UnixMs) -> Self {
    Self {
      told,
      told_at: now,
      is_shared: false,
      settled_by_fleet: false,
    }
  }
}

/// Whether what is shared is newer than everything that was heard.
fn is_newer(fetched_at: UnixMs, served: &Served<'_>, pending: Option<&Pending>, now: UnixMs) -> bool {
  let served_at = served.at.filter(|at| served.told.is_some() && at.age_at(now).is_some());
  let heard_at = pending.map(|pending| pending.times.heard_at);
  fetched_at.age_at(now).is_some() && [served_at, heard_at].into_iter().flatten().all(|at| at < fetched_at)
}
