//! `launchfeed demo`: the real server on a sample family from a stand-in GitHub, so that a newcomer sees a full answer without network
//! or token.

use anyhow::{Context, anyhow};
use github_standin::StandIn;
use release_feed::BaseUrl;
use tokio::runtime::Runtime;

use crate::config::{DemoSettings, Settings};
use crate::outcome::{Failure, Outcome};
use crate::printer::Printer;
use crate::serving::{Addresses, serve_until_signalled};

pub(crate) fn demo(settings: DemoSettings, printer: &mut Printer) -> Result<Outcome, Failure> {
  let runtime = Runtime::new().context("starting threads").map_err(Failure::Failed)?;
  let outcome = runtime.block_on(async {
    let github = StandIn::start()
      .await
      .context("the stand-in GitHub")
      .map_err(Failure::Failed)?;
    github.serve_sample_family();
    // Nothing of a demonstration is worth keeping, and it must not meet a real instance's folder.
    let state_dir = tempfile::tempdir()
      .context("a temporary folder")
      .map_err(Failure::Failed)?;
    let api =
      BaseUrl::read(&github.api_url()).map_err(|why| Failure::Failed(anyhow!("the stand-in's address {why}")))?;
    let settings = Settings::of_demo(settings, api, state_dir.path());
    let apps = settings.source.catalog.len();
    let outcome = serve_until_signalled(settings, |Addresses { public, private }| {
      printer.result(format_args!(
        "Launchfeed demonstration: {apps} apps with sample data. There is nothing to download."
      ))?;
      printer.result("")?;
      printer.result(format_args!("  http://{public}/v1/craft_apps/release_info"))?;
      printer.result(format_args!("  http://{public}/docs"))?;
      if let Some(private) = private {
        printer.result(format_args!("  http://{private}/status (and /metrics)"))?;
      }
      printer.result("")?;
      printer.result(format_args!(
        "  curl -s http://{public}/v1/craft_apps/release_info | head -c 600"
      ))?;
      printer.result("")?;
      printer.result("Ctrl-C stops it.")?;
      printer.flush()
    })
    .await;
    github.shutdown().await;
    outcome
  });
  runtime.shutdown_background();
  outcome
}
