//! The span of one call of Redis, as the semantic conventions for databases name its parts.

use tracing::{Span, field, info_span};

use crate::shared::shared_store::StoreError;

/// What a trace knows of a call.
#[derive(Debug)]
pub(super) struct CallSpan(Span);

impl CallSpan {
  /// A call that is about to be made.
  pub(super) fn begin(operation: &'static str) -> Self {
    Self(info_span!(
      "redis",
      otel.name = operation,
      otel.kind = "client",
      otel.status_code = field::Empty,
      otel.status_description = field::Empty,
      db.system.name = "redis",
      db.operation.name = operation,
      failed = field::Empty,
    ))
  }

  /// The span itself.
  pub(super) fn span(&self) -> &Span {
    &self.0
  }

  /// Notes how it ended, and gives that back.
  pub(super) fn noted<T>(self, result: Result<T, StoreError>) -> Result<T, StoreError> {
    self.0.record("failed", result.is_err());
    if let Err(error) = &result
      && !self.0.is_disabled()
    {
      self.0.record("otel.status_code", "error");
      self.0.record("otel.status_description", error.to_string());
    }
    result
  }
}
