//! gzip: of answers, and the stream that never ends.

use std::io::{self, Write};

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};

const ZEROS_PER_PIECE: usize = 1 << 20;

/// The parts of a gzip stream of zeros that has no end: the beginning once, the piece again and again.
#[derive(Clone, Debug)]
pub(crate) struct Bomb {
  pub(crate) beginning: Bytes,
  /// Decodes to [`ZEROS_PER_PIECE`] zeros. It refers back to zeros before it only, so that it may follow itself.
  pub(crate) piece: Bytes,
}

impl Bomb {
  pub(crate) fn build() -> io::Result<Self> {
    let zeros = vec![0; ZEROS_PER_PIECE];
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&zeros)?;
    // A flush ends at a byte's boundary, so that pieces can be strung together.
    encoder.flush()?;
    let beginning = Bytes::copy_from_slice(encoder.get_ref());
    encoder.write_all(&zeros)?;
    encoder.flush()?;
    let piece = Bytes::copy_from_slice(encoder.get_ref().get(beginning.len()..).unwrap_or_default());
    Ok(Self { beginning, piece })
  }
}

/// The body compressed; the body itself if that fails, with `false`.
pub(crate) fn gzip(body: &Bytes) -> (Bytes, bool) {
  let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
  match encoder.write_all(body).and_then(|()| encoder.finish()) {
    Ok(compressed) => (compressed.into(), true),
    Err(_) => (body.clone(), false),
  }
}

/// Whether `Accept-Encoding` allows gzip.
pub(crate) fn accepts_gzip(accept_encoding: &str) -> bool {
  accept_encoding.split(',').any(|offer| {
    let mut parts = offer.split(';').map(str::trim);
    let coding = parts.next().unwrap_or_default();
    let refused = parts.any(|part| part.strip_prefix("q=").and_then(|q| q.parse().ok()) == Some(0.0_f32));
    !refused && (coding.eq_ignore_ascii_case("gzip") || coding == "*")
  })
}

#[cfg(test)]
mod tests {
  use std::io::Read;

  use flate2::read::GzDecoder;

  use super::*;

  #[test]
  fn gzip_is_accepted_in_a_list_but_not_at_zero() {
    assert!(accepts_gzip("gzip"));
    assert!(accepts_gzip("br, GZIP;q=0.5"));
    assert!(accepts_gzip("*"));
    assert!(!accepts_gzip(""));
    assert!(!accepts_gzip("br, zstd"));
    assert!(!accepts_gzip("gzip;q=0"));
  }

  #[test]
  fn a_compressed_body_decodes_to_itself() {
    let (compressed, _) = gzip(&Bytes::from_static(b"{\"tag_name\":\"v1\"}"));
    let mut decoded = String::new();
    GzDecoder::new(compressed.as_ref())
      .read_to_string(&mut decoded)
      .unwrap();
    assert_eq!(decoded, "{\"tag_name\":\"v1\"}");
  }

  #[test]
  fn pieces_of_the_endless_stream_decode_to_zeros_at_a_thousand_to_one() {
    const PIECES: usize = 5;
    let bomb = Bomb::build().unwrap();
    assert!(bomb.piece.len() * 500 < ZEROS_PER_PIECE, "{} bytes", bomb.piece.len());
    let mut stream = bomb.beginning.to_vec();
    for _ in 0..PIECES {
      stream.extend_from_slice(&bomb.piece);
    }
    let mut decoded = vec![1; (PIECES + 1) * ZEROS_PER_PIECE];
    GzDecoder::new(stream.as_slice()).read_exact(&mut decoded).unwrap();
    assert!(decoded.iter().all(|byte| *byte == 0));
  }
}
