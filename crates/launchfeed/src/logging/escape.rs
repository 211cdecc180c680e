//! What no log line may hold as it is, and how long a field may get.

use std::error::Error;
use std::fmt::{self, Write};

use crate::harmful::is_harmful;

/// Longest field of a line, in bytes, without the mark that it was cut.
pub(super) const MAX_FIELD_BYTES: usize = 2_048;
const CUT: char = '…';

/// Takes a field's text: escapes what is harmful, and ends with `…` where there was more than a line has room for.
pub(super) struct Bounded<W> {
  to: W,
  left: usize,
  is_cut: bool,
  escapes: bool,
}

impl<W: Write> Bounded<W> {
  /// Escapes as Rust does: `\n`, `\u{1b}`.
  pub(super) fn escaping(to: W) -> Self {
    Self {
      to,
      left: MAX_FIELD_BYTES,
      is_cut: false,
      escapes: true,
    }
  }

  /// Leaves characters as they are, for a format that escapes them itself.
  pub(super) fn raw(to: W) -> Self {
    Self {
      escapes: false,
      ..Self::escaping(to)
    }
  }

  /// Writes a value, as much of it as there is room for. The rest isn't even put together.
  pub(super) fn write_value(mut self, value: fmt::Arguments<'_>) -> fmt::Result {
    let written = self.write_fmt(value);
    if self.is_cut {
      return self.to.write_char(CUT);
    }
    written
  }

  fn take(&mut self, bytes: usize) -> fmt::Result {
    if self.is_cut || bytes > self.left {
      self.is_cut = true;
      return Err(fmt::Error);
    }
    self.left -= bytes;
    Ok(())
  }
}

impl<W: Write> Write for Bounded<W> {
  fn write_str(&mut self, text: &str) -> fmt::Result {
    for c in text.chars() {
      if self.escapes && is_harmful(c) {
        let escape = c.escape_default();
        self.take(escape.len())?;
        write!(self.to, "{escape}")?;
      } else {
        self.take(c.len_utf8())?;
        self.to.write_char(c)?;
      }
    }
    Ok(())
  }
}

/// An error with all that stands behind it.
pub(super) struct Chain<'e>(pub(super) &'e (dyn Error + 'static));

impl fmt::Display for Chain<'_> {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{}", self.0)?;
    let mut cause = self.0.source();
    while let Some(error) = cause {
      write!(f, ": {error}")?;
      cause = error.source();
    }
    Ok(())
  }
}

#[cfg(test)]
mod tests {
  use std::io;

  use super::*;

  #[test]
  fn an_error_is_shown_with_its_causes() {
    #[derive(Debug, thiserror::Error)]
    #[error("outer")]
    struct Outer(#[source] io::Error);
    let error = Outer(io::Error::other("inner"));
    assert_eq!(Chain(&error).to_string(), "outer: inner");
  }

  #[test]
  fn what_steers_a_terminal_or_breaks_a_line_is_escaped() {
    let text = "a\r\n\t\0\u{1b}[31m\u{7f}\u{9b}\u{85}\u{2028}\u{202e}\u{2066}é…🚀";
    assert_eq!(
      escaped(text),
      "a\\r\\n\\t\\u{0}\\u{1b}[31m\\u{7f}\\u{9b}\\u{85}\\u{2028}\\u{202e}\\u{2066}é…🚀"
    );
    assert!(!escaped(text).contains(is_harmful));
  }

  #[test]
  fn a_field_is_cut_between_characters_and_escapes() {
    assert_eq!(escaped(&"x".repeat(MAX_FIELD_BYTES)), "x".repeat(MAX_FIELD_BYTES));
    assert_eq!(
      escaped(&"x".repeat(MAX_FIELD_BYTES + 1)),
      format!("{}…", "x".repeat(MAX_FIELD_BYTES))
    );
    assert_eq!(
      escaped(&"ü".repeat(5_000)),
      format!("{}…", "ü".repeat(MAX_FIELD_BYTES / 2))
    );
    let controls = escaped(&"\u{1b}".repeat(5_000));
    assert_eq!(controls, format!("{}…", "\\u{1b}".repeat(MAX_FIELD_BYTES / 6)));
  }

  #[test]
  fn who_goes_on_after_the_cut_is_not_heard() {
    struct Stubborn;
    impl fmt::Display for Stubborn {
      fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let _ = f.write_str(&"x".repeat(MAX_FIELD_BYTES + 1));
        f.write_str("y")
      }
    }
    let mut text = String::new();
    Bounded::escaping(&mut text)
      .write_value(format_args!("{Stubborn}"))
      .unwrap();
    assert!(text.ends_with("x…") && text.len() == MAX_FIELD_BYTES + 3);
  }

  fn escaped(text: &str) -> String {
    let mut safe = String::new();
    Bounded::escaping(&mut safe)
      .write_value(format_args!("{text}"))
      .unwrap();
    safe
  }
}
