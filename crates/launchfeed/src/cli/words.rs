//! Words of the name vocabularies as values of flags: an unknown one is refused with the list of those that are known.

use std::ffi::OsStr;

use asset_names::{BuildArch, BuildLibc, BuildOs, Family, Policy};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};

/// What a libc is called that isn't known, as in tables where each row needs a word.
const NO_LIBC: &str = "none";

pub(super) fn os() -> impl TypedValueParser<Value = BuildOs> {
  UsualWords {
    listed: BuildOs::ALL.iter().map(|os| os.as_str()).collect(),
    read: BuildOs::of_usual_word,
  }
}

pub(super) fn arch() -> impl TypedValueParser<Value = BuildArch> {
  UsualWords {
    listed: BuildArch::ALL.iter().map(|arch| arch.as_str()).collect(),
    read: BuildArch::of_usual_word,
  }
}

/// Takes a vocabulary's words and what else they are usually called. An unknown word is refused with the vocabulary and without a
/// guess: a word that looks alike is another processor.
#[derive(Clone)]
struct UsualWords<T> {
  listed: Vec<&'static str>,
  read: fn(&str) -> Option<T>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for UsualWords<T> {
  type Value = T;

  fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
    if let Some(known) = value.to_str().and_then(self.read) {
      return Ok(known);
    }
    let mut error = Error::new(ErrorKind::InvalidValue).with_cmd(command);
    let flag = arg.map(ToString::to_string).unwrap_or_default();
    error.insert(ContextKind::InvalidArg, ContextValue::String(flag));
    let given = value.to_string_lossy().into_owned();
    error.insert(ContextKind::InvalidValue, ContextValue::String(given));
    let listed = self.listed.iter().map(ToString::to_string).collect();
    error.insert(ContextKind::ValidValue, ContextValue::Strings(listed));
    Err(error)
  }

  fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
    Some(Box::new(self.listed.iter().map(|word| PossibleValue::new(*word))))
  }
}

pub(super) fn policy() -> impl TypedValueParser<Value = Policy> {
  PossibleValuesParser::new(Policy::ALL.iter().map(|policy| policy.as_str())).try_map(|word| word.parse())
}

/// A C library as a host has it; `none` where it isn't known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HostLibc(pub(crate) Option<BuildLibc>);

pub(super) fn libc() -> impl TypedValueParser<Value = HostLibc> {
  let words = BuildLibc::ALL.iter().map(|libc| libc.as_str()).chain([NO_LIBC]);
  PossibleValuesParser::new(words).map(|word| HostLibc(word.parse().ok()))
}

/// A distribution's `ID` in os-release, a family's name, or `any`.
pub(super) fn family(word: &str) -> Result<Family, String> {
  word
    .parse()
    .map_err(|error: asset_names::UnknownFamily| error.to_string())
}

/// `2.31`; what follows the minor version doesn't count.
pub(super) fn libc_version(text: &str) -> Result<(u16, u16), String> {
  let mut parts = text.split('.').map(str::parse::<u16>);
  match (parts.next(), parts.next(), parts.all(|part| part.is_ok())) {
    (Some(Ok(major)), Some(Ok(minor)), true) => Ok((major, minor)),
    _ => Err("expected a version like 2.31".to_owned()),
  }
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case("2.31", Ok((2, 31)))]
  #[case("1.2.5", Ok((1, 2)))]
  #[case("2", Err(()))]
  #[case("2.x", Err(()))]
  #[case("2.31.x", Err(()))]
  #[case("", Err(()))]
  #[case("2.70000", Err(()))]
  fn a_libc_version_has_a_major_and_a_minor_part(#[case] text: &str, #[case] expected: Result<(u16, u16), ()>) {
    assert_eq!(libc_version(text).map_err(|_| ()), expected);
  }
}
