//! A moment as the answer writes it: RFC 3339, in UTC, ending in `Z`.
//!
//! Whole seconds: GitHub gives no finer times, some platforms' date parsers refuse a fraction, and a fetch time rounded down
//! is still true (a little older than it could be).

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// 0000-01-01T00:00:00Z. RFC 3339 has no years before it.
const FIRST_SECOND: i64 = -62_167_219_200;

/// A moment in UTC, to the second, from year 0 to year 9999.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct UtcTime(Timestamp);

impl UtcTime {
  /// The second that a Unix time in milliseconds falls into; `None` outside the years 0 to 9999.
  pub fn from_unix_ms(unix_ms: i64) -> Option<Self> {
    Self::from_unix_seconds(unix_ms.div_euclid(1_000))
  }

  /// Unix time in milliseconds.
  pub fn unix_ms(self) -> i64 {
    self.0.as_millisecond()
  }

  fn from_unix_seconds(seconds: i64) -> Option<Self> {
    if seconds < FIRST_SECOND {
      return None;
    }
    Timestamp::from_second(seconds).ok().map(Self)
  }
}

impl fmt::Display for UtcTime {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{}", self.0)
  }
}

/// Text that is no date and time with an offset, or one outside the years 0 to 9999.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct InvalidTime;

impl fmt::Display for InvalidTime {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("expected an RFC 3339 time such as 2026-10-08T14:52:50Z")
  }
}

impl std::error::Error for InvalidTime {}

impl FromStr for UtcTime {
  type Err = InvalidTime;

  /// Reads any RFC 3339 time, whatever its offset and fraction.
  fn from_str(text: &str) -> Result<Self, InvalidTime> {
    let timestamp: Timestamp = text.parse().map_err(|_| InvalidTime)?;
    Self::from_unix_ms(timestamp.as_millisecond()).ok_or(InvalidTime)
  }
}

impl Serialize for UtcTime {
  fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(self)
  }
}

impl<'de> Deserialize<'de> for UtcTime {
  fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
    struct TimeVisitor;

    impl de::Visitor<'_> for TimeVisitor {
      type Value = UtcTime;

      fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an RFC 3339 time")
      }

      fn visit_str<E: de::Error>(self, text: &str) -> Result<UtcTime, E> {
        text.parse().map_err(E::custom)
      }
    }

    deserializer.deserialize_str(TimeVisitor)
  }
}

#[cfg(feature = "openapi")]
mod schema {
  use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Type};
  use utoipa::openapi::{RefOr, Schema, SchemaFormat};
  use utoipa::{PartialSchema, ToSchema};

  use super::UtcTime;

  impl PartialSchema for UtcTime {
    fn schema() -> RefOr<Schema> {
      ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
        .description(Some("RFC 3339, in UTC, ending in `Z`, whole seconds."))
        .examples(["2026-10-08T14:52:50Z"])
        .into()
    }
  }

  impl ToSchema for UtcTime {}
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case("2026-10-08T14:52:50Z", "2026-10-08T14:52:50Z")]
  #[case("2026-10-08T16:52:50+02:00", "2026-10-08T14:52:50Z")]
  #[case("2026-10-08T14:52:50.999Z", "2026-10-08T14:52:50Z")]
  #[case("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59Z")]
  #[case("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z")]
  fn any_offset_and_fraction_is_written_in_whole_utc_seconds(#[case] text: &str, #[case] written: &str) {
    assert_eq!(text.parse::<UtcTime>().unwrap().to_string(), written);
  }

  #[rstest]
  #[case("")]
  #[case("yesterday")]
  #[case("2026-10-08")]
  #[case("2026-13-08T14:52:50Z")]
  #[case("2026-10-08T14:52:50")]
  #[case("-000001-12-31T23:59:59Z")]
  #[case("99999-01-01T00:00:00Z")]
  fn what_is_no_moment_is_refused(#[case] text: &str) {
    assert_eq!(text.parse::<UtcTime>(), Err(InvalidTime));
  }

  #[test]
  fn a_unix_time_is_rounded_down_to_its_second() {
    assert_eq!(
      UtcTime::from_unix_ms(1_790_000_000_999).unwrap().unix_ms(),
      1_790_000_000_000
    );
    assert_eq!(UtcTime::from_unix_ms(i64::MAX), None);
    assert_eq!(UtcTime::from_unix_ms(i64::MIN), None);
  }
}
