//! The one place that writes to standard output and standard error.
//!
//! Results go to standard output, everything else to standard error. A reader that goes away (`| head`) is no error of ours: it
//! comes back as [`Failure::Output`], ends the command and exits quietly. What can't be written to standard error is lost.

use std::fmt::{self, Display, Write as _};
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use crate::harmful::is_harmful;
use crate::outcome::Failure;

/// Standard output and standard error.
pub(crate) struct Printer {
  results: BufWriter<Stdout>,
  /// Whether somebody watches, so that each line is shown at once.
  is_watched: bool,
}

impl Printer {
  pub(crate) fn new() -> Self {
    let stdout = io::stdout();
    Self {
      is_watched: stdout.is_terminal(),
      results: BufWriter::new(stdout),
    }
  }

  /// Writes a line of the result.
  pub(crate) fn result(&mut self, line: impl Display) -> Result<(), Failure> {
    writeln!(self.results, "{line}").map_err(Failure::Output)?;
    if self.is_watched { self.flush() } else { Ok(()) }
  }

  /// Hands over what was written. Whatever prints results ends with this, so that their loss is noticed.
  pub(crate) fn flush(&mut self) -> Result<(), Failure> {
    self.results.flush().map_err(Failure::Output)
  }

  /// Says something beside the result; what is harmful is escaped, but for line ends.
  pub(crate) fn note(&mut self, text: impl Display) {
    let mut safe = String::new();
    let _ = write!(Escaping(&mut safe), "{text}");
    let _ = writeln!(io::stderr(), "{}", safe.trim_end_matches('\n'));
  }

  /// Says why it failed, a line each.
  pub(crate) fn failure(&mut self, failure: &Failure) {
    for line in failure.to_string().lines() {
      self.note(format_args!("launchfeed: {line}"));
    }
  }
}

/// Text with what is harmful written as escapes, but for line ends: a file's name must not steer a terminal.
struct Escaping<W>(W);

impl<W: fmt::Write> fmt::Write for Escaping<W> {
  fn write_str(&mut self, text: &str) -> fmt::Result {
    for c in text.chars() {
      if is_harmful(c) && c != '\n' {
        write!(self.0, "{}", c.escape_default())?;
      } else {
        self.0.write_char(c)?;
      }
    }
    Ok(())
  }
}

/// A text as one field of a line: what is harmful, tabs and line ends included, is written as escapes.
pub(crate) struct Field<'t>(pub(crate) &'t str);

impl Display for Field<'_> {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for c in self.0.chars() {
      if is_harmful(c) {
        write!(f, "{}", c.escape_default())?;
      } else {
        f.write_char(c)?;
      }
    }
    Ok(())
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn what_is_harmful_is_escaped_in_notes_and_fields() {
    let mut safe = String::new();
    write!(Escaping(&mut safe), "a\tb\u{1b}[31m\nc\u{9b}\u{202e}\u{2028}é").unwrap();
    assert_eq!(safe, "a\\tb\\u{1b}[31m\nc\\u{9b}\\u{202e}\\u{2028}é");
    assert_eq!(
      Field("a\tb\nc\r\0\u{200b}é").to_string(),
      "a\\tb\\nc\\r\\u{0}\\u{200b}é"
    );
  }
}
