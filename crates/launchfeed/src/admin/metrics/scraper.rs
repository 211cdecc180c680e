//! One scrape: everything that is known, read at that moment.

use std::fmt;
use std::sync::Arc;

use axum::http::HeaderValue;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;
use tokio::sync::Mutex;

use super::exposition::Exposition;
use super::table::HEALTH;
use super::{feed, http, process};
use crate::admin::health::Readiness;
use crate::admin::insight::About;
use crate::admin::process::ProcessWatch;

/// What the format is called.
pub(in crate::admin) const OPEN_METRICS: HeaderValue =
  HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");

/// Reads everything for whoever asks, one after the other: however many ask at a time, no more than one thread writes for them.
#[derive(Clone, Debug)]
pub(in crate::admin) struct Scraper(Arc<Mutex<Registry>>);

#[derive(Debug)]
struct Everything {
  about: About,
  process: Arc<ProcessWatch>,
}

impl Scraper {
  pub(in crate::admin) fn new(about: About, process: Arc<ProcessWatch>) -> Self {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(Everything { about, process }));
    Self(Arc::new(Mutex::new(registry)))
  }

  /// The text.
  pub(in crate::admin) async fn scrape(&self) -> Result<String, fmt::Error> {
    let registry = self.0.lock().await;
    let mut text = String::new();
    encode(&mut text, &registry)?;
    Ok(text)
  }
}

impl Collector for Everything {
  fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
    let About {
      board,
      meter,
      clock,
      started_at,
      ..
    } = &self.about;
    let (status, counters, now) = (board.feed(), board.counters(), clock.now());
    let mut to = Exposition(encoder);
    let words = Readiness::ALL.map(Readiness::as_str);
    to.one_of(&HEALTH, &words, self.about.health().status.as_str())?;
    http::write(&mut to, &meter.totals())?;
    feed::write_apps(&mut to, &status, now)?;
    feed::write_github(&mut to, &status, counters, now)?;
    feed::write_polling(&mut to, &status, counters, now)?;
    feed::write_fleet(&mut to, &status, counters)?;
    feed::write_snapshot(&mut to, &board.snapshot(), now)?;
    process::write(&mut to, self.process.stats(), *started_at)
  }
}
