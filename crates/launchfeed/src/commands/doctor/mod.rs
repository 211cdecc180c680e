//! `launchfeed doctor`: looks at everything that a server depends on, and says of each thing whether it is well and what to do.

mod admin_listen;
mod clock;
mod configuration;
mod finding;
mod github;
mod listen;
mod public_url;
mod redis;
mod report;
mod run_doctor;
mod state_folder;
mod token;
mod traces;
mod words;

pub(crate) use run_doctor::doctor;
