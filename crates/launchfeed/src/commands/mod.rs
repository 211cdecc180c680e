//! The subcommands.

mod check;
mod classify;
mod demo;
mod names_input;
mod pick;
mod serve;

pub(crate) use check::check;
pub(crate) use classify::classify;
pub(crate) use demo::demo;
pub(crate) use pick::pick;
pub(crate) use serve::serve;
