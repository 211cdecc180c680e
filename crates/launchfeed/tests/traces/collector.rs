//! A collector that keeps what it is sent, and fails as it is told to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use testkit::DEADLINE;

/// How it answers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Mood {
  Takes,
  Answers(&'static str),
  Hangs,
}

#[derive(Clone)]
pub(crate) struct Collector {
  pub(crate) address: SocketAddr,
  shared: Arc<(Mutex<State>, Condvar)>,
}

struct State {
  mood: Mood,
  requests: Vec<Request>,
  /// Connections that are left hanging.
  hanging: Vec<TcpStream>,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Request {
  /// Request line and headers.
  pub(crate) head: String,
  pub(crate) body: Vec<u8>,
}

impl Collector {
  pub(crate) fn start(mood: Mood) -> Self {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let state = State {
      mood,
      requests: Vec::new(),
      hanging: Vec::new(),
    };
    let collector = Self {
      address: listener.local_addr().unwrap(),
      shared: Arc::new((Mutex::new(state), Condvar::new())),
    };
    let accepting = collector.clone();
    thread::spawn(move || {
      for stream in listener.incoming().flatten() {
        let collector = accepting.clone();
        thread::spawn(move || collector.serve(stream));
      }
    });
    collector
  }

  pub(crate) fn url(&self) -> String {
    format!("http://{}", self.address)
  }

  pub(crate) fn set(&self, mood: Mood) {
    self.shared.0.lock().unwrap().mood = mood;
  }

  pub(crate) fn requests(&self) -> Vec<Request> {
    self.shared.0.lock().unwrap().requests.clone()
  }

  /// Waits until what came pleases. Panics at the deadline.
  pub(crate) fn wait_for(&self, what: &str, mut pleases: impl FnMut(&[Request]) -> bool) {
    let until = Instant::now() + DEADLINE;
    let (state, changed) = &*self.shared;
    let mut state = state.lock().unwrap();
    while !pleases(&state.requests) {
      let left = until.saturating_duration_since(Instant::now());
      assert!(!left.is_zero(), "{what} didn't come");
      state = changed
        .wait_timeout(state, left)
        .unwrap_or_else(PoisonError::into_inner)
        .0;
    }
  }

  /// Waits for a span with that name and attribute.
  pub(crate) fn wait_for_span(&self, name: &str, attribute: (&str, &str)) -> Span {
    let (key, value) = attribute;
    let mut found = None;
    self.wait_for(&format!("{name} with {key}={value}"), |requests| {
      found = requests
        .iter()
        .flat_map(Request::spans)
        .find(|span| span.name == name && text(&span.attributes, key).as_deref() == Some(value));
      found.is_some()
    });
    found.unwrap()
  }

  fn serve(&self, stream: TcpStream) {
    let mut reader = BufReader::new(stream);
    let Some(request) = read(&mut reader) else { return };
    let mut stream = reader.into_inner();
    let mut state = self.shared.0.lock().unwrap();
    state.requests.push(request);
    self.shared.1.notify_all();
    match state.mood {
      Mood::Hangs => state.hanging.push(stream),
      Mood::Takes => drop(stream.write_all(
        b"HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
      )),
      Mood::Answers(bytes) => drop(stream.write_all(bytes.as_bytes())),
    }
  }
}

impl Request {
  pub(crate) fn decoded(&self) -> ExportTraceServiceRequest {
    ExportTraceServiceRequest::decode(&*self.body).unwrap()
  }

  pub(crate) fn spans(&self) -> Vec<Span> {
    let resources = self.decoded().resource_spans.into_iter();
    let scopes = resources.flat_map(|resource| resource.scope_spans);
    scopes.flat_map(|scope| scope.spans).collect()
  }

  /// The resource's attributes.
  pub(crate) fn resource(&self) -> Vec<KeyValue> {
    let resource = self.decoded().resource_spans.swap_remove(0).resource;
    resource.unwrap().attributes
  }
}

/// An attribute as text.
pub(crate) fn text(attributes: &[KeyValue], key: &str) -> Option<String> {
  let mut values = attributes.iter().filter(|attribute| attribute.key == key);
  let value = values.next()?.value.clone();
  assert!(values.next().is_none(), "{key} twice in {attributes:?}");
  Some(match value {
    Some(AnyValue {
      value: Some(Value::StringValue(text)),
    }) => text,
    Some(AnyValue {
      value: Some(Value::IntValue(number)),
    }) => number.to_string(),
    Some(AnyValue {
      value: Some(Value::BoolValue(is)),
    }) => is.to_string(),
    other => format!("{other:?}"),
  })
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Request> {
  let mut head = String::new();
  while !head.ends_with("\r\n\r\n") {
    if reader.read_line(&mut head).ok()? == 0 {
      return None;
    }
  }
  let length = head
    .lines()
    .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
  let mut body = vec![0; length?];
  reader.read_exact(&mut body).ok()?;
  Some(Request { head, body })
}
