//! `launchfeed serve`: ask GitHub and answer every launcher.

use std::collections::BTreeMap;

use anyhow::Context;
use feed_types::{App, ReleaseInfo, ReleaseInfoAnswer};
use release_feed::answer::{Publication, PublishedAnswer};
use release_feed::catalog::Catalog;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use crate::config::Settings;
use crate::http::{self, Limits, bind, router};
use crate::lifecycle::run_until_signalled;
use crate::outcome::{Failure, Outcome};

pub(crate) fn serve(settings: Settings) -> Result<Outcome, Failure> {
  let runtime = Runtime::new().context("starting threads").map_err(Failure::Failed)?;
  runtime.block_on(answer_until_signalled(settings))
}

async fn answer_until_signalled(settings: Settings) -> Result<Outcome, Failure> {
  let listener = bind(settings.listen).await?;
  let address = listener.local_addr().context("listening").map_err(Failure::Failed)?;
  let publication = Publication::new(cold_answer(&settings.source.catalog));
  let stop = CancellationToken::new();
  let server = http::serve(listener, router(publication), Limits::of_this_process(), stop.clone());
  tracing::info!(%address, apps = settings.source.catalog.len(), "answering");
  run_until_signalled(stop, server)
    .await
    .context("signals")
    .map_err(Failure::Failed)?;
  tracing::info!("stopped");
  Ok(Outcome::Done)
}

/// Every app, and nothing known of any.
fn cold_answer(catalog: &Catalog) -> PublishedAnswer {
  let apps: BTreeMap<String, App> = catalog
    .apps()
    .map(|(key, app)| {
      let cold = App {
        name: app.name.clone(),
        repo: app.repo.to_string(),
        ..App::default()
      };
      (key.to_string(), cold)
    })
    .collect();
  PublishedAnswer::encode(&ReleaseInfoAnswer {
    success: true,
    release_info: ReleaseInfo::new(apps),
    ..ReleaseInfoAnswer::default()
  })
}
