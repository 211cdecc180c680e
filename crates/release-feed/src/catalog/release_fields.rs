//! `tag_prefix`, `select` and `pinned_tag` of an app's table.

use serde::Deserialize;
use toml::Spanned;

use super::release_choice::{PinnedTag, ReleaseChoice, Select, TagPrefix};

const LATEST: &str = "latest";
const NEWEST_STABLE_VERSION: &str = "newest-stable-version";

/// The three fields, each of which may be left out.
#[derive(Deserialize)]
pub(super) struct ReleaseFields {
  pub(super) tag_prefix: Option<Spanned<String>>,
  pub(super) select: Option<Spanned<String>>,
  pub(super) pinned_tag: Option<Spanned<String>>,
}

impl ReleaseFields {
  /// The choice that they stand for; or the value that can't be used, and why.
  pub(super) fn read(&self) -> Result<ReleaseChoice, (&Spanned<String>, String)> {
    let tag_prefix = match &self.tag_prefix {
      Some(value) => Some(TagPrefix::read(value.get_ref()).map_err(|error| (value, error.to_string()))?),
      None => None,
    };
    let select = match (&self.pinned_tag, &self.select) {
      (Some(_), Some(value)) => {
        return Err((
          value,
          "a pinned_tag leaves nothing to select: leave one of the two out".to_owned(),
        ));
      }
      (Some(value), None) => {
        Select::Pinned(PinnedTag::read(value.get_ref()).map_err(|error| (value, error.to_string()))?)
      }
      (None, Some(value)) => match value.get_ref().as_str() {
        LATEST => Select::Latest,
        NEWEST_STABLE_VERSION => Select::NewestStableVersion,
        _ => return Err((value, format!("expected \"{LATEST}\" or \"{NEWEST_STABLE_VERSION}\""))),
      },
      (None, None) => Select::Latest,
    };
    let choice = ReleaseChoice { tag_prefix, select };
    match &self.pinned_tag {
      Some(value) if choice.version_of(value.get_ref()).is_none() => Err((
        value,
        "it isn't the app's tag_prefix and a version: correct one of the two, or leave tag_prefix out".to_owned(),
      )),
      _ => Ok(choice),
    }
  }
}
