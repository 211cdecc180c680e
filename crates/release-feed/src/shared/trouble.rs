//! Trouble with the store, said when it starts, every ten minutes while it lasts, and when it ends.

use std::time::Duration;

use tokio::time::Instant;
use tracing::{info, warn};

use super::shared_store::StoreError;

const SAID_EVERY: Duration = Duration::from_secs(600);

/// One kind of trouble.
#[derive(Debug)]
pub(super) struct Trouble {
  /// What can't be done, for the log.
  what: &'static str,
  lasting: Option<Lasting>,
}

#[derive(Debug)]
struct Lasting {
  since: Instant,
  said: Instant,
  not_logged: u32,
}

impl Trouble {
  pub(super) fn of(what: &'static str) -> Self {
    Self { what, lasting: None }
  }

  /// Whether the last call failed.
  pub(super) fn lasts(&self) -> bool {
    self.lasting.is_some()
  }

  /// A call failed.
  pub(super) fn failed(&mut self, error: &StoreError) {
    let now = Instant::now();
    let what = self.what;
    match &mut self.lasting {
      None => {
        warn!(%error, "Redis: {what} fails; this instance goes on alone until it works again");
        self.lasting = Some(Lasting {
          since: now,
          said: now,
          not_logged: 0,
        });
      }
      Some(lasting) if now.duration_since(lasting.said) >= SAID_EVERY => {
        let minutes = lasting.since.elapsed().as_secs() / 60;
        warn!(%error, minutes, errors_not_logged = lasting.not_logged, "Redis: {what} still fails");
        lasting.said = now;
        lasting.not_logged = 0;
      }
      Some(lasting) => lasting.not_logged = lasting.not_logged.saturating_add(1),
    }
  }

  /// A call succeeded.
  pub(super) fn succeeded(&mut self) {
    if let Some(lasting) = self.lasting.take() {
      let seconds = lasting.since.elapsed().as_secs();
      info!(
        seconds,
        errors_not_logged = lasting.not_logged,
        "Redis: {} works again",
        self.what
      );
    }
  }
}
