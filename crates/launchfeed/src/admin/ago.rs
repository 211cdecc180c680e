//! How long something lasts, for people.

use std::time::Duration;

const UNITS: [(u64, &str); 3] = [(24 * 60 * 60, "d"), (60 * 60, "h"), (60, "min")];

/// `12 s`, `5 min`, `3 h` or `2 d`, rounded down.
pub(super) fn in_words(duration: Duration) -> String {
  let seconds = duration.as_secs();
  let unit = UNITS.iter().find(|(length, _)| seconds >= *length);
  unit.map_or_else(
    || format!("{seconds} s"),
    |(length, unit)| format!("{} {unit}", seconds / length),
  )
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case(0, "0 s")]
  #[case(59, "59 s")]
  #[case(60, "1 min")]
  #[case(7_199, "1 h")]
  #[case(86_400, "1 d")]
  fn the_largest_unit_that_fits_is_taken(#[case] seconds: u64, #[case] words: &str) {
    assert_eq!(in_words(Duration::from_secs(seconds)), words);
  }
}
