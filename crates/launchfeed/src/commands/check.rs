//! `launchfeed check`: ask once about every app.

use anyhow::anyhow;

use crate::config::CheckSettings;
use crate::outcome::{Failure, Outcome};
use crate::printer::Printer;

pub(crate) fn check(_settings: CheckSettings, _json: bool, _printer: &mut Printer) -> Result<Outcome, Failure> {
  Err(Failure::Failed(anyhow!("`check` is not wired yet")))
}
