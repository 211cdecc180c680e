//! One answer, ready to be sent.

use std::io;

use bytes::Bytes;
use feed_types::{AppAnswer, ReleaseInfoAnswer, UtcTime};
use http::HeaderValue;
use serde::Serialize;

use super::coding::{Coding, Effort};
use super::kernel_copy::KernelCopy;
use super::meaning::{etag_of_all, etag_of_one};

/// A body in every content coding, and what its headers say.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct EncodedAnswer {
  /// By [`Coding`], in its order.
  bodies: [Bytes; Coding::ALL.len()],
  /// By [`Coding`], in its order.
  lengths: [HeaderValue; Coding::ALL.len()],
  /// Of the body as it is.
  kernel_copy: KernelCopy,
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
    let bodies = [identity?, gzip?, zstd?, br?];
    Ok(Self {
      lengths: lengths_of(&bodies),
      bodies,
      ..self.clone()
    })
  }

  /// The same with a copy of a long body in the kernel's hands.
  pub(super) fn with_kernel_copy(self) -> Self {
    Self {
      kernel_copy: KernelCopy::of(self.body(Coding::Identity)),
      ..self
    }
  }

  /// The body in a coding.
  pub fn body(&self, coding: Coding) -> &Bytes {
    &self.bodies[coding as usize]
  }

  /// The length of the body in a coding.
  pub fn length(&self, coding: Coding) -> &HeaderValue {
    &self.lengths[coding as usize]
  }

  /// The copy of the body as it is that the kernel can send by itself, where there is one.
  pub fn kernel_copy(&self) -> &KernelCopy {
    &self.kernel_copy
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
    let bodies = Coding::ALL.map(|_| json.clone());
    Ok(Self {
      lengths: lengths_of(&bodies),
      bodies,
      kernel_copy: KernelCopy::default(),
      etag,
      last_fetched: last_fetched.and_then(|time| HeaderValue::try_from(time.to_string()).ok()),
    })
  }
}

fn lengths_of(bodies: &[Bytes; Coding::ALL.len()]) -> [HeaderValue; Coding::ALL.len()] {
  bodies.each_ref().map(|body| HeaderValue::from(body.len()))
}
