//! What a release must be before anybody is told of it, wherever it came from.

mod cut_text;
mod facts;
mod validate_release;
mod web_base;

pub use facts::{AssetFacts, ReleaseFacts};
pub use validate_release::{InvalidRelease, LeftOut, ReleaseRules, ValidRelease, naming_hints};
pub use web_base::WebBase;
