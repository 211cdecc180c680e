//! Sending a body that the kernel has a copy of: its pages are handed to the connection instead of being copied into it.
//!
//! hyper writes slices of memory and knows nothing of files. Whoever answers says on the [`Outbox`] which body is on its way; when a
//! slice of it comes to be written, its place in that body is its place in the file.

use std::fs::File;
use std::io::{self, IoSlice};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use tokio::net::TcpStream;

/// What a connection is about to send: told by the one who answers, read by the one who writes. Clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct Outbox(Arc<Mutex<Option<OnItsWay>>>);

#[derive(Clone, Debug)]
struct OnItsWay {
  body: Bytes,
  file: Arc<File>,
}

/// A part of a file to be sent, after a few bytes that aren't in it.
#[derive(Debug)]
pub(super) struct FilePart<'a> {
  pub(super) head: &'a [u8],
  pub(super) file: &'a File,
  pub(super) offset: usize,
  pub(super) length: usize,
}

/// A connection that may be able to send a part of a file.
pub(super) trait Transmit {
  /// Sends as much as fits and says how many bytes that were, head included. `None` where it can't send files.
  fn poll_send_file(&self, _cx: &mut Context<'_>, _part: &FilePart<'_>) -> Option<Poll<io::Result<usize>>> {
    None
  }
}

impl Outbox {
  /// The body that is answered with, whose bytes the file holds.
  pub(super) fn put(&self, body: Bytes, file: Arc<File>) {
    *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(OnItsWay { body, file });
  }

  /// Everything was sent.
  pub(super) fn clear(&self) {
    *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
  }

  /// Sends from the file if the last of `buffers` lies in the body on its way, and at most one comes before it. `None` where they
  /// have to be written as they are.
  pub(super) fn poll_send(
    &self,
    io: &impl Transmit,
    cx: &mut Context<'_>,
    buffers: &[IoSlice<'_>],
  ) -> Option<Poll<io::Result<usize>>> {
    let (head, slice) = match buffers {
      [slice] => (&[][..], slice),
      [head, slice] => (&**head, slice),
      _ => return None,
    };
    let on_its_way = self.0.lock().unwrap_or_else(PoisonError::into_inner);
    let OnItsWay { body, file } = on_its_way.as_ref()?;
    let offset = place_in(body, slice)?;
    let part = FilePart {
      head,
      file,
      offset,
      length: slice.len(),
    };
    io.poll_send_file(cx, &part)
  }
}

/// Where in `whole` the very same memory lies; `None` for any other.
fn place_in(whole: &[u8], slice: &[u8]) -> Option<usize> {
  let offset = slice.as_ptr().addr().checked_sub(whole.as_ptr().addr())?;
  (!slice.is_empty() && offset.checked_add(slice.len())? <= whole.len()).then_some(offset)
}

#[cfg(test)]
impl Transmit for tokio::io::DuplexStream {}

#[cfg(not(target_os = "linux"))]
impl Transmit for TcpStream {}

#[cfg(target_os = "linux")]
impl Transmit for TcpStream {
  fn poll_send_file(&self, cx: &mut Context<'_>, part: &FilePart<'_>) -> Option<Poll<io::Result<usize>>> {
    Some(loop {
      match self.poll_write_ready(cx) {
        Poll::Ready(Ok(())) => {}
        Poll::Ready(Err(error)) => break Poll::Ready(Err(error)),
        Poll::Pending => break Poll::Pending,
      }
      match self.try_io(tokio::io::Interest::WRITABLE, || send_file(self, part)) {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
        sent => break Poll::Ready(sent),
      }
    })
  }
}

#[cfg(target_os = "linux")]
fn send_file(stream: &TcpStream, part: &FilePart<'_>) -> io::Result<usize> {
  use rustix::fs::sendfile;
  use rustix::net::{SendFlags, send};

  let mut sent = 0;
  if !part.head.is_empty() {
    // The body follows at once: nothing is sent with the head alone.
    sent = send(stream, part.head, SendFlags::MORE | SendFlags::NOSIGNAL)?;
    if sent < part.head.len() {
      return Ok(sent);
    }
  }
  let mut offset = u64::try_from(part.offset).map_err(io::Error::other)?;
  match sendfile(stream, part.file, Some(&mut offset), part.length) {
    Ok(length) => Ok(sent + length),
    // What was sent counts; the rest is tried again.
    Err(_) if sent > 0 => Ok(sent),
    Err(error) => Err(error.into()),
  }
}

#[cfg(test)]
mod tests {
  use feed_types::{App, Release, ReleaseInfo, ReleaseInfoAnswer, UtcTime};
  use release_feed::answer::{Coding, Effort, Publication, PublishedFeed};
  use release_feed::catalog::Catalog;
  use rstest::rstest;
  use tokio::io::{AsyncReadExt, AsyncWriteExt};
  use tokio::net::{TcpListener, TcpSocket};
  use tokio_util::sync::CancellationToken;

  use super::*;
  use crate::http::{Answers, Front, Limits, serve};

  /// Longer than any socket's buffers, so that it is sent in many parts.
  const NOTES_BYTES: usize = 6 * 1024 * 1024;
  const SMALL_BUFFER_BYTES: u32 = 4 * 1024;

  #[test]
  fn only_the_very_same_memory_has_a_place_in_a_body() {
    let body = Bytes::from(vec![1; 100]);
    assert_eq!(place_in(&body, &body), Some(0));
    assert_eq!(place_in(&body, &body[40..]), Some(40));
    assert_eq!(place_in(&body, &body[40..60]), Some(40));
    assert_eq!(place_in(&body, &body[100..]), None);
    assert_eq!(place_in(&body, &[1; 100]), None);
    assert_eq!(place_in(&body.slice(10..50), &body[5..20]), None);
    assert_eq!(place_in(&body.slice(10..50), &body[20..60]), None);
  }

  #[rstest]
  #[tokio::test]
  async fn every_byte_arrives_in_its_place_however_requests_and_reads_are_cut(#[values(1, 3)] pipelined: usize) {
    let feed = long_feed();
    #[cfg(target_os = "linux")]
    assert!(feed.all().kernel_copy().file().is_some());
    let whole = feed.all().body(Coding::Identity).clone();
    let gzip = feed.all().body(Coding::Gzip).clone();
    let (address, stop) = start(feed).await;
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(SMALL_BUFFER_BYTES).unwrap();
    let mut client = socket.connect(address).await.unwrap();
    for _ in 0..2 {
      let mut requests = String::new();
      for number in 0..pipelined {
        requests += if number % 2 == 0 { IDENTITY } else { GZIP };
      }
      client.write_all(requests.as_bytes()).await.unwrap();
      for number in 0..pipelined {
        let expected = if number % 2 == 0 { &whole } else { &gzip };
        let received = read_body(&mut client, expected.len()).await;
        assert!(received == **expected, "another body came than was published");
      }
    }
    stop.cancel();
  }

  #[tokio::test]
  async fn a_client_that_goes_in_the_middle_harms_nobody() {
    let feed = long_feed();
    let whole = feed.all().body(Coding::Identity).clone();
    let (address, stop) = start(feed).await;
    let mut going = TcpStream::connect(address).await.unwrap();
    going.write_all(IDENTITY.as_bytes()).await.unwrap();
    going.read_u8().await.unwrap();
    drop(going);
    let mut staying = TcpStream::connect(address).await.unwrap();
    staying.write_all(IDENTITY.as_bytes()).await.unwrap();
    assert!(read_body(&mut staying, whole.len()).await == *whole);
    stop.cancel();
  }

  const IDENTITY: &str = "GET /v1/release_info HTTP/1.1\r\nHost: x\r\n\r\n";
  const GZIP: &str = "GET /v1/release_info HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n";

  async fn start(feed: PublishedFeed) -> (std::net::SocketAddr, CancellationToken) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let front = Front::of(Answers {
      publication: Publication::new(feed),
      catalog: Arc::new(Catalog::craft_apps()),
    });
    let stop = CancellationToken::new();
    tokio::spawn(serve(listener, front, Limits::default(), stop.clone()));
    (address, stop)
  }

  async fn read_body(client: &mut TcpStream, length: usize) -> Vec<u8> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
      head.push(client.read_u8().await.unwrap());
    }
    let head = String::from_utf8(head).unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(head.contains(&format!("content-length: {length}\r\n")), "{head}");
    let mut body = vec![0; length];
    client.read_exact(&mut body).await.unwrap();
    body
  }

  /// Notes in which every place looks different.
  fn long_feed() -> PublishedFeed {
    let notes: String = (0..NOTES_BYTES / 8).map(|number| format!("{number:08}")).collect();
    let app = App {
      latest_release: Some(Release {
        notes_markdown: notes,
        ..Release::default()
      }),
      app_last_fetched: UtcTime::from_unix_ms(1_791_471_170_000),
      ..App::default()
    };
    let answer = ReleaseInfoAnswer {
      success: true,
      release_info: ReleaseInfo::new([("demo".to_owned(), app)].into()),
      ..ReleaseInfoAnswer::default()
    };
    PublishedFeed::encode(answer, Effort::Quick).unwrap()
  }
}
