//! Starts the log, and hands spans to whoever wants them.

use std::io::{self, IsTerminal};

use tracing_subscriber::filter::{FilterExt, filter_fn};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Registry};

use super::json_lines::JsonLines;
use super::panics::log_panics;
use super::text_fields::TextFields;
use crate::config::{LogFormat, LogSettings};

/// Any value but an empty one asks for no colours.
const NO_COLOR: &str = "NO_COLOR";

/// What the client of Redis says of a cluster in trouble, line by line, is said once by us; whoever names it gets it all the same.
const QUIET: &str = "redis=off";

/// Something that takes events or spans.
pub(crate) type BoxedLayer = Box<dyn Layer<Registry> + Send + Sync>;

/// Starts the log, and `spans` beside it. A second call changes nothing.
pub(crate) fn init(settings: &LogSettings, spans: Option<BoxedLayer>) {
  let layers: Vec<BoxedLayer> = [log(settings)].into_iter().chain(spans).collect();
  if tracing_subscriber::registry().with(layers).try_init().is_ok() {
    log_panics();
  }
}

/// The log knows events alone: without spans there is nothing to put before every line, and where nobody else wants spans they cost
/// nothing.
fn log(settings: &LogSettings) -> BoxedLayer {
  let wants_color = std::env::var_os(NO_COLOR).is_none_or(|value| value.is_empty());
  let filter = EnvFilter::new(format!("{QUIET},{}", settings.filter)).and(filter_fn(|metadata| metadata.is_event()));
  let layer = fmt::layer()
    .with_writer(io::stderr)
    .with_ansi(wants_color && io::stderr().is_terminal())
    // It would report a closed standard error to standard error, and panic.
    .log_internal_errors(false)
    .fmt_fields(TextFields);
  match settings.format {
    LogFormat::Text => layer.with_filter(filter).boxed(),
    LogFormat::Json => layer.event_format(JsonLines).with_filter(filter).boxed(),
  }
}
