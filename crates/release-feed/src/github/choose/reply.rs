//! An answer of GitHub's to one request of a choice.

use bytes::Bytes;
use http::{HeaderMap, header};

use crate::github::etag::ETag;
use crate::github::identity::Identity;
use crate::github::release_source::Outcome;

/// What came.
#[derive(Debug)]
pub(super) enum Reply {
  /// A body.
  Body(Body),
  /// Something that means the same whatever was asked.
  Said(Outcome),
}

/// The body of a 200.
#[derive(Debug)]
pub(super) struct Body {
  pub(super) bytes: Bytes,
  pub(super) etag: Option<ETag>,
  /// To whom it was given.
  pub(super) asker: Identity,
  /// Whether there is a next page; none where nothing is said of pages.
  pub(super) has_next: Option<bool>,
}

/// Whether `Link` names a next page. Its addresses are never used.
pub(super) fn has_next(headers: &HeaderMap) -> Option<bool> {
  let link = headers.get(header::LINK)?.to_str().ok()?.to_ascii_lowercase();
  let is_next = |parameter: &str| {
    let value = parameter
      .trim()
      .strip_prefix("rel=")
      .map(|value| value.trim_matches('"'));
    value.is_some_and(|value| value.split_ascii_whitespace().any(|relation| relation == "next"))
  };
  Some(link.split([';', ',']).any(is_next))
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case(None, None)]
  #[case(
    Some("<https://x/?page=2>; rel=\"next\", <https://x/?page=9>; rel=\"last\""),
    Some(true)
  )]
  #[case(Some("<https://x/?page=1>; rel=\"prev\",<https://x/?page=2>;rel=next"), Some(true))]
  #[case(
    Some("<https://x/?page=1>; rel=\"prev\", <https://x/?page=1>; rel=\"first\""),
    Some(false)
  )]
  #[case(Some("<https://x/?rel=next>; rel=\"prev\""), Some(false))]
  #[case(Some("nonsense"), Some(false))]
  fn a_next_page_is_told_by_its_relation(#[case] link: Option<&str>, #[case] told: Option<bool>) {
    let mut headers = HeaderMap::new();
    if let Some(link) = link {
      headers.insert(header::LINK, link.parse().unwrap());
    }
    assert_eq!(has_next(&headers), told);
  }
}
