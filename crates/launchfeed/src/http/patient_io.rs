//! A connection whose patience with its client is limited.
//!
//! hyper limits how long a connection may be without a whole head of a request, with one limit for idle connections and for those
//! that send a byte a second; and it waits forever for a client that doesn't read. Here the head has a limit of its own, from its
//! first byte (on a new connection: from its beginning), and so has reading what was written.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// Holds the head of nearly every request, so that looking ahead costs no further read.
const READ_AHEAD_BYTES: usize = 1024;

/// Says that a request's head is complete, so that its limit no longer holds.
#[derive(Clone, Debug)]
pub(super) struct HeadComplete(Arc<AtomicBool>);

impl HeadComplete {
  pub(super) fn mark(&self) {
    self.0.store(true, Ordering::Relaxed);
  }
}

/// The connection.
pub(super) struct PatientIo<I> {
  io: I,
  /// What was read to see which protocol is spoken, and is to be read again.
  read_ahead: Bytes,
  head: Deadline,
  write: Deadline,
  is_head_complete: Arc<AtomicBool>,
  /// Whether something was written since the last head; what is read next begins another one.
  has_answered: bool,
  heads_are_limited: bool,
}

impl<I> PatientIo<I> {
  /// A connection that has just begun.
  pub(super) fn new(io: I, head_timeout: Duration, write_timeout: Duration) -> Self {
    let mut head = Deadline::new(head_timeout);
    head.start();
    Self {
      io,
      read_ahead: Bytes::new(),
      head,
      write: Deadline::new(write_timeout),
      is_head_complete: Arc::default(),
      has_answered: false,
      heads_are_limited: true,
    }
  }

  /// The head of a request has no limit of its own any more: in HTTP/2 nothing tells a head's first byte from a window update.
  pub(super) fn without_head_timeout(mut self) -> Self {
    self.head.stop();
    // Nothing written is an answer to whoever looks for the next head.
    self.heads_are_limited = false;
    self
  }

  /// For whoever sees that a head is complete.
  pub(super) fn head_complete(&self) -> HeadComplete {
    HeadComplete(self.is_head_complete.clone())
  }
}

impl<I: AsyncRead + Unpin> PatientIo<I> {
  /// Reads until the beginning equals `prefix` or differs from it, and says which. Everything is read again afterwards.
  pub(super) async fn begins_with(&mut self, prefix: &[u8]) -> io::Result<bool> {
    let mut beginning = BytesMut::with_capacity(READ_AHEAD_BYTES);
    while beginning.len() < prefix.len() && prefix.starts_with(&beginning) {
      if self.read_buf(&mut beginning).await? == 0 {
        break;
      }
    }
    let begins = beginning.starts_with(prefix);
    self.read_ahead = beginning.freeze();
    Ok(begins)
  }
}

impl<I: AsyncRead + Unpin> AsyncRead for PatientIo<I> {
  fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
    let this = &mut *self;
    if !this.read_ahead.is_empty() {
      let length = this.read_ahead.len().min(buffer.remaining());
      buffer.put_slice(&this.read_ahead.split_to(length));
      return Poll::Ready(Ok(()));
    }
    if this.is_head_complete.swap(false, Ordering::Relaxed) {
      this.head.stop();
    }
    let before = buffer.filled().len();
    if let Poll::Ready(result) = Pin::new(&mut this.io).poll_read(cx, buffer) {
      if buffer.filled().len() > before && this.has_answered && this.heads_are_limited {
        this.has_answered = false;
        this.head.start();
      }
      return Poll::Ready(result);
    }
    ready!(this.head.poll_passed(cx));
    Poll::Ready(Err(too_slow("sending a request")))
  }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for PatientIo<I> {
  fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
    let this = &mut *self;
    let written = Pin::new(&mut this.io).poll_write(cx, bytes);
    this.after_write(cx, written)
  }

  fn poll_write_vectored(
    mut self: Pin<&mut Self>,
    cx: &mut Context<'_>,
    buffers: &[io::IoSlice<'_>],
  ) -> Poll<io::Result<usize>> {
    let this = &mut *self;
    let written = Pin::new(&mut this.io).poll_write_vectored(cx, buffers);
    this.after_write(cx, written)
  }

  fn is_write_vectored(&self) -> bool {
    self.io.is_write_vectored()
  }

  /// Called when everything has been written: the client has read, or the system holds it for the client.
  fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
    let this = &mut *self;
    let flushed = ready!(Pin::new(&mut this.io).poll_flush(cx));
    this.write.stop();
    Poll::Ready(flushed)
  }

  fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
    Pin::new(&mut self.io).poll_shutdown(cx)
  }
}

impl<I> PatientIo<I> {
  /// The limit holds from the first time that the client keeps us waiting until everything is written, whatever trickles through
  /// meanwhile.
  fn after_write(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
    match written {
      Poll::Ready(result) => {
        self.has_answered = true;
        self.head.stop();
        Poll::Ready(result)
      }
      Poll::Pending => {
        self.write.start();
        ready!(self.write.poll_passed(cx));
        Poll::Ready(Err(too_slow("reading the answer")))
      }
    }
  }
}

/// A limit that is started and stopped.
struct Deadline {
  after: Duration,
  timer: Option<Pin<Box<Sleep>>>,
}

impl Deadline {
  fn new(after: Duration) -> Self {
    Self { after, timer: None }
  }

  /// Starts it, unless it runs.
  fn start(&mut self) {
    if self.timer.is_none() {
      self.timer = Some(Box::pin(sleep_until(Instant::now() + self.after)));
    }
  }

  fn stop(&mut self) {
    self.timer = None;
  }

  /// Ready once it has passed; never, while it doesn't run.
  fn poll_passed(&mut self, cx: &mut Context<'_>) -> Poll<()> {
    match &mut self.timer {
      Some(timer) => timer.as_mut().poll(cx),
      None => Poll::Pending,
    }
  }
}

fn too_slow(at: &str) -> io::Error {
  io::Error::new(io::ErrorKind::TimedOut, format!("the client is too slow at {at}"))
}
