//! One answer, ready to be sent.

use std::io;

use bytes::Bytes;
use feed_types::{AppAnswer, ReleaseInfoAnswer, UtcTime};
use http::HeaderValue;
use serde::Serialize;

use super::coding::{Coding, Effort};
use super::meaning::{etag_of_all, etag_of_one};

/// A body in every content coding, and what its headers say.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct EncodedAnswer {
  /// By [`Coding`], in its order.
  bodies: [Bytes; Coding::ALL.len()],
  etag: Option<HeaderValue>,
  last_fetched: Option<HeaderValue>,
}

impl EncodedAnswer {
  /// The whole answer. Blocks for as long as compressing takes.
  ///
  /// # Errors
  ///
  /// When a compressor fails, which none does in memory.
  pub fn of_all(answer: &ReleaseInfoAnswer, effort: Effort) -> io::Result<Self> {
    Self::encode(answer, etag_of_all(answer), answer.release_info.last_fetched, effort)
  }

  /// One app's answer.
  ///
  /// # Errors
  ///
  /// As above.
  pub fn of_one(answer: &AppAnswer, effort: Effort) -> io::Result<Self> {
    Self::encode(answer, etag_of_one(answer), answer.app.app_last_fetched, effort)
  }

  /// The body in a coding.
  pub fn body(&self, coding: Coding) -> &Bytes {
    &self.bodies[coding as usize]
  }

  /// The ETag of its meaning; none while it isn't complete.
  pub fn etag(&self) -> Option<&HeaderValue> {
    self.etag.as_ref()
  }

  /// When the oldest part of it was fetched, as `X-Last-Fetched` says it.
  pub fn last_fetched(&self) -> Option<&HeaderValue> {
    self.last_fetched.as_ref()
  }

  /// Whether everything in it was fetched at least once, so that caches may keep it.
  pub fn is_complete(&self) -> bool {
    self.last_fetched.is_some()
  }

  fn encode(
    answer: &impl Serialize,
    etag: Option<HeaderValue>,
    last_fetched: Option<UtcTime>,
    effort: Effort,
  ) -> io::Result<Self> {
    let json = Bytes::from(serde_json::to_vec(answer)?);
    let [identity, gzip, zstd, br] = Coding::ALL.map(|coding| coding.encode(&json, effort));
    Ok(Self {
      bodies: [identity?, gzip?, zstd?, br?],
      etag,
      last_fetched: last_fetched.and_then(|time| HeaderValue::try_from(time.to_string()).ok()),
    })
  }
}
