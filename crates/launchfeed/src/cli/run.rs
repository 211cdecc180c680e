//! From arguments to an exit code.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

use super::args::{Cli, Command};
use crate::commands::{check, classify, demo, doctor, health, openapi, pick, serve};
use crate::config::{LOG, LOG_FORMAT, Machine, Resolved};
use crate::logging;
use crate::outcome::{Failure, Outcome};
use crate::printer::Printer;

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
      logging::init(&resolved.settings.log);
      serve(log_warnings(resolved))
    }
    Command::Check(args) => {
      let resolved = args.settings.resolve(&Machine)?;
      logging::init(&resolved.settings.log);
      check(log_warnings(resolved), args.json, printer)
    }
    Command::Doctor(args) => {
      let examined = args.settings.examine(&Machine);
      if ![LOG, LOG_FORMAT].iter().any(|setting| examined.is_unusable(*setting)) {
        logging::init(&examined.settings.log);
      }
      doctor(&examined, args.json, printer)
    }
    Command::Demo(args) => {
      let resolved = args.resolve()?;
      logging::init(&resolved.settings.log);
      demo(log_warnings(resolved), printer)
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

fn log_warnings<S>(resolved: Resolved<S>) -> S {
  for warning in resolved.warnings {
    tracing::warn!("{warning}");
  }
  resolved.settings
}
