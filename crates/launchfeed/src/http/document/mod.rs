//! The OpenAPI document: what the routes say of themselves, and what all of them share.

mod api_document;
mod described;
mod examples;

pub(super) use api_document::{ApiDocument, DOWNLOADS, RELEASES, THIS_API, complete};
pub(super) use described::{CheapReads, HtmlPage, JsonPage, LinkAnswers, Published};
