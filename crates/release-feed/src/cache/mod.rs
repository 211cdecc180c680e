//! What we know of every app, and what is said of it.

mod app_entry;
mod release_cache;

pub use app_entry::{AppEntry, Change, Fetch, Wait};
pub use release_cache::ReleaseCache;
