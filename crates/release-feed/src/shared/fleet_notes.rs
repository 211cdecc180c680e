//! What an instance leaves and finds beside the contract's hashes.

use bytes::Bytes;

use super::entry::SharedEntry;
use super::fleet::Fleet;
use super::fleet_parts::Seen;
use super::notes::{Note, NotePlace, ReleaseHash, read_asker, read_budget, read_etag, read_facts, read_wait};
use super::shared_store::{SharedStore, StoreError};
use crate::cache::{Fetch, Wait};
use crate::catalog::AppKey;
use crate::clock::UnixMs;
use crate::github::{BudgetLeft, ETag, Identity, Validators};
use crate::release::ReleaseFacts;

/// The release and the validator for which an app's notes were found.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Remembered {
  hash: ReleaseHash,
  last: Option<ETag>,
}

/// What a note is wanted for.
#[derive(Debug)]
pub(super) enum Wanted {
  Asker(usize),
  Facts(usize),
  ETag(usize, Identity),
  Wait(usize),
  Budget(Identity),
}

impl<S: SharedStore> Fleet<S> {
  /// Leaves beside a release that was just shared whose its validators are, and what GitHub says of it beyond the contract.
  pub(super) async fn leave_notes(&mut self, key: &AppKey, hash: ReleaseHash, fetch: &Fetch) {
    let last = fetch.validators.last();
    let owned = fetch.validators.owned();
    let owner = owned.filter(|(_, etag)| Some(*etag) == last).last();
    let mut notes = vec![Note::asker(key, &hash, owner)];
    notes.extend(owner.map(|(asker, etag)| Note::etag(key, &hash, asker, etag)));
    if *fetch.facts != ReleaseFacts::default() {
      notes.extend(Note::facts(key, &hash, &fetch.facts));
    }
    let remembered = Remembered {
      hash,
      last: last.cloned(),
    };
    self.remembered.insert(key.clone(), remembered);
    self.leave(&notes).await;
  }

  /// Tells the others that one app is left alone.
  pub async fn share_wait(&mut self, key: &AppKey, wait: Wait) {
    self.follow_clock();
    let wait = Wait {
      since: self.offset.to_store(wait.since),
      until: self.offset.to_store(wait.until),
    };
    self.leave(&[Note::wait(key, wait)]).await;
  }

  /// Tells the others how many requests GitHub leaves. What is left to this address alone is nobody else's business.
  pub async fn share_budgets(&mut self, budgets: &[(Identity, BudgetLeft)]) {
    self.follow_clock();
    let offset = &self.offset;
    let to_store = |budget: &BudgetLeft| BudgetLeft {
      reset_at: budget.reset_at.map(|at| offset.to_store(at)),
      as_of: offset.to_store(budget.as_of),
      ..*budget
    };
    let is_news = |asker: &Identity, budget: &BudgetLeft| self.shared_budgets.get(asker) != Some(&budget.remaining);
    let news = budgets
      .iter()
      .filter(|(asker, budget)| !asker.is_anonymous() && is_news(asker, budget));
    let (news, notes): (Vec<_>, Vec<_>) = news
      .filter_map(|(asker, budget)| {
        let note = Note::budget(asker, to_store(budget))?;
        Some(((asker.clone(), budget.remaining), note))
      })
      .unzip();
    self.shared_budgets.extend(news);
    self.leave(&notes).await;
  }

  /// What is read with every look: how long each app is left alone, and what is left to tokens of ours.
  pub(super) fn beside_a_look(&self, apps: &[AppKey]) -> Vec<(Wanted, NotePlace)> {
    let waits = apps
      .iter()
      .enumerate()
      .map(|(index, key)| (Wanted::Wait(index), NotePlace::wait(key)));
    let shared = self.parts.askers.iter().filter(|asker| !asker.is_anonymous());
    let budgets = shared.map(|asker| (Wanted::Budget(asker.clone()), NotePlace::budget(asker)));
    waits.chain(budgets).collect()
  }

  /// Finds what is noted of releases that were read, as far as that isn't known already.
  pub(super) async fn recall_unknown(&mut self, seen: &mut Seen, now: UnixMs) {
    let wanted = self.beside_unknown(seen);
    if wanted.is_empty() {
      return;
    }
    let places: Vec<NotePlace> = wanted.iter().map(|(_, place)| place.clone()).collect();
    match self.parts.store.recall(&places).await {
      Ok(notes) => self.take_notes(seen, wanted, notes, now),
      Err(error) => self.note_failed(&error),
    }
  }

  /// Puts notes to what they belong to.
  pub(super) fn take_notes(
    &mut self,
    seen: &mut Seen,
    wanted: Vec<(Wanted, NotePlace)>,
    notes: Vec<Option<Bytes>>,
    now: UnixMs,
  ) {
    for ((wanted, _), note) in wanted.into_iter().zip(notes) {
      let Some(note) = note else { continue };
      match wanted {
        Wanted::Budget(asker) => {
          let budget = read_budget(&note, now).map(|budget| self.with_our_budget_times(budget));
          seen.budgets.extend(budget.map(|budget| (asker, budget)));
        }
        Wanted::Wait(index) => {
          let wait = read_wait(&note, now).map(|wait| Wait {
            since: self.offset.to_ours(wait.since),
            until: self.offset.to_ours(wait.until),
          });
          if let Some((_, entry)) = seen.entries.get_mut(index) {
            entry.wait = wait;
          }
        }
        Wanted::Asker(index) => self.take_asker(seen, index, &note),
        Wanted::ETag(index, asker) => self.with_fetch(seen, index, |fetch, hash| {
          let etag = read_etag(&note, hash);
          fetch.validators.add_owned(etag.map(|etag| (asker, etag)));
        }),
        Wanted::Facts(index) => self.with_fetch(seen, index, |fetch, hash| {
          if let Some(facts) = read_facts(&note, hash) {
            fetch.facts = facts.into();
          }
        }),
      }
    }
  }

  fn beside_unknown(&self, seen: &Seen) -> Vec<(Wanted, NotePlace)> {
    let fetched = seen.entries.iter().enumerate();
    let fetched = fetched.filter_map(|(index, (key, entry))| Some((index, key, entry.fetch.as_ref()?)));
    let unknown: Vec<(usize, &AppKey)> = fetched
      .filter(|(_, key, fetch)| fetch.release.is_some() && !self.is_remembered(key, fetch))
      .map(|(index, key, _)| (index, key))
      .collect();
    let beside = unknown.iter().flat_map(|&(index, key)| {
      [
        (Wanted::Asker(index), NotePlace::asker(key)),
        (Wanted::Facts(index), NotePlace::facts(key)),
      ]
    });
    let own = self.parts.askers.iter().flat_map(|asker| {
      let unknown = unknown.iter();
      unknown.map(move |&(index, key)| (Wanted::ETag(index, asker.clone()), NotePlace::etag(asker, key)))
    });
    beside.chain(own).collect()
  }

  fn is_remembered(&self, key: &AppKey, fetch: &Fetch) -> bool {
    let hash = self.hash_of(key);
    self
      .remembered
      .get(key)
      .is_some_and(|remembered| Some(&remembered.hash) == hash && remembered.last.as_ref() == fetch.validators.last())
  }

  fn take_asker(&mut self, seen: &mut Seen, index: usize, note: &Bytes) {
    let mut found = None;
    self.with_fetch(seen, index, |fetch, hash| {
      let last = fetch.validators.last().cloned();
      let Some(owner) = read_asker(note, hash, last.as_ref()) else {
        return;
      };
      if let Some(owner) = owner {
        let own: Vec<_> = fetch
          .validators
          .owned()
          .map(|(asker, etag)| (asker.clone(), etag.clone()))
          .collect();
        fetch.validators = Validators::of(&owner, last.clone());
        fetch.validators.add_owned(own);
      }
      found = Some(Remembered {
        hash: hash.clone(),
        last,
      });
    });
    if let (Some(found), Some((key, _))) = (found, seen.entries.get(index)) {
      self.remembered.insert(key.clone(), found);
    }
  }

  fn with_fetch(&self, seen: &mut Seen, index: usize, change: impl FnOnce(&mut Fetch, &ReleaseHash)) {
    if let Some((key, SharedEntry { fetch: Some(fetch), .. })) = seen.entries.get_mut(index)
      && let Some(hash) = self.hash_of(key)
    {
      change(fetch, hash);
    }
  }

  fn with_our_budget_times(&self, budget: BudgetLeft) -> BudgetLeft {
    BudgetLeft {
      reset_at: budget.reset_at.map(|at| self.offset.to_ours(at)),
      as_of: self.offset.to_ours(budget.as_of),
      ..budget
    }
  }

  async fn leave(&mut self, notes: &[Note]) {
    if notes.is_empty() {
      return;
    }
    match self.parts.store.note(notes).await {
      Ok(()) => self.noting.succeeded(),
      Err(error) => self.note_failed(&error),
    }
  }

  /// Where only notes are forbidden, the rest is shared all the same.
  fn note_failed(&mut self, error: &StoreError) {
    match error {
      StoreError::Refused(_) => self.noting.failed(error),
      _ => self.writing.failed(error),
    }
  }
}
