//! Pages that change only with the program: the OpenAPI document, and the same for people.

mod docs_view;
mod page;
mod served_pages;
mod words;

pub(super) use served_pages::{__path_docs, __path_openapi_json, Pages, docs, openapi_json};
