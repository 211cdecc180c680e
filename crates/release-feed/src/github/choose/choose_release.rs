//! Asking for the release that is an app's: GitHub's latest, one tag's, or the best of a list.
//!
//! A list is read page by page, no further than it must be and within bounds. Its first page carries the validator, as long as
//! the chosen release lies on it. Where it lies deeper, the first page and that release are read each time, and all pages once an hour.

use std::str::from_utf8;

use http::StatusCode;
use tokio::time::timeout;
use tracing::debug;

use super::candidate::{Candidate, best};
use super::memory::Listed;
use super::reply::{Body, Reply, has_next};
use super::walk::{Chosen, Walk};
use crate::catalog::Select;
use crate::clock::Clock;
use crate::github::ask_span::AskSpan;
use crate::github::credentials::Asker;
use crate::github::error_answer::is_html;
use crate::github::etag::ETag;
use crate::github::fetch_failure::FetchFailure;
use crate::github::fetch_latest_release::{GithubSource, etag_of};
use crate::github::identity::Identity;
use crate::github::kept_texts::kept_texts;
use crate::github::read_body::read_body;
use crate::github::read_release::{ReadRelease, read_release, read_release_page};
use crate::github::release_source::{Ask, Outcome, ReleaseAnswer};

/// A choice of many requests takes no longer than as many slow ones would.
const SLOW_REQUESTS: u32 = 2;

/// One question, and who asks it.
#[derive(Clone, Copy, Debug)]
pub(in crate::github) struct Asking<'a> {
  pub(in crate::github) ask: Ask<'a>,
  pub(in crate::github) asker: &'a Asker<'a>,
  /// Whether validators are sent.
  pub(in crate::github) is_conditional: bool,
  pub(in crate::github) span: &'a AskSpan,
}

/// The validator of an answer, and to whom it was given.
#[derive(Clone, Debug)]
struct Validator {
  etag: Option<ETag>,
  asker: Identity,
}

/// What the first page and what is remembered of the others say together.
enum FromMemory<'c> {
  Decided(Outcome),
  /// Nothing: what was remembered isn't there any more.
  ReadOn(Walk<'c>),
}

impl<C: Clock> GithubSource<C> {
  /// Asks for the app's release.
  pub(in crate::github) async fn choose(&self, asking: Asking<'_>) -> Result<Outcome, FetchFailure> {
    let ask = asking.ask;
    let (choice, repo) = (&ask.app.releases, &ask.app.repo);
    match &choice.select {
      Select::Latest if choice.tag_prefix.is_none() => self.single(asking, self.api.latest_release(repo)).await,
      Select::Pinned(tag) => {
        let address = self.api.release_by_tag(repo, tag.as_str());
        self.single(asking, address).await
      }
      Select::Latest | Select::NewestStableVersion => {
        let within = self.timeouts.whole * SLOW_REQUESTS;
        let chosen = timeout(within, self.choose_from_list(asking)).await;
        chosen.unwrap_or(Err(FetchFailure::TimedOut(within)))
      }
    }
  }

  async fn single(&self, asking: Asking<'_>, address: String) -> Result<Outcome, FetchFailure> {
    let ask = asking.ask;
    match self.exchange(asking, address, |asker| ask.etag_for(asker)).await? {
      Reply::Said(outcome) => Ok(outcome),
      Reply::Body(Body { bytes, etag, asker, .. }) => {
        self.answer(ask, read_release(&bytes)?, Validator { etag, asker }).await
      }
    }
  }

  async fn choose_from_list(&self, asking: Asking<'_>) -> Result<Outcome, FetchFailure> {
    let ask = asking.ask;
    let now = self.clock.now();
    let remembered = self.choices.of(ask.key);
    let mut walk = Walk::begin(&ask.app.releases, remembered.size);
    let first_page = match self.page(asking, &mut walk).await? {
      Ok(first_page) => first_page,
      Err(said) => return Ok(said),
    };
    if !walk.is_over()
      && let Some(listed) = remembered.listed.filter(|listed| listed.holds_at(now))
    {
      walk = match self.choose_from_memory(asking, walk, listed, &first_page).await? {
        FromMemory::Decided(outcome) => return Ok(outcome),
        FromMemory::ReadOn(walk) => walk,
      };
    }
    while !walk.is_over() {
      if let Err(said) = self.page(asking, &mut walk).await? {
        return Ok(said);
      }
    }
    let listed = Listed {
      read_at: now,
      is_whole: walk.is_at_end(),
      is_circle: walk.is_circle(),
      looked_at: walk.looked_at(),
      candidates: walk.candidates().cloned().collect(),
    };
    self.choices.note_listed(ask.key, Some(listed.clone()));
    match walk.into_best() {
      Some(chosen) => self.answer_from_list(ask, chosen, first_page).await,
      None => none_of(&listed),
    }
  }

  /// Reads the next page: `Err` is what was said instead of one.
  async fn page(&self, asking: Asking<'_>, walk: &mut Walk<'_>) -> Result<Result<Validator, Outcome>, FetchFailure> {
    let ask = asking.ask;
    loop {
      let (size, number) = walk.next_page();
      let is_first = walk.is_at_first_page();
      walk.count_request();
      let address = self.api.release_page(&ask.app.repo, size, number);
      let named = |asker: &Identity| {
        let known = ask.known.filter(|_| is_first)?;
        known.validators.own(&asker.choosing(&ask.app.releases.to_string()))
      };
      match self.exchange(asking, address, named).await {
        Ok(Reply::Body(Body {
          bytes,
          etag,
          asker,
          has_next,
        })) => {
          walk.take(read_release_page(&bytes)?, has_next);
          return Ok(Ok(Validator { etag, asker }));
        }
        // The list was there a moment ago: that says nothing about the releases.
        Ok(Reply::Said(Outcome::NoRelease)) if !is_first => {
          return Err(FetchFailure::Status {
            status: StatusCode::NOT_FOUND.as_u16(),
            message: None,
          });
        }
        Ok(Reply::Said(outcome)) => return Ok(Err(outcome)),
        Err(FetchFailure::BodyTooLong) if walk.shrink() => {
          debug!(app = %ask.key, releases = size, "a page is too long: going on with smaller ones");
          self.choices.note_size(ask.key, walk.size());
        }
        Err(failure) => return Err(failure),
      }
    }
  }

  /// Chooses among the first page, which has just been read, and what is remembered of the others.
  async fn choose_from_memory<'c>(
    &self,
    asking: Asking<'c>,
    mut walk: Walk<'c>,
    mut listed: Listed,
    first_page: &Validator,
  ) -> Result<FromMemory<'c>, FetchFailure> {
    let ask = asking.ask;
    listed.take(walk.candidates());
    if listed.candidates.is_empty() {
      return none_of(&listed).map(FromMemory::Decided);
    }
    while let Some(tag) = best(&listed.candidates, &ask.app.releases.select).map(|best| best.tag.clone()) {
      self.choices.note_listed(ask.key, Some(listed.clone()));
      if walk.has_found(&tag) {
        return match walk.into_found(&tag) {
          Some(chosen) => self
            .answer_from_list(ask, chosen, first_page.clone())
            .await
            .map(FromMemory::Decided),
          None => none_of(&listed).map(FromMemory::Decided),
        };
      }
      if !walk.may_ask() {
        break;
      }
      walk.count_request();
      let address = self.api.release_by_tag(&ask.app.repo, &tag);
      match self.exchange(asking, address, |_| None).await? {
        Reply::Body(body) => {
          let read = read_release(&body.bytes);
          if let Ok(read) = read
            && Candidate::of(&read.release, &ask.app.releases).is_some_and(|candidate| candidate.tag == tag)
          {
            let chosen = Chosen {
              read,
              is_on_first_page: false,
            };
            return self
              .answer_from_list(ask, chosen, first_page.clone())
              .await
              .map(FromMemory::Decided);
          }
        }
        Reply::Said(Outcome::NoRelease) => {}
        Reply::Said(outcome) => return Ok(FromMemory::Decided(outcome)),
      }
      listed.drop_tag(&tag);
    }
    self.choices.note_listed(ask.key, None);
    Ok(FromMemory::ReadOn(walk))
  }

  /// One request, up to what its answer is.
  async fn exchange<'e>(
    &self,
    asking: Asking<'_>,
    address: String,
    named: impl FnOnce(&Identity) -> Option<&'e ETag>,
  ) -> Result<Reply, FetchFailure> {
    let Asking { ask, asker, span, .. } = asking;
    // Validators belong to whoever asked.
    let etag = named(&asker.identity).filter(|_| asking.is_conditional);
    let response = self
      .request(address, asker, etag)
      .await
      .map_err(|error| self.network_failure(&error))?;
    let status = response.status();
    span.note_status(status.as_u16());
    debug!(app = %ask.key, status = status.as_u16(), "GitHub answered");
    if status != StatusCode::OK {
      return self.read(response, etag, asker).await.map(Reply::Said);
    }
    let (etag, has_next) = (etag_of(response.headers()), has_next(response.headers()));
    let bytes = read_body(response).await.map_err(|error| self.body_failure(error))?;
    if is_html(&bytes) {
      return Err(FetchFailure::HtmlPage {
        status: status.as_u16(),
      });
    }
    let says_back = |text: &str| self.credentials.are_said_in(text);
    if from_utf8(&bytes).is_ok_and(says_back) || etag.as_ref().is_some_and(|etag| says_back(etag.as_str())) {
      return Err(FetchFailure::TokenSaidBack);
    }
    Ok(Reply::Body(Body {
      bytes,
      etag,
      asker: asker.identity.clone(),
      has_next,
    }))
  }

  /// A release out of a list. The validator is the first page's, and says nothing about one that lies deeper.
  async fn answer_from_list(
    &self,
    ask: Ask<'_>,
    chosen: Chosen,
    first_page: Validator,
  ) -> Result<Outcome, FetchFailure> {
    let Validator { etag, asker } = first_page;
    let validator = Validator {
      etag: etag.filter(|_| chosen.is_on_first_page),
      asker: asker.choosing(&ask.app.releases.to_string()),
    };
    self.answer(ask, chosen.read, validator).await
  }

  async fn answer(&self, ask: Ask<'_>, read: ReadRelease, validator: Validator) -> Result<Outcome, FetchFailure> {
    // In the body it may be escaped.
    if kept_texts(&read).any(|text| self.credentials.are_said_in(&text)) {
      return Err(FetchFailure::TokenSaidBack);
    }
    let ReadRelease { release, facts } = read;
    let mut valid = self.rules.validate(release, ask.key, ask.app)?;
    let means = self.checksum_means();
    self.checksums.complete(means, ask, &mut valid.release, &facts).await;
    let Validator { etag, asker } = validator;
    Ok(Outcome::Release(Box::new(ReleaseAnswer {
      valid,
      facts,
      etag,
      asker,
    })))
  }
}

/// Nothing of a list is the app's.
fn none_of(listed: &Listed) -> Result<Outcome, FetchFailure> {
  let releases = listed.looked_at;
  if listed.is_whole {
    Ok(Outcome::NoRelease)
  } else if listed.is_circle {
    Err(FetchFailure::PagesRepeat { releases })
  } else {
    Err(FetchFailure::NoneFits { releases })
  }
}
