//! What a client, and all of them together, may cost.

use std::time::Duration;

/// Most connections at a time, where the system allows as many.
const MAX_CONNECTIONS: usize = 10_000;

/// Connections at a time to the private listener.
const PRIVATE_CONNECTIONS: usize = 64;

/// File descriptors kept for everything else: GitHub, the snapshot, the log, and whoever looks after this process as long as they are few.
const RESERVED_FILES: usize = 64;

/// What the strictest of the usual systems, macOS, allows from the outset; taken where the limit can't be learnt.
const FILES_BY_HABIT: u64 = 256;

/// Where the system allows next to nothing, a few connections all the same.
const MIN_CONNECTIONS: usize = 8;

/// What a client, and all of them together, may cost.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Limits {
  /// Connections at a time. When they are all taken, idle ones are closed and new ones wait for their turn.
  pub max_connections: usize,
  /// From a connection's beginning, or from a further request's first byte, to the end of the request's head.
  pub head_timeout: Duration,
  /// How long a connection may stay idle after an answer. Longer than the minute that load balancers keep theirs, so that it is
  /// they who close them and no request meets a closed one.
  pub idle_timeout: Duration,
  /// How long a client may take to read what was written for it.
  pub write_timeout: Duration,
  /// Longest head of a request, in bytes; hyper takes no less than 8192.
  pub max_head_bytes: usize,
  /// How long requests in flight may take to finish once the server stops.
  pub grace: Duration,
}

impl Default for Limits {
  fn default() -> Self {
    Self {
      max_connections: MAX_CONNECTIONS,
      head_timeout: Duration::from_secs(10),
      idle_timeout: Duration::from_secs(75),
      // An answer of 200 KB at 14 kbit/s, as over the worst of mobile networks.
      write_timeout: Duration::from_secs(120),
      max_head_bytes: 16 * 1024,
      grace: Duration::from_secs(10),
    }
  }
}

impl Limits {
  /// What those who look after this process may cost. Enough of them may hang for it to matter to nobody.
  pub fn of_private_listener() -> Self {
    Self {
      max_connections: PRIVATE_CONNECTIONS,
      head_timeout: Duration::from_secs(5),
      write_timeout: Duration::from_secs(10),
      grace: Duration::from_secs(1),
      ..Self::default()
    }
  }

  /// The defaults, with as many connections as this process may have open files. Raises that number as far as the system lets it.
  pub fn of_this_process() -> Self {
    // Where there is no such limit, this gives back the number asked for.
    let files = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(FILES_BY_HABIT);
    Self {
      max_connections: connections_for(files),
      ..Self::default()
    }
  }
}

fn connections_for(files: u64) -> usize {
  let files = usize::try_from(files).unwrap_or(usize::MAX);
  files
    .saturating_sub(RESERVED_FILES)
    .clamp(MIN_CONNECTIONS, MAX_CONNECTIONS)
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case(0, 8)]
  #[case(64, 8)]
  #[case(1024, 960)]
  #[case(1_048_576, 10_000)]
  #[case(u64::MAX, 10_000)]
  fn connections_leave_files_for_everything_else(#[case] files: u64, #[case] expected: usize) {
    assert_eq!(connections_for(files), expected);
  }
}
