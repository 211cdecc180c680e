//! Requests with just the headers that a test wants.

use github_standin::StandIn;
use testkit::{HttpAnswer, HttpConnection};

pub(crate) const REPO: &str = "acme/demo";
pub(crate) const LATEST: &str = "/repos/acme/demo/releases/latest";

/// A GET with those headers and a `User-Agent`.
pub(crate) fn get_with(github: &StandIn, path: &str, headers: &[(&str, &str)]) -> HttpAnswer {
  let mut connection = HttpConnection::open(github.address());
  connection.send(request_head(path, &[&[("user-agent", "test")], headers].concat()).as_bytes());
  connection.answer("GET")
}

pub(crate) fn get(github: &StandIn, path: &str) -> HttpAnswer {
  get_with(github, path, &[])
}

pub(crate) fn status(github: &StandIn, path: &str) -> u16 {
  get(github, path).status
}

pub(crate) fn request_head(path: &str, headers: &[(&str, &str)]) -> String {
  let lines: String = headers
    .iter()
    .map(|(name, value)| format!("{name}: {value}\r\n"))
    .collect();
  format!("GET {path} HTTP/1.1\r\nhost: api.github.com\r\n{lines}\r\n")
}
