//! Whether a request belongs to a trace that somebody keeps, by the headers of W3C Trace Context.
//!
//! Nearly no request does, so the header's form and its flag are looked at before anything is made of it. OpenTelemetry's own reading
//! comes after that; it takes more for a trace than the recommendation allows (shorter numbers, signs, a dash at the end).

use axum::http::{HeaderMap, HeaderName};
use opentelemetry::Context;
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::TraceContextExt;
use opentelemetry_sdk::propagation::TraceContextPropagator;

use super::seldom;

const PARENT: &str = "traceparent";
const STATE: &str = "tracestate";
const PARENT_HEADER: HeaderName = HeaderName::from_static(PARENT);
const STATE_HEADER: HeaderName = HeaderName::from_static(STATE);
/// `00-<32 digits of the trace>-<16 digits of the span>-<2 digits of flags>`, of which later versions begin with the same.
const LENGTH: usize = 55;
const DASHES: [usize; 3] = [2, 35, 52];
/// The only version that is never one.
const NO_VERSION: &[u8] = b"ff";
const FIRST_VERSION: &[u8] = b"00";
const SAMPLED: u8 = 1;
/// What everybody should pass on; spans wait in a queue, and anybody can send them.
const MAX_STATE_BYTES: usize = 512;

/// The headers of a trace.
struct Carrier<'h> {
  parent: &'h str,
  state: Option<String>,
}

/// The span above a request, where its trace is kept by whoever began it. Anything that isn't as it should be is no trace.
pub(super) fn sampled_parent(headers: &HeaderMap) -> Option<Context> {
  if !seldom::has(headers, PARENT) {
    return None;
  }
  let mut parents = headers.get_all(&PARENT_HEADER).iter();
  let parent = parents.next().filter(|_| parents.next().is_none())?.to_str().ok()?;
  if !is_sampled(parent.as_bytes()) {
    return None;
  }
  let carrier = Carrier {
    parent,
    state: state(headers),
  };
  let context = TraceContextPropagator::new().extract_with_context(&Context::new(), &carrier);
  // Numbers that are zero are none.
  let is_valid = context.span().span_context().is_valid();
  is_valid.then_some(context)
}

fn is_sampled(parent: &[u8]) -> bool {
  let Some((known, rest)) = parent.split_at_checked(LENGTH) else {
    return false;
  };
  let (version, flags) = (&known[..2], &known[LENGTH - 2..]);
  let is_well_formed = known.iter().enumerate().all(|(place, byte)| {
    if DASHES.contains(&place) {
      *byte == b'-'
    } else {
      matches!(byte, b'0'..=b'9' | b'a'..=b'f')
    }
  });
  let is_its_version = match version {
    FIRST_VERSION => rest.is_empty(),
    NO_VERSION => false,
    _ => rest.first().is_none_or(|byte| *byte == b'-'),
  };
  // The last digit's lowest bit is the number's.
  let last = flags[1];
  let digit = if last.is_ascii_digit() {
    last - b'0'
  } else {
    last.wrapping_sub(b'a' - 10)
  };
  is_well_formed && is_its_version && digit & SAMPLED == SAMPLED
}

/// What other programs noted of the trace: one list, however many headers it came in.
fn state(headers: &HeaderMap) -> Option<String> {
  let mut state = String::new();
  for value in headers.get_all(&STATE_HEADER) {
    if !state.is_empty() {
      state.push(',');
    }
    state.push_str(value.to_str().ok()?);
    if state.len() > MAX_STATE_BYTES {
      return None;
    }
  }
  (!state.is_empty()).then_some(state)
}

impl Extractor for Carrier<'_> {
  fn get(&self, key: &str) -> Option<&str> {
    match key {
      PARENT => Some(self.parent),
      STATE => self.state.as_deref(),
      _ => None,
    }
  }

  fn keys(&self) -> Vec<&str> {
    vec![PARENT, STATE]
  }
}

#[cfg(test)]
mod tests {
  use axum::http::HeaderValue;
  use opentelemetry::trace::{SpanId, TraceId};
  use rstest::rstest;

  use super::*;

  const TRACE: u128 = 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736;
  const SPAN: u64 = 0x00f0_67aa_0ba9_02b7;
  const GOOD: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  #[rstest]
  #[case::usual(GOOD)]
  #[case::with_flags_of_later_days("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-ff")]
  #[case::of_a_later_version("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")]
  #[case::of_a_later_version_with_more("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0b-what-the-future")]
  #[case::of_a_later_version_with_a_dash("fe-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-")]
  fn a_trace_that_is_kept_is_known(#[case] parent: &str) {
    let context = sampled_parent(&headers(&[("traceparent", parent)])).unwrap();
    let span = context.span();
    let context = span.span_context();
    assert_eq!(context.trace_id(), TraceId::from(TRACE));
    assert_eq!(context.span_id(), SpanId::from(SPAN));
    assert!(context.is_remote() && context.is_sampled());
    assert_eq!(context.trace_state().header(), "");
  }

  #[rstest]
  #[case::not_kept("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00")]
  #[case::not_kept_with_other_flags("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0e")]
  #[case::not_kept_with_all_other_flags("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-fa")]
  #[case::no_trace("00-00000000000000000000000000000000-00f067aa0ba902b7-01")]
  #[case::no_span("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01")]
  #[case::no_version("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")]
  #[case::more_than_its_version_has("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x")]
  #[case::a_dash_at_the_end("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-")]
  #[case::longer_flags("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-011")]
  #[case::upper_case("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01")]
  #[case::upper_case_flags("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0B")]
  #[case::no_hexadecimals("00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01")]
  #[case::a_sign("00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")]
  #[case::shorter_numbers("0-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b-1")]
  #[case::other_dashes("00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01")]
  #[case::shifted_dashes("0-04bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")]
  #[case::cut("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0")]
  #[case::text("nonsense")]
  #[case::empty("")]
  fn anything_else_is_none(#[case] parent: &str) {
    assert!(sampled_parent(&headers(&[("traceparent", parent)])).is_none());
  }

  #[test]
  fn none_two_and_one_that_is_no_text_are_none() {
    assert!(sampled_parent(&HeaderMap::new()).is_none());
    assert!(sampled_parent(&headers(&[("traceparent", GOOD), ("traceparent", GOOD)])).is_none());
    let mut binary = HeaderMap::new();
    binary.insert(PARENT_HEADER, HeaderValue::from_bytes(&[0xff; LENGTH]).unwrap());
    assert!(sampled_parent(&binary).is_none());
  }

  #[rstest]
  #[case::one(&["rojo=00f067aa0ba902b7"], "rojo=00f067aa0ba902b7")]
  #[case::two_headers(&["rojo=1, congo=t61", "a@b=c"], "rojo=1,congo=t61,a@b=c")]
  #[case::malformed(&["no list"], "")]
  #[case::one_of_two_malformed(&["rojo=1", "no list"], "")]
  #[case::no_text(&["r\u{f6}jo=1"], "")]
  fn what_others_noted_is_kept_as_far_as_it_can_be_read(#[case] states: &[&str], #[case] expected: &str) {
    let states = states.iter().map(|state| ("tracestate", *state));
    let headers = headers(&[("traceparent", GOOD)].into_iter().chain(states).collect::<Vec<_>>());
    let context = sampled_parent(&headers).unwrap();
    assert_eq!(context.span().span_context().trace_state().header(), expected);
  }

  #[test]
  fn more_notes_than_anybody_must_pass_on_are_left_out() {
    let of_length = |length: usize| {
      let state = format!("{},{}", "a".repeat(200) + "=b", "c".repeat(length - 205) + "=d");
      assert_eq!(state.len(), length);
      let context = sampled_parent(&headers(&[("traceparent", GOOD), ("tracestate", &state)])).unwrap();
      context.span().span_context().trace_state().header().len()
    };
    assert_eq!(of_length(450), 450);
    assert_eq!(of_length(MAX_STATE_BYTES + 1), 0);
  }

  fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
    pairs
      .iter()
      .map(|(name, value)| {
        let value = HeaderValue::from_bytes(value.as_bytes()).unwrap();
        (name.parse::<HeaderName>().unwrap(), value)
      })
      .collect()
  }
}
