//! `launchfeed check`: ask once about every app and say what came.

mod advice;
mod app_report;
mod ask_all;
mod check_apps;
mod table;

pub(crate) use check_apps::check;
