//! Panics are told like everything else: in one line, in the format that was asked for.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::{PanicHookInfo, set_hook};

use tracing::error;

/// From now on panics go to the log.
pub(super) fn log_panics() {
  set_hook(Box::new(log_panic));
}

fn log_panic(panic: &PanicHookInfo<'_>) {
  let why = panic.payload_as_str().unwrap_or("no text");
  let at = panic.location().map(tracing::field::display);
  let backtrace = Backtrace::capture();
  let backtrace = (backtrace.status() == BacktraceStatus::Captured).then(|| tracing::field::display(backtrace));
  error!(at, why, backtrace, "a defect: the program panicked; please report it");
}
