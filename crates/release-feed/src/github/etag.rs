//! GitHub's validator, kept and sent back byte for byte.

use serde::{Deserialize, Deserializer, Serialize, de};

const MAX_BYTES: usize = 256;
const WEAK: &str = "W/";

/// An entity tag as it stood in the header, `W/` and quotes included: 1 to 256 visible ASCII characters. It belongs to one body and
/// is never mended by us.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[serde(transparent)]
pub struct ETag(String);

impl ETag {
  /// Takes what can be sent in a header again; anything else is no validator.
  pub fn new(text: impl Into<String>) -> Option<Self> {
    let text = text.into();
    let fits = (1..=MAX_BYTES).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    fits.then_some(Self(text))
  }

  /// As it stood in the header.
  pub fn as_str(&self) -> &str {
    &self.0
  }

  /// Whether both name the same body for `If-None-Match`, for which being weak makes no difference.
  pub(super) fn matches_weakly(&self, other: &Self) -> bool {
    self.opaque() == other.opaque()
  }

  fn opaque(&self) -> &str {
    self.0.strip_prefix(WEAK).unwrap_or(&self.0)
  }
}

impl<'de> Deserialize<'de> for ETag {
  fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
    Self::new(String::deserialize(deserializer)?).ok_or_else(|| de::Error::custom("no entity tag"))
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn being_weak_makes_no_difference_and_nothing_else_is_overlooked() {
    let matches = |one: &str, other: &str| ETag::new(one).unwrap().matches_weakly(&ETag::new(other).unwrap());
    assert!(matches("W/\"a\"", "\"a\"") && matches("\"a\"", "W/\"a\"") && matches("\"a\"", "\"a\""));
    assert!(!matches("\"a\"", "\"b\"") && !matches("\"a\"", "a") && !matches("\"a\"", "\"A\""));
  }

  #[test]
  fn only_what_a_header_can_carry_is_a_validator() {
    assert_eq!(ETag::new("W/\"abc\"").unwrap().as_str(), "W/\"abc\"");
    assert!(ETag::new("\"x\"".repeat(85)).is_some());
    for bad in [
      "".to_owned(),
      "a b".to_owned(),
      "\"ä\"".to_owned(),
      "\"\r\n\"".to_owned(),
      "x".repeat(257),
    ] {
      assert_eq!(ETag::new(bad.clone()), None, "{bad}");
    }
  }
}
