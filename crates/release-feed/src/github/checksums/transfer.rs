//! Fetching one checksum file: without a token, redirects followed by hand, and no further than [`is_allowed`] says.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, StatusCode, header};
use reqwest::Client;
use tokio::time::{Instant, timeout_at};
use url::Url;

use super::allowed_address::is_allowed;
use super::plan::ChecksumFile;
use crate::github::fetch_latest_release::causes;
use crate::github::read_body::{BodyError, read_at_most};

/// The longest file that is read, counted after decompression.
pub(super) const MAX_FILE_BYTES: usize = 1024 * 1024;
const MAX_REDIRECTS: usize = 3;

/// Why a file wasn't fetched. Shows hosts, never whole addresses: the ones that GitHub sends people on to carry signatures.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub(super) enum Trouble {
  #[error("the download was answered with {0}")]
  Status(u16),
  #[error("the download leads to {0}, where files of the release don't lie")]
  Elsewhere(String),
  #[error("the download leads on more than {MAX_REDIRECTS} times")]
  TooManyRedirects,
  #[error("it is longer than 1 MiB")]
  TooLong,
  #[error("the time for all files of the release is over")]
  OutOfTime,
  #[error("it didn't come within {} s", .0.as_secs_f64())]
  TimedOut(Duration),
  #[error("the download can't be reached ({0})")]
  Unreachable(String),
  #[error("the download broke off ({0})")]
  BrokeOff(String),
  #[error("a page of HTML came in its place")]
  Page,
  #[error("it holds the token: take that back on GitHub, and see who put it there")]
  TokenSaidBack,
}

/// What all downloads of a release have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transfer<'a> {
  pub(super) client: &'a Client,
  /// The server that downloads lie on.
  pub(super) web: &'a Url,
  /// How long one may take.
  pub(super) limit: Duration,
  /// Until when all must have come.
  pub(super) deadline: Instant,
}

impl Transfer<'_> {
  /// Fetches a file.
  pub(super) async fn fetch(&self, file: &ChecksumFile) -> Result<Bytes, Trouble> {
    if file.size > MAX_FILE_BYTES as u64 {
      return Err(Trouble::TooLong);
    }
    let own_deadline = Instant::now() + self.limit;
    let fetched = timeout_at(own_deadline.min(self.deadline), self.follow(file)).await;
    fetched.unwrap_or_else(|_| {
      Err(if own_deadline <= self.deadline {
        Trouble::TimedOut(self.limit)
      } else {
        Trouble::OutOfTime
      })
    })
  }

  async fn follow(&self, file: &ChecksumFile) -> Result<Bytes, Trouble> {
    let mut url = Url::parse(&file.url).map_err(|_| Trouble::Elsewhere("no address".to_owned()))?;
    for _ in 0..=MAX_REDIRECTS {
      if !is_allowed(&url, self.web) {
        return Err(Trouble::Elsewhere(shown_host(&url)));
      }
      let request = self.client.get(url.clone());
      let answer = request
        .header(header::ACCEPT, HeaderValue::from_static("*/*"))
        .send()
        .await
        .map_err(|error| self.trouble(&error))?;
      match answer.status() {
        StatusCode::OK => {
          return read_at_most(MAX_FILE_BYTES, answer).await.map_err(|error| match error {
            BodyError::TooLong => Trouble::TooLong,
            BodyError::Network(error) => self.trouble(&error),
          });
        }
        status if status.is_redirection() => {
          let location = answer.headers().get(header::LOCATION);
          let next = location.and_then(|to| url.join(to.to_str().ok()?).ok());
          url = next.ok_or(Trouble::Status(status.as_u16()))?;
        }
        status => return Err(Trouble::Status(status.as_u16())),
      }
    }
    Err(Trouble::TooManyRedirects)
  }

  fn trouble(&self, error: &reqwest::Error) -> Trouble {
    if error.is_connect() {
      Trouble::Unreachable(causes(error))
    } else if error.is_timeout() {
      Trouble::TimedOut(self.limit)
    } else {
      Trouble::BrokeOff(causes(error))
    }
  }
}

fn shown_host(url: &Url) -> String {
  let scheme = url.scheme();
  match (url.host_str(), url.port()) {
    (Some(host), Some(port)) => format!("{scheme}://{host}:{port}"),
    (Some(host), None) => format!("{scheme}://{host}"),
    (None, _) => format!("{scheme}:…"),
  }
}
