//! Bodies as they travel: whole, cut off, byte by byte, without end. Every byte handed over is counted.

use std::{
  io,
  pin::Pin,
  sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
  },
  time::Duration,
};

use bytes::Bytes;
use futures_util::{
  Stream, StreamExt,
  stream::{self, unfold},
};
use http_body_util::StreamBody;
use hyper::body::Frame;
use tokio::{task::yield_now, time::sleep};

use crate::encoding::Bomb;

/// Small, so that little of it stands in buffers that the client hasn't read.
const BLANKS: Bytes = Bytes::from_static(&[b' '; 4096]);

/// The pieces of a body. An error in it cuts the connection.
pub(crate) type Pieces = Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>;

/// What hyper sends.
pub(crate) type ResponseBody = StreamBody<Pin<Box<dyn Stream<Item = io::Result<Frame<Bytes>>> + Send>>>;

pub(crate) fn whole(body: Bytes) -> Pieces {
  // An empty piece would end a chunked body early.
  Box::pin(stream::iter((!body.is_empty()).then_some(Ok(body))))
}

/// The first half, then the end of the connection.
pub(crate) fn truncated(body: Bytes) -> Pieces {
  let half = body.slice(..body.len() / 2);
  let cut = stream::once(async {
    // Without this the half wouldn't be written before the error is seen.
    yield_now().await;
    Err(io::Error::from(io::ErrorKind::ConnectionAborted))
  });
  Box::pin(whole(half).chain(cut))
}

/// One byte at a time, each after the interval.
pub(crate) fn drip(body: Bytes, interval: Duration) -> Pieces {
  Box::pin(unfold(body, move |mut rest| async move {
    if rest.is_empty() {
      return None;
    }
    sleep(interval).await;
    let byte = rest.split_to(1);
    Some((Ok(byte), rest))
  }))
}

/// Blanks for ever.
pub(crate) fn endless() -> Pieces {
  Box::pin(stream::repeat_with(|| Ok(BLANKS)))
}

/// Compressed zeros for ever.
pub(crate) fn endless_gzip() -> Pieces {
  match Bomb::build() {
    Ok(Bomb { beginning, piece }) => {
      Box::pin(stream::iter([Ok(beginning)]).chain(stream::repeat_with(move || Ok(piece.clone()))))
    }
    Err(error) => Box::pin(stream::iter([Err(error)])),
  }
}

/// Puts pieces into the form that hyper sends, and adds their lengths to `sent`.
pub(crate) fn counted(pieces: Pieces, sent: Arc<AtomicU64>) -> ResponseBody {
  StreamBody::new(Box::pin(pieces.map(move |piece| {
    piece.map(|bytes| {
      sent.fetch_add(bytes.len() as u64, Ordering::Relaxed);
      Frame::data(bytes)
    })
  })))
}

#[cfg(test)]
mod tests {
  use super::*;

  #[tokio::test]
  async fn a_truncated_body_is_half_of_it_and_an_error() {
    let pieces: Vec<io::Result<Bytes>> = truncated(Bytes::from_static(b"0123456789")).collect().await;
    assert_eq!(pieces[0].as_ref().unwrap(), "01234");
    assert_eq!(pieces[1].as_ref().unwrap_err().kind(), io::ErrorKind::ConnectionAborted);
    assert_eq!(pieces.len(), 2);
  }

  #[tokio::test]
  async fn a_dripping_body_comes_byte_by_byte() {
    let pieces: Vec<io::Result<Bytes>> = drip(Bytes::from_static(b"abc"), Duration::ZERO).collect().await;
    let pieces: Vec<Bytes> = pieces.into_iter().map(Result::unwrap).collect();
    assert_eq!(pieces, ["a", "b", "c"]);
  }

  #[tokio::test]
  async fn an_empty_body_has_no_piece() {
    assert_eq!(whole(Bytes::new()).count().await, 0);
  }

  #[tokio::test]
  async fn what_is_sent_is_counted() {
    let sent = Arc::new(AtomicU64::new(0));
    let frames = counted(Box::pin(endless().take(3)), Arc::clone(&sent));
    assert_eq!(frames.count().await, 3);
    assert_eq!(sent.load(Ordering::Relaxed), 3 * BLANKS.len() as u64);
  }
}
