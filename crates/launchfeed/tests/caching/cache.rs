//! A shared cache in front of the router.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::header::DATE;
use axum::http::response::Parts;
use axum::http::{HeaderValue, Request, Response, StatusCode};
use http_cache_semantics::{AfterResponse, BeforeRequest, CachePolicy};
use release_feed::{Clock, VirtualClock};
use tower::ServiceExt;

const PATH: &str = "/v1/craft_apps/release_info";

pub(crate) struct SharedCache {
  router: Router,
  clock: Arc<VirtualClock>,
  stored: Option<(CachePolicy, Bytes)>,
  sent: Sent,
}

/// What the server sent to the cache.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sent {
  pub(crate) bodies: u32,
  pub(crate) confirmations: u32,
  /// Heads and bodies.
  pub(crate) bytes: usize,
}

impl SharedCache {
  pub(crate) fn before(router: Router, clock: Arc<VirtualClock>) -> Self {
    Self {
      router,
      clock,
      stored: None,
      sent: Sent::default(),
    }
  }

  pub(crate) fn sent(&self) -> Sent {
    self.sent
  }

  /// What a client gets.
  pub(crate) async fn get(&mut self) -> Bytes {
    let request = Request::get(PATH).body(()).unwrap();
    let (policy, body) = match self.stored.take() {
      None => self.fetch(&request).await,
      Some((policy, body)) => match policy.before_request(&request, self.now()) {
        BeforeRequest::Fresh(_) => (policy, body),
        BeforeRequest::Stale {
          request: conditional, ..
        } => {
          let (response, new_body) = self.ask(&Request::from_parts(conditional.clone(), ())).await;
          let conditional = Request::from_parts(conditional, ());
          match policy.after_response(&conditional, &response, self.now()) {
            AfterResponse::NotModified(policy, _) => (policy, body),
            AfterResponse::Modified(policy, _) => (policy, new_body),
          }
        }
      },
    };
    if policy.is_storable() {
      self.stored = Some((policy, body.clone()));
    }
    body
  }

  async fn fetch(&mut self, request: &Request<()>) -> (CachePolicy, Bytes) {
    let (response, body) = self.ask(request).await;
    (
      CachePolicy::new_options(request, &response, self.now(), Default::default()),
      body,
    )
  }

  async fn ask(&mut self, request: &Request<()>) -> (Response<()>, Bytes) {
    let mut asked = Request::get(request.uri().clone());
    asked.headers_mut().unwrap().clone_from(request.headers());
    let response = self
      .router
      .clone()
      .oneshot(asked.body(Body::empty()).unwrap())
      .await
      .unwrap();
    let (mut parts, body) = response.into_parts();
    // The connection adds it.
    parts.headers.insert(
      DATE,
      HeaderValue::from_str(&httpdate::fmt_http_date(self.now())).unwrap(),
    );
    let body = to_bytes(body, usize::MAX).await.unwrap();
    self.count(&parts, &body);
    (Response::from_parts(parts, ()), body)
  }

  fn count(&mut self, parts: &Parts, body: &Bytes) {
    match parts.status {
      StatusCode::OK => self.sent.bodies += 1,
      StatusCode::NOT_MODIFIED => self.sent.confirmations += 1,
      status => panic!("{status}"),
    }
    let head: usize = parts
      .headers
      .iter()
      .map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len())
      .sum();
    self.sent.bytes += "HTTP/1.1 200 OK\r\n\r\n".len() + head + body.len();
  }

  fn now(&self) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(u64::try_from(self.clock.now().0).unwrap())
  }
}
