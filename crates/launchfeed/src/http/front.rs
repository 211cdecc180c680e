//! What stands before the routes: the whole answer, which is nearly all that is ever asked for, is given without going through them.
//!
//! Measured with unchanged polls, the routes and their layers cost as much again as everything else that is done for such a request
//! outside the system. What is answered here is what the routes would answer; a test holds both side by side.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS};
use axum::http::{HeaderValue, Method, Request, Response};
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use hyper_util::service::TowerToHyperService;
use release_feed::answer::{Coding, EncodedAnswer};
use tokio::time::Instant;

use super::answers::Answers;
use super::meter::{ConnectionMeter, Encoding, Recorded, RequestMeter, Route, encoding_of};
use super::request_id::{X_REQUEST_ID, given_id};
use super::router::router;
use super::send_answer::respond;
use super::server_span::ServerSpan;
use super::transmit::Outbox;

const ANY_ORIGIN: HeaderValue = HeaderValue::from_static("*");
const EXPOSED: HeaderValue = HeaderValue::from_static("etag,x-last-fetched,x-request-id");
/// Where the whole answer is.
pub(super) const WHOLE_ANSWER: [&str; 2] = ["/v1/craft_apps/release_info", "/v1/release_info"];

/// Answers every request.
#[derive(Clone, Debug)]
pub struct Front {
  /// None where there is nothing but routes.
  answers: Option<Answers>,
  routes: TowerToHyperService<Router>,
  /// None where nobody counts.
  meter: Option<Arc<RequestMeter>>,
  /// Where the present connection counts.
  connection: Option<Arc<ConnectionMeter>>,
  /// Whether requests that belong to a trace have spans.
  is_traced: bool,
}

/// A request that goes through the routes, and what is to be noted of it.
struct Followed {
  counted: Option<Counted>,
  span: Option<ServerSpan>,
}

/// A request that goes through the routes, to be counted.
struct Counted {
  connection: Arc<ConnectionMeter>,
  started: Instant,
  route: Route,
}

/// The body of a response.
#[derive(Debug)]
pub enum FrontBody {
  /// Published bytes; none for a response without a body.
  Published(Option<Bytes>),
  /// What a route gave.
  Routed(Body),
}

impl Front {
  /// The public routes, with the short way to the whole answer.
  pub fn of(answers: Answers) -> Self {
    Self {
      routes: TowerToHyperService::new(router(answers.clone())),
      answers: Some(answers),
      meter: None,
      connection: None,
      is_traced: false,
    }
  }

  /// The same, whose requests are counted there.
  #[must_use]
  pub fn counted_by(self, meter: Arc<RequestMeter>) -> Self {
    Self {
      meter: Some(meter),
      ..self
    }
  }

  /// The same, whose requests have spans where they belong to a trace and somebody takes spans.
  #[must_use]
  pub fn traced(self, is_traced: bool) -> Self {
    Self { is_traced, ..self }
  }

  /// Any routes, without a short way.
  pub fn of_routes(routes: Router) -> Self {
    Self {
      answers: None,
      routes: TowerToHyperService::new(routes),
      meter: None,
      connection: None,
      is_traced: false,
    }
  }

  /// For a connection that begins.
  pub(super) fn for_connection(&self) -> Self {
    Self {
      connection: self.meter.as_ref().map(|meter| Arc::new(meter.connection())),
      ..self.clone()
    }
  }

  /// The response to a request; a body that the kernel has a copy of is put into the outbox too. Never fails.
  pub(super) fn call(
    &self,
    request: Request<Incoming>,
    outbox: &Outbox,
  ) -> impl Future<Output = Result<Response<FrontBody>, Infallible>> + Send + use<> {
    let started = self.connection.as_ref().map(|_| Instant::now());
    let mut span = self.is_traced.then(|| ServerSpan::begin(&request)).flatten();
    let path = request.uri().path();
    let at_once = self.at_once(request.method(), path, &request, outbox, started, &mut span);
    let mut followed = None;
    let routed = match at_once {
      Some(response) => Err(response),
      None => {
        let counted = self.connection.clone().zip(started);
        let counted = counted.map(|(connection, started)| Counted {
          connection,
          started,
          route: Route::of_path(request.uri().path()),
        });
        // Boxed, since nearly all responses are there at once, and would have to carry the room for it about.
        followed = Some(Box::new(Followed { counted, span }));
        Ok(hyper::service::Service::call(&self.routes, request.map(Body::new)))
      }
    };
    async {
      Ok(match routed {
        Err(response) => response,
        Ok(routed) => {
          let response = routed.await.unwrap_or_else(|error| match error {});
          let response = response.map(FrontBody::Routed);
          if let Some(followed) = followed {
            followed.end(&response);
          }
          response
        }
      })
    }
  }

  fn at_once<B>(
    &self,
    method: &Method,
    path: &str,
    request: &Request<B>,
    outbox: &Outbox,
    started: Option<Instant>,
    span: &mut Option<ServerSpan>,
  ) -> Option<Response<FrontBody>> {
    let answers = self.answers.as_ref()?;
    let is_read = method == Method::GET || method == Method::HEAD;
    if !is_read || !WHOLE_ANSWER.contains(&path) {
      return None;
    }
    let current = answers.publication.current();
    let mut response = respond(current.all(), method, request.headers());
    if let (Some(body), Some(file)) = (response.body(), current.all().kernel_copy().file())
      && body.as_ptr() == current.all().body(Coding::Identity).as_ptr()
    {
      outbox.put(body.clone(), Arc::clone(file));
    }
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, ANY_ORIGIN);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    // None is made up: polls stay small, and caches keep what is everybody's.
    if let Some(id) = given_id(request.headers()) {
      headers.insert(X_REQUEST_ID, id.clone());
    }
    if let (Some(connection), Some(started)) = (&self.connection, started) {
      connection.record(Recorded {
        route: Route::ReleaseInfo,
        status: response.status(),
        encoding: published_encoding(current.all(), &response),
        body_bytes: response.body().as_ref().map_or(0, |body| body.len() as u64),
        took: started.elapsed(),
      });
    }
    if let Some(span) = span.take() {
      span.end(response.status());
    }
    Some(response.map(FrontBody::Published))
  }
}

impl Followed {
  /// A response is handed over now.
  fn end(self, response: &Response<FrontBody>) {
    if let Some(counted) = self.counted {
      counted.record(response);
    }
    if let Some(span) = self.span {
      span.end(response.status());
    }
  }
}

impl Counted {
  /// A response is handed over now.
  fn record(&self, response: &Response<FrontBody>) {
    self.connection.record(Recorded {
      route: self.route,
      status: response.status(),
      encoding: encoding_of(response.headers()),
      body_bytes: response.body().size_hint().exact().unwrap_or(0),
      took: self.started.elapsed(),
    });
  }
}

/// The encoding of a published body, which is told by where its bytes lie: looking at the headers takes longer.
fn published_encoding(answer: &EncodedAnswer, response: &Response<Option<Bytes>>) -> Encoding {
  let Some(body) = response.body() else {
    return Encoding::None;
  };
  let coding = Coding::ALL
    .into_iter()
    .find(|coding| answer.body(*coding).as_ptr() == body.as_ptr());
  coding.map_or_else(|| encoding_of(response.headers()), |coding| Some(coding).into())
}

impl HttpBody for FrontBody {
  type Data = Bytes;
  type Error = axum::Error;

  fn poll_frame(
    mut self: Pin<&mut Self>,
    cx: &mut Context<'_>,
  ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
    match &mut *self {
      Self::Published(bytes) => Poll::Ready(
        bytes
          .take()
          .filter(|bytes| !bytes.is_empty())
          .map(|bytes| Ok(Frame::data(bytes))),
      ),
      Self::Routed(body) => Pin::new(body).poll_frame(cx),
    }
  }

  fn is_end_stream(&self) -> bool {
    match self {
      Self::Published(bytes) => bytes.as_ref().is_none_or(Bytes::is_empty),
      Self::Routed(body) => body.is_end_stream(),
    }
  }

  fn size_hint(&self) -> SizeHint {
    match self {
      Self::Published(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64)),
      Self::Routed(body) => body.size_hint(),
    }
  }
}

#[cfg(test)]
mod tests {
  use axum::body::to_bytes;
  use axum::http::HeaderMap;
  use feed_types::{App, ReleaseInfo, ReleaseInfoAnswer};
  use release_feed::answer::{Effort, Publication, PublishedFeed};
  use release_feed::catalog::Catalog;
  use rstest::rstest;
  use tower::ServiceExt;

  use super::*;

  #[rstest]
  #[tokio::test]
  async fn the_short_way_leads_to_what_the_routes_would_answer(
    #[values(Method::GET, Method::HEAD)] method: Method,
    #[values("/v1/craft_apps/release_info", "/v1/release_info?x=1")] path: &str,
    #[values("", "gzip", "br, zstd", "nonsense;;")] coding: &str,
    #[values("", "*", "\"other\"")] named: &str,
    #[values("", "abc-1", "no id")] id: &str,
    #[values(true, false)] is_complete: bool,
  ) {
    let answers = answers(is_complete);
    let request = || {
      let request = Request::builder().method(&method).uri(path);
      let request = if coding.is_empty() {
        request
      } else {
        request.header("accept-encoding", coding)
      };
      let request = if named.is_empty() {
        request
      } else {
        request.header("if-none-match", named)
      };
      let request = if id.is_empty() {
        request
      } else {
        request.header(X_REQUEST_ID, id)
      };
      request
        .header("origin", "https://example.org")
        .body(Body::empty())
        .unwrap()
    };
    let front = Front::of(answers.clone());
    let short = front
      .at_once(
        &method,
        request().uri().path(),
        &request(),
        &Outbox::default(),
        None,
        &mut None,
      )
      .unwrap();
    let mut routed = router(answers).oneshot(request()).await.unwrap();
    if id == "abc-1" {
      assert_eq!(short.headers()[X_REQUEST_ID], id);
    } else {
      // One that is made up, which the short way does without.
      routed.headers_mut().remove(X_REQUEST_ID).unwrap();
    }
    assert_eq!(short.status(), routed.status());
    assert_eq!(sorted(short.headers()), sorted(routed.headers()));
    let (short, routed) = (Body::new(short.into_body()), routed.into_body());
    assert_eq!(
      to_bytes(short, usize::MAX).await.unwrap(),
      to_bytes(routed, usize::MAX).await.unwrap()
    );
  }

  #[test]
  fn everything_else_goes_through_the_routes() {
    let front = Front::of(answers(true));
    let at_once = |method, path| {
      front
        .at_once(&method, path, &Request::new(()), &Outbox::default(), None, &mut None)
        .is_some()
    };
    assert!(at_once(Method::GET, "/v1/release_info"));
    assert!(!at_once(Method::POST, "/v1/release_info"));
    assert!(!at_once(Method::OPTIONS, "/v1/release_info"));
    assert!(!at_once(Method::GET, "/v1/release_info/"));
    assert!(!at_once(Method::GET, "/v1/release_info/demo"));
  }

  fn sorted(headers: &HeaderMap) -> Vec<(String, HeaderValue)> {
    let mut headers: Vec<_> = headers
      .iter()
      .map(|(name, value)| (name.to_string(), value.clone()))
      .collect();
    headers.sort();
    headers
  }

  fn answers(is_complete: bool) -> Answers {
    let app = App {
      app_last_fetched: "2026-10-08T14:52:50Z".parse().ok().filter(|_| is_complete),
      ..App::default()
    };
    let answer = ReleaseInfoAnswer {
      success: true,
      release_info: ReleaseInfo::new([("demo".to_owned(), app)].into()),
      ..ReleaseInfoAnswer::default()
    };
    Answers {
      publication: Publication::new(PublishedFeed::encode(answer, Effort::Quick).unwrap()),
      catalog: Arc::new(Catalog::craft_apps()),
    }
  }
}
