//! HTTP to the byte: what a test wants to know of an answer that a comfortable client hides.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

use serde_json::Value;

use crate::DEADLINE;
use crate::secrets::assert_no_secret;

/// An answer as it came.
#[derive(Clone, Debug, PartialEq)]
pub struct HttpAnswer {
  /// The status code.
  pub status: u16,
  /// Header names in lowercase, in the order in which they came.
  pub headers: Vec<(String, String)>,
  /// The body.
  pub body: Vec<u8>,
}

/// A connection that stays open between requests.
#[derive(Debug)]
pub struct HttpConnection {
  stream: BufReader<TcpStream>,
}

impl HttpAnswer {
  /// The value of a header; panics where there are two.
  pub fn header(&self, name: &str) -> Option<&str> {
    let mut values = self.headers.iter().filter(|(known, _)| known == name);
    let value = values.next().map(|(_, value)| value.as_str());
    assert!(values.next().is_none(), "two headers {name} in {:?}", self.headers);
    value
  }

  /// The body as JSON.
  pub fn json(&self) -> Value {
    serde_json::from_slice(&self.body)
      .unwrap_or_else(|error| panic!("{error} in {:?}", String::from_utf8_lossy(&self.body)))
  }

  /// Headers but for the date, which moves, and the id of the request, which is another for each.
  pub fn headers_but_date(&self) -> Vec<(String, String)> {
    self
      .headers
      .iter()
      .filter(|(name, _)| name != "date" && name != "x-request-id")
      .cloned()
      .collect()
  }
}

/// One request on a connection of its own.
pub fn request(address: SocketAddr, method: &str, path: &str) -> HttpAnswer {
  let mut connection = HttpConnection::open(address);
  connection.send(format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").as_bytes());
  connection.answer(method)
}

impl HttpConnection {
  /// Connects.
  pub fn open(address: SocketAddr) -> Self {
    let stream = TcpStream::connect_timeout(&address, DEADLINE).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    stream.set_write_timeout(Some(DEADLINE)).unwrap();
    Self {
      stream: BufReader::new(stream),
    }
  }

  /// Sends bytes as they are.
  pub fn send(&mut self, bytes: &[u8]) {
    self.stream.get_mut().write_all(bytes).unwrap();
  }

  /// Asks and reads the answer, keeping the connection.
  pub fn request(&mut self, method: &str, path: &str) -> HttpAnswer {
    self.send(format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").as_bytes());
    self.answer(method)
  }

  /// Reads an answer to a request with that method: the head, and as many bytes as `Content-Length` says.
  pub fn answer(&mut self, method: &str) -> HttpAnswer {
    self.try_answer(method).unwrap()
  }

  fn try_answer(&mut self, method: &str) -> io::Result<HttpAnswer> {
    let status_line = self.line()?;
    let status = status_line.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| io::Error::other(format!("no status line: {status_line:?}")))?;
    let mut headers = Vec::new();
    loop {
      let line = self.line()?;
      let Some((name, value)) = line.split_once(':') else {
        break;
      };
      headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut answer = HttpAnswer {
      status,
      headers,
      body: Vec::new(),
    };
    let length = answer
      .header("content-length")
      .map_or(0, |length| length.parse().unwrap());
    if method != "HEAD" && status != 304 {
      answer.body.resize(length, 0);
      self.stream.read_exact(&mut answer.body)?;
    }
    assert_no_secret("an answer's head", format!("{:?}", answer.headers).as_bytes());
    assert_no_secret("an answer", &answer.body);
    Ok(answer)
  }

  fn line(&mut self) -> io::Result<String> {
    let mut line = String::new();
    if self.stream.read_line(&mut line)? == 0 {
      return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(line.trim_end().to_owned())
  }
}
