//! One question for each app, one after the other.

use std::fmt;

use indicatif::{ProgressBar, ProgressStyle};
use release_feed::catalog::{AppKey, Catalog, CatalogApp};
use release_feed::github::{Ask, Outcome, ReleaseSource};

use super::advice::{MISSING_REPOSITORY, NOTHING_FITS, ODD_CONFIRMATION, TOO_MUCH, USED_UP};
use super::app_report::AppReport;
use crate::github::Github;

/// Why GitHub wants to be left alone.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Limit {
  /// Whoever would ask has no requests left.
  UsedUp,
  /// Too much at once, or something else that it limits; requests may be left.
  TooMuch,
}

impl Limit {
  /// What there is after an answer that said so.
  fn of(source: &impl ReleaseSource) -> Self {
    if source.used_up_until().is_some() {
      Self::UsedUp
    } else {
      Self::TooMuch
    }
  }

  fn advice(self) -> &'static str {
    match self {
      Self::UsedUp => USED_UP,
      Self::TooMuch => TOO_MUCH,
    }
  }
}

impl fmt::Display for Limit {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(match self {
      Self::UsedUp => "GitHub's rate limit is used up",
      Self::TooMuch => "GitHub wants to be left alone (too much at once)",
    })
  }
}

/// Asks about every app in the order of the keys. A progress line is shown where standard error is a terminal.
pub(super) async fn ask_all(catalog: &Catalog, source: &Github) -> Vec<AppReport> {
  let progress = progress_line(catalog.len());
  let mut reports = Vec::with_capacity(catalog.len());
  let mut limit: Option<Limit> = None;
  for (key, app) in catalog.apps() {
    progress.set_message(key.to_string());
    let report = AppReport::empty(key, app);
    reports.push(if let Some(limit) = limit {
      report.failed(format_args!("not asked: {limit}"), None)
    } else {
      let outcome = source.latest_release(Ask { key, app, known: None }).await;
      if matches!(outcome, Outcome::RateLimited { .. }) {
        limit = Some(Limit::of(source));
      }
      judge(report, key, app, source, outcome).await
    });
    progress.inc(1);
  }
  progress.finish_and_clear();
  reports
}

async fn judge(report: AppReport, key: &AppKey, app: &CatalogApp, source: &Github, outcome: Outcome) -> AppReport {
  match outcome {
    Outcome::Release(answer) => {
      let conflicts = source.checksum_conflicts(key, &answer.valid.release.tag);
      let report = report.released(key, app, answer.valid).contradicted(conflicts);
      if app.releases.is_default() {
        report
      } else {
        report.noted(format!("chosen: {}", app.releases))
      }
    }
    Outcome::NoRelease => match source.has_repository(&app.repo).await {
      Ok(true) if app.releases.is_default() => report.noted("the repository has no release"),
      Ok(true) => report.failed(
        format!("nothing to choose: there is no release that is {}", app.releases),
        Some(NOTHING_FITS),
      ),
      Ok(false) => report.failed(
        "there is no such repository, or the token may not see it",
        Some(MISSING_REPOSITORY),
      ),
      Err(failure) => report.fetch_failed(&failure),
    },
    Outcome::RateLimited { retry_at } => {
      let until = retry_at
        .and_then(|at| at.to_utc_time())
        .map(|until| format!(" until {until}"));
      let limit = Limit::of(source);
      report.failed(
        format_args!("{limit}{}", until.unwrap_or_default()),
        Some(limit.advice()),
      )
    }
    Outcome::Failed(failure) => report.fetch_failed(&failure),
    Outcome::NotModified { .. } => report.failed(
      "GitHub confirmed a release that it was not asked to confirm",
      Some(ODD_CONFIRMATION),
    ),
  }
}

fn progress_line(apps: usize) -> ProgressBar {
  let progress = ProgressBar::new(apps as u64);
  // The template is a constant; with a wrong one the default style would be shown.
  if let Ok(style) = ProgressStyle::with_template("asking GitHub {pos}/{len} {msg}") {
    progress.set_style(style);
  }
  progress
}
