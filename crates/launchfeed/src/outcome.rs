//! How a subcommand ends.

use std::io;
use std::process::ExitCode;

use release_feed::github::ClientError;

use crate::config::ConfigErrors;
use crate::http::BindError;
use crate::state_folder::StateFolderError;

/// How a subcommand ended that did what it was asked.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Outcome {
  /// Everything is right.
  Done,
  /// It is done, and what it found is bad; said already.
  FoundTrouble,
}

/// Why a subcommand could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
  /// Settings that can't be used.
  #[error(transparent)]
  Config(#[from] ConfigErrors),
  /// An address that can't be listened on.
  #[error(transparent)]
  Bind(#[from] BindError),
  /// A state folder that can't be had.
  #[error(transparent)]
  StateFolder(#[from] StateFolderError),
  /// A machine that can't ask over TLS.
  #[error(transparent)]
  Client(#[from] ClientError),
  /// Standard output went away or is full.
  #[error("standard output: {0}")]
  Output(io::Error),
  /// Anything else.
  #[error("{0:#}")]
  Failed(anyhow::Error),
}

impl Failure {
  /// Whether whoever read standard output has seen enough, as in `launchfeed … | head`. Nothing to complain about.
  pub(crate) fn is_closed_pipe(&self) -> bool {
    matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
  }

  /// 2 where it was used wrongly, 1 where it failed, 0 where the reader has seen enough.
  pub(crate) fn exit_code(&self) -> ExitCode {
    match self {
      Self::Config(_) | Self::Bind(_) | Self::StateFolder(_) | Self::Client(_) => ExitCode::from(2),
      Self::Output(_) if self.is_closed_pipe() => ExitCode::SUCCESS,
      Self::Output(_) | Self::Failed(_) => ExitCode::FAILURE,
    }
  }
}

impl From<Outcome> for ExitCode {
  fn from(outcome: Outcome) -> Self {
    match outcome {
      Outcome::Done => Self::SUCCESS,
      Outcome::FoundTrouble => Self::FAILURE,
    }
  }
}
