//! What is wrong with the settings given, and what is only odd.

use std::fmt;

use super::setting::Setting;

/// Longest part of a value that an error shows, in characters.
const MAX_SHOWN_CHARS: usize = 120;

/// Why a start is refused. One line.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ConfigError {
  /// A value that can't be used.
  #[error("{setting}: {} {why}; expected {expected}", Shown(.value))]
  Unusable {
    /// Which setting.
    setting: Setting,
    /// Its value.
    value: String,
    /// What is wrong, to follow the value.
    why: String,
    /// What would be right.
    expected: &'static str,
  },
  /// A value that can't be used and isn't shown, since it is or holds a secret.
  #[error("{setting}: the value, which isn't shown, {why}; expected {expected}")]
  UnusableSecret {
    /// Which setting.
    setting: Setting,
    /// What is wrong.
    why: String,
    /// What would be right.
    expected: &'static str,
  },
  /// A catalog file that can't be used.
  #[error("{setting}: {}: {why}", Shown(.path))]
  Catalog {
    /// Which setting names it.
    setting: Setting,
    /// Where it is.
    path: String,
    /// What is wrong, with its line where it has one.
    why: String,
  },
  /// Nobody said where to keep the state, and the platform doesn't either.
  #[error("{setting}: not set, and no home folder is known to keep the state in; expected the path of a folder")]
  NoStateDir {
    /// Which setting would say it.
    setting: Setting,
  },
}

impl ConfigError {
  /// Which setting it is about.
  pub fn setting(&self) -> Setting {
    match self {
      Self::Unusable { setting, .. }
      | Self::UnusableSecret { setting, .. }
      | Self::Catalog { setting, .. }
      | Self::NoStateDir { setting } => *setting,
    }
  }
}

/// Every reason for which a start is refused, a line each.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{}", .0.iter().map(ConfigError::to_string).collect::<Vec<_>>().join("\n"))]
pub struct ConfigErrors(pub Vec<ConfigError>);

/// Something odd that doesn't hinder a start; to be logged. One line.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Warning(String);

impl fmt::Display for Warning {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(&self.0)
  }
}

/// Gathers both while settings are read.
#[derive(Debug, Default)]
pub(super) struct Findings {
  warnings: Vec<Warning>,
  errors: Vec<ConfigError>,
}

impl Findings {
  pub(super) fn warn(&mut self, warning: impl Into<String>) {
    self.warnings.push(Warning(warning.into()));
  }

  pub(super) fn refuse(&mut self, error: ConfigError) {
    self.errors.push(error);
  }

  /// Refuses a value that may be shown.
  pub(super) fn unusable(&mut self, setting: Setting, value: &str, why: impl Into<String>, expected: &'static str) {
    self.refuse(ConfigError::Unusable {
      setting,
      value: value.to_owned(),
      why: why.into(),
      expected,
    });
  }

  /// Refuses a value that must not be shown.
  pub(super) fn unusable_secret(&mut self, setting: Setting, why: impl Into<String>, expected: &'static str) {
    let why = why.into();
    self.refuse(ConfigError::UnusableSecret { setting, why, expected });
  }

  /// Both.
  pub(super) fn into_parts(self) -> (Vec<Warning>, Vec<ConfigError>) {
    (self.warnings, self.errors)
  }

  /// The warnings, if nothing was refused.
  pub(super) fn finish(self) -> Result<Vec<Warning>, ConfigErrors> {
    if self.errors.is_empty() {
      Ok(self.warnings)
    } else {
      Err(ConfigErrors(self.errors))
    }
  }

  #[cfg(test)]
  pub(super) fn warnings(&self) -> Vec<String> {
    self.warnings.iter().map(Warning::to_string).collect()
  }

  #[cfg(test)]
  pub(super) fn errors(&self) -> Vec<String> {
    self.errors.iter().map(ConfigError::to_string).collect()
  }
}

/// A value in quotes, on one line, cut where it is overlong.
pub(super) struct Shown<'a>(pub(super) &'a str);

impl fmt::Display for Shown<'_> {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match self.0.char_indices().nth(MAX_SHOWN_CHARS) {
      Some((end, _)) => write!(f, "{:?}…", &self.0[..end]),
      None => write!(f, "{:?}", self.0),
    }
  }
}

#[cfg(test)]
mod tests {
  use super::super::setting::{GITHUB_TOKEN, LISTEN};
  use super::*;

  #[test]
  fn an_error_is_one_line_with_both_names_the_value_and_what_is_expected() {
    let mut findings = Findings::default();
    findings.unusable(LISTEN, "a\nb", "is no address", "an address");
    assert_eq!(
      findings.errors(),
      ["LAUNCHFEED_LISTEN (--listen): \"a\\nb\" is no address; expected an address"]
    );
  }

  #[test]
  fn an_overlong_value_is_cut() {
    let mut findings = Findings::default();
    findings.unusable(LISTEN, &"ü".repeat(5000), "is no address", "an address");
    assert!(findings.errors()[0].chars().count() < 250);
    assert!(findings.errors()[0].contains("ü\"… is no address"));
  }

  #[test]
  fn every_error_has_its_line() {
    let mut findings = Findings::default();
    findings.unusable(LISTEN, "x", "is no address", "an address");
    findings.unusable_secret(GITHUB_TOKEN, "is odd", "a token");
    let errors = findings.finish().unwrap_err();
    assert_eq!(errors.to_string().lines().count(), 2);
  }
}
