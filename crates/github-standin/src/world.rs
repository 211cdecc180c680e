//! All that the stand-in was told, and the decision what a request gets. No I/O, no waiting.
//!
//! The first of these that applies is answered: no `User-Agent` (a client's bug that GitHub never lets pass); the script for
//! everything; the files of releases; a bad token; what the token may not see; the script of the repository's releases; the limits, for who asks for them; a set limit that is
//! used up; the usual answer.

use std::time::Duration;

use http::{HeaderMap, Method, Uri, header};
use serde_json::Value;

use crate::{
  answer::{Answer, Sender},
  downloads::Downloads,
  error_body, etag, rate_body,
  rate_limit::{RateLimits, RateView},
  release_list::Paging,
  repositories::{Found, Repositories, Repository},
  route::{Route, Target},
  scripts::Scripts,
  tokens::Tokens,
};

/// What was set.
pub(crate) struct World {
  pub(crate) repositories: Repositories,
  pub(crate) scripts: Scripts,
  pub(crate) downloads: Downloads,
  pub(crate) rate_limits: RateLimits,
  pub(crate) tokens: Tokens,
  pub(crate) latency: Duration,
  /// What every `Date` says; none for the time of day.
  pub(crate) date: Option<String>,
  api_url: String,
  api_prefix: String,
}

/// What a request gets.
pub(crate) struct Decision {
  pub(crate) answer: Answer,
  pub(crate) rate: RateView,
  /// The repository it was about.
  pub(crate) repo: Option<String>,
  /// Latency and delay together.
  pub(crate) wait: Duration,
}

impl World {
  pub(crate) fn new(api_url: &str, api_prefix: &str) -> Self {
    Self {
      repositories: Repositories::default(),
      scripts: Scripts::default(),
      downloads: Downloads::default(),
      rate_limits: RateLimits::default(),
      tokens: Tokens::default(),
      latency: Duration::ZERO,
      date: None,
      api_url: api_url.to_owned(),
      api_prefix: api_prefix.to_owned(),
    }
  }

  /// Decides; scripts and limits move on by one request. `now` in Unix seconds.
  pub(crate) fn decide(&mut self, method: &Method, uri: &Uri, headers: &HeaderMap, now: u64) -> Decision {
    let route = Route::of(uri.path(), &self.api_prefix);
    let authorization = text(headers, &header::AUTHORIZATION);
    let mut answer = self.pick(method, uri, &route, headers, now);
    if authorization.is_some() && answer.sender == Sender::Application {
      answer = self.tokens.described_in(answer);
    }
    if let Some(date) = &self.date {
      let told = answer.headers.entry("date".to_owned());
      told.or_insert_with(|| Some(date.clone().into_bytes()));
    }
    if let Some(etag) = etag_of(&answer)
      && text(headers, &header::IF_NONE_MATCH).is_some_and(|named| etag::is_named(&etag, named))
    {
      answer = answer.unchanged(&etag);
    }
    let counts = route != Route::RateLimit && counts(&answer, authorization.is_some());
    // Whoever a 401 is for has no numbers of their own.
    let counted_as = authorization.filter(|_| answer.status != 401);
    let mut rate = self.rate_limits.next_view(counted_as, counts, now);
    if let Some(reset) = answer.limited_until {
      rate = rate.used_up_until(reset);
    }
    let repo = route.target().and_then(|target| self.repo_name(target));
    Decision {
      wait: self.latency.saturating_add(answer.delay),
      answer,
      rate,
      repo,
    }
  }

  fn pick(&mut self, method: &Method, uri: &Uri, route: &Route, headers: &HeaderMap, now: u64) -> Answer {
    let (path, paging) = (uri.path(), Paging::of(uri.query()));
    let authorization = text(headers, &header::AUTHORIZATION);
    if text(headers, &header::USER_AGENT).is_none_or(|agent| agent.trim().is_empty()) {
      return Answer::refused_at_edge(403, error_body::USER_AGENT_REQUIRED);
    }
    if let Some(answer) = self.scripts.for_everything() {
      return answer;
    }
    if *method == Method::GET
      && let Some(answer) = self.downloads.answer(path, self.web_url())
    {
      return answer;
    }
    if let Some(body) = self.tokens.refusal(authorization) {
      return Answer::json(401, &body);
    }
    if method != Method::GET {
      return Answer::json(404, &error_body::nothing_here());
    }
    let repo = route.target().and_then(|target| self.repo_name(target));
    if let Some(answer) = repo.and_then(|repo| self.tokens.turned_away(authorization, &repo)) {
      return answer;
    }
    if let Some(target) = route.target().filter(|_| route.is_of_releases())
      && let Some(answer) = self.repo_name(target).and_then(|repo| self.scripts.next_for(&repo))
    {
      return answer;
    }
    if *route == Route::RateLimit {
      // Asking for it is free, and always allowed.
      let rate = self.rate_limits.next_view(authorization, false, now);
      return Answer::json(200, &rate_body::of(rate, authorization.is_some()));
    }
    if let Some(reset) = self.rate_limits.refuses_until(authorization) {
      return Answer::primary_limit(reset);
    }
    self.usual(route, paging, authorization.is_some())
  }

  /// Where the website is: beside the API.
  fn web_url(&self) -> &str {
    self.api_url.strip_suffix(&self.api_prefix).unwrap_or(&self.api_url)
  }

  fn usual(&self, route: &Route, paging: Paging, authorised: bool) -> Answer {
    match route {
      Route::LatestRelease(target) => match self.repositories.find(target) {
        Found::Here(repository) => match &repository.latest {
          Some(json) => Answer::release_bytes(json.clone()),
          None => Answer::not_found(),
        },
        Found::Moved(id) => Answer::redirect(301, &format!("{}/repositories/{id}/releases/latest", self.api_url)),
        Found::Nothing => Answer::not_found(),
      },
      Route::Releases(target) => match self.repositories.find(target) {
        Found::Here(repository) => self.page(repository, paging, authorised),
        Found::Moved(id) => Answer::redirect(301, &format!("{}/repositories/{id}/releases", self.api_url)),
        Found::Nothing => Answer::json(404, &error_body::nothing_here()),
      },
      Route::ReleaseOfTag(target, tag) => match self.repositories.find(target) {
        Found::Here(repository) => repository
          .release_of(tag)
          .map_or_else(Answer::not_found, Answer::release),
        Found::Moved(id) => Answer::redirect(301, &format!("{}/repositories/{id}/releases/tags/{tag}", self.api_url)),
        Found::Nothing => Answer::not_found(),
      },
      Route::Repository(target) => match self.repositories.find(target) {
        Found::Here(repository) => Answer::release(repository.to_json(&self.api_url)),
        Found::Moved(id) => Answer::redirect(301, &format!("{}/repositories/{id}", self.api_url)),
        Found::Nothing => Answer::json(404, &error_body::nothing_here()),
      },
      Route::RateLimit | Route::Unknown => Answer::json(404, &error_body::nothing_here()),
    }
  }

  fn page(&self, repository: &Repository, paging: Paging, authorised: bool) -> Answer {
    let releases = repository.releases(authorised);
    let all: Vec<&Value> = releases.iter().collect();
    let page: Vec<Value> = paging.cut(&all).into_iter().cloned().collect();
    let address = format!("{}/repositories/{}/releases", self.api_url, repository.id);
    let answer = Answer::release(Value::Array(page));
    match paging.links(all.len(), &address) {
      Some(links) => answer.header("link", links),
      None => answer,
    }
  }

  /// Its own name where it exists, else as asked; none for an id that nobody has.
  fn repo_name(&self, target: &Target) -> Option<String> {
    match (self.repositories.find(target), target) {
      (Found::Here(repository), _) => Some(repository.full_name.clone()),
      (_, Target::Name(name)) => Some(name.clone()),
      (_, Target::Id(_)) => None,
    }
  }
}

/// The validator of an answer that has one: its own header, else that of its body.
pub(crate) fn etag_of(answer: &Answer) -> Option<String> {
  match answer.headers.get("etag") {
    Some(Some(own)) if answer.conditional => Some(String::from_utf8_lossy(own).into_owned()),
    None if answer.conditional => Some(etag::of_body(&answer.body)),
    _ => None,
  }
}

/// Refusals and failures are free; a 304 is for those who say who they are.
fn counts(answer: &Answer, authorised: bool) -> bool {
  let free = match answer.status {
    304 => authorised,
    401 | 403 | 429 | 500.. => true,
    _ => false,
  };
  !free && !answer.is_silent() && answer.sender == Sender::Application
}

pub(crate) fn text<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
  headers.get(name).and_then(|value| value.to_str().ok())
}
