//! The subcommand.

use anyhow::Context;
use release_feed::github::ReleaseSource;
use serde::Serialize;
use tokio::runtime::Builder;

use super::app_report::AppReport;
use super::ask_all::ask_all;
use super::table::table;
use crate::config::CheckSettings;
use crate::github::github_source;
use crate::outcome::{Failure, Outcome};
use crate::printer::{Field, Printer};

/// What a program reads.
#[derive(Serialize)]
struct CheckReport<'r> {
  /// Whether no app failed and every token is taken.
  ok: bool,
  token_refused: bool,
  apps: &'r [AppReport],
}

/// Asks once about every app and prints what came; trouble where any app failed, or a token is refused.
pub(crate) fn check(settings: CheckSettings, json: bool, printer: &mut Printer) -> Result<Outcome, Failure> {
  let source = github_source(&settings.source.github)?;
  let runtime = Builder::new_current_thread().enable_all().build();
  let runtime = runtime.context("starting").map_err(Failure::Failed)?;
  let reports = runtime.block_on(ask_all(&settings.source.catalog, &source));
  let failed = reports.iter().filter(|report| report.failure.is_some()).count();
  let token_refused = source.askers().iter().any(|asker| asker.is_refused);
  let ok = failed == 0 && !token_refused;
  if json {
    let report = CheckReport {
      ok,
      token_refused,
      apps: &reports,
    };
    let text = serde_json::to_string_pretty(&report)
      .context("JSON")
      .map_err(Failure::Failed)?;
    printer.result(text)?;
  } else {
    printer.result(table(&reports))?;
    printer.flush()?;
    note_details(&reports, printer);
    if failed > 0 {
      printer.note(format_args!("{failed} of {} apps failed", reports.len()));
    }
  }
  printer.flush()?;
  Ok(if ok { Outcome::Done } else { Outcome::FoundTrouble })
}

/// Names what the table only counts.
fn note_details(reports: &[AppReport], printer: &mut Printer) {
  for report in reports {
    for name in &report.unrecognised {
      printer.note(format_args!("{}: not recognised: {}", report.app, Field(name)));
    }
    for file in &report.left_out {
      printer.note(format_args!("{}: not listed: {} ({})", report.app, file.name, file.why));
    }
    for name in &report.checksum_conflicts {
      printer.note(format_args!(
        "{}: GitHub and the release's checksum files say different SHA-256, so it is served without any: {}",
        report.app,
        Field(name)
      ));
    }
    for pattern in &report.unused_patterns {
      printer.note(format_args!(
        "{}: no file of the release matches the pattern {}",
        report.app,
        Field(pattern)
      ));
    }
  }
}
