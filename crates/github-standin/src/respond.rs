//! From a decision to the response on the wire: GitHub's headers, then what the answer says otherwise, then the body in the
//! way that it travels.

use std::{
  sync::{Arc, atomic::AtomicU64},
  time::SystemTime,
};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};

use crate::{
  answer::{Answer, Delivery, Sender},
  body::{self, ResponseBody},
  clock, encoding,
  rate_limit::RateView,
  world::{self, etag_of},
};

const MEDIA_TYPE: &str = "github.v3; format=json";
const API_VERSION: &str = "2022-11-28";

/// What the headers need to know beside the answer.
pub(crate) struct Circumstances {
  pub(crate) rate: RateView,
  pub(crate) now: SystemTime,
  /// Counts the requests since the start.
  pub(crate) number: u64,
  pub(crate) authorised: bool,
  pub(crate) accepts_gzip: bool,
}

/// The response. A script that HTTP cannot carry becomes a 500 that says what is wrong with it.
pub(crate) fn respond(answer: Answer, circumstances: &Circumstances, sent: Arc<AtomicU64>) -> Response<ResponseBody> {
  match build(&answer, circumstances, &sent) {
    Ok(response) => response,
    Err(Unsendable(what)) => {
      let text = format!("the script cannot be sent: {what}");
      let mut response = Response::new(body::counted(body::whole(text.into()), sent));
      *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
      response
    }
  }
}

struct Unsendable(String);

fn build(
  answer: &Answer,
  circumstances: &Circumstances,
  sent: &Arc<AtomicU64>,
) -> Result<Response<ResponseBody>, Unsendable> {
  // Interim answers (1xx) aren't a server's last word, so HTTP libraries refuse them here.
  let status = StatusCode::from_u16(answer.status)
    .ok()
    .filter(|status| !status.is_informational());
  let status = status.ok_or_else(|| Unsendable(format!("status {}", answer.status)))?;
  let mut headers = default_headers(answer, circumstances)?;
  let (content, compressed) = content(answer, circumstances.accepts_gzip);
  if compressed {
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
  }
  let content = if has_content(status) { content } else { Bytes::new() };
  if has_content(status) && !matches!(answer.delivery, Delivery::Endless | Delivery::EndlessGzip) {
    headers.insert(
      header::CONTENT_LENGTH,
      HeaderValue::from(promised_length(answer.delivery, &content)),
    );
  }
  overrule(&mut headers, answer)?;
  let pieces = match answer.delivery {
    Delivery::Whole | Delivery::Hang | Delivery::Reset => body::whole(content),
    Delivery::Truncated => body::truncated(content),
    Delivery::Drip(interval) => body::drip(content, interval),
    Delivery::Endless => body::endless(),
    Delivery::EndlessGzip => body::endless_gzip(),
  };
  let mut response = Response::new(body::counted(pieces, Arc::clone(sent)));
  *response.status_mut() = status;
  *response.headers_mut() = headers;
  Ok(response)
}

fn default_headers(answer: &Answer, circumstances: &Circumstances) -> Result<HeaderMap, Unsendable> {
  let mut headers = HeaderMap::new();
  let mut set = |name: &'static str, value: &str| -> Result<(), Unsendable> {
    headers.insert(HeaderName::from_static(name), header_value(name, value.as_bytes())?);
    Ok(())
  };
  set("server", "github.com")?;
  set("date", &httpdate::fmt_http_date(circumstances.now))?;
  set("x-github-request-id", &request_id(circumstances))?;
  if answer.status != 304 {
    set("content-type", answer.content_type)?;
  }
  if answer.sender == Sender::Edge {
    set("cache-control", "no-cache")?;
    return Ok(headers);
  }
  if matches!(answer.status, 200 | 304) {
    set("cache-control", cache_control(circumstances.authorised))?;
  }
  if let Some(etag) = etag_of(answer) {
    set("etag", &etag)?;
  }
  set("vary", vary(circumstances.authorised))?;
  set("x-github-media-type", MEDIA_TYPE)?;
  set("x-github-api-version-selected", API_VERSION)?;
  let RateView {
    limit,
    remaining,
    used,
    reset,
  } = circumstances.rate;
  set("x-ratelimit-limit", &limit.to_string())?;
  set("x-ratelimit-remaining", &remaining.to_string())?;
  set("x-ratelimit-used", &used.to_string())?;
  set("x-ratelimit-reset", &reset.to_string())?;
  set("x-ratelimit-resource", "core")?;
  Ok(headers)
}

/// What the answer says about headers holds against every default.
fn overrule(headers: &mut HeaderMap, answer: &Answer) -> Result<(), Unsendable> {
  for (name, value) in &answer.headers {
    let known = HeaderName::from_bytes(name.as_bytes()).map_err(|_| Unsendable(format!("header name {name:?}")))?;
    match value {
      Some(value) => headers.insert(known, header_value(name, value)?),
      None => headers.remove(known),
    };
  }
  Ok(())
}

/// The body's bytes, and whether they are compressed.
fn content(answer: &Answer, accepts_gzip: bool) -> (Bytes, bool) {
  let own_encoding = answer.headers.contains_key("content-encoding");
  match answer.delivery {
    Delivery::EndlessGzip => (Bytes::new(), true),
    Delivery::Endless => (Bytes::new(), false),
    _ if accepts_gzip && !own_encoding && !answer.body.is_empty() => encoding::gzip(&answer.body),
    _ => (answer.body.clone(), false),
  }
}

fn promised_length(delivery: Delivery, content: &Bytes) -> usize {
  match delivery {
    // Of nothing there is no half: one byte is promised that never comes.
    Delivery::Truncated => content.len().max(1),
    _ => content.len(),
  }
}

fn has_content(status: StatusCode) -> bool {
  status != StatusCode::NOT_MODIFIED && status != StatusCode::NO_CONTENT
}

fn cache_control(authorised: bool) -> &'static str {
  if authorised {
    "private, max-age=60, s-maxage=60"
  } else {
    "public, max-age=60, s-maxage=60"
  }
}

fn vary(authorised: bool) -> &'static str {
  if authorised {
    "Accept, Authorization, Cookie, X-GitHub-OTP,Accept-Encoding, Accept, X-Requested-With"
  } else {
    "Accept,Accept-Encoding, Accept, X-Requested-With"
  }
}

fn request_id(circumstances: &Circumstances) -> String {
  let number = circumstances.number;
  let now = clock::unix_secs(circumstances.now);
  format!("57AD:{:04X}:{:05X}:{number:05X}:{now:08X}", number >> 32, number >> 16)
}

fn header_value(name: &str, value: &[u8]) -> Result<HeaderValue, Unsendable> {
  HeaderValue::from_bytes(value).map_err(|_| Unsendable(format!("value of header {name:?}")))
}

/// What the response depends on in a request's headers.
pub(crate) fn circumstances(headers: &HeaderMap, rate: RateView, now: SystemTime, number: u64) -> Circumstances {
  let accept_encoding = world::text(headers, &header::ACCEPT_ENCODING).unwrap_or_default();
  Circumstances {
    rate,
    now,
    number,
    authorised: headers.contains_key(header::AUTHORIZATION),
    accepts_gzip: encoding::accepts_gzip(accept_encoding),
  }
}
