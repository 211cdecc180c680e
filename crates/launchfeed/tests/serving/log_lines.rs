//! What others say (and what they say back: tokens and passwords) can't steer the terminal of whoever reads the log, nor look like a line of its own.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::thread;

use github_standin::Answer;
use rstest::rstest;
use serde_json::Value;
use testkit::{Server, ServerBuilder};

use crate::stage::*;

/// Ends a line, steers a terminal in two ways, begins a line for some readers, turns the direction of writing.
const HOSTILE: &str = "a\r\n2026-10-08T14:52:50Z  WARN forged\u{1b}[2J\u{7}\u{9b}31m\u{85}\u{2028}\u{202e}b";
const MEGABYTE: usize = 1024 * 1024;
/// The longest field, several times.
const MAX_LINE_BYTES: usize = 16 * 1024;
const THREE_APPS: &str = "alpha=Alpha=acme/alpha,beta=Beta=acme/beta,gamma=Gamma=acme/gamma";

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn what_others_say_stays_within_its_line(#[values("text", "json")] format: &str) {
  let stage = Stage::set().await;
  let hostile = stage.state.path().join(HOSTILE);
  let folder = (0..9).fold(hostile, |folder, _| folder.join("x".repeat(250)));
  let overlong = format!("{HOSTILE}{}", "z".repeat(MEGABYTE));
  let mut release = sample("v1").to_json("acme/alpha");
  release["name"] = overlong.clone().into();
  release["body"] = overlong.clone().into();
  release["assets"][0]["name"] = overlong.clone().into();
  stage.github.set_latest_json("acme/alpha", release);
  stage.github.script_always(
    "acme/beta",
    Answer::status(500).message(&format!("ghp_hunter2 {overlong}")),
  );
  let elsewhere = [b"https://e.example/\xc2\x9b31m\xe2\x80\xae".as_slice(), &[b'z'; 4_000]].concat();
  stage.github.script_always(
    "acme/gamma",
    Answer::redirect(301, "https://e.example").header("location", elsewhere),
  );
  let server = logging(&stage, &folder, format)
    .env("CRAFT_APPS_RELEASE_APPS", format!("{THREE_APPS},{HOSTILE}"))
    .env("CRAFT_APPS_RELEASE_GITHUB_TOKEN", "ghp_hunter2")
    .env("LAUNCHFEED_REDIS_URL", hostile_redis())
    .start();
  server.log().wait_for(&["round", "rate_limited"]);
  server.log().wait_for(&["Redis:", "forged"]);
  // Escapes come in their own form in each format; what they say can be read in both.
  for told in ["500", "e.example", "aren't listed", "is listening"] {
    server.log().wait_for(&[told]);
  }
  assert_is_tame(server, format);
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn what_clients_send_stays_within_its_line(#[values("text", "json")] format: &str) {
  let stage = Stage::set().await;
  let server = logging(&stage, stage.state.path(), format)
    .args(["--apps", TWO_APPS])
    .start();
  let mut connection = testkit::HttpConnection::open(server.address());
  connection.send(
    b"GET /v1/%1b[2J%0a?\xc2\x9b31m HTTP/1.1\r\nhost: x\r\nx-request-id: \xc2\x9b31m\r\nuser-agent: \x1b[2J\r\n\r\n",
  );
  assert_eq!(connection.answer("GET").status, 400);
  server.request("GET", "/v1/%1b%5b2J%0aforged");
  server.log().wait_for(&["a request was refused", "forged"]);
  assert_is_tame(server, format);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_request_leaves_its_id_at_debug_and_nothing_at_info() {
  let stage = Stage::set().await;
  stage.github.set_latest("acme/alpha", sample("v1"));
  let mut server = stage
    .family("alpha=Alpha=acme/alpha")
    .env("LAUNCHFEED_LOG", "launchfeed=debug")
    .start();
  server.log().wait_for(&["listening"]);
  let answer = server.request("GET", "/nothing?token=x");
  let id = answer.header("x-request-id").unwrap();
  let line = server.log().wait_for(&["DEBUG", "a request was refused", id]);
  assert!(
    line.contains("method=GET path=\"/nothing\" status=404") && !line.contains("token"),
    "{line}"
  );
  server.terminate();
  assert!(server.wait().success());

  let fresh = Stage::set().await;
  fresh.github.set_latest("acme/alpha", sample("v1"));
  let mut server = fresh.serve_asked("alpha=Alpha=acme/alpha");
  let before = server.log().all().len();
  for path in [PATH, "/nothing", "/docs", "/download/alpha/beos/x64"] {
    server.request("GET", path);
    server.request("POST", path);
  }
  server.terminate();
  assert!(server.wait().success());
  let lines = server.log().all().split_off(before);
  assert_eq!(
    lines.iter().filter(|line| !line.contains("stop")).count(),
    0,
    "{lines:?}"
  );
}

/// The program with everything logged that can be.
fn logging(stage: &Stage, folder: &Path, format: &str) -> ServerBuilder {
  program("serve")
    .against(&stage.github.api_url(), folder)
    .env("LAUNCHFEED_LOG", "trace")
    .env("LAUNCHFEED_LOG_FORMAT", format)
}

/// Every line is one event, short enough, and without anything that steers.
fn assert_is_tame(mut server: Server, format: &str) {
  server.terminate();
  assert!(server.wait().success());
  for line in server.log().all() {
    assert!(
      !line.contains(|c: char| c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')),
      "{line:?}"
    );
    assert!(line.len() < MAX_LINE_BYTES, "{} bytes: {}", line.len(), &line[..2_000]);
    if format == "json" {
      let json: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error} in {line:?}"));
      assert!(
        ["timestamp", "level", "message", "target"]
          .iter()
          .all(|name| json[name].is_string()),
        "{line}"
      );
    } else {
      assert!(line.as_bytes()[0] == b'2' && line.contains("Z "), "{line:?}");
      let level = line.split_whitespace().nth(1).unwrap();
      assert!(["ERROR", "WARN", "INFO", "DEBUG", "TRACE"].contains(&level), "{line:?}");
    }
  }
}

/// Answers everything but the login with an error that means harm. RESP lets an error hold no line end.
fn hostile_redis() -> String {
  let listener = TcpListener::bind("127.0.0.1:0").unwrap();
  let address = listener.local_addr().unwrap();
  let error = HOSTILE.replace(['\r', '\n'], " ");
  thread::spawn(move || {
    for mut stream in listener.incoming().flatten() {
      let error = format!(
        "-ERR unknown command, with args 'u' 'hunter2' {error}{}\r\n",
        "z".repeat(MEGABYTE)
      );
      thread::spawn(move || {
        let mut asked = [0; 4_096];
        while let Ok(bytes) = stream.read(&mut asked)
          && bytes > 0
        {
          let is_login = asked[..bytes].windows(4).any(|word| word == b"AUTH");
          let answer = if is_login { "+OK\r\n" } else { &error };
          // A command is an array.
          for _ in asked[..bytes].iter().filter(|byte| **byte == b'*') {
            if stream.write_all(answer.as_bytes()).is_err() {
              return;
            }
          }
        }
      });
    }
  });
  format!("redis://u:hunter2@{address}")
}
