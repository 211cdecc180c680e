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
  /// The whole answer, not compressed yet: every coding has the body as it is.
  pub(super) fn of_all(answer: &ReleaseInfoAnswer) -> io::Result<Self> {
    Self::plain(answer, etag_of_all(answer), answer.release_info.last_fetched)
  }

  /// One app's answer, not compressed yet.
  pub(super) fn of_one(answer: &AppAnswer) -> io::Result<Self> {
    Self::plain(answer, etag_of_one(answer), answer.app.app_last_fetched)
  }

  /// The same in every coding. Blocks for as long as that takes.
  pub(super) fn compressed(&self, effort: Effort) -> io::Result<Self> {
    let json = self.body(Coding::Identity);
    let [identity, gzip, zstd, br] = Coding::ALL.map(|coding| coding.encode(json, effort));
    Ok(Self {
      bodies: [identity?, gzip?, zstd?, br?],
      ..self.clone()
    })
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

  fn plain(answer: &impl Serialize, etag: Option<HeaderValue>, last_fetched: Option<UtcTime>) -> io::Result<Self> {
    let json = Bytes::from(serde_json::to_vec(answer)?);
    Ok(Self {
      bodies: Coding::ALL.map(|_| json.clone()),
      etag,
      last_fetched: last_fetched.and_then(|time| HeaderValue::try_from(time.to_string()).ok()),
    })
  }
}
