//! Names of release files, each with what it is.
//!
//! `corpus-open.tsv` holds real names with their sources; `naming-habits.tsv` names that show one habit each, among them traps.

use asset_names::{Hints, Reading, classify};
use rstest::rstest;

/// Rows of the corpus that are wrong themselves, with the evidence: none so far.
const WRONG_ROWS: &[&str] = &[];

#[rstest]
#[case::corpus(include_str!("data/corpus-open.tsv"), 320)]
#[case::habits(include_str!("data/naming-habits.tsv"), 283)]
fn every_name_is_read_right(#[case] table: &str, #[case] expected_rows: usize) {
  let mut misses = Vec::new();
  let mut rows = 0;
  for line in table.lines().skip(1) {
    let fields: Vec<&str> = line.split('\t').collect();
    let [name, expected @ ..] = &fields[..5] else {
      panic!("a short row: {line}")
    };
    let found = words_of(name);
    rows += 1;
    if found[..] != *expected && !WRONG_ROWS.contains(name) {
      misses.push(format!("{name}: {found:?}, not {expected:?}"));
    }
  }
  assert_eq!(rows, expected_rows);
  assert!(
    misses.is_empty(),
    "{} of {rows} are wrong:\n{}",
    misses.len(),
    misses.join("\n")
  );
}

fn words_of(name: &str) -> [&'static str; 4] {
  let build = classify(name, &Hints::NONE);
  [
    word(build.os, |os| os.as_str()),
    word(build.arch, |arch| arch.as_str()),
    word(build.kind, |kind| kind.as_str()),
    word(build.libc, |libc| libc.as_str()),
  ]
}

fn word<T: Copy>(reading: Reading<T>, as_str: fn(T) -> &'static str) -> &'static str {
  match reading {
    Reading::Known(value) => as_str(value),
    Reading::Absent => "none",
    Reading::Contradictory => "contradictory",
  }
}
