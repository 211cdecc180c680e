//! GitHub as a source of releases: how requests are sent, and what its answers mean that hold no release.

use std::error::Error;

use http::{HeaderMap, HeaderValue, StatusCode, header};
use reqwest::{Client, Response};
use tracing::Instrument;

use super::api_base::ApiBase;
use super::ask_span::AskSpan;
use super::asker_status::AskerStatus;
use super::budget_left::BudgetLeft;
use super::checksums::{Checksums, Means};
use super::choose::{Asking, ChoiceMemory};
use super::credentials::{Asker, Credentials};
use super::error_answer::{ErrorAnswer, shown};
use super::etag::ETag;
use super::fetch_failure::{FetchFailure, Forbidden};
use super::http_client::Timeouts;
use super::identity::Identity;
use super::read_body::BodyError;
use super::refusal::{Refusal, judge};
use super::release_source::{Ask, Outcome, ReleaseSource};
use super::token::Token;
use crate::catalog::{AppKey, RepoName};
use crate::clock::{Clock, UnixMs};
use crate::release::ReleaseRules;

const MEDIA_TYPE: &str = "application/vnd.github+json";
const API_VERSION_HEADER: &str = "x-github-api-version";
const API_VERSION: &str = "2022-11-28";

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
  /// What is known from releases' checksum files.
  pub checksums: Checksums,
  /// For the times at which GitHub may be asked again.
  pub clock: C,
  /// What is known of lists of releases.
  pub choices: ChoiceMemory,
}

impl<C: Clock + 'static> ReleaseSource for GithubSource<C> {
  async fn latest_release(&self, ask: Ask<'_>) -> Outcome {
    self.ask_around(ask).await
  }

  fn is_token_refused(&self) -> bool {
    self.credentials.is_refused_at(self.clock.now())
  }

  fn pays_for_confirmations(&self) -> bool {
    self.credentials.is_anonymous_at(self.clock.now())
  }

  fn budget(&self) -> Option<BudgetLeft> {
    self.credentials.budget(self.clock.now())
  }

  fn budgets_in_force(&self) -> Vec<BudgetLeft> {
    self.credentials.budgets_in_force(self.clock.now())
  }

  fn used_up_until(&self) -> Option<UnixMs> {
    self.credentials.used_up_until(self.clock.now())
  }

  fn askers(&self) -> Vec<AskerStatus> {
    self.credentials.askers(self.clock.now())
  }

  fn budgets(&self) -> Vec<(Identity, BudgetLeft)> {
    self.credentials.budgets()
  }

  fn heed_budget(&self, identity: &Identity, budget: BudgetLeft) {
    self.credentials.heed_budget(identity, budget);
  }

  fn checksum_conflicts(&self, key: &AppKey, tag: &str) -> Vec<String> {
    self.checksums.conflicts(key, tag)
  }
}

impl<C: Clock> GithubSource<C> {
  /// Whether there is such a repository, as far as the token may see: what a 404 for its latest release leaves open.
  ///
  /// # Errors
  ///
  /// When GitHub says neither.
  pub async fn has_repository(&self, repo: &RepoName) -> Result<bool, FetchFailure> {
    let asker = self.credentials.asker_for(repo, self.clock.now());
    self.has_repository_for(repo, &asker).await
  }

  pub(super) async fn has_repository_for(&self, repo: &RepoName, asker: &Asker<'_>) -> Result<bool, FetchFailure> {
    let response = self
      .get(self.api.repository(repo), HeaderMap::new(), asker)
      .await
      .map_err(|error| self.network_failure(&error))?;
    let status = response.status();
    match status {
      _ if status.is_success() || status.is_redirection() => Ok(true),
      StatusCode::NOT_FOUND => Ok(false),
      _ => Err(self.failure_of(status, self.error_of(response).await)),
    }
  }

  /// Asks as somebody. A confirmation of something else than what was named isn't believed: then everything is asked for, once.
  pub(super) async fn ask(&self, ask: Ask<'_>, asker: &Asker<'_>) -> Result<Outcome, FetchFailure> {
    let is_conditional = !self.checksums.wants_whole_answer(ask, self.clock.now());
    let asked = self.ask_once(ask, asker, is_conditional).await;
    if asked == Err(FetchFailure::NothingToConfirm) && ask.has_validator() {
      return self.ask_once(ask, asker, false).await;
    }
    asked
  }

  async fn ask_once(&self, ask: Ask<'_>, asker: &Asker<'_>, is_conditional: bool) -> Result<Outcome, FetchFailure> {
    let span = AskSpan::begin(ask, &self.api);
    let asking = self.choose(Asking {
      ask,
      asker,
      is_conditional,
      span: &span,
    });
    let asked = asking.instrument(span.span().clone()).await;
    span.note_end(&asked);
    asked
  }

  pub(super) async fn request(
    &self,
    address: String,
    asker: &Asker<'_>,
    etag: Option<&ETag>,
  ) -> Result<Response, reqwest::Error> {
    let mut headers = HeaderMap::new();
    if let Some(etag) = etag.and_then(|etag| HeaderValue::from_str(etag.as_str()).ok()) {
      headers.insert(header::IF_NONE_MATCH, etag);
    }
    self.get(address, headers, asker).await
  }

  /// Sends a request as somebody, and notices what the answer says of them.
  async fn get(&self, address: String, mut headers: HeaderMap, asker: &Asker<'_>) -> Result<Response, reqwest::Error> {
    headers.extend(api_headers(asker.token));
    let response = self.client.get(address).headers(headers).send().await?;
    let now = self.clock.now();
    self
      .credentials
      .note_answer(asker, response.status(), response.headers(), now);
    Ok(response)
  }

  /// What another answer than a 200 means.
  pub(super) async fn read(
    &self,
    response: Response,
    named: Option<&ETag>,
    asker: &Asker<'_>,
  ) -> Result<Outcome, FetchFailure> {
    let status = response.status();
    match status {
      StatusCode::NOT_MODIFIED => confirmation(named, etag_of(response.headers()).as_ref()),
      StatusCode::NOT_FOUND => Ok(Outcome::NoRelease),
      // Without a token it is an error like any other.
      StatusCode::UNAUTHORIZED if !asker.is_anonymous() => Err(FetchFailure::TokenRefused),
      StatusCode::FORBIDDEN | StatusCode::TOO_MANY_REQUESTS => self.refused(response, asker).await,
      _ if status.is_redirection() => Err(FetchFailure::Redirected {
        status: status.as_u16(),
        to: location(response.headers(), |text| self.credentials.hide_in(text)),
      }),
      _ => Err(self.failure_of(status, self.error_of(response).await)),
    }
  }

  pub(super) fn checksum_means(&self) -> Means<'_> {
    Means {
      client: &self.client,
      web: &self.rules.web,
      secrets: &self.credentials,
      now: self.clock.now(),
    }
  }

  /// A limit, or a repository that isn't for whoever asked.
  async fn refused(&self, response: Response, asker: &Asker<'_>) -> Result<Outcome, FetchFailure> {
    let (status, headers) = (response.status(), response.headers().clone());
    let error = self.error_of(response).await;
    let now = self.clock.now();
    match judge(status, &headers, &error, now) {
      Refusal::UsedUp { retry_at } => {
        self.credentials.use_up(&asker.identity, retry_at, now);
        Ok(Outcome::RateLimited { retry_at })
      }
      Refusal::TooMuch { retry_at } => Ok(Outcome::RateLimited { retry_at }),
      // A page for people isn't what GitHub refuses with.
      Refusal::Forbidden(_) if error.is_html => Err(self.failure_of(status, error)),
      Refusal::Forbidden(why) => Err(FetchFailure::Forbidden {
        why,
        // Of single sign-on it says less than we do.
        message: error.message.filter(|_| why != Forbidden::SingleSignOn),
      }),
    }
  }

  fn failure_of(&self, status: StatusCode, error: ErrorAnswer) -> FetchFailure {
    let ErrorAnswer { message, is_html, .. } = error;
    let code = status.as_u16();
    match status {
      _ if is_html => FetchFailure::HtmlPage { status: code },
      StatusCode::BAD_REQUEST | StatusCode::GONE => FetchFailure::WrongRequest { status: code, message },
      _ => FetchFailure::Status { status: code, message },
    }
  }

  async fn error_of(&self, response: Response) -> ErrorAnswer {
    ErrorAnswer::read(response, |text| self.credentials.hide_in(text)).await
  }

  pub(super) fn body_failure(&self, error: BodyError) -> FetchFailure {
    match error {
      BodyError::TooLong => FetchFailure::BodyTooLong,
      BodyError::Network(error) => self.network_failure(&error),
    }
  }

  pub(super) fn network_failure(&self, error: &reqwest::Error) -> FetchFailure {
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

/// Where a redirect leads, without what `hide` takes out, and escaped.
pub(super) fn location(headers: &HeaderMap, hide: impl Fn(&str) -> String) -> Option<String> {
  let to = headers.get(header::LOCATION)?;
  Some(shown(&String::from_utf8_lossy(to.as_bytes()), hide))
}

/// The validator of an answer, where it has one that can be sent back.
pub(super) fn etag_of(headers: &HeaderMap) -> Option<ETag> {
  ETag::new(headers.get(header::ETAG)?.to_str().ok()?)
}

/// A 304 for what was named. One that names nothing else confirms it: GitHub leaves its validator out now and then.
fn confirmation(named: Option<&ETag>, confirmed: Option<&ETag>) -> Result<Outcome, FetchFailure> {
  let named = named.filter(|named| confirmed.is_none_or(|confirmed| confirmed.matches_weakly(named)));
  match named {
    Some(named) => Ok(Outcome::NotModified { named: named.clone() }),
    None => Err(FetchFailure::NothingToConfirm),
  }
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
