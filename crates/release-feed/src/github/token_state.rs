//! What is known of one token: whether it is taken, what it may not see, and what is left of it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::time::Duration;

use super::budget_left::BudgetLeft;
use super::fetch_failure::Forbidden;
use crate::clock::UnixMs;

/// A token that isn't taken, somewhere or anywhere, is tried again after that: it may have been mended on GitHub's side.
pub(super) const TRIED_AGAIN_AFTER: Duration = Duration::from_secs(60 * 60);
/// Of a token that was never used.
const USUAL_LIMIT: u64 = 5_000;

/// One token's state.
#[derive(Debug, Default)]
pub(super) struct TokenState {
  /// When it was refused last; none while it is taken.
  pub(super) refused: Option<UnixMs>,
  /// As the last answer said.
  pub(super) budget: Option<BudgetLeft>,
  /// GitHub said that nothing is left.
  used_up: Option<UsedUp>,
  /// What it was turned away from: owners and repositories, in lowercase. As many as the catalog has.
  turned_away: BTreeMap<String, (UnixMs, Forbidden)>,
}

#[derive(Clone, Copy, Debug)]
struct UsedUp {
  at: UnixMs,
  until: UnixMs,
}

impl TokenState {
  pub(super) fn is_refused_at(&self, now: UnixMs) -> bool {
    is_recent(self.refused, now)
  }

  /// Why it isn't used for a repository.
  pub(super) fn turned_away_from(&self, repo: &str, now: UnixMs) -> Option<Forbidden> {
    let scopes = [repo.to_ascii_lowercase(), owner(repo)];
    let mut found = scopes.iter().filter_map(|scope| self.turned_away.get(scope));
    found.find(|(at, _)| is_recent(Some(*at), now)).map(|(_, why)| *why)
  }

  /// Whether it was this repository that it was turned away from, and not only another one of the same owner.
  pub(super) fn was_turned_away_from_itself(&self, repo: &str, now: UnixMs) -> bool {
    let known = self.turned_away.get(&repo.to_ascii_lowercase());
    known.is_some_and(|(at, _)| is_recent(Some(*at), now))
  }

  /// It was turned away: from that repository, and by single sign-on from everything of that owner. Whether that is news.
  pub(super) fn turn_away(&mut self, repo: &str, why: Forbidden, now: UnixMs) -> bool {
    let mut is_news = self.turned_away.insert(repo.to_ascii_lowercase(), (now, why)).is_none();
    if why == Forbidden::SingleSignOn {
      // The hour of what is known already goes on.
      let known = self.turned_away.entry(owner(repo));
      is_news &= matches!(known, Entry::Vacant(_));
      let known = known.or_insert((now, why));
      if !is_recent(Some(known.0), now) {
        *known = (now, why);
      }
    }
    is_news
  }

  /// It was told of a repository's releases, so that what turned it away is no more.
  pub(super) fn let_in(&mut self, repo: &str) {
    if !self.turned_away.is_empty() {
      self.turned_away.remove(&repo.to_ascii_lowercase());
      self.turned_away.remove(&owner(repo));
    }
  }

  /// GitHub said that nothing is left until then, or didn't say until when.
  pub(super) fn use_up(&mut self, retry_at: Option<UnixMs>, now: UnixMs) {
    let latest = now.plus(TRIED_AGAIN_AFTER);
    self.used_up = Some(UsedUp {
      at: now,
      until: retry_at.unwrap_or(latest).min(latest),
    });
  }

  /// Until when nothing is left.
  pub(super) fn used_up_until(&self, now: UnixMs) -> Option<UnixMs> {
    let refused = self.used_up.filter(|used_up| used_up.at.age_at(now).is_some());
    let refused = refused.map(|used_up| used_up.until).filter(|until| *until > now);
    let counted = self.budget.and_then(|budget| budget.used_up_until(now));
    refused.max(counted)
  }

  /// What is left; what is usual where that isn't known.
  pub(super) fn remaining_at(&self, now: UnixMs) -> u64 {
    self.budget.map_or(USUAL_LIMIT, |budget| budget.remaining_at(now))
  }
}

/// Whether that was less than an hour ago. A clock that was set back takes nothing away for longer.
fn is_recent(at: Option<UnixMs>, now: UnixMs) -> bool {
  at.and_then(|at| at.age_at(now))
    .is_some_and(|age| age < TRIED_AGAIN_AFTER)
}

fn owner(repo: &str) -> String {
  repo.split('/').next().unwrap_or_default().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
  use super::*;

  const NOW: UnixMs = UnixMs(1_791_471_170_000);

  #[test]
  fn single_sign_on_concerns_the_owner_and_anything_else_the_repository() {
    let mut state = TokenState::default();
    assert!(state.turn_away("Acme/one", Forbidden::SingleSignOn, NOW));
    assert!(!state.turn_away("acme/two", Forbidden::SingleSignOn, NOW));
    assert!(state.turn_away("Other/one", Forbidden::Denied, NOW));
    assert_eq!(state.turned_away_from("acme/Three", NOW), Some(Forbidden::SingleSignOn));
    assert_eq!(state.turned_away_from("other/ONE", NOW), Some(Forbidden::Denied));
    assert_eq!(state.turned_away_from("other/two", NOW), None);
    assert_eq!(state.turned_away_from("acme/one", NOW.plus(TRIED_AGAIN_AFTER)), None);
  }

  #[test]
  fn an_owner_is_no_news_twice_and_each_repository_knows_whether_it_was_itself() {
    let mut state = TokenState::default();
    state.turn_away("acme/one", Forbidden::SingleSignOn, NOW);
    assert!(state.was_turned_away_from_itself("Acme/One", NOW));
    assert!(!state.was_turned_away_from_itself("acme/two", NOW));
    let later = NOW.plus(TRIED_AGAIN_AFTER / 2);
    assert!(!state.turn_away("acme/two", Forbidden::SingleSignOn, later));
    let an_hour_later = NOW.plus(TRIED_AGAIN_AFTER);
    assert_eq!(state.turned_away_from("acme/three", an_hour_later), None);
    assert_eq!(
      state.turned_away_from("acme/two", an_hour_later),
      Some(Forbidden::SingleSignOn)
    );
    state.let_in("acme/two");
    assert_eq!(state.turned_away_from("acme/two", an_hour_later), None);
    assert!(
      !state.turn_away("acme/one", Forbidden::SingleSignOn, an_hour_later),
      "said before"
    );
  }

  #[test]
  fn what_is_used_up_is_used_again_at_its_time_and_in_an_hour_at_most() {
    let until = |retry_at| {
      let mut state = TokenState::default();
      state.use_up(retry_at, NOW);
      state.used_up_until(NOW).map(|until| until.after(NOW).as_secs())
    };
    assert_eq!(until(Some(NOW.plus(Duration::from_secs(7)))), Some(7));
    assert_eq!(until(Some(NOW.plus(Duration::from_secs(86_400)))), Some(3_600));
    assert_eq!((until(None), until(Some(NOW))), (Some(3_600), None));
  }
}
