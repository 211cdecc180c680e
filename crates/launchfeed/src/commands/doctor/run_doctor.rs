//! The subcommand: every check with its limit of time, in a fixed order.

use std::time::Duration;

use anyhow::Context;
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use release_feed::github::Token;
use tokio::runtime::Builder;
use tokio::time::timeout;

use super::finding::Finding;
use super::{admin_listen, configuration, github, listen, public_url, redis, report, state_folder, traces};
use crate::config::{
  ADMIN_LISTEN, Examined, GITHUB_API_URL, LISTEN, OTLP_ENDPOINT, REDIS_PREFIX, REDIS_URL, STATE_DIR, Setting,
};
use crate::outcome::{Failure, Outcome};
use crate::printer::Printer;

/// No check takes longer.
const LIMIT: Duration = Duration::from_secs(10);

/// One thing to look at.
struct Check {
  /// What its main finding is called.
  name: &'static str,
  /// What it can't do without: it isn't run where one of these can't be used, least of all with a default in its place.
  needs: &'static [Setting],
  run: fn(&Examined) -> LocalBoxFuture<'_, Vec<Finding>>,
}

/// All of them, in the order in which they are run and told.
const CHECKS: [Check; 8] = [
  Check {
    name: configuration::NAME,
    needs: &[],
    run: |examined| std::future::ready(configuration::check(examined)).boxed_local(),
  },
  Check {
    name: state_folder::NAME,
    needs: &[STATE_DIR],
    run: |examined| state_folder::check(examined).boxed_local(),
  },
  Check {
    name: listen::NAME,
    needs: &[LISTEN],
    run: |examined| listen::check(examined).boxed_local(),
  },
  Check {
    name: admin_listen::NAME,
    needs: &[ADMIN_LISTEN],
    run: |examined| admin_listen::check(examined).boxed_local(),
  },
  Check {
    name: github::NAME,
    needs: &[GITHUB_API_URL],
    run: |examined| github::check(examined).boxed_local(),
  },
  Check {
    name: redis::NAME,
    needs: &[REDIS_URL, REDIS_PREFIX],
    run: |examined| redis::check(examined).boxed_local(),
  },
  Check {
    name: traces::NAME,
    needs: &[OTLP_ENDPOINT],
    run: |examined| traces::check(examined).boxed_local(),
  },
  Check {
    name: public_url::NAME,
    needs: &[],
    run: |_| public_url::check().boxed_local(),
  },
];

/// Looks at everything and prints what was found; trouble where anything is wrong.
pub(crate) fn doctor(examined: &Examined, json: bool, printer: &mut Printer) -> Result<Outcome, Failure> {
  let runtime = Builder::new_current_thread().enable_all().build();
  let runtime = runtime.context("starting").map_err(Failure::Failed)?;
  let findings = runtime.block_on(async {
    let mut findings = Vec::new();
    for check in &CHECKS {
      findings.extend(check.run(examined).await);
    }
    findings
  });
  // A file system or a resolver that hangs must not keep the process.
  runtime.shutdown_background();
  let findings: Vec<Finding> = findings
    .into_iter()
    .map(|finding| finding.shown(|text| hide_secrets(text, examined)))
    .collect();
  let ok = report::print(&findings, json, printer)?;
  Ok(if ok { Outcome::Done } else { Outcome::FoundTrouble })
}

impl Check {
  async fn run(&self, examined: &Examined) -> Vec<Finding> {
    if let Some(setting) = self.needs.iter().find(|setting| examined.is_unusable(**setting)) {
      let what = format!("not checked: the value of {setting} can't be used");
      return vec![Finding::not_applicable(self.name, what)];
    }
    let found = timeout(LIMIT, (self.run)(examined)).await;
    found.unwrap_or_else(|_| {
      let what = format!("given up after {} s", LIMIT.as_secs());
      vec![Finding::wrong(
        self.name,
        what,
        "find out what hangs: a disk, a resolver or a server",
      )]
    })
  }
}

/// Whoever was sent a token or a password might have said it back.
fn hide_secrets(text: &str, examined: &Examined) -> String {
  let text = Token::hide_all_in(&examined.settings.source.github.tokens, text);
  let redis = examined.settings.redis.as_ref();
  redis.map_or_else(|| text.clone(), |redis| redis.address.hide_in(&text))
}
