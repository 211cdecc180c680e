//! Everything that the private routes read.

use std::sync::Arc;

use release_feed::status::StatusBoard;
use release_feed::{Clock, UnixMs};
use tokio_util::sync::CancellationToken;

use super::health::Health;
use super::metrics::Scraper;
use super::process::ProcessWatch;
use crate::http::RequestMeter;

/// What is known of this process. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Insight {
  pub(super) about: About,
  pub(super) process: Arc<ProcessWatch>,
  pub(super) scraper: Scraper,
}

/// Where it is known from.
#[derive(Clone, Debug)]
pub(crate) struct About {
  pub(crate) board: StatusBoard,
  pub(crate) meter: Arc<RequestMeter>,
  pub(crate) clock: Arc<dyn Clock>,
  pub(crate) started_at: UnixMs,
  /// The process was told to stop.
  pub(crate) stop: CancellationToken,
}

impl Insight {
  pub(crate) fn of(about: About) -> Self {
    let process = Arc::new(ProcessWatch::default());
    Self {
      scraper: Scraper::new(about.clone(), process.clone()),
      process,
      about,
    }
  }
}

impl About {
  pub(super) fn health(&self) -> Health {
    let (feed, snapshot) = (self.board.feed(), self.board.snapshot());
    Health::of(&feed, &snapshot, self.clock.now(), self.stop.is_cancelled())
  }
}
