//! One conditional request for a repository's latest release.

use std::error::Error;
use std::sync::Arc;

use http::{HeaderMap, HeaderValue, StatusCode, header};
use reqwest::{Client, Response};
use serde::Deserialize;
use tracing::{Instrument, debug};

use super::api_base::ApiBase;
use super::ask_span::AskSpan;
use super::budget_left::BudgetLeft;
use super::credentials::Credentials;
use super::etag::ETag;
use super::fetch_failure::FetchFailure;
use super::http_client::Timeouts;
use super::read_body::{BodyError, read_body};
use super::read_release::read_release;
use super::refusal::{UNTOLD_LIMIT, is_rate_limit, retry_at, says_rate_limit};
use super::release_source::{Ask, Outcome, ReleaseSource};
use super::token::Token;
use crate::catalog::RepoName;
use crate::clock::Clock;
use crate::release::ReleaseRules;

const MEDIA_TYPE: &str = "application/vnd.github+json";
const API_VERSION_HEADER: &str = "x-github-api-version";
const API_VERSION: &str = "2022-11-28";
/// Of what GitHub says in words or as an address, in a log line.
const MAX_SHOWN_BYTES: usize = 200;

/// GitHub, or whoever answers at the configured address.
#[derive(Debug)]
pub struct GithubSource<C> {
  /// Made by [`build_http_client`](super::build_http_client).
  pub client: Client,
  /// What the client was made with.
  pub timeouts: Timeouts,
  /// Where the API is.
  pub api: ApiBase,
  /// Sent with every request, to the API alone, as long as they are taken.
  pub credentials: Credentials,
  /// What a release must be.
  pub rules: ReleaseRules,
  /// For the times at which GitHub may be asked again.
  pub clock: C,
}

impl<C: Clock> ReleaseSource for GithubSource<C> {
  async fn latest_release(&self, ask: Ask<'_>) -> Outcome {
    let had_token = self.credentials.token_at(self.clock.now()).is_some();
    let asked = self.ask(ask).await;
    if had_token && asked == Err(FetchFailure::TokenRefused) {
      // Validators belong to whoever asked.
      return self
        .ask(Ask { etag: None, ..ask })
        .await
        .unwrap_or_else(Outcome::Failed);
    }
    asked.unwrap_or_else(Outcome::Failed)
  }

  fn is_token_refused(&self) -> bool {
    self.credentials.is_refused_at(self.clock.now())
  }

  fn budget(&self) -> Option<BudgetLeft> {
    self.credentials.budget()
  }
}

impl<C: Clock> ReleaseSource for Arc<GithubSource<C>> {
  async fn latest_release(&self, ask: Ask<'_>) -> Outcome {
    (**self).latest_release(ask).await
  }

  fn is_token_refused(&self) -> bool {
    (**self).is_token_refused()
  }

  fn budget(&self) -> Option<BudgetLeft> {
    (**self).budget()
  }
}

impl<C: Clock> GithubSource<C> {
  /// Whether there is such a repository, as far as the token may see: what a 404 for its latest release leaves open.
  ///
  /// # Errors
  ///
  /// When GitHub says neither.
  pub async fn has_repository(&self, repo: &RepoName) -> Result<bool, FetchFailure> {
    let response = self
      .get(self.api.repository(repo), HeaderMap::new())
      .await
      .map_err(|error| self.network_failure(&error))?;
    let status = response.status();
    match status {
      _ if status.is_success() || status.is_redirection() => Ok(true),
      StatusCode::NOT_FOUND => Ok(false),
      _ => Err(FetchFailure::Status {
        status: status.as_u16(),
        message: self.message_of(response).await,
      }),
    }
  }

  async fn ask(&self, ask: Ask<'_>) -> Result<Outcome, FetchFailure> {
    let span = AskSpan::begin(ask, &self.api);
    let asking = async {
      let response = self.request(ask).await.map_err(|error| self.network_failure(&error))?;
      let status = response.status().as_u16();
      span.note_status(status);
      debug!(app = %ask.key, status, "GitHub answered");
      self.read(response, ask).await
    };
    let asked = asking.instrument(span.span().clone()).await;
    span.note_end(&asked);
    asked
  }

  async fn request(&self, ask: Ask<'_>) -> Result<Response, reqwest::Error> {
    let mut headers = HeaderMap::new();
    if let Some(etag) = ask.etag.and_then(|etag| HeaderValue::from_str(etag.as_str()).ok()) {
      headers.insert(header::IF_NONE_MATCH, etag);
    }
    self.get(self.api.latest_release(&ask.app.repo), headers).await
  }

  /// Sends a request with the credentials that are taken, and notices when they no longer are.
  async fn get(&self, address: String, mut headers: HeaderMap) -> Result<Response, reqwest::Error> {
    headers.extend(api_headers(self.credentials.token_at(self.clock.now())));
    let is_authorized = headers.contains_key(header::AUTHORIZATION);
    let response = self.client.get(address).headers(headers).send().await?;
    if let Some(budget) = BudgetLeft::read(response.headers(), self.clock.now()) {
      self.credentials.note_budget(budget);
    }
    match response.status() {
      StatusCode::UNAUTHORIZED if is_authorized => self.credentials.refuse(self.clock.now()),
      status if is_authorized && status.as_u16() < 400 => self.credentials.accept(),
      _ => {}
    }
    Ok(response)
  }

  async fn read(&self, response: Response, ask: Ask<'_>) -> Result<Outcome, FetchFailure> {
    let status = response.status();
    match status {
      StatusCode::OK => {
        let etag = response
          .headers()
          .get(header::ETAG)
          .and_then(|etag| ETag::new(etag.to_str().ok()?));
        let body = read_body(response).await.map_err(|error| self.body_failure(error))?;
        let valid = self.rules.validate(read_release(&body)?, ask.key, ask.app)?;
        Ok(Outcome::Release { valid, etag })
      }
      StatusCode::NOT_MODIFIED if ask.etag.is_some() => Ok(Outcome::NotModified),
      StatusCode::NOT_MODIFIED => Err(FetchFailure::NothingToConfirm),
      StatusCode::NOT_FOUND => Ok(Outcome::NoRelease),
      // Without a token it is an error like any other.
      StatusCode::UNAUTHORIZED if self.is_token_refused() => Err(FetchFailure::TokenRefused),
      _ if is_rate_limit(status, response.headers()) => Ok(Outcome::RateLimited {
        retry_at: retry_at(response.headers(), self.clock.now()),
      }),
      _ if status.is_redirection() => Err(FetchFailure::Redirected {
        status: status.as_u16(),
        to: location(response.headers(), self.credentials.token()),
      }),
      _ => self.refused(status, self.message_of(response).await),
    }
  }

  async fn message_of(&self, response: Response) -> Option<String> {
    message_of(response, self.credentials.token()).await
  }

  /// An error that only its message can tell more about.
  fn refused(&self, status: StatusCode, message: Option<String>) -> Result<Outcome, FetchFailure> {
    if status == StatusCode::FORBIDDEN && message.as_deref().is_some_and(says_rate_limit) {
      return Ok(Outcome::RateLimited {
        retry_at: Some(self.clock.now().plus(UNTOLD_LIMIT)),
      });
    }
    Err(FetchFailure::Status {
      status: status.as_u16(),
      message,
    })
  }

  fn body_failure(&self, error: BodyError) -> FetchFailure {
    match error {
      BodyError::TooLong => FetchFailure::BodyTooLong,
      BodyError::Network(error) => self.network_failure(&error),
    }
  }

  fn network_failure(&self, error: &reqwest::Error) -> FetchFailure {
    if error.is_timeout() && !error.is_connect() {
      FetchFailure::TimedOut(self.timeouts.whole)
    } else {
      FetchFailure::Network(causes(error))
    }
  }
}

/// What every request to the API carries.
pub(super) fn api_headers(token: Option<&Token>) -> HeaderMap {
  let mut headers = HeaderMap::new();
  headers.insert(header::ACCEPT, HeaderValue::from_static(MEDIA_TYPE));
  headers.insert(API_VERSION_HEADER, HeaderValue::from_static(API_VERSION));
  if let Some(authorization) = token.and_then(Token::authorization) {
    headers.insert(header::AUTHORIZATION, authorization);
  }
  headers
}

/// Where a redirect leads, without the token and escaped.
pub(super) fn location(headers: &HeaderMap, token: Option<&Token>) -> Option<String> {
  let to = headers.get(header::LOCATION)?;
  Some(shown(&String::from_utf8_lossy(to.as_bytes()), token))
}

/// What GitHub's JSON says about an error, without the token and escaped; nothing where it says nothing.
pub(super) async fn message_of(response: Response, token: Option<&Token>) -> Option<String> {
  #[derive(Deserialize)]
  struct ErrorBody {
    message: String,
  }

  let body = read_body(response).await.ok()?;
  let ErrorBody { message } = serde_json::from_slice(&body).ok()?;
  Some(shown(&message, token))
}

/// What lies across the cut, or is escaped, isn't known for the token any more: it is hidden first.
fn shown(text: &str, token: Option<&Token>) -> String {
  let text = token.map_or_else(|| text.to_owned(), |token| token.hide_in(text));
  text[..text.floor_char_boundary(MAX_SHOWN_BYTES)]
    .escape_debug()
    .to_string()
}

/// What stands behind a client's error, innermost last, without the address that was asked.
pub(super) fn causes(error: &reqwest::Error) -> String {
  let mut texts: Vec<String> = Vec::new();
  let mut cause = error.source();
  while let Some(error) = cause {
    let text = error.to_string();
    if texts.last() != Some(&text) {
      texts.push(text);
    }
    cause = error.source();
  }
  if texts.is_empty() {
    "the connection failed".to_owned()
  } else {
    texts.join(": ")
  }
}
