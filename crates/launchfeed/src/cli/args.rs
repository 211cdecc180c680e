//! The subcommands.

use clap::{Args, Parser, Subcommand};

use super::name_args::{ClassifyArgs, PickArgs};
use crate::config::{CheckArgs, DemoArgs, HealthArgs, ServeArgs};

const AFTER_HELP: &str = "\
Each setting is a flag, else an environment variable, else its default; a blank value counts as none.
Results go to standard output, everything else to standard error.
Exit codes: 0 done, 1 failed, 2 used wrongly.";

/// One fast answer for a family of desktop apps on GitHub Releases.
#[derive(Debug, Parser)]
#[command(name = "launchfeed", version, after_help = AFTER_HELP, propagate_version = true, arg_required_else_help = true)]
pub(crate) struct Cli {
  #[command(subcommand)]
  pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
  /// Ask GitHub for the family's releases and answer every launcher
  ///
  /// SIGTERM and SIGINT finish the requests in flight (10 s at most) and exit with 0; a second signal exits at once, with 128 and
  /// the signal's number.
  #[command(after_help = AFTER_HELP)]
  Serve(Box<ServeArgs>),
  /// Ask GitHub once about every app and print what it says
  #[command(after_help = AFTER_HELP)]
  Check(Box<CheckCommandArgs>),
  /// Look at everything that `serve` depends on and say what is wrong and what to do
  ///
  /// Takes the settings of `serve`. Looks at the configuration, the state folder, the address to listen on, GitHub, the token and its
  /// budget, Redis and the public URL; a running instance isn't disturbed. Exits with 1 if something is wrong; warnings are no reason.
  #[command(after_help = AFTER_HELP)]
  Doctor(Box<DoctorCommandArgs>),
  /// Serve a bundled sample family from a stand-in GitHub: no network, no token
  ///
  /// With a Redis, demonstrations share with each other alone: their keys begin with `launchfeed-demo:`.
  #[command(after_help = AFTER_HELP)]
  Demo(DemoArgs),
  /// Ask a running instance how it is
  ///
  /// Prints one line. Exits with 0 where it is ready, or degraded (something is amiss, and it serves all the same), and with 1 where
  /// it isn't, or doesn't answer within 5 s.
  #[command(after_help = AFTER_HELP)]
  Health(HealthCommandArgs),
  /// Read file names on standard input and say what each file is
  ///
  /// Prints a row per line of input: name, os, arch, kind and libc, separated by tabs, `none` for what a name doesn't say. Where a
  /// name says two things and nothing tells which is meant, the row has `none` too, and standard error says so. There is no header.
  /// Control characters in a name (tabs among them) are written as escapes such as `\t`, and bytes that aren't UTF-8 as U+FFFD.
  Classify(ClassifyArgs),
  /// Read a release's file names on standard input and pick the build that fits a machine
  ///
  /// Prints the name of the pick, or `NONE` when nothing fits, and the reasons on standard error. Either way it exits with 0:
  /// that nothing fits is an answer.
  Pick(PickArgs),
  /// Print the OpenAPI document of the routes, as `/openapi.json` serves it
  Openapi,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct CheckCommandArgs {
  #[command(flatten)]
  pub(crate) settings: CheckArgs,
  /// Print JSON for programs
  #[arg(long)]
  pub(crate) json: bool,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct DoctorCommandArgs {
  #[command(flatten)]
  pub(crate) settings: ServeArgs,
  /// Print JSON for programs
  #[arg(long)]
  pub(crate) json: bool,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct HealthCommandArgs {
  #[command(flatten)]
  pub(crate) settings: HealthArgs,
  /// Ask only whether it answers at all
  #[arg(long)]
  pub(crate) live: bool,
  /// Print JSON for programs
  #[arg(long)]
  pub(crate) json: bool,
}

#[cfg(test)]
mod tests {
  use std::collections::BTreeMap;

  use clap::CommandFactory;

  use super::*;
  use crate::config::setting_names;

  #[test]
  fn the_definition_is_sound() {
    Cli::command().debug_assert();
  }

  #[test]
  fn serve_knows_every_setting_by_its_flag_and_its_variable_and_no_other() {
    let command = Cli::command();
    let serve = command.find_subcommand("serve").unwrap();
    let found: BTreeMap<&str, &str> = serve
      .get_arguments()
      .filter_map(|arg| Some((arg.get_long()?, arg.get_env()?.to_str()?)))
      .collect();
    assert_eq!(found, setting_names().collect());
  }

  #[test]
  fn no_value_of_a_variable_is_shown_in_the_help() {
    for command in Cli::command().get_subcommands() {
      for arg in command.get_arguments().filter(|arg| arg.get_env().is_some()) {
        assert!(arg.is_hide_env_values_set(), "{}", arg.get_id());
      }
    }
  }
}
