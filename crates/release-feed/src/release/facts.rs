//! What GitHub says of a release beyond the contract, for whoever has to tell one from another. None of it counts as a change: counters
//! move all the time.

use feed_types::UtcTime;
use serde::{Deserialize, Serialize};

/// The state of a file that is there; any other is one of how far it came.
const UPLOADED: &str = "uploaded";

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

impl ReleaseFacts {
  /// The files that GitHub says aren't uploaded yet, by name.
  pub fn not_uploaded(&self) -> impl Iterator<Item = &str> {
    let assets = self.assets.iter().filter(|asset| !asset.is_uploaded());
    assets.map(|asset| asset.name.as_str())
  }
}

impl AssetFacts {
  /// Whether it can be downloaded, which is so too where GitHub doesn't say.
  pub fn is_uploaded(&self) -> bool {
    self.state.as_deref().is_none_or(|state| state == UPLOADED)
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn a_file_of_another_state_than_uploaded_is_not_uploaded_yet() {
    let assets = [
      ("a", Some("uploaded")),
      ("b", Some("starter")),
      ("c", None),
      ("d", Some("open")),
    ];
    let assets = assets.map(|(name, state)| AssetFacts {
      name: name.to_owned(),
      state: state.map(str::to_owned),
      ..AssetFacts::default()
    });
    let facts = ReleaseFacts {
      assets: assets.into(),
      ..ReleaseFacts::default()
    };
    assert_eq!(facts.not_uploaded().collect::<Vec<_>>(), ["b", "d"]);
  }
}
