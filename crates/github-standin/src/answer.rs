//! One scripted answer: what is sent, and how it travels.
//!
//! A constructor picks what GitHub would say, the methods change it: `Answer::release(json).drip(SECOND)`,
//! `Answer::status(429).header("retry-after", "0")`. What isn't set stays as GitHub sends it by default, the rate-limit
//! headers included.

use std::{collections::BTreeMap, time::Duration};

use bytes::Bytes;
use serde_json::Value;

use crate::error_body;

const HTML: &str = "text/html; charset=utf-8";
const BYTES: &str = "application/octet-stream";
const JSON: &str = "application/json; charset=utf-8";

/// An answer to give instead of the usual one.
#[derive(Clone, Debug)]
pub struct Answer {
  pub(crate) status: u16,
  pub(crate) body: Bytes,
  pub(crate) content_type: &'static str,
  /// By lowercase name; `None` leaves a default header out.
  pub(crate) headers: BTreeMap<String, Option<Vec<u8>>>,
  pub(crate) sender: Sender,
  pub(crate) delivery: Delivery,
  pub(crate) delay: Duration,
  /// Whether it has an ETag and turns into a 304 for those who know it.
  pub(crate) conditional: bool,
  /// The time (Unix seconds) until which the primary limit is shown as used up.
  pub(crate) limited_until: Option<u64>,
}

/// Which part of GitHub speaks; only its application adds the API's headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sender {
  Application,
  Edge,
}

/// How the answer travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
  Whole,
  Truncated,
  Drip(Duration),
  Endless,
  EndlessGzip,
  Hang,
  Reset,
}

impl Answer {
  /// 200 with this release (or whatever JSON). It has an ETag and is a 304 for a request that names it.
  pub fn release(release: impl Into<Value>) -> Self {
    Self::release_bytes(release.into().to_string())
  }

  /// Any status with the JSON that GitHub puts into an answer of that kind. 304 and 204 have no body.
  pub fn status(status: u16) -> Self {
    Self::json(status, &error_body::of_status(status))
  }

  /// 404: no release, or no such repository.
  pub fn not_found() -> Self {
    Self::status(404)
  }

  /// 304 with this ETag, whether or not the request named it.
  pub fn not_modified(etag: &str) -> Self {
    Self::status(304).header("etag", etag)
  }

  /// 401: the token isn't known.
  pub fn unauthorized() -> Self {
    Self::json(401, &error_body::bad_credentials())
  }

  /// 403: the requests of this hour are used up, until then (Unix seconds).
  pub fn primary_limit(reset_unix_secs: u64) -> Self {
    let mut answer = Self::json(403, &error_body::primary_limit());
    answer.limited_until = Some(reset_unix_secs);
    answer
  }

  /// 403: too much at once; `Retry-After` is sent as given (seconds or a date, or nonsense).
  pub fn secondary_limit(retry_after: &str) -> Self {
    Self::json(403, &error_body::secondary_limit()).header("retry-after", retry_after)
  }

  /// 403 or 429: too much at once, which nothing but the message says.
  pub fn secondary_limit_untold(status: u16) -> Self {
    Self::json(status, &error_body::secondary_limit())
  }

  /// 403: the repository's organization wants the token to be authorized there.
  pub fn single_sign_on(url: &str) -> Self {
    Self::json(403, &error_body::single_sign_on()).header("x-github-sso", format!("required; url={url}"))
  }

  /// 403: this token has no right to it, or may not be used from here.
  pub fn denied() -> Self {
    Self::json(403, &error_body::denied())
  }

  /// 403: GitHub blocked the repository.
  pub fn blocked() -> Self {
    Self::json(403, &error_body::blocked("tos"))
  }

  /// 301, 302, 307 or 308 to another address, sent as given.
  pub fn redirect(status: u16, location: &str) -> Self {
    Self::json(status, &error_body::moved(status, location)).header("location", location)
  }

  /// The page that GitHub's front shows when the application behind it doesn't answer: HTML, none of the API's headers.
  pub fn html_error(status: u16) -> Self {
    let mut answer = Self::new(status, error_body::unicorn_page().into(), HTML);
    answer.sender = Sender::Edge;
    answer
  }

  /// 200 with the bytes of a file, as the store of releases' files sends them: none of the API's headers.
  pub fn file(bytes: impl Into<Bytes>) -> Self {
    let mut answer = Self::new(200, bytes.into(), BYTES);
    answer.sender = Sender::Edge;
    answer
  }

  /// Closes the connection without a word.
  pub fn reset() -> Self {
    let mut answer = Self::status(200);
    answer.delivery = Delivery::Reset;
    answer
  }

  /// Sets a header, in place of the default one of that name. A name or value that HTTP cannot carry turns the answer
  /// into a 500 that says so.
  #[must_use]
  pub fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
    self
      .headers
      .insert(name.to_ascii_lowercase(), Some(value.as_ref().to_vec()));
    self
  }

  /// Leaves a header out that would be there by default. Without `content-length` the body comes in chunks.
  #[must_use]
  pub fn without_header(mut self, name: &str) -> Self {
    self.headers.insert(name.to_ascii_lowercase(), None);
    self
  }

  /// Replaces the body, byte for byte (it is still compressed for those who accept gzip).
  #[must_use]
  pub fn body(mut self, body: impl Into<Bytes>) -> Self {
    self.body = body.into();
    self
  }

  /// Replaces the body by GitHub's JSON with this message.
  #[must_use]
  pub fn message(self, message: &str) -> Self {
    let body = error_body::with_message(self.status, message).to_string();
    self.body(body)
  }

  /// Waits before the first byte.
  #[must_use]
  pub fn delay(mut self, delay: Duration) -> Self {
    self.delay = delay;
    self
  }

  /// Takes the request and never answers it.
  #[must_use]
  pub fn hang(self) -> Self {
    self.delivered(Delivery::Hang)
  }

  /// Promises the whole body, sends half of it and closes the connection.
  #[must_use]
  pub fn truncated(self) -> Self {
    self.delivered(Delivery::Truncated)
  }

  /// Sends blanks (which JSON allows anywhere) until the client hangs up.
  #[must_use]
  pub fn endless(self) -> Self {
    self.delivered(Delivery::Endless)
  }

  /// Sends compressed zeros until the client hangs up: 1 KiB on the wire is 1 MiB after decoding.
  #[must_use]
  pub fn endless_gzip(self) -> Self {
    self.delivered(Delivery::EndlessGzip)
  }

  /// Sends one byte per interval.
  #[must_use]
  pub fn drip(self, interval: Duration) -> Self {
    self.delivered(Delivery::Drip(interval))
  }

  /// The JSON of a release, already written.
  pub(crate) fn release_bytes(json: impl Into<Bytes>) -> Self {
    let mut answer = Self::new(200, json.into(), JSON);
    answer.conditional = true;
    answer
  }

  pub(crate) fn json(status: u16, body: &Value) -> Self {
    let body = if body.is_null() {
      String::new()
    } else {
      body.to_string()
    };
    Self::new(status, body.into(), JSON)
  }

  /// A refusal by GitHub's front in plain words.
  pub(crate) fn refused_at_edge(status: u16, text: &'static str) -> Self {
    let mut answer = Self::new(status, text.into(), HTML);
    answer.sender = Sender::Edge;
    answer
  }

  /// What remains of it for a request that names its ETag.
  pub(crate) fn unchanged(mut self, etag: &str) -> Self {
    self.status = 304;
    self.body = Bytes::new();
    self.conditional = false;
    self.header("etag", etag)
  }

  pub(crate) fn with_status(mut self, status: u16) -> Self {
    self.status = status;
    self
  }

  /// Whether no status is ever answered.
  pub(crate) fn is_silent(&self) -> bool {
    matches!(self.delivery, Delivery::Hang | Delivery::Reset)
  }

  fn new(status: u16, body: Bytes, content_type: &'static str) -> Self {
    Self {
      status,
      body,
      content_type,
      headers: BTreeMap::new(),
      sender: Sender::Application,
      delivery: Delivery::Whole,
      delay: Duration::ZERO,
      conditional: false,
      limited_until: None,
    }
  }

  fn delivered(mut self, delivery: Delivery) -> Self {
    self.delivery = delivery;
    self
  }
}
