//! Stopping: softly at the first signal, at once at the second.
//!
//! SIGTERM (service managers) and SIGINT (Ctrl-C) mean the same. After a second one the process is gone, with the exit code that a
//! shell gives to a program which that signal killed: 128 and the signal's number, 130 for SIGINT and 143 for SIGTERM.

use std::future::Future;
use std::io;
use std::pin::pin;

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

/// Runs `work` to its end. The first signal cancels `stop`, and `work` is expected to end soon; the second exits the process.
///
/// # Errors
///
/// When signals can't be listened for; then nothing has run.
pub async fn run_until_signalled<F: Future>(stop: CancellationToken, work: F) -> io::Result<F::Output> {
  let mut signals = Signals::listen()?;
  let mut work = pin!(work);
  tokio::select! {
    output = work.as_mut() => return Ok(output),
    signal = signals.next() => {
      tracing::info!(?signal, "stopping; a second signal exits at once");
      stop.cancel();
    }
  }
  tokio::select! {
    output = work => Ok(output),
    signal = signals.next() => {
      tracing::warn!(?signal, "exiting at once");
      std::process::exit(signal.exit_code())
    }
  }
}

#[cfg(unix)]
struct Signals {
  interrupt: tokio::signal::unix::Signal,
  terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
  fn listen() -> io::Result<Self> {
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
      else => std::future::pending().await,
    }
  }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
  fn listen() -> io::Result<Self> {
    Ok(Self)
  }

  async fn next(&mut self) -> StopSignal {
    match tokio::signal::ctrl_c().await {
      Ok(()) => StopSignal::Interrupt,
      Err(_) => std::future::pending().await,
    }
  }
}
