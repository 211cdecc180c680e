//! One request, as it is counted.

use std::time::Duration;

use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use release_feed::answer::Coding;

use super::route::Route;

/// The status codes that are told apart. All others count as one.
pub const STATUSES: [u16; 8] = [200, 302, 304, 400, 404, 405, 500, 503];
/// Where the others are counted.
pub(super) const OTHER_STATUS: usize = STATUSES.len();

/// How the body of a response travels.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Encoding {
  /// There is no body.
  None,
  /// As it is.
  Identity,
  /// gzip.
  Gzip,
  /// Zstandard.
  Zstd,
  /// Brotli.
  Br,
}

/// One request, as it is counted.
#[derive(Clone, Copy, Debug)]
pub(in crate::http) struct Recorded {
  pub(in crate::http) route: Route,
  pub(in crate::http) status: StatusCode,
  pub(in crate::http) encoding: Encoding,
  pub(in crate::http) body_bytes: u64,
  pub(in crate::http) took: Duration,
}

impl Encoding {
  /// Every one, in its order.
  pub const ALL: [Self; 5] = [Self::None, Self::Identity, Self::Gzip, Self::Zstd, Self::Br];

  /// The word for it.
  pub fn as_str(self) -> &'static str {
    match self {
      Self::None => "none",
      Self::Identity => "identity",
      Self::Gzip => "gzip",
      Self::Zstd => "zstd",
      Self::Br => "br",
    }
  }
}

impl From<Option<Coding>> for Encoding {
  fn from(coding: Option<Coding>) -> Self {
    match coding {
      None => Self::None,
      Some(Coding::Identity) => Self::Identity,
      Some(Coding::Gzip) => Self::Gzip,
      Some(Coding::Zstd) => Self::Zstd,
      Some(Coding::Br) => Self::Br,
    }
  }
}

/// How the body of a response with these headers travels.
pub(in crate::http) fn encoding_of(headers: &HeaderMap) -> Encoding {
  match headers.get(CONTENT_ENCODING).map(|coding| coding.as_bytes()) {
    Some(b"gzip") => Encoding::Gzip,
    Some(b"zstd") => Encoding::Zstd,
    Some(b"br") => Encoding::Br,
    _ if headers.contains_key(CONTENT_TYPE) => Encoding::Identity,
    _ => Encoding::None,
  }
}

/// Where a status is counted.
pub(super) fn place_of(status: StatusCode) -> usize {
  let code = status.as_u16();
  STATUSES.iter().position(|known| *known == code).unwrap_or(OTHER_STATUS)
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn each_encoding_stands_at_its_own_place() {
    for (place, encoding) in Encoding::ALL.iter().enumerate() {
      assert_eq!(*encoding as usize, place);
    }
    for coding in Coding::ALL {
      assert_eq!(Encoding::from(Some(coding)).as_str(), coding.token());
    }
  }

  #[test]
  fn a_status_that_is_not_told_apart_is_counted_with_the_others() {
    assert_eq!(place_of(StatusCode::OK), 0);
    assert_eq!(place_of(StatusCode::IM_A_TEAPOT), OTHER_STATUS);
  }
}
