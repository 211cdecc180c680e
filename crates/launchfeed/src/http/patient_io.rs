//! A connection whose patience with its client is limited.
//!
//! hyper limits how long a connection may be without a whole head of a request, with one limit for idle connections and for those
//! that send a byte a second, and a timer that is set for every request; and it waits forever for a client that doesn't read. Here
//! each has a limit of its own, and a timer that is rarely touched.

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

use super::transmit::{Outbox, Transmit};

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

/// How long a client may take for what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
  /// From the first byte of a request (on a new connection: from its beginning) to the end of its head.
  pub(super) head: Duration,
  /// From the end of an answer to the first byte of the next request.
  pub(super) idle: Duration,
  /// To take an answer.
  pub(super) write: Duration,
}

/// What the client is about.
#[derive(Clone, Copy, Debug)]
enum Phase {
  /// Sending a head, since then; none where it hasn't kept us waiting. Nearly every head comes whole, and asking for the time costs more
  /// than reading it.
  Head(Option<Instant>),
  /// Waiting for us, without a limit.
  Busy,
  /// Doing nothing since it was answered then.
  Idle(Instant),
}

/// The connection.
pub(super) struct PatientIo<I> {
  io: I,
  /// What was read to see which protocol is spoken, and is to be read again.
  read_ahead: Bytes,
  patience: Patience,
  phase: Phase,
  is_head_complete: Arc<AtomicBool>,
  outbox: Outbox,
  /// Whether something was written since the last head.
  has_answered: bool,
  /// HTTP/2 has its own signs of life, and nothing tells a head's first byte from a window update.
  is_multiplexed: bool,
  /// One for both limits of reading. It isn't set anew for every request: when it fires too early, it is set to the right time then.
  read_timer: Option<Pin<Box<Sleep>>>,
  write: Deadline,
}

impl<I> PatientIo<I> {
  /// A connection that has just begun.
  pub(super) fn new(io: I, patience: Patience) -> Self {
    Self {
      io,
      read_ahead: Bytes::new(),
      patience,
      phase: Phase::Head(Some(Instant::now())),
      is_head_complete: Arc::default(),
      outbox: Outbox::default(),
      has_answered: false,
      is_multiplexed: false,
      read_timer: None,
      write: Deadline::new(patience.write),
    }
  }

  /// Reading has no limits any more.
  pub(super) fn multiplexed(mut self) -> Self {
    self.is_multiplexed = true;
    self.phase = Phase::Busy;
    self
  }

  /// For whoever sees that a head is complete.
  pub(super) fn head_complete(&self) -> HeadComplete {
    HeadComplete(self.is_head_complete.clone())
  }

  /// For whoever answers with bodies that the kernel has copies of.
  pub(super) fn outbox(&self) -> Outbox {
    self.outbox.clone()
  }

  /// Ready once the client has taken too long for what it is about. Called when there is nothing to read.
  fn poll_read_limit(&mut self, cx: &mut Context<'_>) -> Poll<()> {
    let limit = match self.phase {
      Phase::Head(ref mut since) => *since.get_or_insert_with(Instant::now) + self.patience.head,
      Phase::Idle(since) => since + self.patience.idle,
      Phase::Busy => return Poll::Pending,
    };
    let timer = self.read_timer.get_or_insert_with(|| Box::pin(sleep_until(limit)));
    if timer.deadline() > limit || (timer.is_elapsed() && Instant::now() < limit) {
      timer.as_mut().reset(limit);
    }
    timer.as_mut().poll(cx)
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
    // Only the first look matters, and it is this task that marks it.
    if matches!(this.phase, Phase::Head(_)) && this.is_head_complete.swap(false, Ordering::Relaxed) {
      this.phase = Phase::Busy;
    }
    let before = buffer.filled().len();
    if let Poll::Ready(result) = Pin::new(&mut this.io).poll_read(cx, buffer) {
      if buffer.filled().len() > before && matches!(this.phase, Phase::Idle(_)) {
        this.phase = Phase::Head(None);
      }
      return Poll::Ready(result);
    }
    ready!(this.poll_read_limit(cx));
    Poll::Ready(Err(too_slow("sending a request")))
  }
}

impl<I: AsyncWrite + Transmit + Unpin> AsyncWrite for PatientIo<I> {
  fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
    let this = &mut *self;
    let written = match this.outbox.poll_send(&this.io, cx, &[io::IoSlice::new(bytes)]) {
      Some(sent) => sent,
      None => Pin::new(&mut this.io).poll_write(cx, bytes),
    };
    this.after_write(cx, written)
  }

  fn poll_write_vectored(
    mut self: Pin<&mut Self>,
    cx: &mut Context<'_>,
    buffers: &[io::IoSlice<'_>],
  ) -> Poll<io::Result<usize>> {
    let this = &mut *self;
    let written = match this.outbox.poll_send(&this.io, cx, buffers) {
      Some(sent) => sent,
      None => Pin::new(&mut this.io).poll_write_vectored(cx, buffers),
    };
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
    this.outbox.clear();
    if this.has_answered && !this.is_multiplexed {
      this.has_answered = false;
      this.is_head_complete.store(false, Ordering::Relaxed);
      this.phase = Phase::Idle(Instant::now());
    }
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
        self.phase = Phase::Busy;
        Poll::Ready(result)
      }
      Poll::Pending => {
        self.phase = Phase::Busy;
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
