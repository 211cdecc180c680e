//! The fields of a hash, which anybody may have written.

use std::collections::HashMap;
use std::time::Duration;

use bytes::Bytes;

use crate::clock::UnixMs;

const VERSION: &str = "v";
/// The version that we write; an entry of another one is ignored, and replaced.
const OUR_VERSION: &[u8] = b"1";
/// More would not be exact in every implementation's numbers. That is the year 33658.
const MAX_DIGITS: usize = 15;

/// A hash as it was read. Empty for one that isn't there.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Fields(HashMap<String, Bytes>);

impl Fields {
  /// The value of a field, unless the hash is of another version.
  pub fn get(&self, name: &str) -> Option<&Bytes> {
    self.0.get(name).filter(|_| self.is_ours())
  }

  /// A field as text.
  pub fn text(&self, name: &str) -> Option<&str> {
    self.get(name).and_then(|value| str::from_utf8(value).ok())
  }

  /// A field as a time that isn't further ahead of the store's `now` than it is believed.
  pub fn time(&self, name: &str, now: UnixMs, believed_ahead: Duration) -> Option<UnixMs> {
    read_time(self.get(name)?, now, believed_ahead)
  }

  /// Whether the hash is there and of our version.
  pub fn is_ours(&self) -> bool {
    self.0.get(VERSION).is_some_and(|version| version == OUR_VERSION)
  }

  /// Whether nothing is there.
  pub fn is_absent(&self) -> bool {
    self.0.is_empty()
  }

  pub(super) fn set(&mut self, name: &str, value: impl Into<Bytes>) {
    self.0.insert(name.to_owned(), value.into());
  }
}

impl<N: Into<String>, V: Into<Bytes>> FromIterator<(N, V)> for Fields {
  fn from_iter<T: IntoIterator<Item = (N, V)>>(fields: T) -> Self {
    Self(
      fields
        .into_iter()
        .map(|(name, value)| (name.into(), value.into()))
        .collect(),
    )
  }
}

/// A time in milliseconds; zero, and what lies further ahead of `now` than it is believed, counts as absent.
pub fn read_time(value: &[u8], now: UnixMs, believed_ahead: Duration) -> Option<UnixMs> {
  let time = UnixMs(i64::try_from(read_number(value)?).ok()?);
  (time <= now.plus(believed_ahead)).then_some(time)
}

/// A positive number of 1 to 15 decimal digits, and nothing else.
pub fn read_number(value: &[u8]) -> Option<u64> {
  let is_number = (1..=MAX_DIGITS).contains(&value.len()) && value.iter().all(u8::is_ascii_digit);
  let number = str::from_utf8(value).ok().filter(|_| is_number)?.parse().ok()?;
  (number > 0).then_some(number)
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  const NOW: UnixMs = UnixMs(1_791_471_170_000);
  const A_MINUTE: Duration = Duration::from_secs(60);

  #[rstest]
  #[case("1791471170000", Some(1_791_471_170_000))]
  #[case("1", Some(1))]
  #[case("1791471230000", Some(1_791_471_230_000))]
  #[case("1791471230001", None)]
  #[case("0", None)]
  #[case("000", None)]
  #[case("", None)]
  #[case("-5", None)]
  #[case("+5", None)]
  #[case(" 5", None)]
  #[case("5 ", None)]
  #[case("5.0", None)]
  #[case("0x10", None)]
  #[case("1e3", None)]
  #[case("nan", None)]
  #[case("inf", None)]
  #[case("٥", None)]
  #[case("9999999999999999999999999", None)]
  fn only_a_positive_decimal_that_is_not_too_far_ahead_is_a_time(#[case] value: &str, #[case] time: Option<i64>) {
    assert_eq!(read_time(value.as_bytes(), NOW, A_MINUTE), time.map(UnixMs));
  }

  #[rstest]
  #[case::ours(&[("v", "1"), ("by", "here")], Some("here"))]
  #[case::of_another_version(&[("v", "2"), ("by", "here")], None)]
  #[case::without_a_version(&[("by", "here")], None)]
  #[case::nothing(&[], None)]
  fn a_hash_of_another_version_says_nothing(#[case] fields: &[(&'static str, &'static str)], #[case] by: Option<&str>) {
    let fields: Fields = fields.iter().copied().collect();
    assert_eq!(fields.text("by"), by);
  }

  #[test]
  fn what_is_no_text_is_no_text() {
    let fields: Fields = [("v", &b"1"[..]), ("by", &b"\xff"[..])].into_iter().collect();
    assert_eq!((fields.text("by"), &**fields.get("by").unwrap()), (None, &b"\xff"[..]));
  }
}
