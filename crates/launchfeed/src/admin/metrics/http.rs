//! Requests.

use std::fmt;

use super::exposition::Exposition;
use super::table::{HTTP_CONNECTIONS, HTTP_REQUEST_DURATION, HTTP_REQUESTS, HTTP_RESPONSE_BODY};
use crate::http::RequestTotals;

/// Of a status that isn't told apart.
const OTHER: &str = "other";

pub(super) fn write(to: &mut Exposition<'_>, totals: &RequestTotals) -> fmt::Result {
  to.write(&HTTP_REQUESTS, |samples| {
    totals.requests.iter().try_for_each(|(route, status, encoding, count)| {
      let status = status.map_or_else(|| OTHER.to_owned(), |status| status.to_string());
      samples.counter(&[route.as_str(), &status, encoding.as_str()], *count)
    })
  })?;
  to.write(&HTTP_REQUEST_DURATION, |samples| {
    totals
      .durations
      .iter()
      .try_for_each(|(route, durations)| samples.histogram(&[route.as_str()], durations))
  })?;
  to.write(&HTTP_RESPONSE_BODY, |samples| {
    totals
      .body_bytes
      .iter()
      .try_for_each(|(route, encoding, bytes)| samples.counter(&[route.as_str(), encoding.as_str()], *bytes))
  })?;
  to.gauge(&HTTP_CONNECTIONS, Some(totals.connections))
}
