//! The exporter, and what is said of it: a line when the collector takes no spans any more, and one when it does again.

use std::sync::{Arc, Mutex, PoisonError};

use opentelemetry_otlp::SpanExporter as OtlpExporter;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SpanData, SpanExporter};
use tracing::{info, warn};

use super::collector::LastReason;

/// How many spans were lost since the collector took some; none while it does.
#[derive(Clone, Debug, Default)]
pub(super) struct Trouble(Arc<Mutex<Option<usize>>>);

impl Trouble {
  /// Whether it was said that spans aren't taken.
  pub(super) fn lasts(&self) -> bool {
    self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
  }

  fn note(&self, spans: usize, reason: Option<&str>) {
    let mut lost = self.0.lock().unwrap_or_else(PoisonError::into_inner);
    match (reason, &mut *lost) {
      (Some(_), Some(lost)) => *lost = lost.saturating_add(spans),
      (Some(reason), None) => {
        warn!("traces: the collector {reason}; spans are dropped until it takes them, and all else goes on");
        *lost = Some(spans);
      }
      (None, Some(spans)) => {
        info!(lost = *spans, "traces: the collector takes spans again");
        *lost = None;
      }
      (None, None) => {}
    }
  }
}

/// Exports, and tells how that goes.
#[derive(Debug)]
pub(super) struct Exporter {
  pub(super) otlp: OtlpExporter,
  pub(super) reason: LastReason,
  pub(super) trouble: Trouble,
}

impl SpanExporter for Exporter {
  async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
    let spans = batch.len();
    let exported = self.otlp.export(batch).await;
    let reason = exported
      .as_ref()
      .err()
      .map(|error| self.reason.take().unwrap_or_else(|| format!("wasn't asked: {error}")));
    self.trouble.note(spans, reason.as_deref());
    exported
  }

  fn set_resource(&mut self, resource: &Resource) {
    self.otlp.set_resource(resource);
  }
}
