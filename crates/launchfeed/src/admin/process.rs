//! What the system says of this process.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Counting open files takes longer the more there are, and nobody looks that closely.
const READ_EVERY: Duration = Duration::from_secs(1);

/// Reads it anew at most once a second, however often it is asked for.
#[derive(Debug, Default)]
pub(super) struct ProcessWatch(Mutex<Option<(Instant, ProcessStats)>>);

/// What the system says; none where it doesn't.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ProcessStats {
  pub(super) resident_bytes: Option<u64>,
  pub(super) threads: Option<u64>,
  pub(super) open_files: Option<u64>,
  pub(super) max_files: Option<u64>,
  pub(super) cpu: Option<Duration>,
}

impl ProcessWatch {
  pub(super) fn stats(&self) -> ProcessStats {
    let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
    match *last {
      Some((at, stats)) if at.elapsed() < READ_EVERY => stats,
      _ => {
        let stats = ProcessStats::read();
        *last = Some((Instant::now(), stats));
        stats
      }
    }
  }
}

#[cfg(not(target_os = "linux"))]
impl ProcessStats {
  fn read() -> Self {
    Self::default()
  }
}

#[cfg(target_os = "linux")]
impl ProcessStats {
  fn read() -> Self {
    use std::fs;

    use rustix::time::{ClockId, clock_gettime};

    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let open_files = fs::read_dir("/proc/self/fd").ok().map(Iterator::count);
    let cpu = clock_gettime(ClockId::ProcessCPUTime);
    Self {
      resident_bytes: number_after(&status, "VmRSS:").map(|kibibytes| kibibytes.saturating_mul(1024)),
      threads: number_after(&status, "Threads:"),
      // The folder itself is open while it is counted.
      open_files: open_files.map(|count| u64::try_from(count.saturating_sub(1)).unwrap_or(u64::MAX)),
      max_files: rlimit::Resource::NOFILE.get_soft().ok(),
      cpu: Duration::try_from(cpu).ok(),
    }
  }
}

/// The number in the line that begins so.
#[cfg(target_os = "linux")]
fn number_after(status: &str, name: &str) -> Option<u64> {
  let line = status.lines().find_map(|line| line.strip_prefix(name))?;
  line.split_whitespace().next()?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
  use super::*;

  #[test]
  fn linux_says_everything() {
    let stats = ProcessWatch::default().stats();
    assert!(stats.resident_bytes.unwrap() > 100_000, "{stats:?}");
    assert!(stats.threads.unwrap() >= 1, "{stats:?}");
    assert!(stats.open_files.unwrap() >= 3, "{stats:?}");
    assert!(stats.max_files.unwrap() >= stats.open_files.unwrap(), "{stats:?}");
    assert!(stats.cpu.is_some(), "{stats:?}");
  }

  #[tokio::test(start_paused = true)]
  async fn within_a_second_it_is_not_read_anew() {
    let watch = ProcessWatch::default();
    let first = watch.stats();
    let file = std::fs::File::open("/proc/self/status").unwrap();
    assert_eq!(watch.stats(), first);
    tokio::time::advance(READ_EVERY).await;
    assert_ne!(watch.stats(), first);
    drop(file);
  }

  #[test]
  fn a_number_stands_behind_its_name() {
    let status = "Name:\tx\nVmRSS:\t   38400 kB\nThreads:\t7\n";
    assert_eq!(
      (number_after(status, "VmRSS:"), number_after(status, "Threads:")),
      (Some(38_400), Some(7))
    );
    assert_eq!(number_after(status, "VmSwap:"), None);
  }
}
