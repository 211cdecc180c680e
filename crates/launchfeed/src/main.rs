//! The `launchfeed` program.

use std::process::ExitCode;

fn main() -> ExitCode {
  // Before anything can ask over TLS, which panics without one. It fails only where one is installed already.
  let _ = rustls::crypto::ring::default_provider().install_default();
  launchfeed::run(std::env::args_os())
}
