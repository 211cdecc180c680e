//! The log, on standard error.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;

use crate::config::{LogFormat, LogSettings};

/// Any value but an empty one asks for no colours.
const NO_COLOR: &str = "NO_COLOR";

/// What the client of Redis says of a cluster in trouble, line by line, is said once by us; whoever names it gets it all the same.
const QUIET: &str = "redis=off";

/// Starts the log. A second call changes nothing.
pub fn init(settings: &LogSettings) {
  let wants_color = std::env::var_os(NO_COLOR).is_none_or(|value| value.is_empty());
  let builder = tracing_subscriber::fmt()
    .with_env_filter(EnvFilter::new(format!("{QUIET},{}", settings.filter)))
    .with_writer(io::stderr)
    .with_ansi(wants_color && io::stderr().is_terminal())
    // It would report a closed standard error to standard error, and panic.
    .log_internal_errors(false);
  let _ = match settings.format {
    LogFormat::Text => builder.try_init(),
    LogFormat::Json => builder.json().flatten_event(true).try_init(),
  };
}
