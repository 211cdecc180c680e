//! What an operator decides about files that were replaced under their tag.

use serde::{Deserialize, Serialize};

use super::changed_files::ReplacedFile;
use super::fingerprint::Fingerprint;
use super::told::Told;

/// An app's policy.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Policy {
  /// What becomes of replaced files.
  pub on_replaced: OnReplacedAsset,
  /// The files that an operator accepted although they were replaced.
  pub accepted: Option<Fingerprint>,
}

/// What becomes of a release that has other bytes under a tag and a name that were served before.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OnReplacedAsset {
  /// It is served, and the replaced files are told.
  #[default]
  Serve,
  /// What was served goes on being served, whole, until an operator accepts the new files. Nothing else overrules this, also not
  /// that another instance settled it.
  Hold,
}

impl Policy {
  /// The fingerprint under which what is told would have to be accepted; `None` where it needn't be.
  pub(super) fn holds(&self, told: &Told, replaced: &[ReplacedFile]) -> Option<Fingerprint> {
    let is_suspicious = replaced.iter().any(|file| file.other_bytes);
    if self.on_replaced == OnReplacedAsset::Serve || !is_suspicious {
      return None;
    }
    let fingerprint = Fingerprint::of(told);
    (self.accepted.as_ref() != Some(&fingerprint)).then_some(fingerprint)
  }
}
