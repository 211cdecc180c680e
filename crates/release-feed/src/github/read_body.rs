//! Reading a body with a cap that holds while it is being read, also when it is compressed: what a bomb would unfold to never
//! exists.

use bytes::{Bytes, BytesMut};
use reqwest::Response;

/// The longest body that is read, counted after decompression.
pub const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;

/// Why a body wasn't read to its end.
#[derive(Debug)]
pub(super) enum BodyError {
  TooLong,
  Network(reqwest::Error),
}

/// Reads at most [`MAX_BODY_BYTES`].
pub(super) async fn read_body(response: Response) -> Result<Bytes, BodyError> {
  read_at_most(MAX_BODY_BYTES, response).await
}

/// Reads a body of at most so many bytes.
pub(super) async fn read_at_most(max_bytes: usize, mut response: Response) -> Result<Bytes, BodyError> {
  if response
    .content_length()
    .is_some_and(|length| length > max_bytes as u64)
  {
    return Err(BodyError::TooLong);
  }
  let mut body = BytesMut::new();
  while let Some(chunk) = response.chunk().await.map_err(BodyError::Network)? {
    if body.len() + chunk.len() > max_bytes {
      return Err(BodyError::TooLong);
    }
    body.extend_from_slice(&chunk);
  }
  Ok(body.freeze())
}
