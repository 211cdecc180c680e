//! `launchfeed openapi`: the document that `/openapi.json` serves, for those who generate clients or keep a copy.

use anyhow::Context;

use crate::http::api_document;
use crate::outcome::{Failure, Outcome};
use crate::printer::Printer;

pub(crate) fn openapi(printer: &mut Printer) -> Result<Outcome, Failure> {
  let document = api_document()
    .to_pretty_json()
    .context("JSON")
    .map_err(Failure::Failed)?;
  printer.result(document)?;
  printer.flush()?;
  Ok(Outcome::Done)
}
