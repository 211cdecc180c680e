//! A page, ready to be sent.

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, VARY};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::Response;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use release_feed::answer::{Coding, Effort};
use sha2::{Digest, Sha256};

use crate::http::cache_policy::CachePolicy;
use crate::http::negotiation::negotiate;
use crate::http::send_answer::{BY_ENCODING, has_already, no_body};

/// A body in every content coding, and its headers.
#[derive(Clone, Debug)]
pub(super) struct Page {
  /// By [`Coding`], in its order.
  bodies: [Bytes; Coding::ALL.len()],
  etag: HeaderValue,
  content_type: HeaderValue,
  others: HeaderMap,
}

impl Page {
  /// Compresses it. Quickly: it is seldom asked for, and a start shouldn't wait for it.
  pub(super) fn new(body: String, content_type: &'static str) -> Self {
    let body = Bytes::from(body);
    #[expect(clippy::expect_used, reason = "there is nothing that could go wrong in memory")]
    let bodies = Coding::ALL.map(|coding| coding.encode(&body, Effort::Quick).expect("writing to memory"));
    // Weak, since each coding has other bytes.
    #[expect(clippy::expect_used, reason = "base64 has no quotes and no controls")]
    let etag = format!("W/\"{}\"", sha256_base64(&body)).parse().expect("an ETag");
    Self {
      bodies,
      etag,
      content_type: HeaderValue::from_static(content_type),
      others: HeaderMap::new(),
    }
  }

  /// The same with a header in the answers that have a body.
  pub(super) fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
    self.others.insert(name, value);
    self
  }

  /// The response to a `GET` or `HEAD` with these headers.
  pub(super) fn respond(&self, method: &Method, request: &HeaderMap) -> Response {
    let mut response = Response::default();
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, CachePolicy::Long.header_value());
    headers.insert(VARY, BY_ENCODING);
    headers.insert(ETAG, self.etag.clone());
    if has_already(&self.etag, request) {
      *response.status_mut() = StatusCode::NOT_MODIFIED;
      *response.body_mut() = no_body();
      return response;
    }
    let coding = negotiate(request, |coding| self.bodies[coding as usize].len());
    let body = &self.bodies[coding as usize];
    headers.insert(CONTENT_TYPE, self.content_type.clone());
    headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
    if coding != Coding::Identity {
      headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding.token()));
    }
    headers.extend(self.others.clone());
    if method != Method::HEAD {
      *response.body_mut() = Body::from(body.clone());
    }
    response
  }
}

/// As ETags and content security policies write it.
pub(super) fn sha256_base64(bytes: &[u8]) -> String {
  BASE64_STANDARD.encode(Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
  use axum::body::to_bytes;
  use axum::http::header::{ACCEPT_ENCODING, ETAG, IF_NONE_MATCH, REFERRER_POLICY};
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case("", Coding::Identity)]
  #[case("gzip", Coding::Gzip)]
  #[case("br", Coding::Br)]
  #[case("zstd;q=1, br;q=0.5", Coding::Zstd)]
  #[tokio::test]
  async fn each_client_gets_its_coding(#[case] accepted: &'static str, #[case] coding: Coding) {
    let response = page().respond(&Method::GET, &with(ACCEPT_ENCODING, accepted));
    let named = response
      .headers()
      .get(CONTENT_ENCODING)
      .map(|named| named.to_str().unwrap());
    assert_eq!(named, (coding != Coding::Identity).then(|| coding.token()));
    assert_eq!(response.headers()[VARY], "accept-encoding");
    let length = response.headers()[CONTENT_LENGTH].clone();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    assert_eq!(length, body.len().to_string());
    assert_eq!(body, page().bodies[coding as usize]);
  }

  #[tokio::test]
  async fn who_has_it_already_gets_a_304() {
    let get = page().respond(&Method::GET, &HeaderMap::new());
    let etag = get.headers()[ETAG].to_str().unwrap().to_owned();
    for named in [etag.as_str(), etag.trim_start_matches("W/"), "*"] {
      let named = HeaderMap::from_iter([(IF_NONE_MATCH, named.parse().unwrap())]);
      let response = page().respond(&Method::GET, &named);
      assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
      let told: Vec<&HeaderName> = response.headers().keys().collect();
      assert_eq!(told, [CACHE_CONTROL, VARY, ETAG].each_ref());
      assert!(to_bytes(response.into_body(), usize::MAX).await.unwrap().is_empty());
    }
    let another = page().respond(&Method::GET, &with(IF_NONE_MATCH, "W/\"another\""));
    assert_eq!(
      (another.status(), another.headers()[REFERRER_POLICY].to_str().unwrap()),
      (StatusCode::OK, "no-referrer")
    );
  }

  #[test]
  fn other_content_has_another_etag() {
    let of = |body: &str| Page::new(body.to_owned(), "text/html").etag;
    assert_eq!(of("a"), of("a"));
    assert_ne!(of("a"), of("b"));
  }

  fn page() -> Page {
    Page::new("<p>".repeat(1_000), "text/html").with(REFERRER_POLICY, HeaderValue::from_static("no-referrer"))
  }

  fn with(name: HeaderName, value: &'static str) -> HeaderMap {
    [(name, HeaderValue::from_static(value))].into_iter().collect()
  }
}
