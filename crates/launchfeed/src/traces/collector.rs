//! The collector as the exporter sees it: our HTTP client, with its limits and its TLS.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{Request, Response, StatusCode};
use opentelemetry_http::{HttpClient, HttpError};
use release_feed::github::{NetworkFailure, Timeouts, build_one_shot_client};
use tokio::runtime::{Builder, Runtime};

use super::not_taken::NotTaken;
use super::secret_headers::SecretHeaders;
use super::verdict::why_refused;
use crate::outcome::Failure;

const TIMEOUTS: Timeouts = Timeouts {
  connect: Duration::from_secs(3),
  whole: Duration::from_secs(5),
};
/// An answer has little to say; more of it isn't read.
const MAX_ANSWER_BYTES: usize = 64 * 1024;

/// Why the last spans weren't taken; shared by who sends and who tells.
#[derive(Clone, Debug, Default)]
pub(super) struct LastReason(Arc<Mutex<Option<NotTaken>>>);

impl LastReason {
  pub(super) fn take(&self) -> Option<NotTaken> {
    self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
  }

  fn set(&self, reason: Option<NotTaken>) {
    *self.0.lock().unwrap_or_else(PoisonError::into_inner) = reason;
  }
}

/// Sends to the collector. Blocks the thread that polls it, which is the exporter's own.
#[derive(Debug)]
pub(super) struct Collector {
  client: reqwest::Client,
  runtime: Runtime,
  reason: LastReason,
}

impl Collector {
  pub(super) fn new(reason: LastReason) -> Result<Self, Failure> {
    let runtime = Builder::new_current_thread().enable_all().build();
    Ok(Self {
      client: build_one_shot_client(TIMEOUTS)?,
      runtime: runtime.map_err(|error| Failure::Failed(error.into()))?,
      reason,
    })
  }

  async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, NotTaken> {
    let (mut head, body) = request.into_parts();
    let secrets = SecretHeaders::mark(&mut head.headers);
    let sent = self
      .client
      .post(head.uri.to_string())
      .headers(head.headers)
      .body(body)
      .send()
      .await;
    let mut answer = sent.map_err(|error| unreachable(&error))?;
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|error| unreachable(&error))? {
      body.extend_from_slice(&chunk);
      if body.len() > MAX_ANSWER_BYTES {
        let why = "answered with far more than it has to say".to_owned();
        return Err(NotTaken::Refused(why));
      }
    }
    let why = why_refused(answer.status(), answer.headers(), &body, &secrets);
    let is_taken = why.is_none();
    self.reason.set(why.map(NotTaken::Refused));
    let mut response = Response::new(Bytes::from(body));
    *response.status_mut() = match answer.status() {
      status if is_taken || !status.is_success() => status,
      // Not worth to be repeated.
      _ => StatusCode::BAD_REQUEST,
    };
    Ok(response)
  }
}

impl HttpClient for Collector {
  fn send_bytes<'own, 'sent>(
    &'own self,
    request: Request<Bytes>,
  ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'sent>>
  where
    'own: 'sent,
    Self: 'sent,
  {
    let sent = self.runtime.block_on(self.send(request)).map_err(|why| {
      self.reason.set(Some(why.clone()));
      HttpError::from(why.to_string())
    });
    Box::pin(std::future::ready(sent))
  }
}

fn unreachable(error: &reqwest::Error) -> NotTaken {
  if error.is_timeout() && !error.is_connect() {
    NotTaken::Refused(format!("didn't answer within {} s", TIMEOUTS.whole.as_secs()))
  } else {
    NotTaken::Unreachable(NetworkFailure::of(error))
  }
}
