//! What was asked, for tests to look at. Values of `Authorization` are kept, since tests assert them, but never printed.

use std::{
  collections::VecDeque,
  fmt,
  sync::{Mutex, MutexGuard, PoisonError},
  time::Instant,
};

use http::HeaderMap;
use tokio::sync::watch;

/// A demonstration may run for months; more than this isn't of interest to any test.
const ENTRIES_AT_MOST: usize = 20_000;
const SECRET_HEADERS: [&str; 3] = ["authorization", "proxy-authorization", "cookie"];

/// One request as it arrived, and what was decided about it.
#[derive(Clone)]
pub struct SeenRequest {
  /// `GET` and so on.
  pub method: String,
  /// Path and query, as sent.
  pub path: String,
  /// `owner/name` if the path names a repository: in its own case where it exists, else as asked.
  pub repo: Option<String>,
  /// Names in lowercase, in the order of arrival; a name may come more than once.
  pub headers: Vec<(String, String)>,
  /// When it arrived.
  pub received_at: Instant,
  /// The status that was decided on; none for an answer that hangs or closes the connection.
  pub status: Option<u16>,
}

/// Every request since the start or the last clearing.
pub(crate) struct RequestLog {
  entries: Mutex<VecDeque<SeenRequest>>,
  count: watch::Sender<usize>,
}

impl SeenRequest {
  /// The first header of that name, whatever its case.
  pub fn header(&self, name: &str) -> Option<&str> {
    let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map(|(_, value)| value.as_str())
  }
}

impl fmt::Debug for SeenRequest {
  fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let headers: Vec<(&str, &str)> = self.headers.iter().map(printable).collect();
    formatter
      .debug_struct("SeenRequest")
      .field("method", &self.method)
      .field("path", &self.path)
      .field("repo", &self.repo)
      .field("headers", &headers)
      .field("received_at", &self.received_at)
      .field("status", &self.status)
      .finish()
  }
}

impl RequestLog {
  pub(crate) fn new() -> Self {
    Self {
      entries: Mutex::default(),
      count: watch::Sender::new(0),
    }
  }

  pub(crate) fn push(&self, request: SeenRequest) {
    let mut entries = self.lock();
    if entries.len() == ENTRIES_AT_MOST {
      entries.pop_front();
    }
    entries.push_back(request);
    self.count.send_modify(|count| *count += 1);
  }

  pub(crate) fn all(&self) -> Vec<SeenRequest> {
    self.lock().iter().cloned().collect()
  }

  pub(crate) fn count(&self) -> usize {
    *self.count.borrow()
  }

  pub(crate) fn clear(&self) {
    let mut entries = self.lock();
    entries.clear();
    self.count.send_replace(0);
  }

  pub(crate) async fn wait_for(&self, requests: usize) {
    let mut count = self.count.subscribe();
    // It fails only when the sender is gone, and this borrows it.
    let _ = count.wait_for(|count| *count >= requests).await;
  }

  fn lock(&self) -> MutexGuard<'_, VecDeque<SeenRequest>> {
    self.entries.lock().unwrap_or_else(PoisonError::into_inner)
  }
}

/// Headers as they are logged.
pub(crate) fn logged_headers(headers: &HeaderMap) -> Vec<(String, String)> {
  let logged = headers.iter().map(|(name, value)| {
    let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
    (name.as_str().to_owned(), value)
  });
  logged.collect()
}

fn printable((name, value): &(String, String)) -> (&str, &str) {
  let secret = SECRET_HEADERS.iter().any(|secret| name.eq_ignore_ascii_case(secret));
  (name, if secret { "<redacted>" } else { value })
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn a_token_is_kept_for_tests_but_never_printed() {
    let request = request("/");
    assert_eq!(request.header("Authorization"), Some("Bearer secret-token"));
    let printed = format!("{request:?}");
    assert!(!printed.contains("secret-token"), "{printed}");
    assert!(printed.contains("<redacted>"), "{printed}");
  }

  #[test]
  fn the_oldest_entries_go_first_but_are_still_counted() {
    let log = RequestLog::new();
    for number in 0..=ENTRIES_AT_MOST {
      log.push(request(&number.to_string()));
    }
    assert_eq!(log.count(), ENTRIES_AT_MOST + 1);
    let entries = log.all();
    assert_eq!(entries.len(), ENTRIES_AT_MOST);
    assert_eq!(entries[0].path, "1");
  }

  #[tokio::test]
  async fn waiting_for_what_is_there_already_returns_at_once() {
    let log = RequestLog::new();
    log.push(request("/"));
    log.wait_for(1).await;
    log.clear();
    assert_eq!(log.count(), 0);
    log.wait_for(0).await;
  }

  fn request(path: &str) -> SeenRequest {
    SeenRequest {
      method: "GET".to_owned(),
      path: path.to_owned(),
      repo: None,
      headers: vec![("authorization".to_owned(), "Bearer secret-token".to_owned())],
      received_at: Instant::now(),
      status: Some(200),
    }
  }
}
