//! Reads the kinds of value that several settings share.

use std::ffi::{OsStr, OsString};
use std::time::Duration;

use super::findings::Findings;
use super::setting::Setting;

const A_BOOLEAN: &str = "true or false (also 1/0, yes/no, on/off)";
const SECONDS: &str = "a whole number of seconds, at most 4294967295";
const TEXT: &str = "text in UTF-8";

/// The value as text, trimmed; `None` where it is blank or not given.
pub(super) fn text<'v>(setting: Setting, value: Option<&'v OsString>, findings: &mut Findings) -> Option<&'v str> {
  let value = value?;
  let Some(text) = value.to_str() else {
    findings.unusable(setting, &value.to_string_lossy(), "is not UTF-8", TEXT);
    return None;
  };
  Some(text.trim()).filter(|text| !text.is_empty())
}

/// The value as it is, for paths; `None` where it is blank or not given.
pub(super) fn path(value: Option<&OsString>) -> Option<&OsStr> {
  value
    .map(OsString::as_os_str)
    .filter(|value| value.to_str().is_none_or(|text| !text.trim().is_empty()))
}

/// A boolean as operators write them.
pub(super) fn boolean(setting: Setting, value: Option<&OsString>, default: bool, findings: &mut Findings) -> bool {
  let Some(word) = text(setting, value, findings) else {
    return default;
  };
  match word.to_ascii_lowercase().as_str() {
    "true" | "1" | "yes" | "on" => true,
    "false" | "0" | "no" | "off" => false,
    _ => {
      findings.unusable(setting, word, "is no boolean", A_BOOLEAN);
      default
    }
  }
}

/// A number of seconds; `None` where it isn't given or can't be read. At most 136 years (32 bits): far from where arithmetic on
/// times overflows.
pub(super) fn seconds(setting: Setting, value: Option<&OsString>, findings: &mut Findings) -> Option<Duration> {
  let number = text(setting, value, findings)?;
  if !number.bytes().all(|byte| byte.is_ascii_digit()) {
    findings.unusable(setting, number, "is no whole number", SECONDS);
    return None;
  }
  match number.parse::<u32>() {
    Ok(seconds) => Some(Duration::from_secs(seconds.into())),
    Err(_) => {
      findings.unusable(setting, number, "is too large", SECONDS);
      None
    }
  }
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::super::setting::{POLL_INTERVAL_SECS, POLLING_ENABLED};
  use super::*;

  #[rstest]
  #[case("true", true)]
  #[case("TRUE", true)]
  #[case("1", true)]
  #[case("Yes", true)]
  #[case(" on ", true)]
  #[case("false", false)]
  #[case("False", false)]
  #[case("0", false)]
  #[case("no", false)]
  #[case("OFF", false)]
  fn booleans_are_read_as_operators_write_them(#[case] word: &str, #[case] expected: bool) {
    let mut findings = Findings::default();
    let read = |default, findings: &mut _| boolean(POLLING_ENABLED, Some(&word.into()), default, findings);
    assert_eq!(
      (read(true, &mut findings), read(false, &mut findings)),
      (expected, expected)
    );
    assert_eq!(findings.errors(), [""; 0]);
  }

  #[rstest]
  #[case("2")]
  #[case("y")]
  #[case("enabled")]
  #[case("true false")]
  fn any_other_word_is_no_boolean(#[case] word: &str) {
    let mut findings = Findings::default();
    boolean(POLLING_ENABLED, Some(&word.into()), true, &mut findings);
    assert_eq!(
      findings.errors(),
      [format!(
        "CRAFT_APPS_RELEASE_POLLING_ENABLED (--polling-enabled): {word:?} is no boolean; \
         expected true or false (also 1/0, yes/no, on/off)"
      )]
    );
  }

  #[rstest]
  #[case("")]
  #[case("  \t")]
  fn a_blank_value_counts_as_none(#[case] blank: &str) {
    let mut findings = Findings::default();
    assert!(boolean(POLLING_ENABLED, Some(&blank.into()), true, &mut findings));
    assert_eq!(seconds(POLL_INTERVAL_SECS, Some(&blank.into()), &mut findings), None);
    assert_eq!(path(Some(&blank.into())), None);
    assert_eq!(findings.errors(), [""; 0]);
  }

  #[rstest]
  #[case("0", 0)]
  #[case(" 0120 ", 120)]
  #[case("4294967295", 4_294_967_295)]
  fn seconds_are_whole_numbers(#[case] number: &str, #[case] expected: u64) {
    let mut findings = Findings::default();
    let read = seconds(POLL_INTERVAL_SECS, Some(&number.into()), &mut findings);
    assert_eq!(read, Some(Duration::from_secs(expected)));
  }

  #[rstest]
  #[case::negative("-5", "is no whole number")]
  #[case::decimal("1.5", "is no whole number")]
  #[case::with_a_sign("+5", "is no whole number")]
  #[case::with_a_unit("2m", "is no whole number")]
  #[case::other_digits("१२", "is no whole number")]
  #[case::overflowing("4294967296", "is too large")]
  #[case::far_overflowing("99999999999999999999999999", "is too large")]
  fn what_is_no_number_of_seconds_is_refused(#[case] number: &str, #[case] why: &str) {
    let mut findings = Findings::default();
    assert_eq!(seconds(POLL_INTERVAL_SECS, Some(&number.into()), &mut findings), None);
    assert_eq!(
      findings.errors(),
      [format!(
        "CRAFT_APPS_RELEASE_POLL_INTERVAL_SECS (--poll-interval-secs): {number:?} {why}; \
         expected a whole number of seconds, at most 4294967295"
      )]
    );
  }

  #[cfg(unix)]
  #[test]
  fn what_is_not_utf_8_is_refused_where_text_is_wanted() {
    use std::os::unix::ffi::OsStringExt;

    let mut findings = Findings::default();
    text(
      POLLING_ENABLED,
      Some(&OsString::from_vec(vec![b'n', 0xFF])),
      &mut findings,
    );
    assert_eq!(findings.errors().len(), 1);
    assert!(findings.errors()[0].contains("is not UTF-8"));
  }
}
