//! The settings: whether they can be used, what is odd about them, and what they amount to.

use super::finding::Finding;
use super::words::counted;
use crate::config::{CatalogSource, Examined, Settings};

pub(super) const NAME: &str = "configuration";
const WRONG: &str = "put it right: a start is refused; `launchfeed serve --help` explains every setting";
const ODD: &str = "put it right, or leave it if it is meant so; `launchfeed serve --help` explains every setting";

pub(super) fn check(examined: &Examined) -> Vec<Finding> {
  let errors = examined.errors.iter().map(|error| Finding::wrong(NAME, error, WRONG));
  let warnings = examined.warnings.iter().map(|odd| Finding::warning(NAME, odd, ODD));
  let mut findings: Vec<Finding> = errors.chain(warnings).collect();
  if examined.errors.is_empty() {
    findings.push(Finding::ok(NAME, summary(&examined.settings)));
  }
  findings
}

fn summary(settings: &Settings) -> String {
  let apps = counted(settings.source.catalog.len(), "app");
  let source = match &settings.source.catalog_source {
    CatalogSource::BuiltIn => "the built-in list".to_owned(),
    CatalogSource::List => "the list given".to_owned(),
    CatalogSource::File(path) => path.display().to_string(),
  };
  let polling = if settings.polling.enabled {
    format!("asked about every {} s", settings.polling.interval.as_secs())
  } else {
    "not asked about (polling is off)".to_owned()
  };
  format!("{apps} of {source}, {polling}")
}
