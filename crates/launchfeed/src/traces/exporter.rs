//! The exporter, and what is said of it: a line when the collector takes no spans any more, and one when it does again.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context;
use opentelemetry_otlp::{Protocol, RetryPolicy, SpanExporter as OtlpExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SpanData, SpanExporter};
use release_feed::BaseUrl;
use tracing::{info, warn};

use super::collector::{Collector, LastReason};
use super::not_taken::NotTaken;
use crate::outcome::Failure;

/// Below the collector's address, as OTLP says.
const PATH: &str = "/v1/traces";
/// For a batch with all its repetitions.
const EXPORT: Duration = Duration::from_secs(10);

/// Exports to the collector there, by our own client. Nothing is connected yet.
pub(super) fn otlp_exporter(
  endpoint: &BaseUrl,
  reason: LastReason,
  repetitions: RetryPolicy,
) -> Result<OtlpExporter, Failure> {
  OtlpExporter::builder()
    .with_http()
    .with_http_client(Collector::new(reason)?)
    .with_protocol(Protocol::HttpBinary)
    .with_retry_policy(repetitions)
    .with_endpoint(format!("{endpoint}{PATH}"))
    .with_timeout(EXPORT)
    .build()
    .context("traces")
    .map_err(Failure::Failed)
}

/// How many spans were lost since the collector took some; none while it does.
#[derive(Clone, Debug, Default)]
pub(super) struct Trouble(Arc<Mutex<Option<usize>>>);

impl Trouble {
  /// Whether it was said that spans aren't taken.
  pub(super) fn lasts(&self) -> bool {
    self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
  }

  fn note(&self, spans: usize, reason: Option<&NotTaken>) {
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
    let otherwise = |error| NotTaken::Refused(format!("wasn't asked: {error}"));
    let reason = exported.as_ref().err();
    let reason = reason.map(|error| self.reason.take().unwrap_or_else(|| otherwise(error)));
    self.trouble.note(spans, reason.as_ref());
    exported
  }

  fn set_resource(&mut self, resource: &Resource) {
    self.otlp.set_resource(resource);
  }
}
