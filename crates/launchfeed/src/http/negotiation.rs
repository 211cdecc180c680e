//! Which content coding a client gets (RFC 9110, 12.5.3).

use std::cmp::Reverse;

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_ENCODING;
use release_feed::answer::Coding;

/// A weight in thousandths, 0 to 1000.
type Weight = u16;

const FULL: Weight = 1_000;

/// What a client accepts.
#[derive(Clone, Copy, Debug, Default)]
struct Accepted {
  /// By [`Coding`], where the client names it.
  named: [Option<Weight>; Coding::ALL.len()],
  /// `*`: everything that isn't named.
  others: Option<Weight>,
}

/// The coding that the client likes best, the smallest among equals. Without the header, with one that can't be read, and for a client
/// that accepts nothing that we have, it is the body as it is: an answer is better than none.
///
/// `size` tells how many bytes the body has in a coding.
pub(super) fn negotiate(headers: &HeaderMap, size: impl Fn(Coding) -> usize) -> Coding {
  let Some(accepted) = Accepted::read(headers) else {
    return Coding::Identity;
  };
  let best = Coding::ALL
    .into_iter()
    .max_by_key(|coding| (accepted.weight(*coding), Reverse(size(*coding)), *coding));
  best
    .filter(|coding| accepted.weight(*coding) > 0)
    .unwrap_or(Coding::Identity)
}

impl Accepted {
  /// `None` where nothing is said, or nothing that can be read.
  fn read(headers: &HeaderMap) -> Option<Self> {
    let mut accepted = Self::default();
    let mut is_said = false;
    for value in headers.get_all(ACCEPT_ENCODING) {
      for element in value
        .to_str()
        .ok()?
        .split(',')
        .map(str::trim)
        .filter(|element| !element.is_empty())
      {
        let (token, weight) = read_element(element)?;
        accepted.take(token, weight);
        is_said = true;
      }
    }
    is_said.then_some(accepted)
  }

  fn take(&mut self, token: &str, weight: Weight) {
    let token = match token.split_at_checked(2) {
      Some((prefix, rest)) if prefix.eq_ignore_ascii_case("x-") => rest,
      _ => token,
    };
    if token == "*" {
      self.others = Some(weight);
    } else if let Some(coding) = Coding::ALL
      .into_iter()
      .find(|coding| coding.token().eq_ignore_ascii_case(token))
    {
      self.named[coding as usize] = Some(weight);
    }
  }

  fn weight(&self, coding: Coding) -> Weight {
    // Whoever names a coding would rather have it than the body as it is, though that is accepted too.
    self.named[coding as usize].or(self.others).unwrap_or(0)
  }
}

/// A coding and its weight; `None` for what is neither.
fn read_element(element: &str) -> Option<(&str, Weight)> {
  let (token, weight) = match element.split_once(';') {
    None => (element, FULL),
    Some((token, parameter)) => (token.trim_end(), read_weight(parameter.trim_start())?),
  };
  let is_token = !token.is_empty()
    && token
      .bytes()
      .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte));
  is_token.then_some((token, weight))
}

/// `q=` and 0 to 1 with at most three decimals.
fn read_weight(parameter: &str) -> Option<Weight> {
  let value = parameter.strip_prefix("q=").or_else(|| parameter.strip_prefix("Q="))?;
  let (whole, decimals) = value.split_once('.').unwrap_or((value, ""));
  let digits = decimals.as_bytes();
  if digits.len() > 3 || !digits.iter().all(u8::is_ascii_digit) {
    return None;
  }
  let digit = |place: usize| Weight::from(digits.get(place).map_or(0, |digit| digit - b'0'));
  let thousandths = digit(0) * 100 + digit(1) * 10 + digit(2);
  match whole {
    "0" => Some(thousandths),
    "1" if thousandths == 0 => Some(FULL),
    _ => None,
  }
}

#[cfg(test)]
mod tests {
  use axum::http::HeaderValue;
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case::nothing_said(&[], Coding::Identity)]
  #[case::empty(&[""], Coding::Identity)]
  #[case::a_browser(&["gzip, deflate, br, zstd"], Coding::Br)]
  #[case::curl(&["deflate, gzip, br, zstd"], Coding::Br)]
  #[case::one(&["gzip"], Coding::Gzip)]
  #[case::an_old_name(&["x-gzip"], Coding::Gzip)]
  #[case::another_case(&["GZip;Q=1.0"], Coding::Gzip)]
  #[case::by_weight(&["br;q=0.5, gzip;q=0.9, zstd;q=0.7"], Coding::Gzip)]
  #[case::a_refused_one(&["br;q=0, gzip"], Coding::Gzip)]
  #[case::anything(&["*"], Coding::Br)]
  #[case::anything_but(&["*, br;q=0"], Coding::Zstd)]
  #[case::nothing_but(&["*;q=0, gzip"], Coding::Gzip)]
  #[case::as_it_is_before_others(&["identity, gzip;q=0.5"], Coding::Identity)]
  #[case::as_it_is_after_others(&["identity;q=0.5, gzip"], Coding::Gzip)]
  #[case::not_as_it_is(&["identity;q=0"], Coding::Identity)]
  #[case::nothing_at_all(&["*;q=0"], Coding::Identity)]
  #[case::only_unknown(&["deflate, compress"], Coding::Identity)]
  #[case::two_lines(&["deflate", "gzip"], Coding::Gzip)]
  #[case::blanks(&[" gzip ; q=0.5 ,, br ; q=0.4 "], Coding::Gzip)]
  #[case::least_weight(&["gzip;q=0.001"], Coding::Gzip)]
  #[case::malformed_weight(&["gzip;q=2"], Coding::Identity)]
  #[case::four_decimals(&["gzip;q=0.1234"], Coding::Identity)]
  #[case::another_parameter(&["gzip;level=9"], Coding::Identity)]
  #[case::no_token(&["gz ip"], Coding::Identity)]
  #[case::one_bad_spoils_all(&["gzip, br;q=x"], Coding::Identity)]
  fn the_client_gets_what_it_likes_best(#[case] lines: &[&str], #[case] coding: Coding) {
    let mut headers = HeaderMap::new();
    for line in lines {
      headers.append(ACCEPT_ENCODING, HeaderValue::from_str(line).unwrap());
    }
    assert_eq!(negotiate(&headers, usual_size), coding);
  }

  #[rstest]
  #[case("gzip, deflate, br, zstd", Coding::Zstd)]
  #[case("gzip, br", Coding::Gzip)]
  #[case("gzip;q=0.9, br", Coding::Br)]
  fn among_equals_it_is_the_smallest_that_there_is(#[case] accepted: &str, #[case] coding: Coding) {
    let size = |coding| match coding {
      Coding::Identity => 100,
      Coding::Br => 30,
      Coding::Gzip => 20,
      Coding::Zstd => 10,
    };
    let headers = [(ACCEPT_ENCODING, HeaderValue::from_str(accepted).unwrap())];
    assert_eq!(negotiate(&headers.into_iter().collect(), size), coding);
  }

  #[test]
  fn bytes_that_are_no_text_count_as_absent() {
    let headers = [(ACCEPT_ENCODING, HeaderValue::from_bytes(b"gzip\xff").unwrap())];
    assert_eq!(negotiate(&headers.into_iter().collect(), usual_size), Coding::Identity);
  }

  fn usual_size(coding: Coding) -> usize {
    match coding {
      Coding::Identity => 100,
      Coding::Gzip => 30,
      Coding::Zstd => 20,
      Coding::Br => 10,
    }
  }
}
