//! The tokens: whether GitHub takes them, how many requests they leave, and which of them asks.
//!
//! A token that is refused (revoked, expired, mistyped) must not keep public releases from anybody: requests go on with the others, or
//! without one, and it is tried again each hour, since it may have been mended on GitHub's side.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use http::{HeaderMap, StatusCode};
use tracing::{info, warn};

use super::asker_status::AskerStatus;
use super::budget_left::BudgetLeft;
use super::fetch_failure::{FetchFailure, Forbidden};
use super::identity::Identity;
use super::release_source::Ask;
use super::token::Token;
use super::token_state::TokenState;
use crate::catalog::RepoName;
use crate::clock::UnixMs;

/// What is sent with requests.
#[derive(Debug, Default)]
pub struct Credentials {
  /// Each once, in the order in which they were given.
  tokens: Vec<Token>,
  state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
  by_token: BTreeMap<Identity, TokenState>,
  /// What is left without a token.
  anonymous: TokenState,
  /// Answers to anybody that were no refusals.
  answers: u64,
  /// How many there had been when a repository was last refused to everybody, by its name in lowercase.
  refused_to_all: BTreeMap<String, u64>,
}

/// Who asks.
#[derive(Clone, Debug)]
pub(super) struct Asker<'c> {
  pub(super) identity: Identity,
  pub(super) token: Option<&'c Token>,
}

/// Who is to ask, if anybody.
#[derive(Clone, Debug)]
pub(super) enum Choice<'c> {
  Ask(Asker<'c>),
  /// Nothing is left to anybody.
  UsedUp {
    /// Until then, where that is known.
    retry_at: Option<UnixMs>,
  },
  /// No token may see the repository, and nothing is left without one.
  Nobody(Forbidden),
}

impl Asker<'_> {
  fn anonymous() -> Self {
    Self {
      identity: Identity::anonymous(),
      token: None,
    }
  }

  pub(super) fn is_anonymous(&self) -> bool {
    self.token.is_none()
  }
}

impl Credentials {
  /// Tokens that nobody has refused yet, or none. One that is given twice counts once.
  pub fn new(tokens: impl IntoIterator<Item = Token>) -> Self {
    let mut credentials = Self::default();
    for token in tokens {
      let identity = token.identity();
      if credentials
        .lock()
        .by_token
        .insert(identity, TokenState::default())
        .is_none()
      {
        credentials.tokens.push(token);
      }
    }
    credentials
  }

  /// How many tokens there are.
  pub(super) fn len(&self) -> usize {
    self.tokens.len()
  }

  /// Who asks: of those that are taken, may see the repository and have requests left, the one with most of them, or one that has at
  /// least half as many and a validator for what is asked. Nobody's name is used where no token is taken. `without` are those that were
  /// refused just now.
  pub(super) fn choose(&self, ask: Ask<'_>, without: &[Identity], now: UnixMs) -> Choice<'_> {
    let state = self.lock();
    let (mut taken, repo) = (self.taken(&state, now), ask.app.repo.as_str());
    taken.retain(|(asker, _)| !without.contains(&asker.identity));
    let mut turned_away = None;
    let mut seeing = Vec::new();
    for (asker, token_state) in &taken {
      match token_state.turned_away_from(repo, now) {
        Some(why) => turned_away = Some(why),
        None => seeing.push((asker, *token_state)),
      }
    }
    if seeing.is_empty() {
      return match (state.anonymous.used_up_until(now), turned_away) {
        (None, _) => Choice::Ask(Asker::anonymous()),
        (Some(_), Some(why)) => Choice::Nobody(why),
        (until, None) => Choice::UsedUp { retry_at: until },
      };
    }
    let usable = seeing.iter().filter(|(_, state)| state.used_up_until(now).is_none());
    let with_remaining: Vec<(&Asker<'_>, u64)> =
      usable.map(|(asker, state)| (*asker, state.remaining_at(now))).collect();
    let most = with_remaining.iter().map(|(_, remaining)| *remaining).max();
    let rank = |(asker, remaining): &(&Asker<'_>, u64)| {
      let is_known = ask.etag_for(&asker.identity).is_some();
      (is_known && *remaining >= most.unwrap_or_default() / 2, *remaining)
    };
    // Of several that are alike, the first.
    let best = with_remaining.iter().rev().max_by_key(|candidate| rank(candidate));
    match best {
      Some((asker, _)) => Choice::Ask((*asker).clone()),
      None => Choice::UsedUp {
        retry_at: earliest(seeing.iter().map(|(_, state)| *state), now),
      },
    }
  }

  /// Who asks whether a repository is there, whatever is left.
  pub(super) fn asker_for(&self, repo: &RepoName, now: UnixMs) -> Asker<'_> {
    let state = self.lock();
    let taken = self.taken(&state, now).into_iter();
    let mut seeing = taken.filter(|(_, state)| state.turned_away_from(repo.as_str(), now).is_none());
    seeing.next().map_or_else(Asker::anonymous, |(asker, _)| asker)
  }

  /// A token that was turned away from another repository of the same owner alone, and has requests left.
  pub(super) fn untried_for(&self, repo: &RepoName, without: &[Identity], now: UnixMs) -> Option<Asker<'_>> {
    let state = self.lock();
    let mut taken = self.taken(&state, now).into_iter();
    let untried = taken.find(|(asker, state)| {
      !without.contains(&asker.identity)
        && state.turned_away_from(repo.as_str(), now).is_some()
        && !state.was_turned_away_from_itself(repo.as_str(), now)
        && state.used_up_until(now).is_none()
    });
    untried.map(|(asker, _)| asker)
  }

  /// Whether every token isn't taken, or is one of those that were refused just now.
  pub(super) fn are_all_refused(&self, just_now: &[Identity], now: UnixMs) -> bool {
    let state = self.lock();
    let taken = self.taken(&state, now);
    taken.iter().all(|(asker, _)| just_now.contains(&asker.identity))
  }

  /// A repository was refused to everybody: that says nothing of any token, and nothing of GitHub where it has answered others since the last
  /// time.
  pub(super) fn refused_to_all(&self, repo: &RepoName) -> FetchFailure {
    let mut state = self.lock();
    let answers = state.answers;
    let before = state.refused_to_all.insert(repo.as_str().to_ascii_lowercase(), answers);
    FetchFailure::RefusedToAll {
      repo: repo.clone(),
      are_others_answered: answers > before.unwrap_or_default(),
    }
  }

  /// Why no token is used for a repository, of those that are taken.
  pub(super) fn why_not_for(&self, repo: &RepoName, now: UnixMs) -> Option<FetchFailure> {
    let state = self.lock();
    let taken = self.taken(&state, now).into_iter();
    let mut reasons = taken.filter_map(|(_, state)| state.turned_away_from(repo.as_str(), now));
    reasons.next().map(|why| FetchFailure::Forbidden { why, message: None })
  }

  /// Whether there are tokens, none of which is taken.
  pub fn is_refused_at(&self, now: UnixMs) -> bool {
    !self.tokens.is_empty() && self.taken(&self.lock(), now).is_empty()
  }

  /// Whether requests go without a token.
  pub fn is_anonymous_at(&self, now: UnixMs) -> bool {
    self.taken(&self.lock(), now).is_empty()
  }

  /// Whether an asker has nothing left.
  pub(super) fn is_used_up(&self, identity: &Identity, now: UnixMs) -> bool {
    let mut state = self.lock();
    state
      .of(identity)
      .is_some_and(|state| state.used_up_until(now).is_some())
  }

  /// Until when nothing is left to anybody who would ask.
  pub fn used_up_until(&self, now: UnixMs) -> Option<UnixMs> {
    let state = self.lock();
    let taken = self.taken(&state, now);
    if taken.is_empty() {
      return state.anonymous.used_up_until(now);
    }
    let until: Option<Vec<UnixMs>> = taken.iter().map(|(_, state)| state.used_up_until(now)).collect();
    until?.into_iter().min()
  }

  /// What is left to each of those who would ask; a token of which nothing is known is left out while nothing is known of any.
  pub fn budgets_in_force(&self, now: UnixMs) -> Vec<BudgetLeft> {
    let state = self.lock();
    let taken = self.taken(&state, now);
    let states: Vec<&TokenState> = match &taken[..] {
      [] => vec![&state.anonymous],
      taken => taken.iter().map(|(_, state)| *state).collect(),
    };
    if states.iter().all(|state| state.budget.is_none()) {
      return Vec::new();
    }
    let budget_of = |state: &TokenState| {
      state.budget.unwrap_or(BudgetLeft {
        limit: state.remaining_at(now),
        remaining: state.remaining_at(now),
        reset_at: None,
        as_of: now,
      })
    };
    states.into_iter().map(budget_of).collect()
  }

  /// What is left to those who would ask, all together, as the last answers said.
  pub fn budget(&self, now: UnixMs) -> Option<BudgetLeft> {
    let state = self.lock();
    let taken = self.taken(&state, now);
    let known: Vec<BudgetLeft> = match &taken[..] {
      [] => state.anonymous.budget.into_iter().collect(),
      taken => taken.iter().filter_map(|(_, state)| state.budget).collect(),
    };
    known.into_iter().reduce(|one, other| BudgetLeft {
      limit: one.limit.saturating_add(other.limit),
      remaining: one.remaining.saturating_add(other.remaining),
      reset_at: [one.reset_at, other.reset_at].into_iter().flatten().min(),
      as_of: one.as_of.max(other.as_of),
    })
  }

  /// Every token, and nobody where there is none or where requests went without one.
  pub fn askers(&self, now: UnixMs) -> Vec<AskerStatus> {
    let state = self.lock();
    let tokens = self.tokens.iter().filter_map(|token| {
      let identity = token.identity();
      let token_state = state.by_token.get(&identity)?;
      Some(AskerStatus {
        budget: token_state.budget,
        is_refused: token_state.is_refused_at(now),
        identity,
      })
    });
    let mut askers: Vec<AskerStatus> = tokens.collect();
    if askers.is_empty() || state.anonymous.budget.is_some() {
      askers.push(AskerStatus {
        identity: Identity::anonymous(),
        budget: state.anonymous.budget,
        is_refused: false,
      });
    }
    askers
  }

  /// What is left of each token, for others who use it. What is left without one belongs to this machine's address.
  pub fn budgets(&self) -> Vec<(Identity, BudgetLeft)> {
    let state = self.lock();
    let known = state.by_token.iter();
    known
      .filter_map(|(identity, state)| Some((identity.clone(), state.budget?)))
      .collect()
  }

  /// What is left of a token as another instance was told. Of a token that isn't ours nothing is kept.
  pub fn heed_budget(&self, identity: &Identity, budget: BudgetLeft) {
    let mut state = self.lock();
    if let Some(state) = state.by_token.get_mut(identity) {
      state.budget = Some(state.budget.map_or(budget, |ours| ours.or_heeded(budget)));
    }
  }

  /// Takes what an answer's status and headers say of whoever asked.
  pub(super) fn note_answer(&self, asker: &Asker<'_>, status: StatusCode, headers: &HeaderMap, now: UnixMs) {
    // Its numbers aren't those of the token, and whether that is to blame isn't known yet.
    if status == StatusCode::UNAUTHORIZED {
      return;
    }
    let mut state = self.lock();
    if !status.is_server_error() {
      state.answers = state.answers.saturating_add(1);
    }
    let Some(token_state) = state.of(&asker.identity) else {
      return;
    };
    if let Some(budget) = BudgetLeft::read(headers, now) {
      token_state.budget = Some(budget);
    }
    let is_taken = status.as_u16() < 400 || status == StatusCode::NOT_FOUND;
    if is_taken && token_state.refused.take().is_some() {
      info!(token = %asker.identity, "GitHub takes the token again");
    }
  }

  /// Nothing is left to an asker.
  pub(super) fn use_up(&self, identity: &Identity, retry_at: Option<UnixMs>, now: UnixMs) {
    if let Some(state) = self.lock().of(identity) {
      state.use_up(retry_at, now);
    }
  }

  /// A token was turned away from a repository.
  pub(super) fn turn_away(&self, identity: &Identity, repo: &RepoName, why: Forbidden, now: UnixMs) {
    let mut state = self.lock();
    let is_news = state
      .by_token
      .get_mut(identity)
      .is_some_and(|state| state.turn_away(repo.as_str(), why, now));
    if !is_news {
      return;
    }
    match why {
      Forbidden::SingleSignOn => warn!(
        token = %identity,
        owner = repo.owner(),
        "GitHub wants single sign-on for the token: it isn't used for this owner's repositories, and tried again in an hour. \
         Authorize it for the organization on GitHub (Settings, tokens, Configure SSO)"
      ),
      Forbidden::Blocked | Forbidden::Denied => info!(
        token = %identity,
        %repo,
        "GitHub turns the token away from this repository (403): it is asked about without it for an hour"
      ),
    }
  }

  /// A token was told of a repository's releases.
  pub(super) fn let_in(&self, identity: &Identity, repo: &RepoName) {
    if let Some(state) = self.lock().by_token.get_mut(identity) {
      state.let_in(repo.as_str());
    }
  }

  /// A text without the tokens: whoever was sent one might say it back. To be used before the text is cut or escaped.
  pub(super) fn hide_in(&self, text: &str) -> String {
    Token::hide_all_in(&self.tokens, text)
  }

  /// Whether a text says a token back: nobody who answers for GitHub does.
  pub(super) fn are_said_in(&self, text: &str) -> bool {
    self.tokens.iter().any(|token| token.is_in(text))
  }

  /// GitHub refused a token what it answered somebody else.
  pub(super) fn refuse(&self, identity: &Identity, now: UnixMs) {
    let mut state = self.lock();
    let Some(token_state) = state.by_token.get_mut(identity) else {
      return;
    };
    let was_refused = token_state.refused.replace(now).is_some();
    let how = if self.taken(&state, now).is_empty() {
      "without it at the slower interval"
    } else {
      "with the others"
    };
    if was_refused {
      info!(token = %identity, "GitHub still refuses the token (401): going on {how}");
    } else {
      warn!(
        token = %identity,
        "GitHub refused the token (401): going on {how}, and trying it again in an hour. \
         Put a valid one into CRAFT_APPS_RELEASE_GITHUB_TOKEN or LAUNCHFEED_GITHUB_TOKENS, or none"
      );
    }
  }

  /// The tokens that aren't refused, in their order.
  fn taken<'s>(&self, state: &'s State, now: UnixMs) -> Vec<(Asker<'_>, &'s TokenState)> {
    let tokens = self.tokens.iter().filter_map(|token| {
      let identity = token.identity();
      let token_state = state.by_token.get(&identity)?;
      let asker = Asker {
        identity,
        token: Some(token),
      };
      (!token_state.is_refused_at(now)).then_some((asker, token_state))
    });
    tokens.collect()
  }

  fn lock(&self) -> MutexGuard<'_, State> {
    self.state.lock().unwrap_or_else(PoisonError::into_inner)
  }
}

impl State {
  fn of(&mut self, identity: &Identity) -> Option<&mut TokenState> {
    if identity.is_anonymous() {
      Some(&mut self.anonymous)
    } else {
      self.by_token.get_mut(identity)
    }
  }
}

fn earliest<'s>(states: impl Iterator<Item = &'s TokenState>, now: UnixMs) -> Option<UnixMs> {
  states.filter_map(|state| state.used_up_until(now)).min()
}

#[cfg(test)]
mod tests {
  use std::time::Duration;

  use feed_types::Release;
  use http::{HeaderName, HeaderValue};

  use super::super::etag::ETag;
  use super::super::release_source::Known;
  use super::super::validators::Validators;
  use super::*;
  use crate::catalog::{AppKey, Catalog, parse_app_list};
  use crate::release::ReleaseFacts;

  const NOW: UnixMs = UnixMs(1_791_471_170_000);

  #[test]
  fn a_refused_token_is_tried_again_after_an_hour() {
    let credentials = Credentials::new(tokens(&["ghp_one"]));
    let whose = identity("ghp_one");
    assert!(!credentials.is_refused_at(NOW));
    credentials.refuse(&whose, NOW);
    let after = |secs: u64| NOW.plus(Duration::from_secs(secs));
    assert!(credentials.is_refused_at(after(3_599)) && chosen(&credentials, &[], after(3_599)).is_anonymous());
    assert!(!credentials.is_refused_at(after(3_600)) && chosen(&credentials, &[], after(3_600)) == whose);
    answered(&credentials, "ghp_one", 200, &[]);
    assert!(!credentials.is_refused_at(NOW));
  }

  #[test]
  fn a_clock_that_was_set_back_takes_no_token_away_for_longer() {
    let credentials = Credentials::new(tokens(&["ghp_one"]));
    credentials.refuse(&identity("ghp_one"), NOW);
    assert!(!credentials.is_refused_at(NOW.shifted_by_ms(-3_600_000)));
  }

  #[test]
  fn a_token_that_is_given_twice_counts_once() {
    assert_eq!(Credentials::new(tokens(&["ghp_one", "ghp_two", "ghp_one"])).len(), 2);
  }

  #[test]
  fn the_one_with_most_left_asks_unless_another_knows_the_release_and_has_half_as_many() {
    let credentials = Credentials::new(tokens(&["ghp_one", "ghp_two", "ghp_three"]));
    left(&credentials, "ghp_one", 1_000);
    left(&credentials, "ghp_two", 2_000);
    left(&credentials, "ghp_three", 999);
    assert_eq!(chosen(&credentials, &[], NOW), identity("ghp_two"));
    assert_eq!(chosen(&credentials, &["ghp_one"], NOW), identity("ghp_one"));
    assert_eq!(chosen(&credentials, &["ghp_three"], NOW), identity("ghp_two"));
    assert_eq!(chosen(&credentials, &["ghp_one", "ghp_two"], NOW), identity("ghp_two"));
  }

  #[test]
  fn a_token_that_was_never_used_counts_as_full_and_the_first_of_equals_asks() {
    let credentials = Credentials::new(tokens(&["ghp_one", "ghp_two", "ghp_three"]));
    assert_eq!(chosen(&credentials, &[], NOW), identity("ghp_one"));
    left(&credentials, "ghp_one", 4_999);
    assert_eq!(chosen(&credentials, &[], NOW), identity("ghp_two"));
  }

  #[test]
  fn what_is_used_up_does_not_ask_before_its_reset() {
    let credentials = Credentials::new(tokens(&["ghp_one", "ghp_two"]));
    left(&credentials, "ghp_one", 0);
    assert_eq!(credentials.used_up_until(NOW), None);
    assert_eq!(chosen(&credentials, &["ghp_one"], NOW), identity("ghp_two"));
    credentials.use_up(&identity("ghp_two"), Some(NOW.plus(Duration::from_secs(50))), NOW);
    let until = Some(NOW.plus(Duration::from_secs(50)));
    assert_eq!(credentials.used_up_until(NOW), until);
    assert!(matches!(choice(&credentials, &[], NOW), Some((None, retry_at)) if retry_at == until));
    assert_eq!(
      chosen(&credentials, &[], NOW.plus(Duration::from_secs(50))),
      identity("ghp_two")
    );
  }

  #[test]
  fn without_tokens_nobody_asks_once_nothing_is_left() {
    let credentials = Credentials::default();
    assert!(chosen(&credentials, &[], NOW).is_anonymous());
    let headers = headers(&[
      ("x-ratelimit-limit", "60"),
      ("x-ratelimit-remaining", "0"),
      ("x-ratelimit-reset", "1791471270"),
    ]);
    credentials.note_answer(&Asker::anonymous(), StatusCode::OK, &headers, NOW);
    assert_eq!(credentials.used_up_until(NOW), Some(NOW.plus(Duration::from_secs(100))));
  }

  #[test]
  fn a_refusals_numbers_and_those_of_other_resources_are_not_the_tokens() {
    let credentials = Credentials::new(tokens(&["ghp_one"]));
    let numbers = [
      ("x-ratelimit-limit", "60"),
      ("x-ratelimit-remaining", "0"),
      ("x-ratelimit-reset", "1791471270"),
    ];
    answered(&credentials, "ghp_one", 401, &numbers);
    let search = [numbers[0], numbers[1], numbers[2], ("x-ratelimit-resource", "search")];
    answered(&credentials, "ghp_one", 200, &search);
    assert_eq!(credentials.budgets(), []);
    let core = [numbers[0], numbers[1], numbers[2], ("x-ratelimit-resource", "core")];
    answered(&credentials, "ghp_one", 200, &core);
    assert_eq!(credentials.budgets()[0].1.remaining, 0);
  }

  #[test]
  fn a_401_alone_refuses_no_token() {
    let credentials = Credentials::new(tokens(&["ghp_one"]));
    answered(&credentials, "ghp_one", 401, &[]);
    assert!(!credentials.is_refused_at(NOW));
    assert_eq!(chosen(&credentials, &[], NOW), identity("ghp_one"));
  }

  #[test]
  fn a_repository_that_is_refused_to_all_stands_alone_while_others_are_answered() {
    let credentials = Credentials::new(tokens(&["ghp_one"]));
    let refused = |repo: &str| {
      credentials
        .refused_to_all(&repo.parse().unwrap())
        .concerns_the_app_alone()
    };
    assert!(!refused("acme/one"), "nobody was answered yet");
    answered(&credentials, "ghp_one", 500, &[]);
    assert!(!refused("acme/one"), "that is no answer");
    answered(&credentials, "ghp_one", 304, &[]);
    assert!(refused("Acme/One") && refused("acme/two"));
    assert!(!refused("acme/one") && !refused("acme/two"), "nobody since then");
  }

  #[test]
  fn a_token_that_is_told_of_something_missing_is_taken_again() {
    let credentials = Credentials::new(tokens(&["ghp_one"]));
    credentials.refuse(&identity("ghp_one"), NOW);
    answered(&credentials, "ghp_one", 403, &[]);
    assert!(credentials.is_refused_at(NOW));
    answered(&credentials, "ghp_one", 404, &[]);
    assert!(!credentials.is_refused_at(NOW));
  }

  #[test]
  fn of_others_only_what_is_said_of_our_tokens_is_heeded() {
    let credentials = Credentials::new(tokens(&["ghp_one"]));
    let budget = BudgetLeft {
      limit: 5_000,
      remaining: 7,
      reset_at: None,
      as_of: NOW,
    };
    for other in [identity("ghp_other"), Identity::anonymous()] {
      credentials.heed_budget(&other, budget);
    }
    assert_eq!((credentials.budgets(), credentials.budget(NOW)), (Vec::new(), None));
    credentials.heed_budget(&identity("ghp_one"), budget);
    assert_eq!(credentials.budgets(), [(identity("ghp_one"), budget)]);
  }

  #[test]
  fn what_is_left_is_that_of_all_who_would_ask() {
    let credentials = Credentials::new(tokens(&["ghp_one", "ghp_two", "ghp_three"]));
    assert_eq!(credentials.budgets_in_force(NOW), []);
    left(&credentials, "ghp_one", 1_000);
    left(&credentials, "ghp_two", 500);
    let remaining: Vec<u64> = credentials
      .budgets_in_force(NOW)
      .iter()
      .map(|budget| budget.remaining)
      .collect();
    assert_eq!(remaining, [1_000, 500, 5_000]);
    assert_eq!(credentials.budget(NOW).map(|budget| budget.remaining), Some(1_500));
    credentials.refuse(&identity("ghp_two"), NOW);
    assert_eq!(credentials.budget(NOW).map(|budget| budget.remaining), Some(1_000));
    let refused: Vec<bool> = credentials.askers(NOW).iter().map(|asker| asker.is_refused).collect();
    assert_eq!(refused, [false, true, false]);
  }

  fn tokens(texts: &[&str]) -> Vec<Token> {
    texts.iter().map(|text| Token::new(text).unwrap().unwrap()).collect()
  }

  fn identity(token: &str) -> Identity {
    Token::new(token).unwrap().unwrap().identity()
  }

  fn left(credentials: &Credentials, token: &str, remaining: u32) {
    let remaining = remaining.to_string();
    let numbers = [
      ("x-ratelimit-limit", "5000"),
      ("x-ratelimit-remaining", remaining.as_str()),
      ("x-ratelimit-reset", "1791471270"),
    ];
    answered(credentials, token, 200, &numbers);
  }

  fn answered(credentials: &Credentials, token: &str, status: u16, pairs: &[(&str, &str)]) {
    let token = Token::new(token).unwrap().unwrap();
    let asker = Asker {
      identity: token.identity(),
      token: Some(&token),
    };
    credentials.note_answer(&asker, StatusCode::from_u16(status).unwrap(), &headers(pairs), NOW);
  }

  fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
    let pairs = pairs.iter().map(|(name, value)| {
      let name: HeaderName = name.parse().unwrap();
      (name, HeaderValue::from_str(value).unwrap())
    });
    pairs.collect()
  }

  /// Who asks, where somebody does.
  fn chosen(credentials: &Credentials, knowing: &[&str], now: UnixMs) -> Identity {
    choice(credentials, knowing, now).and_then(|(asker, _)| asker).unwrap()
  }

  fn choice(credentials: &Credentials, knowing: &[&str], now: UnixMs) -> Option<(Option<Identity>, Option<UnixMs>)> {
    let (catalog, key): (Catalog, AppKey) = (parse_app_list("demo=Demo=acme/demo").0, "demo".parse().unwrap());
    let mut validators = Validators::default();
    for token in knowing {
      validators.note(&identity(token), ETag::new(format!("\"{token}\"")));
    }
    let (release, facts) = (Release::default(), ReleaseFacts::default());
    let ask = Ask {
      key: &key,
      app: catalog.get(&key).unwrap(),
      known: Some(Known {
        validators: &validators,
        release: &release,
        facts: &facts,
      }),
    };
    match credentials.choose(ask, &[], now) {
      Choice::Ask(asker) => Some((Some(asker.identity), None)),
      Choice::UsedUp { retry_at } => Some((None, retry_at)),
      Choice::Nobody(_) => None,
    }
  }
}
