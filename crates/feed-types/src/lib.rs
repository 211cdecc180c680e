//! The types of the v1 answer, `GET /v1/craft_apps/release_info`: what a Launchfeed server writes and any launcher reads.
//!
//! Writing is exact: every field is always present, `null` rather than left out, in a stable order. Reading is lenient, since
//! servers and launchers of many ages meet here: unknown fields are ignored, a missing field or one of the wrong type reads
//! as its default, an entry of a list that can't be read is skipped, and a word outside the closed vocabularies makes that one
//! asset's `platform` `null` and touches nothing else.
//!
//! No I/O. With the feature `openapi` every type has a schema for the OpenAPI document.

mod answer;
mod app;
mod asset_build;
mod notices;
mod platform;
mod release;
mod renames;
mod utc_time;

pub use answer::{AppAnswer, ReleaseInfo, ReleaseInfoAnswer};
pub use app::App;
pub use asset_build::AssetBuild;
pub use notices::{Alert, Announcement, ImportantNotices};
pub use platform::{Arch, Os, PackageType, Platform, UnknownWord};
pub use release::{Asset, Release};
pub use renames::{AppRename, RepoRename};
pub use utc_time::{InvalidTime, UtcTime};
