//! The reports as a table for people.

use comfy_table::presets::NOTHING;
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table};

use super::app_report::AppReport;
use crate::printer::Field;

const HEADER: [&str; 8] = [
  "APP",
  "REPO",
  "TAG",
  "PUBLISHED",
  "ASSETS",
  "RECOGNISED",
  "WITH DIGEST",
  "WHAT'S WRONG",
];
/// The columns that hold numbers.
const NUMBERS: std::ops::RangeInclusive<usize> = 4..=6;
const NOTHING_THERE: &str = "-";

/// A header and a row for each app, aligned, however wide the terminal is.
pub(super) fn table(reports: &[AppReport]) -> String {
  let mut table = Table::new();
  table
    .load_style(NOTHING)
    .set_content_arrangement(ContentArrangement::Disabled)
    .set_header(HEADER);
  for column in table.column_iter_mut() {
    column.set_padding((0, 2));
  }
  for report in reports {
    let cells = row(report).into_iter().enumerate().map(|(number, text)| {
      let alignment = if NUMBERS.contains(&number) {
        CellAlignment::Right
      } else {
        CellAlignment::Left
      };
      Cell::new(text).set_alignment(alignment)
    });
    table.add_row(cells);
  }
  table
    .lines()
    .map(|line| line.trim_end().to_owned())
    .collect::<Vec<_>>()
    .join("\n")
}

fn row(report: &AppReport) -> [String; 8] {
  let text = |text: Option<String>| text.map_or_else(|| NOTHING_THERE.to_owned(), |text| Field(&text).to_string());
  let count = |count: usize| {
    if report.tag.is_some() {
      count.to_string()
    } else {
      NOTHING_THERE.to_owned()
    }
  };
  [
    report.app.clone(),
    report.repo.clone(),
    text(report.tag.clone()),
    text(report.published_at.map(|time| time.to_string())),
    count(report.assets),
    count(report.recognised),
    count(report.with_digest),
    what_is_wrong(report),
  ]
}

fn what_is_wrong(report: &AppReport) -> String {
  let mut parts: Vec<String> = report.failure.iter().cloned().collect();
  parts.extend(report.advice.map(str::to_owned));
  parts.extend(report.note.clone());
  if !report.left_out.is_empty() {
    parts.push(format!("{} not listed", report.left_out.len()));
  }
  if !report.unrecognised.is_empty() {
    parts.push(format!("{} not recognised", report.unrecognised.len()));
  }
  if !report.checksum_conflicts.is_empty() {
    parts.push(format!("{} with two SHA-256", report.checksum_conflicts.len()));
  }
  if !report.unused_patterns.is_empty() {
    parts.push(format!("patterns that match no file: {}", report.unused_patterns.len()));
  }
  Field(&parts.join("; ")).to_string()
}
