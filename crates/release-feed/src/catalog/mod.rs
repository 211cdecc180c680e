//! Which apps there are: the built-in family, a list in the environment, or a file.

mod app_key;
mod app_list;
mod build_table;
mod built_in;
mod catalog_file;
mod family;
mod release_choice;
mod release_fields;
mod repo_name;

pub use app_key::{AppKey, InvalidAppKey};
pub use app_list::{SkippedEntry, parse_app_list};
pub use catalog_file::{CatalogFileError, parse_catalog_file};
pub use family::{Catalog, CatalogApp, InvalidDisplayName, check_display_name};
pub use release_choice::{InvalidTag, PinnedTag, ReleaseChoice, Select, TagPrefix};
pub use repo_name::{InvalidRepoName, RepoName};
