//! The fields of a line for people: `message name=value …`, as tracing-subscriber writes them, but escaped and bounded.

use std::error::Error;
use std::fmt::{self, Debug};

use tracing::field::{Field, Visit};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::FormatFields;
use tracing_subscriber::fmt::format::Writer;

use super::escape::{Bounded, Chain};

const MESSAGE: &str = "message";
/// What begins the names of fields that tell about a record of the crate `log`; they are shown elsewhere in the line.
const OF_LOG: &str = "log.";
const ITALIC: &str = "\u{1b}[3m";
const DIMMED: &str = "\u{1b}[2m";
const PLAIN: &str = "\u{1b}[0m";

/// Writes fields for people.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextFields;

impl<'writer> FormatFields<'writer> for TextFields {
  fn format_fields<R: RecordFields>(&self, writer: Writer<'writer>, fields: R) -> fmt::Result {
    let mut visitor = TextVisitor {
      writer,
      is_empty: true,
      result: Ok(()),
    };
    fields.record(&mut visitor);
    visitor.result
  }
}

struct TextVisitor<'writer> {
  writer: Writer<'writer>,
  is_empty: bool,
  result: fmt::Result,
}

impl TextVisitor<'_> {
  fn write(&mut self, name: &str, value: fmt::Arguments<'_>) -> fmt::Result {
    if !std::mem::replace(&mut self.is_empty, false) {
      self.writer.write_char(' ')?;
    }
    if name != MESSAGE {
      let name = name.trim_start_matches("r#");
      if self.writer.has_ansi_escapes() {
        write!(self.writer, "{ITALIC}{name}{PLAIN}{DIMMED}={PLAIN}")?;
      } else {
        write!(self.writer, "{name}=")?;
      }
    }
    Bounded::escaping(&mut self.writer).write_value(value)
  }
}

impl Visit for TextVisitor<'_> {
  fn record_str(&mut self, field: &Field, value: &str) {
    if field.name() == MESSAGE {
      self.record_debug(field, &format_args!("{value}"));
    } else {
      self.record_debug(field, &value);
    }
  }

  fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
    self.record_debug(field, &format_args!("{}", Chain(value)));
  }

  fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
    if self.result.is_ok() && !field.name().starts_with(OF_LOG) {
      self.result = self.write(field.name(), format_args!("{value:?}"));
    }
  }
}
