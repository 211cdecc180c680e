//! Content codings, and compressing a body once per change.

use std::io::{self, Read, Write};

use brotli::CompressorReader;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

/// How a body travels.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Coding {
  /// As it is.
  Identity,
  /// gzip, which everybody understands.
  Gzip,
  /// Zstandard.
  Zstd,
  /// Brotli.
  Br,
}

/// How hard to compress.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Effort {
  /// At once: a few milliseconds for 200 KB. What changed is on the wire, if not yet in its smallest form.
  Quick,
  /// As small as a body may get that is sent thousands of times before the next one: tens of milliseconds for 200 KB.
  Thorough,
}

impl Effort {
  /// One word for it.
  pub const fn name(self) -> &'static str {
    match self {
      Self::Quick => "quick",
      Self::Thorough => "thorough",
    }
  }
}

impl Coding {
  /// Every coding, the best for a client that takes all of them equally last.
  pub const ALL: [Self; 4] = [Self::Identity, Self::Gzip, Self::Zstd, Self::Br];

  /// The token in `Content-Encoding` and `Accept-Encoding`.
  pub const fn token(self) -> &'static str {
    match self {
      Self::Identity => "identity",
      Self::Gzip => "gzip",
      Self::Zstd => "zstd",
      Self::Br => "br",
    }
  }

  /// Compresses a body. Blocks for as long as it takes.
  pub fn encode(self, body: &Bytes, effort: Effort) -> io::Result<Bytes> {
    Ok(match self {
      Self::Identity => body.clone(),
      Self::Gzip => gzip(body, effort)?.into(),
      Self::Zstd => zstd::bulk::compress(body, if effort == Effort::Quick { 1 } else { 15 })?.into(),
      Self::Br => br(body, effort)?.into(),
    })
  }
}

fn gzip(body: &[u8], effort: Effort) -> io::Result<Vec<u8>> {
  let level = if effort == Effort::Quick { 1 } else { 9 };
  let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
  encoder.write_all(body)?;
  encoder.finish()
}

fn br(body: &[u8], effort: Effort) -> io::Result<Vec<u8>> {
  const BUFFER_BYTES: usize = 64 * 1024;
  const WINDOW_BITS: u32 = 22;
  let quality = if effort == Effort::Quick { 1 } else { 9 };
  let mut encoded = Vec::new();
  CompressorReader::new(body, BUFFER_BYTES, quality, WINDOW_BITS).read_to_end(&mut encoded)?;
  Ok(encoded)
}

#[cfg(test)]
mod tests {
  use flate2::read::GzDecoder;
  use rstest::rstest;

  use super::*;

  #[rstest]
  fn what_is_encoded_is_decoded_to_the_same(
    #[values(Coding::Identity, Coding::Gzip, Coding::Zstd, Coding::Br)] coding: Coding,
    #[values(Effort::Quick, Effort::Thorough)] effort: Effort,
    #[values(0, 1, 300_000)] length: usize,
  ) {
    let body: Bytes = (0..length).map(|number| (number / 7 % 251) as u8).collect();
    let encoded = coding.encode(&body, effort).unwrap();
    assert_eq!(decode(coding, &encoded), body);
    assert!(
      coding == Coding::Identity || length < 1_000 || encoded.len() < length / 5,
      "{}",
      encoded.len()
    );
  }

  fn decode(coding: Coding, encoded: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::new();
    match coding {
      Coding::Identity => decoded.extend_from_slice(encoded),
      Coding::Gzip => drop(GzDecoder::new(encoded).read_to_end(&mut decoded).unwrap()),
      Coding::Zstd => decoded = zstd::stream::decode_all(encoded).unwrap(),
      Coding::Br => drop(
        brotli::Decompressor::new(encoded, 4096)
          .read_to_end(&mut decoded)
          .unwrap(),
      ),
    }
    decoded
  }
}
