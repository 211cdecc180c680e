//! Whether a collector would take spans, found out with none.

use futures_util::FutureExt;
use opentelemetry_otlp::RetryPolicy;
use opentelemetry_sdk::trace::SpanExporter;
use release_feed::BaseUrl;

use super::collector::LastReason;
use super::exporter::otlp_exporter;
use super::not_taken::NotTaken;
use crate::outcome::Failure;

/// Sends what spans would be sent in, with the same headers and by the same way, once and without a span. Blocks for the 5 s that a
/// collector may take, so it needs a thread on which that is allowed.
///
/// # Errors
///
/// When there is no exporter; inside of that, when the collector took nothing.
pub(crate) fn offer_nothing(endpoint: &BaseUrl) -> Result<Result<(), NotTaken>, Failure> {
  let reason = LastReason::default();
  let otlp = otlp_exporter(endpoint, reason.clone(), RetryPolicy::disabled())?;
  // Our client has its answer before it gives the future back, and nothing is waited for before a second try: there is none.
  let exported = otlp.export(Vec::new()).now_or_never();
  let otherwise = match exported {
    Some(Ok(())) => return Ok(Ok(())),
    Some(Err(error)) => format!("wasn't asked: {error}"),
    None => "wasn't asked".to_owned(),
  };
  Ok(Err(reason.take().unwrap_or(NotTaken::Refused(otherwise))))
}
