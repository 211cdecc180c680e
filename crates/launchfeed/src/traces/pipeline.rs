//! From spans to the collector.

use std::time::Duration;

use anyhow::Context;
use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::RetryPolicy;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::resource::{EnvResourceDetector, TelemetryResourceDetector};
use opentelemetry_sdk::trace::SdkTracerProvider;
use rand::TryRng;
use rand::rngs::SysRng;
use release_feed::BaseUrl;
use tracing::level_filters::LevelFilter;
use tracing::{Metadata, warn};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::FilterFn;

use super::collector::LastReason;
use super::exporter::{Exporter, Trouble, otlp_exporter};
use crate::logging::BoxedLayer;
use crate::outcome::Failure;

const SERVICE: &str = "launchfeed";
/// How long the last spans may hold up the end.
const FLUSH: Duration = Duration::from_secs(2);
/// Whose spans are sent: those of others tell of things that only their authors understand.
const OURS: [&str; 2] = ["launchfeed", "release_feed"];

/// The way of spans to a collector.
#[derive(Debug)]
pub(crate) struct Traces {
  provider: SdkTracerProvider,
  trouble: Trouble,
}

impl Traces {
  /// Sends to the collector there from now on. Nothing is connected yet. `OTEL_EXPORTER_OTLP_HEADERS` is heeded, and the other variables
  /// that OpenTelemetry has for batches, sampling and the resource.
  pub(crate) fn start(endpoint: &BaseUrl) -> Result<Self, Failure> {
    let (reason, trouble) = (LastReason::default(), Trouble::default());
    let exporter = Exporter {
      otlp: otlp_exporter(endpoint, reason.clone(), RetryPolicy::recommended())?,
      reason,
      trouble: trouble.clone(),
    };
    let provider = SdkTracerProvider::builder()
      .with_resource(resource()?)
      .with_batch_exporter(exporter)
      .build();
    Ok(Self { provider, trouble })
  }

  /// What takes spans.
  pub(crate) fn layer(&self) -> BoxedLayer {
    let layer = tracing_opentelemetry::layer()
      .with_tracer(self.provider.tracer(SERVICE))
      .with_location(false)
      .with_threads(false)
      .with_level(false)
      .with_target(false)
      .with_tracked_inactivity(false);
    let is_ours = FilterFn::new(is_our_span).with_max_level_hint(LevelFilter::INFO);
    layer.with_filter(is_ours).boxed()
  }

  /// Sends what is left, for two seconds at most. Blocks.
  pub(crate) fn finish(self) {
    if self.provider.shutdown_with_timeout(FLUSH).is_err() && !self.trouble.lasts() {
      warn!(
        "traces: the collector didn't take the last spans within {} s",
        FLUSH.as_secs()
      );
    }
  }
}

/// Who sends, as far as the operator's `OTEL_RESOURCE_ATTRIBUTES` don't say otherwise.
fn resource() -> Result<Resource, Failure> {
  let instance = || SysRng.try_next_u64();
  let id = instance()
    .and_then(|first| Ok(format!("{first:016x}{:016x}", instance()?)))
    .context("the system's source of randomness")
    .map_err(Failure::Failed)?;
  let resource = Resource::builder_empty()
    .with_attributes([
      KeyValue::new("service.name", SERVICE),
      KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
      KeyValue::new("service.instance.id", id),
    ])
    .with_detectors(&[
      Box::new(TelemetryResourceDetector),
      Box::new(EnvResourceDetector::new()),
    ])
    .build();
  Ok(resource)
}

fn is_our_span(metadata: &Metadata<'_>) -> bool {
  let whose = metadata.target().split("::").next().unwrap_or_default();
  metadata.is_span() && OURS.contains(&whose)
}
