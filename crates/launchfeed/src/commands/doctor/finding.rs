//! What was found of one thing.

use std::fmt;

use serde::Serialize;

/// Longest text of a finding, in characters: what a server says may have any length.
const MAX_CHARS: usize = 500;

/// What was found of one thing, and what to do about it, in the words of whoever said it until it is [fit to be shown](Self::shown).
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub(super) struct Finding {
  /// A name for programs; people read it with spaces.
  pub(super) check: &'static str,
  pub(super) verdict: Verdict,
  pub(super) what: String,
  pub(super) advice: Option<String>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
  /// As it should be.
  Ok,
  /// Works, and should be looked at.
  Warning,
  /// Doesn't work.
  Wrong,
  /// There is nothing to check, or it couldn't be.
  NotApplicable,
}

impl Finding {
  pub(super) fn ok(check: &'static str, what: impl ToString) -> Self {
    Self::new(check, Verdict::Ok, &what.to_string(), None)
  }

  pub(super) fn warning(check: &'static str, what: impl ToString, advice: impl ToString) -> Self {
    Self::new(check, Verdict::Warning, &what.to_string(), Some(&advice.to_string()))
  }

  pub(super) fn wrong(check: &'static str, what: impl ToString, advice: impl ToString) -> Self {
    Self::new(check, Verdict::Wrong, &what.to_string(), Some(&advice.to_string()))
  }

  pub(super) fn not_applicable(check: &'static str, what: impl ToString) -> Self {
    Self::new(check, Verdict::NotApplicable, &what.to_string(), None)
  }

  /// The same with what was found said differently.
  #[must_use]
  pub(super) fn with_what(self, change: impl Fn(&str) -> String) -> Self {
    Self {
      what: change(&self.what),
      ..self
    }
  }

  /// The same with each text as one line of bounded length, without control characters and secrets. These are hidden first: what is left
  /// of one after a cut isn't known any more.
  #[must_use]
  pub(super) fn shown(self, without_secrets: impl Fn(&str) -> String) -> Self {
    let shown = |text: &str| tidy(&without_secrets(text));
    Self {
      what: shown(&self.what),
      advice: self.advice.as_deref().map(shown),
      ..self
    }
  }

  fn new(check: &'static str, verdict: Verdict, what: &str, advice: Option<&str>) -> Self {
    Self {
      check,
      verdict,
      what: what.to_owned(),
      advice: advice.map(str::to_owned),
    }
  }
}

impl fmt::Display for Verdict {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.pad(match self {
      Self::Ok => "ok",
      Self::Warning => "warning",
      Self::Wrong => "wrong",
      Self::NotApplicable => "-",
    })
  }
}

fn tidy(text: &str) -> String {
  let mut safe = String::with_capacity(text.len());
  for c in text.chars() {
    match c {
      '"' | '\'' | '\\' => safe.push(c),
      // Also what turns the direction of writing, or can't be seen.
      _ => safe.extend(c.escape_debug()),
    }
  }
  match safe.char_indices().nth(MAX_CHARS) {
    Some((end, _)) => format!("{}…", &safe[..end]),
    None => safe,
  }
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn whatever_a_server_says_is_one_line_of_bounded_length() {
    let finding =
      Finding::wrong("redis", format!("\"a\u{1b}[31m\n\u{202e}{}", "ü".repeat(5_000)), "b\tc").shown(str::to_owned);
    assert!(
      finding.what.starts_with("\"a\\u{1b}[31m\\n\\u{202e}ü"),
      "{}",
      finding.what
    );
    assert!(finding.what.ends_with('…'));
    assert_eq!(finding.what.chars().count(), MAX_CHARS + 1);
    assert_eq!(finding.advice.as_deref(), Some("b\\tc"));
  }

  #[test]
  fn a_secret_is_hidden_before_a_text_is_cut_or_escaped() {
    for length in 480..=MAX_CHARS {
      let said = format!("{}hunter2\thunter2", "x".repeat(length));
      let finding = Finding::wrong("redis", &said, &said).shown(|text| text.replace("hunter2\thunter2", "***"));
      assert!(!finding.what.contains('h'), "{finding:?}");
      assert!(!finding.advice.unwrap().contains('h'));
    }
  }
}
