//! Starts the log, and hands spans to whoever wants them.

use std::io::{self, IsTerminal};

use tracing_appender::non_blocking::{NonBlocking, NonBlockingBuilder, WorkerGuard};
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

/// Lines that may wait for whoever reads standard error; 2 KiB a field bound each. Beyond that they are lost.
const MAX_WAITING_LINES: usize = 4_096;

/// Starts the log, and `spans` beside it. What waits is written when what comes back is dropped, for a second or so at most. A second
/// call changes nothing.
///
/// Nobody who logs waits for whoever reads the log: a reader that hangs costs lines, and nothing else.
pub(crate) fn init(settings: &LogSettings, spans: Option<BoxedLayer>) -> WorkerGuard {
  let (lines, written_at_the_end) = NonBlockingBuilder::default()
    .buffered_lines_limit(MAX_WAITING_LINES)
    .lossy(true)
    .thread_name("log")
    .finish(io::stderr());
  let layers: Vec<BoxedLayer> = [log(settings, lines)].into_iter().chain(spans).collect();
  if tracing_subscriber::registry().with(layers).try_init().is_ok() {
    log_panics();
  }
  written_at_the_end
}

/// The log knows events alone: without spans there is nothing to put before every line, and where nobody else wants spans they cost
/// nothing.
fn log(settings: &LogSettings, lines: NonBlocking) -> BoxedLayer {
  let wants_color = std::env::var_os(NO_COLOR).is_none_or(|value| value.is_empty());
  let filter = EnvFilter::new(format!("{QUIET},{}", settings.filter)).and(filter_fn(|metadata| metadata.is_event()));
  let layer = fmt::layer()
    .with_writer(lines)
    .with_ansi(wants_color && io::stderr().is_terminal())
    // It would report a closed standard error to standard error, and panic.
    .log_internal_errors(false)
    .fmt_fields(TextFields);
  match settings.format {
    LogFormat::Text => layer.with_filter(filter).boxed(),
    LogFormat::Json => layer.event_format(JsonLines).with_filter(filter).boxed(),
  }
}
