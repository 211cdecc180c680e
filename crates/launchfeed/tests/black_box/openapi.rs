//! `launchfeed openapi`, and the copy of its document that is kept in `docs/`.

use std::fs;
use std::path::Path;

use testkit::request;

use crate::program::{Running, launchfeed, run};

#[test]
fn the_kept_copy_is_what_the_routes_say() {
  let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
  let kept = fs::read_to_string(kept).unwrap_or_default();
  let printed = run(launchfeed(&["openapi"]), b"");
  assert_eq!((printed.code, printed.stderr.as_str()), (Some(0), ""));
  assert!(
    kept == printed.stdout,
    "docs/openapi.json isn't what the routes say any more; write it anew with: cargo run -q -- openapi > docs/openapi.json"
  );
}

#[test]
fn a_running_server_serves_the_same_document() {
  let mut command = launchfeed(&["serve", "--polling-enabled", "false"]);
  command.args(["--listen", "127.0.0.1:0"]);
  let server = Running::start(command);
  let served = request(server.address, "GET", "/openapi.json");
  let printed = run(launchfeed(&["openapi"]), b"");
  let printed: serde_json::Value = serde_json::from_str(&printed.stdout).unwrap();
  assert_eq!(served.json(), printed);
}
