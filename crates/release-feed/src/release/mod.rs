//! What a release must be before anybody is told of it, wherever it came from.

mod app_tag;
mod cut_text;
mod facts;
mod validate_release;
mod version;
mod web_base;

pub use app_tag::InvalidRelease;
pub(crate) use app_tag::is_usable_tag;
pub use facts::{AssetFacts, ReleaseFacts};
pub use validate_release::{LeftOut, ReleaseRules, ValidRelease, naming_hints};
pub use version::{LenientVersion, names_prerelease};
pub use web_base::WebBase;
