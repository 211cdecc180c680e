//! Times and sizes in words.

use std::time::Duration;

/// A duration to one unit: `42 s`, `5 min`, `3 h`, `12 days`.
pub(super) fn length(duration: Duration) -> String {
  const STEPS: [(u64, u64, &str); 3] = [(120, 1, "s"), (2 * 3_600, 60, "min"), (2 * 86_400, 3_600, "h")];
  let seconds = duration.as_secs();
  let step = STEPS.into_iter().find(|(below, ..)| seconds < *below);
  let (_, unit, name) = step.unwrap_or((0, 86_400, "days"));
  format!("{} {name}", seconds / unit)
}

/// `1 app`, `2 apps`.
pub(super) fn counted(count: usize, what: &str) -> String {
  let plural = if count == 1 { "" } else { "s" };
  format!("{count} {what}{plural}")
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case(0, "0 s")]
  #[case(119, "119 s")]
  #[case(120, "2 min")]
  #[case(7_199, "119 min")]
  #[case(7_200, "2 h")]
  #[case(172_799, "47 h")]
  #[case(172_800, "2 days")]
  fn a_length_has_one_unit(#[case] seconds: u64, #[case] words: &str) {
    assert_eq!(length(Duration::from_secs(seconds)), words);
  }

  #[test]
  fn one_is_no_plural() {
    assert_eq!(
      (counted(1, "app"), counted(0, "app")),
      ("1 app".to_owned(), "0 apps".to_owned())
    );
  }
}
