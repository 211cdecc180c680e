//! The `launchfeed` program.

use std::process::ExitCode;

fn main() -> ExitCode {
  release_feed::github::install_tls_provider();
  launchfeed::run(std::env::args_os())
}
