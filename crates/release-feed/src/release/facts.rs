//! What GitHub says of a release beyond the contract, for whoever has to tell one from another. None of it counts as a change: counters
//! move all the time.

use feed_types::UtcTime;
use serde::{Deserialize, Serialize};

/// Of one release.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct ReleaseFacts {
  /// GitHub's number for it, which stays when its tag changes and doesn't come back when it is deleted and made anew.
  pub id: Option<u64>,
  /// When the commit that it was made from was created.
  pub created_at: Option<UtcTime>,
  /// When it was last edited, where GitHub says that.
  pub updated_at: Option<UtcTime>,
  /// Whether GitHub lets nobody change its files; none where it doesn't say.
  pub immutable: Option<bool>,
  /// Its files in GitHub's order, also those that aren't listed.
  pub assets: Vec<AssetFacts>,
}

/// Of one of its files.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct AssetFacts {
  /// GitHub's number for it; a file that is replaced under its name has another.
  pub id: Option<u64>,
  /// Its name.
  pub name: String,
  /// What people are shown instead of it.
  pub label: Option<String>,
  /// Its media type, as whoever uploaded it said.
  pub content_type: Option<String>,
  /// `uploaded`, or how far it came.
  pub state: Option<String>,
  /// When it was created.
  pub created_at: Option<UtcTime>,
  /// When it was last changed.
  pub updated_at: Option<UtcTime>,
  /// How often it was downloaded.
  pub download_count: Option<u64>,
}
