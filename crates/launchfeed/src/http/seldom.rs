//! Headers that hardly any request has.
//!
//! The map finds a header by the hash of its name, which for names that it doesn't know by heart takes as long as looking at those of ten
//! headers: with few of them, as requests have, it is quicker to see that there is none.

use axum::http::HeaderMap;

/// Whether there is such a header. The name is in lower case, as the map's are.
pub(super) fn has(headers: &HeaderMap, name: &str) -> bool {
  headers.keys().any(|key| key.as_str() == name)
}

#[cfg(test)]
mod tests {
  use axum::http::HeaderValue;
  use axum::http::header::{ACCEPT, HOST};

  use super::*;

  #[test]
  fn a_header_is_found_among_others_however_often_it_stands_there() {
    let mut headers = HeaderMap::new();
    for name in [HOST, ACCEPT] {
      headers.insert(name, HeaderValue::from_static("x"));
    }
    assert!(has(&headers, "host") && !has(&headers, "x-request-id") && !has(&headers, "hos"));
    for value in ["a", "b"] {
      headers.append("X-Request-Id", HeaderValue::from_static(value));
    }
    assert!(has(&headers, "x-request-id") && has(&headers, "accept"));
    assert!(!has(&HeaderMap::new(), "host"));
  }
}
