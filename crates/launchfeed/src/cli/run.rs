//! From arguments to an exit code.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;
use release_feed::BaseUrl;
use tracing_appender::non_blocking::WorkerGuard;

use super::args::{Cli, Command};
use crate::commands::{check, classify, demo, doctor, health, openapi, pick, serve};
use crate::config::{LOG, LOG_FORMAT, LogSettings, Machine, Resolved};
use crate::logging;
use crate::outcome::{Failure, Outcome};
use crate::printer::Printer;
use crate::traces::Traces;

/// Runs the program with these arguments, the first of which is its name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
  let cli = match Cli::try_parse_from(arguments) {
    Ok(cli) => cli,
    Err(error) => {
      // Also help and version. Who closed the pipe doesn't want to read more.
      let _ = error.print();
      return u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from);
    }
  };
  let mut printer = Printer::new();
  match dispatch(cli.command, &mut printer) {
    Ok(outcome) => outcome.into(),
    Err(failure) => {
      if !failure.is_closed_pipe() {
        printer.failure(&failure);
      }
      failure.exit_code()
    }
  }
}

fn dispatch(command: Command, printer: &mut Printer) -> Result<Outcome, Failure> {
  match command {
    Command::Serve(args) => {
      let resolved = args.resolve(&Machine)?;
      let (_log, traces) = observe(&resolved.settings.log, resolved.settings.otlp.as_ref())?;
      finish(serve(log_warnings(resolved)), traces)
    }
    Command::Check(args) => {
      let resolved = args.settings.resolve(&Machine)?;
      let _log = observe(&resolved.settings.log, None)?;
      check(log_warnings(resolved), args.json, printer)
    }
    Command::Doctor(args) => {
      let examined = args.settings.examine(&Machine);
      let is_usable = ![LOG, LOG_FORMAT].iter().any(|setting| examined.is_unusable(*setting));
      let _log = is_usable.then(|| observe(&examined.settings.log, None)).transpose()?;
      doctor(&examined, args.json, printer)
    }
    Command::Demo(args) => {
      let resolved = args.resolve()?;
      let (_log, traces) = observe(&resolved.settings.log, resolved.settings.otlp.as_ref())?;
      finish(demo(log_warnings(resolved), printer), traces)
    }
    Command::Health(args) => {
      let resolved = args.settings.resolve()?;
      health(&resolved.settings, &args, printer)
    }
    Command::Classify(args) => classify(&args, printer),
    Command::Pick(args) => pick(&args, printer),
    Command::Openapi => openapi(printer),
  }
}

/// Starts the log, which is written to its end when its guard is dropped, and traces where they are wanted.
fn observe(log: &LogSettings, otlp: Option<&BaseUrl>) -> Result<(WorkerGuard, Option<Traces>), Failure> {
  let traces = otlp.map(Traces::start).transpose()?;
  let log = logging::init(log, traces.as_ref().map(Traces::layer));
  Ok((log, traces))
}

fn finish(outcome: Result<Outcome, Failure>, traces: Option<Traces>) -> Result<Outcome, Failure> {
  if let Some(traces) = traces {
    traces.finish();
  }
  outcome
}

fn log_warnings<S>(resolved: Resolved<S>) -> S {
  for warning in resolved.warnings {
    tracing::warn!("{warning}");
  }
  resolved.settings
}
