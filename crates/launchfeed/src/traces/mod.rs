//! Traces for an OpenTelemetry collector, by OTLP over HTTP.
//!
//! Spans are tracing's, made where the work is done; here they are gathered and sent, from a thread of their own with a runtime of its
//! own, so that a collector in trouble holds nobody up. What doesn't fit into the queue (2048 spans), or can't be sent, is lost.

mod collector;
mod exporter;
mod not_taken;
mod pipeline;
mod probe;
mod secret_headers;
mod verdict;

pub(crate) use not_taken::NotTaken;
pub(crate) use pipeline::Traces;
pub(crate) use probe::offer_nothing;
