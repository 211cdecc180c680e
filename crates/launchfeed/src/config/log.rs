//! What is logged, and in which form.

use std::ffi::OsString;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use super::args::LogArgs;
use super::findings::{Findings, Shown};
use super::setting::{LOG, LOG_FORMAT};
use super::values::text;

const DEFAULT_FILTER: &str = "info";

const A_FILTER: &str = "error, warn, info, debug, trace or a filter such as info,launchfeed=debug";
const A_FORMAT: &str = "text or json";

/// What is logged, and in which form.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LogSettings {
  /// A filter that [`EnvFilter`] reads.
  pub filter: String,
  /// The form.
  pub format: LogFormat,
}

/// The form of log lines.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum LogFormat {
  /// For people.
  #[default]
  Text,
  /// An object per line, for programs.
  Json,
}

pub(super) fn log(args: &LogArgs, findings: &mut Findings) -> LogSettings {
  LogSettings {
    filter: filter(args.log.as_ref(), findings),
    format: format(args.log_format.as_ref(), findings),
  }
}

fn filter(value: Option<&OsString>, findings: &mut Findings) -> String {
  let filter = text(LOG, value, findings).unwrap_or(DEFAULT_FILTER);
  if let Some(word) = bare_words(filter).find(|word| word.parse::<LevelFilter>().is_err()) {
    let why = format!(
      "is no log filter ({} is no level; a target needs one, like launchfeed=debug)",
      Shown(word)
    );
    findings.unusable(LOG, filter, why, A_FILTER);
  } else if let Err(error) = EnvFilter::try_new(filter) {
    findings.unusable(LOG, filter, format!("is no log filter ({error})"), A_FILTER);
  }
  filter.to_owned()
}

/// The parts of a filter that are one word. A filter takes any for a target, so that a misspelt level would silence the log.
fn bare_words(filter: &str) -> impl Iterator<Item = &str> {
  filter
    .split(',')
    .map(str::trim)
    .filter(|part| !part.is_empty() && !part.contains(['=', '[']))
}

fn format(value: Option<&OsString>, findings: &mut Findings) -> LogFormat {
  let Some(word) = text(LOG_FORMAT, value, findings) else {
    return LogFormat::default();
  };
  match word.to_ascii_lowercase().as_str() {
    "text" => LogFormat::Text,
    "json" => LogFormat::Json,
    _ => {
      findings.unusable(LOG_FORMAT, word, "is no log format", A_FORMAT);
      LogFormat::default()
    }
  }
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case(None, None, "info", LogFormat::Text)]
  #[case(Some(" "), Some(""), "info", LogFormat::Text)]
  #[case(
    Some("warn,launchfeed=trace"),
    Some("JSON"),
    "warn,launchfeed=trace",
    LogFormat::Json
  )]
  #[case(Some("debug"), Some("text"), "debug", LogFormat::Text)]
  fn the_filter_and_the_format_are_read(
    #[case] filter: Option<&str>,
    #[case] format: Option<&str>,
    #[case] expected_filter: &str,
    #[case] expected_format: LogFormat,
  ) {
    let mut findings = Findings::default();
    let settings = log(&args(filter, format), &mut findings);
    assert_eq!(
      (settings.filter.as_str(), settings.format),
      (expected_filter, expected_format)
    );
    assert_eq!(findings.errors(), [""; 0]);
  }

  #[test]
  fn a_filter_that_cannot_be_read_is_refused() {
    let mut findings = Findings::default();
    log(&args(Some("info,launchfeed=loud"), None), &mut findings);
    let [error] = &findings.errors()[..] else {
      panic!("not one error")
    };
    assert!(
      error.starts_with("LAUNCHFEED_LOG (--log): \"info,launchfeed=loud\" is no log filter ("),
      "{error}"
    );
    assert!(error.ends_with(A_FILTER), "{error}");
  }

  #[rstest]
  #[case("wibble", "wibble")]
  #[case("info,launchfeed", "launchfeed")]
  #[case("debgu", "debgu")]
  fn a_bare_word_that_is_no_level_is_refused_rather_than_taken_for_a_target(#[case] filter: &str, #[case] word: &str) {
    let mut findings = Findings::default();
    log(&args(Some(filter), None), &mut findings);
    assert_eq!(
      findings.errors(),
      [format!(
        "LAUNCHFEED_LOG (--log): {filter:?} is no log filter ({word:?} is no level; a target needs one, like \
         launchfeed=debug); expected {A_FILTER}"
      )]
    );
  }

  #[rstest]
  #[case("off")]
  #[case("INFO")]
  #[case("launchfeed=debug,info")]
  #[case("release_feed::poller=trace")]
  #[case("info,[request{path}]=debug,")]
  #[case("release_feed[ask]")]
  fn real_filters_are_taken(#[case] filter: &str) {
    let mut findings = Findings::default();
    assert_eq!(log(&args(Some(filter), None), &mut findings).filter, filter);
    assert_eq!(findings.errors(), [""; 0]);
  }

  #[test]
  fn an_unknown_format_is_refused() {
    let mut findings = Findings::default();
    log(&args(None, Some("xml")), &mut findings);
    assert_eq!(
      findings.errors(),
      ["LAUNCHFEED_LOG_FORMAT (--log-format): \"xml\" is no log format; expected text or json"]
    );
  }

  fn args(filter: Option<&str>, format: Option<&str>) -> LogArgs {
    LogArgs {
      log: filter.map(OsString::from),
      log_format: format.map(OsString::from),
    }
  }
}
