//! The command line.

mod args;
mod name_args;
mod run;
mod words;

pub(crate) use args::HealthCommandArgs;
pub(crate) use name_args::{ClassifyArgs, PickArgs};
pub use run::run;
