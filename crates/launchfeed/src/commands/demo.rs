//! `launchfeed demo`: a sample family from a stand-in GitHub.

use anyhow::anyhow;

use crate::config::DemoSettings;
use crate::outcome::{Failure, Outcome};
use crate::printer::Printer;

pub(crate) fn demo(_settings: DemoSettings, _printer: &mut Printer) -> Result<Outcome, Failure> {
  Err(Failure::Failed(anyhow!("`demo` is not wired yet")))
}
