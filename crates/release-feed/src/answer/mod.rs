//! The one answer that every route reads: built when something changed, already encoded.

mod published;

pub use published::{Publication, PublishedAnswer};
