//! What stops a start: one clear line and exit code 2.

use std::fs;
use std::net::TcpListener;

use crate::stage::*;

#[tokio::test(flavor = "multi_thread")]
async fn the_second_instance_on_a_state_folder_is_refused_with_the_name_of_the_first() {
  let stage = Stage::set().await;
  let first = stage.serve_asked(TWO_APPS);
  let address = first.address();
  let (status, _, log) = stage.family(TWO_APPS).run();
  assert_eq!(status.code(), Some(2), "{log}");
  let line = only_error(&log);
  assert!(
    line.contains(&format!("process {}", first.id())) && line.contains(&address.to_string()),
    "{line}"
  );
  assert!(line.contains(&stage.state.path().display().to_string()), "{line}");
  assert_eq!(first.request("GET", PATH).status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_folder_of_a_killed_instance_is_free() {
  let stage = Stage::set().await;
  let mut first = stage.serve_asked(TWO_APPS);
  first.kill();
  assert_eq!(stage.family(TWO_APPS).start().request("GET", PATH).status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_port_in_use_is_named() {
  let stage = Stage::set().await;
  let taken = TcpListener::bind("127.0.0.1:0").unwrap();
  let address = taken.local_addr().unwrap().to_string();
  let serve = program("serve")
    .args(["--listen", &address, "--state-dir"])
    .args([stage.state.path()]);
  let (status, _, log) = serve.run();
  assert_eq!(status.code(), Some(2), "{log}");
  assert!(only_error(&log).contains(&address), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_state_folder_that_cannot_be_is_named() {
  let stage = Stage::set().await;
  let file = stage.state.path().join("file");
  fs::write(&file, "").unwrap();
  let (status, _, log) = program("serve")
    .against(&stage.github.api_url(), &file.join("state"))
    .run();
  assert_eq!(status.code(), Some(2), "{log}");
  let line = only_error(&log);
  assert!(
    line.contains(&file.display().to_string()) && line.contains("--state-dir"),
    "{line}"
  );
}

/// The line that says why; there must be just one that isn't a line of the log.
fn only_error(log: &str) -> &str {
  let lines: Vec<&str> = log.lines().filter(|line| line.starts_with("launchfeed: ")).collect();
  let [line] = lines[..] else {
    panic!("not one error: {log}")
  };
  line
}
