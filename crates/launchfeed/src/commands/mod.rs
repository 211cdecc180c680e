//! The subcommands.

mod check;
mod classify;
mod demo;
mod doctor;
mod health;
mod names_input;
mod openapi;
mod pick;
mod serve;

pub(crate) use check::check;
pub(crate) use classify::classify;
pub(crate) use demo::demo;
pub(crate) use doctor::doctor;
pub(crate) use health::health;
pub(crate) use openapi::openapi;
pub(crate) use pick::pick;
pub(crate) use serve::serve;
