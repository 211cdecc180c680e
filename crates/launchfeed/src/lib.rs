//! Launchfeed's server: configuration, HTTP and subcommands around the heart, which is the crate `release-feed`.
//!
//! A library so that its parts can be tested from outside; the program only calls [`run`].

pub mod config;
pub mod http;
pub mod lifecycle;

mod admin;
mod cli;
mod commands;
mod fleet;
mod github;
mod harmful;
mod logging;
mod outcome;
mod printer;
mod serving;
mod state_folder;
mod traces;

pub use cli::run;
