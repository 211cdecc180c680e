//! The headers that operators set for the collector, which may hold a secret.

use axum::http::HeaderMap;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE, USER_AGENT};
use release_feed::hide_secrets;

/// Nobody's secret is shorter, but much of what else stands in a header is.
const MIN_CHARS: usize = 4;

/// What operators say to the collector, so that nobody else is told.
#[derive(Clone, Debug)]
pub(super) struct SecretHeaders(HeaderMap);

impl SecretHeaders {
  /// Of the headers of a request, those that operators set; no client shows them.
  pub(super) fn mark(headers: &mut HeaderMap) -> Self {
    let mut secret = HeaderMap::new();
    for (name, value) in headers {
      if ![CONTENT_TYPE, CONTENT_ENCODING, USER_AGENT].contains(name) {
        value.set_sensitive(true);
        secret.append(name, value.clone());
      }
    }
    Self(secret)
  }

  /// A text of the collector's without what it was sent in them. To be used before the text is cut or escaped.
  pub(super) fn hide_in(&self, text: &str) -> String {
    let values = self.0.values().filter_map(|value| value.to_str().ok());
    // `Bearer …`, of which either may be said back.
    let parts = values.flat_map(|value| [Some(value), value.split_once(' ').map(|(_, credentials)| credentials)]);
    let secrets = parts.flatten().map(str::trim);
    hide_secrets(text, secrets.filter(|secret| secret.len() >= MIN_CHARS))
  }
}

#[cfg(test)]
mod tests {
  use axum::http::HeaderValue;
  use axum::http::header::AUTHORIZATION;

  use super::*;

  #[test]
  fn what_operators_set_is_hidden_whole_and_in_parts() {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-protobuf"));
    headers.insert(AUTHORIZATION, HeaderValue::from_static("Bearer hunter2hunter2"));
    headers.insert("x-key", HeaderValue::from_static("hunter2"));
    headers.insert("x-tenant", HeaderValue::from_static("1"));
    let secrets = SecretHeaders::mark(&mut headers);
    assert_eq!(
      secrets.hide_in("1 span: Bearer hunter2hunter2, hunter2hunter2, hunter2; no application/x-protobuf"),
      "1 span: ***, ***, ***; no application/x-protobuf"
    );
    assert!(!format!("{headers:?} {secrets:?}").contains("hunter2"));
    assert!(!headers[CONTENT_TYPE].is_sensitive());
  }
}
