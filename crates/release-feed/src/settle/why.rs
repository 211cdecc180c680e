//! Why something isn't served yet.

use std::mem::discriminant;

use feed_types::Platform;
use serde::{Deserialize, Serialize};

use super::changed_files::ReplacedFile;
use super::fingerprint::Fingerprint;
use crate::clock::UnixMs;

/// Why a candidate waits.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
  /// A release waits for files.
  Waiting {
    /// Platforms that the served release has a file for and the candidate hasn't.
    missing: Vec<Platform>,
    /// The candidate's files that GitHub says aren't uploaded yet.
    not_uploaded: Vec<String>,
    /// Until when it waits at the most.
    until: UnixMs,
  },
  /// Something is taken away: an older release, none, or less of the same. It is believed if it is said again.
  TakingBack {
    /// The tag that is served, if a release is.
    served: Option<String>,
    /// Under the same tag the files that are gone; none where it is as it was once before.
    gone: Vec<String>,
    /// From when on it is believed.
    believed_from: UnixMs,
  },
  /// Files were replaced under their tag, and the policy holds them.
  Held {
    /// Which.
    replaced: Vec<ReplacedFile>,
    /// By what an operator accepts them.
    fingerprint: Fingerprint,
  },
}

impl Why {
  /// Whether a release waits for files.
  pub(super) fn is_waiting(&self) -> bool {
    matches!(self, Self::Waiting { .. })
  }

  /// Whether both are of one kind.
  pub(super) fn is_like(&self, other: &Self) -> bool {
    discriminant(self) == discriminant(other)
  }

  pub(super) fn shift_times(&mut self, milliseconds: i64) {
    match self {
      Self::Waiting { until: time, .. }
      | Self::TakingBack {
        believed_from: time, ..
      } => {
        *time = time.shifted_by_ms(milliseconds);
      }
      Self::Held { .. } => {}
    }
  }
}
