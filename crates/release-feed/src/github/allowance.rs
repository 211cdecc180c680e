//! What GitHub allows whom: `GET /rate_limit`, which costs nothing itself, and what the answer's headers say of the token.

use feed_types::UtcTime;
use http::{HeaderMap, StatusCode, header};
use reqwest::{Client, Response};
use serde::Deserialize;
use tokio::time::Instant;

use super::api_base::ApiBase;
use super::error_answer::ErrorAnswer;
use super::fetch_latest_release::{api_headers, location};
use super::obstacle::NetworkFailure;
use super::read_body::{BodyError, read_body};
use super::refusal::{is_rate_limit, read_date, retry_at, text};
use super::token::Token;
use crate::clock::{Clock, UnixMs};

/// Of a token without scopes, GitHub says so with an empty value; of one that has none by its kind, nothing.
const SCOPES: &str = "x-oauth-scopes";
const EXPIRATION: &str = "github-authentication-token-expiration";
/// An Enterprise server without limits answers 404 with this in its message.
const NO_LIMITS: &str = "not enabled";

/// What GitHub answered, whatever it was.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AllowanceAnswer {
  /// How far GitHub's clock is ahead of ours, in milliseconds and to the second; `None` where it doesn't say.
  pub ahead_ms: Option<i64>,
  /// What it says.
  pub says: Result<Allowance, AllowanceFailure>,
}

/// What whoever asked is allowed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Allowance {
  /// Requests; `None` where there is no limit.
  pub budget: Option<Budget>,
  /// The scopes of a classic token, as GitHub lists them; empty for any other.
  pub scopes: String,
  /// When the token expires: GitHub's words, and the moment where they can be read.
  pub expires: Option<(String, Option<UnixMs>)>,
}

/// Requests within an hour.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
pub struct Budget {
  /// In all.
  pub limit: u32,
  /// That are left.
  pub remaining: u32,
  /// When the hour ends, in Unix seconds by GitHub's clock.
  #[serde(rename = "reset")]
  pub reset_secs: i64,
}

/// Why nothing is known of what is allowed.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum AllowanceFailure {
  /// 401 to a request with a token.
  #[error("GitHub refused the token (401)")]
  TokenRefused,
  /// It wants to be left alone, by our clock until then.
  #[error("GitHub wants to be left alone")]
  Limited(Option<UnixMs>),
  /// It sends us elsewhere.
  #[error("it answered {status}, a redirect{}", to.as_ref().map(|to| format!(" to {to}")).unwrap_or_default())]
  Redirected {
    /// The status code.
    status: u16,
    /// Where to, escaped.
    to: Option<String>,
  },
  /// Another status than those.
  #[error("it answered {status}{}", message.as_ref().map(|message| format!(": {message}")).unwrap_or_default())]
  Status {
    /// The status code.
    status: u16,
    /// What GitHub's JSON says about it.
    message: Option<String>,
  },
  /// Longer than anything that is read.
  #[error("its answer is longer than any of GitHub's")]
  TooLong,
  /// No JSON with limits in it.
  #[error("its answer isn't GitHub's")]
  Unreadable,
  /// It began and didn't end.
  #[error("{0}")]
  BrokenOff(NetworkFailure),
}

/// Asks once what is allowed. Ends within the client's time limit.
///
/// # Errors
///
/// When nothing was answered at all.
pub async fn ask_allowance(
  client: &Client,
  api: &ApiBase,
  token: Option<&Token>,
  clock: &impl Clock,
) -> Result<AllowanceAnswer, NetworkFailure> {
  let asked = Instant::now();
  let request = client.get(api.rate_limit()).headers(api_headers(token));
  let response = request.send().await.map_err(|error| NetworkFailure::of(&error))?;
  let on_the_way = i64::try_from(asked.elapsed().as_millis() / 2).unwrap_or(i64::MAX);
  let date = text(response.headers(), header::DATE.as_str()).and_then(read_date);
  let ahead_ms = date.map(|date| date.0.saturating_sub(clock.now().0.saturating_sub(on_the_way)));
  let says = read(response, token, clock).await;
  Ok(AllowanceAnswer { ahead_ms, says })
}

async fn read(response: Response, token: Option<&Token>, clock: &impl Clock) -> Result<Allowance, AllowanceFailure> {
  let hide = |text: &str| token.map_or_else(|| text.to_owned(), |token| token.hide_in(text));
  let status = response.status();
  let headers = response.headers().clone();
  if status == StatusCode::UNAUTHORIZED && token.is_some() {
    return Err(AllowanceFailure::TokenRefused);
  }
  if is_rate_limit(status, &headers) {
    return Err(AllowanceFailure::Limited(retry_at(&headers, clock.now())));
  }
  if status.is_redirection() {
    return Err(AllowanceFailure::Redirected {
      status: status.as_u16(),
      to: location(&headers, hide),
    });
  }
  if status != StatusCode::OK {
    let message = ErrorAnswer::read(response, hide).await.message;
    let has_no_limits = message.as_deref().is_some_and(|message| message.contains(NO_LIMITS));
    if status == StatusCode::NOT_FOUND && has_no_limits {
      return Ok(allowance(None, &headers));
    }
    return Err(AllowanceFailure::Status {
      status: status.as_u16(),
      message,
    });
  }
  let body = read_body(response).await.map_err(|error| match error {
    BodyError::TooLong => AllowanceFailure::TooLong,
    BodyError::Network(error) => AllowanceFailure::BrokenOff(NetworkFailure::of(&error)),
  })?;
  let budget = read_budget(&body).ok_or(AllowanceFailure::Unreadable)?;
  Ok(allowance(Some(budget), &headers))
}

fn allowance(budget: Option<Budget>, headers: &HeaderMap) -> Allowance {
  let expires = text(headers, EXPIRATION).filter(|words| !words.is_empty());
  Allowance {
    budget,
    scopes: text(headers, SCOPES).unwrap_or_default().to_owned(),
    expires: expires.map(|words| (words.to_owned(), read_expiration(words))),
  }
}

fn read_budget(body: &[u8]) -> Option<Budget> {
  #[derive(Deserialize)]
  struct Limits {
    resources: Resources,
  }

  #[derive(Deserialize)]
  struct Resources {
    core: Budget,
  }

  let limits: Limits = serde_json::from_slice(body).ok()?;
  Some(limits.resources.core)
}

/// GitHub's own form, `2026-11-05 12:00:00 UTC` or with an offset such as `-0700`.
fn read_expiration(words: &str) -> Option<UnixMs> {
  let (date, rest) = words.split_once(' ')?;
  let (time, zone) = rest.split_once(' ')?;
  let zone = if zone == "UTC" { "Z" } else { zone };
  let time: UtcTime = format!("{date}T{time}{zone}").parse().ok()?;
  Some(UnixMs(time.unix_ms()))
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case("2026-11-05 12:00:00 UTC", Some(1_793_880_000_000))]
  #[case("2026-11-05 05:00:00 -0700", Some(1_793_880_000_000))]
  #[case("2026-11-05 14:00:00 +0200", Some(1_793_880_000_000))]
  #[case("2026-11-05", None)]
  #[case("2026-13-05 12:00:00 UTC", None)]
  #[case("never", None)]
  #[case("  ", None)]
  fn an_expiration_is_read_in_githubs_form(#[case] words: &str, #[case] expected: Option<i64>) {
    assert_eq!(read_expiration(words), expected.map(UnixMs));
  }

  #[rstest]
  #[case(
    r#"{"resources":{"core":{"limit":5000,"remaining":4999,"reset":1793880000,"used":1}}}"#,
    true
  )]
  #[case(r#"{"resources":{"core":{"limit":-1,"remaining":4999,"reset":1793880000}}}"#, false)]
  #[case(r#"{"resources":{}}"#, false)]
  #[case("[]", false)]
  #[case("<html>", false)]
  fn only_json_with_limits_is_githubs(#[case] body: &str, #[case] is_read: bool) {
    assert_eq!(read_budget(body.as_bytes()).is_some(), is_read);
  }
}
