//! A file as it was served.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::told::Told;

/// By what a file can be told from another one of its name.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub(super) struct KnownFile {
  pub(super) name: String,
  /// GitHub's number for it; what others share has none.
  pub(super) id: Option<u64>,
  /// 0 where GitHub doesn't say.
  pub(super) size_bytes: u64,
  pub(super) sha256: Option<String>,
}

impl KnownFile {
  /// The files that are listed.
  pub(super) fn all_of(told: &Told) -> Vec<Self> {
    let ids: HashMap<&str, u64> = told
      .facts
      .assets
      .iter()
      .filter_map(|asset| Some((asset.name.as_str(), asset.id?)))
      .collect();
    let listed = told.release.iter().flat_map(|release| &release.assets);
    listed
      .map(|asset| Self {
        name: asset.name.clone(),
        id: ids.get(asset.name.as_str()).copied(),
        size_bytes: asset.size_bytes,
        sha256: asset.sha256.clone(),
      })
      .collect()
  }
}
