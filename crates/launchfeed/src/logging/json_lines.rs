//! Lines for programs: an object each, its fields beside `timestamp`, `level` and `target`, bounded like those of the lines for people.

use std::error::Error;
use std::fmt::{self, Debug, Write as _};

use serde::Serialize;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_log::NormalizeEvent;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use super::escape::{Bounded, Chain};
use crate::harmful::is_harmful;

/// What begins the names of fields that tell about a record of the crate `log`; the target and the level tell it already.
const OF_LOG: &str = "log.";

/// Writes each event as a JSON object on a line of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct JsonLines;

impl<S, N> FormatEvent<S, N> for JsonLines
where
  S: Subscriber + for<'lookup> LookupSpan<'lookup>,
  N: for<'writer> FormatFields<'writer> + 'static,
{
  fn format_event(&self, _: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
    let normalized = event.normalized_metadata();
    let metadata = normalized.as_ref().unwrap_or_else(|| event.metadata());
    let mut timestamp = String::new();
    SystemTime.format_time(&mut Writer::new(&mut timestamp))?;
    let mut line = Line(String::from("{"));
    line.member("timestamp", &timestamp);
    line.member("level", metadata.level().as_str());
    event.record(&mut line);
    line.text("target", format_args!("{}", metadata.target()));
    line.0.push('}');
    writeln!(writer, "{}", line.0)
  }
}

/// An object that is being written.
struct Line(String);

impl Line {
  fn text(&mut self, name: &str, value: fmt::Arguments<'_>) {
    let mut text = String::new();
    // What can't be shown in full is shown as far as it went.
    let _ = Bounded::raw(&mut text).write_value(value);
    self.member(name, &text);
  }

  fn field<V: Serialize>(&mut self, field: &Field, value: &V) {
    if !field.name().starts_with(OF_LOG) {
      self.member(field.name(), value);
    }
  }

  fn member<V: Serialize + ?Sized>(&mut self, name: &str, value: &V) {
    if !self.0.ends_with('{') {
      self.0.push(',');
    }
    self.json(name.trim_start_matches("r#"));
    self.0.push(':');
    self.json(value);
  }

  /// Strings are all in which something harmful can stand, and there it can be escaped.
  fn json<V: Serialize + ?Sized>(&mut self, value: &V) {
    let json = serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned());
    for c in json.chars() {
      if is_harmful(c) {
        for unit in c.encode_utf16(&mut [0; 2]) {
          let _ = write!(self.0, "\\u{unit:04x}");
        }
      } else {
        self.0.push(c);
      }
    }
  }
}

impl Visit for Line {
  fn record_f64(&mut self, field: &Field, value: f64) {
    self.field(field, &value);
  }

  fn record_i64(&mut self, field: &Field, value: i64) {
    self.field(field, &value);
  }

  fn record_u64(&mut self, field: &Field, value: u64) {
    self.field(field, &value);
  }

  fn record_bool(&mut self, field: &Field, value: bool) {
    self.field(field, &value);
  }

  fn record_str(&mut self, field: &Field, value: &str) {
    self.record_debug(field, &format_args!("{value}"));
  }

  fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
    self.record_debug(field, &format_args!("{}", Chain(value)));
  }

  fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
    if !field.name().starts_with(OF_LOG) {
      self.text(field.name(), format_args!("{value:?}"));
    }
  }
}
