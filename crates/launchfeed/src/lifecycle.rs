//! Stopping: softly at the first signal, at once at the second.
//!
//! SIGTERM (service managers) and SIGINT (Ctrl-C) mean the same. After a second one the process is gone, with the exit code that a
//! shell gives to a program which that signal killed: 128 and the signal's number, 130 for SIGINT and 143 for SIGTERM.

use std::future::{Future, pending};
use std::pin::pin;
use std::{io, process};

use tokio_util::sync::CancellationToken;

/// What asks the process to stop.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum StopSignal {
  /// SIGINT, Ctrl-C.
  Interrupt,
  /// SIGTERM.
  Terminate,
}

impl StopSignal {
  /// What the process exits with when this signal ends it at once.
  pub fn exit_code(self) -> i32 {
    match self {
      Self::Interrupt => 130,
      Self::Terminate => 143,
    }
  }
}

/// The signals that ask the process to stop. From when they are listened for, they don't kill it any more.
#[derive(Debug)]
pub struct StopSignals {
  #[cfg(unix)]
  interrupt: tokio::signal::unix::Signal,
  #[cfg(unix)]
  terminate: tokio::signal::unix::Signal,
}

impl StopSignals {
  /// Runs `work` to its end. The first signal cancels `stop`, and `work` is expected to end soon; the second exits the process.
  pub async fn run<F: Future>(mut self, stop: CancellationToken, work: F) -> F::Output {
    let mut work = pin!(work);
    tokio::select! {
      output = work.as_mut() => return output,
      signal = self.next() => {
        stop.cancel();
        // Whoever reads this finds it so at /readyz.
        tracing::info!(?signal, "stopping; a second signal exits at once");
      }
    }
    tokio::select! {
      output = work => output,
      signal = self.next() => {
        tracing::warn!(?signal, "exiting at once");
        process::exit(signal.exit_code())
      }
    }
  }
}

#[cfg(unix)]
impl StopSignals {
  /// Listens from now on.
  ///
  /// # Errors
  ///
  /// When the system doesn't let us.
  pub fn listen() -> io::Result<Self> {
    use tokio::signal::unix::{SignalKind, signal};

    Ok(Self {
      interrupt: signal(SignalKind::interrupt())?,
      terminate: signal(SignalKind::terminate())?,
    })
  }

  async fn next(&mut self) -> StopSignal {
    tokio::select! {
      Some(()) = self.interrupt.recv() => StopSignal::Interrupt,
      Some(()) = self.terminate.recv() => StopSignal::Terminate,
      else => pending().await,
    }
  }
}

#[cfg(not(unix))]
impl StopSignals {
  /// Listens from when something runs.
  ///
  /// # Errors
  ///
  /// Never.
  pub fn listen() -> io::Result<Self> {
    Ok(Self {})
  }

  async fn next(&mut self) -> StopSignal {
    match tokio::signal::ctrl_c().await {
      Ok(()) => StopSignal::Interrupt,
      Err(_) => pending().await,
    }
  }
}
