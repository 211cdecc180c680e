//! Validators: GitHub's weak ETag of a body, and whether `If-None-Match` names one.

use sha2::{Digest, Sha256};

/// `W/"<64 hex digits>"`, the shape that GitHub's have had for years.
pub(crate) fn of_body(body: &[u8]) -> String {
  format!("W/\"{}\"", sha256_hex(body))
}

/// Compares weakly, as RFC 9110 asks for `If-None-Match`: a list, or `*`.
pub(crate) fn is_named(etag: &str, if_none_match: &str) -> bool {
  let opaque = without_weakness(etag);
  let named = if_none_match.split(',').map(str::trim);
  named
    .into_iter()
    .any(|named| named == "*" || without_weakness(named) == opaque)
}

/// SHA-256 in lowercase hex digits.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
  let digest = Sha256::digest(bytes);
  digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn without_weakness(etag: &str) -> &str {
  etag.strip_prefix("W/").unwrap_or(etag)
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn the_etag_is_the_weak_sha256_of_the_body() {
    let empty = "W/\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"";
    assert_eq!(of_body(b""), empty);
  }

  #[test]
  fn weakness_doesnt_matter_on_either_side() {
    assert!(is_named("W/\"a\"", "\"a\""));
    assert!(is_named("\"a\"", "W/\"a\""));
    assert!(!is_named("W/\"a\"", "W/\"b\""));
  }

  #[test]
  fn a_list_or_a_star_names_it() {
    assert!(is_named("W/\"b\"", "W/\"a\", W/\"b\" ,\"c\""));
    assert!(is_named("W/\"b\"", "*"));
    assert!(!is_named("W/\"b\"", ""));
    assert!(!is_named("W/\"b\"", "b"));
  }
}
