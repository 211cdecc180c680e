//! The process.

use std::fmt;

use release_feed::UnixMs;

use super::exposition::Exposition;
use super::table::{
  BUILD, PROCESS_CPU, PROCESS_MAX_FILES, PROCESS_OPEN_FILES, PROCESS_RESIDENT_MEMORY, PROCESS_START_TIME,
  PROCESS_THREADS,
};
use crate::admin::process::ProcessStats;

pub(super) fn write(to: &mut Exposition<'_>, stats: ProcessStats, started_at: UnixMs) -> fmt::Result {
  to.gauge(&PROCESS_RESIDENT_MEMORY, stats.resident_bytes)?;
  to.gauge(&PROCESS_OPEN_FILES, stats.open_files)?;
  to.gauge(&PROCESS_MAX_FILES, stats.max_files)?;
  to.gauge(&PROCESS_THREADS, stats.threads)?;
  to.write(&PROCESS_CPU, |samples| {
    let cpu = stats.cpu.map(|cpu| cpu.as_secs_f64());
    cpu.map_or(Ok(()), |cpu| samples.counter(&[], cpu))
  })?;
  to.gauge(
    &PROCESS_START_TIME,
    Some(started_at.after(UnixMs(0)).as_secs_f64()).filter(|_| started_at > UnixMs(0)),
  )?;
  to.write(&BUILD, |samples| samples.info(&[env!("CARGO_PKG_VERSION")]))
}
