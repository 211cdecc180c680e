//! Which files of a release hold digests, by their names.

/// Names, or their last words, of files that list the digests of others.
const LISTS: [&str; 8] = [
  "sha256sums",
  "sha256sum",
  "shasums256",
  "checksums",
  "checksum",
  "checksums.sha256",
  "checksums_sha256",
  "checksums-sha256",
];
/// What stands between the last word and what comes before it.
const SEPARATORS: [char; 3] = ['.', '_', '-'];
const TEXT_ENDING: &str = ".txt";
/// What a file's name is followed by in the name of the file with its digest, the usual first.
const ENDINGS: [&str; 4] = [".sha256", ".sha256sum", ".sha256.txt", ".sha256sum.txt"];
/// A list that says so holds no SHA-256.
const OTHER_ALGORITHMS: [&str; 6] = ["md5", "sha1", "sha224", "sha384", "sha512", "blake"];

/// Whether a file of that name lists the SHA-256 of others.
pub(super) fn is_list(name: &str) -> bool {
  let name = name.to_ascii_lowercase();
  let stem = name.strip_suffix(TEXT_ENDING).unwrap_or(&name);
  let is_list = LISTS.iter().any(|list| {
    stem
      .strip_suffix(list)
      .is_some_and(|before| before.is_empty() || before.ends_with(SEPARATORS))
  });
  is_list && !OTHER_ALGORITHMS.iter().any(|other| name.contains(other))
}

/// The name of the file whose SHA-256 a file of that name holds, and how usual such a name is (0 is the most usual).
pub(super) fn subject(name: &str) -> Option<(&str, usize)> {
  let endings = ENDINGS.iter().enumerate();
  endings
    .filter_map(|(rank, ending)| Some((before(name, ending)?, rank)))
    .next()
}

fn before<'n>(name: &'n str, ending: &str) -> Option<&'n str> {
  let at = name.len().checked_sub(ending.len())?;
  let (subject, end) = (name.get(..at)?, name.get(at..)?);
  (end.eq_ignore_ascii_case(ending) && !subject.is_empty()).then_some(subject)
}

#[cfg(test)]
mod tests {
  use proptest::prelude::*;
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case("SHA256SUMS")]
  #[case("SHA256SUMS.txt")]
  #[case("sha256sum.txt")]
  #[case("checksums.txt")]
  #[case("CHECKSUMS.txt")]
  #[case("checksums")]
  #[case("checksums.sha256")]
  #[case("SHASUMS256.txt")]
  #[case("dive_0.13.1_checksums.txt")]
  #[case("gh_2.63.0_checksums.txt")]
  #[case("sops-v3.10.2.checksums.txt")]
  #[case("tofu_1.8.6_SHA256SUMS")]
  #[case("demo-1.0.SHA256SUMS")]
  #[case("demo-checksums.txt")]
  #[case("demo_1.0_checksums_sha256.txt")]
  fn a_list_is_one_by_its_last_word(#[case] name: &str) {
    assert!(is_list(name));
  }

  #[rstest]
  #[case::a_signature("SHA256SUMS.asc")]
  #[case::a_signature_of_a_text("CHECKSUMS.txt.asc")]
  #[case::a_certificate("sops-v3.10.2.checksums.pem")]
  #[case::a_script("extract-checksum.sh")]
  #[case::an_order("checksums_hashes_order")]
  #[case::another_word("mychecksums.txt")]
  #[case::another_algorithm("SHA512SUMS")]
  #[case::another_algorithm_said_first("demo-sha512-checksums.txt")]
  #[case::md5("md5_checksums.txt")]
  #[case::a_build("demo-1.0-linux-x64.deb")]
  #[case::nothing("")]
  fn anything_else_is_none(#[case] name: &str) {
    assert!(!is_list(name));
  }

  #[rstest]
  #[case("demo.deb.sha256", Some(("demo.deb", 0)))]
  #[case("demo.deb.SHA256", Some(("demo.deb", 0)))]
  #[case("demo.deb.sha256sum", Some(("demo.deb", 1)))]
  #[case("demo.deb.sha256.txt", Some(("demo.deb", 2)))]
  #[case("demo.deb.sha512", None)]
  #[case("demo.deb.sha256.asc", None)]
  #[case(".sha256", None)]
  #[case("sha256", None)]
  fn the_subject_is_what_comes_before_the_ending(#[case] name: &str, #[case] expected: Option<(&str, usize)>) {
    assert_eq!(subject(name), expected);
  }

  proptest! {
    #[test]
    fn no_name_panics(name in "\\PC{0,24}(\\.sha256)?") {
      let _ = (is_list(&name), subject(&name));
    }
  }
}
