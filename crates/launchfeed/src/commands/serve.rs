//! `launchfeed serve`: ask GitHub and answer every launcher.

use anyhow::Context;
use tokio::runtime::Runtime;

use crate::config::Settings;
use crate::outcome::{Failure, Outcome};
use crate::serving::serve_until_signalled;

pub(crate) fn serve(settings: Settings) -> Result<Outcome, Failure> {
  let runtime = Runtime::new().context("starting threads").map_err(Failure::Failed)?;
  let outcome = runtime.block_on(serve_until_signalled(settings, |_| Ok(())));
  // All of ours has ended; a name that is being looked up would be waited for.
  runtime.shutdown_background();
  outcome
}
