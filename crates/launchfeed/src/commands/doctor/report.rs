//! The findings as lines for people, and as JSON for programs.

use anyhow::Context;
use serde::Serialize;

use super::finding::{Finding, Verdict};
use super::words::counted;
use crate::outcome::Failure;
use crate::printer::Printer;

/// The longest of the words for a verdict, and what separates columns.
const MARK_WIDTH: usize = 7;

/// What a program reads.
#[derive(Serialize)]
struct Report<'f> {
  /// Whether nothing is wrong.
  ok: bool,
  findings: &'f [Finding],
}

/// Prints everything; whether nothing is wrong.
pub(super) fn print(findings: &[Finding], json: bool, printer: &mut Printer) -> Result<bool, Failure> {
  let count = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count();
  let ok = count(Verdict::Wrong) == 0;
  if json {
    let report = Report { ok, findings };
    let text = serde_json::to_string_pretty(&report)
      .context("JSON")
      .map_err(Failure::Failed)?;
    printer.result(text)?;
  } else {
    for line in lines(findings) {
      printer.result(line)?;
    }
    printer.flush()?;
    printer.note(format_args!(
      "{} wrong, {}",
      count(Verdict::Wrong),
      counted(count(Verdict::Warning), "warning")
    ));
  }
  printer.flush()?;
  Ok(ok)
}

/// A line for each finding, and one below it with what to do.
fn lines(findings: &[Finding]) -> Vec<String> {
  let name = |finding: &Finding| finding.check.replace('_', " ");
  let width = findings
    .iter()
    .map(|finding| name(finding).len())
    .max()
    .unwrap_or_default();
  let mut lines = Vec::new();
  for finding in findings {
    let Finding { verdict, what, .. } = finding;
    lines.push(format!("{verdict:MARK_WIDTH$}  {:width$}  {what}", name(finding)));
    if let Some(advice) = &finding.advice {
      lines.push(format!("{:MARK_WIDTH$}  {:width$}    {advice}", "", ""));
    }
  }
  lines
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn findings_are_aligned_and_what_to_do_stands_below() {
    let findings = [
      Finding::ok("redis", "well"),
      Finding::wrong("public_url", "bad", "mend it"),
      Finding::not_applicable("token", "none"),
    ];
    let expected = [
      "ok       redis       well",
      "wrong    public url  bad",
      "                       mend it",
      "-        token       none",
    ];
    assert_eq!(lines(&findings), expected);
  }
}
