//! File names, one per line, as `ls`, `gh` or `curl … | jq` give them.

use std::io::{self, BufRead};

use anyhow::Context;

use crate::outcome::Failure;
use crate::printer::Printer;

/// A line of input.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct NameLine {
  /// The name: the line without its end (LF or CRLF), with U+FFFD for what isn't UTF-8.
  pub(super) name: String,
  /// Whether it wasn't UTF-8.
  pub(super) is_lossy: bool,
}

/// The name of a line; says so where it wasn't UTF-8.
pub(super) fn read_name(line: io::Result<NameLine>, printer: &mut Printer) -> Result<String, Failure> {
  let NameLine { name, is_lossy } = line.context("standard input").map_err(Failure::Failed)?;
  if is_lossy {
    printer.note(format_args!("{name}: the name isn't UTF-8"));
  }
  Ok(name)
}

/// Reads names to the end of the input. An empty line is an empty name.
pub(super) fn name_lines(input: impl BufRead) -> impl Iterator<Item = io::Result<NameLine>> {
  input.split(b'\n').map(|line| {
    let mut line = line?;
    if line.last() == Some(&b'\r') {
      line.pop();
    }
    Ok(match String::from_utf8(line) {
      Ok(name) => NameLine { name, is_lossy: false },
      Err(error) => NameLine {
        name: String::from_utf8_lossy(error.as_bytes()).into_owned(),
        is_lossy: true,
      },
    })
  })
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn a_line_ends_with_lf_or_crlf_and_the_last_one_may_have_no_end() {
    assert_eq!(names(b"a.deb\r\nb\r.deb\n\nc.deb"), ["a.deb", "b\r.deb", "", "c.deb"]);
    assert_eq!(names(b"a.deb\n"), ["a.deb"]);
    assert_eq!(names(b""), [""; 0]);
  }

  #[test]
  fn what_is_not_utf_8_is_replaced_and_marked() {
    let lines: Vec<NameLine> = name_lines(&b"a\xFF.deb\nb.deb"[..]).map(Result::unwrap).collect();
    assert_eq!((lines[0].name.as_str(), lines[0].is_lossy), ("a\u{FFFD}.deb", true));
    assert_eq!((lines[1].name.as_str(), lines[1].is_lossy), ("b.deb", false));
  }

  fn names(input: &[u8]) -> Vec<String> {
    name_lines(input).map(|line| line.unwrap().name).collect()
  }
}
