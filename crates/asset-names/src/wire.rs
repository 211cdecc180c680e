//! A classification as an answer writes it.

use feed_types::AssetBuild;

use crate::build::{Build, Reading};

impl Build {
  /// The open `build` of an answer. What the name doesn't say, or says in two ways, is left open; `None` where it says nothing.
  ///
  /// ```
  /// use asset_names::{Hints, classify};
  ///
  /// let build = classify("tool-linux-riscv64.tar.xz", &Hints::NONE).to_wire().unwrap();
  /// assert_eq!(build.arch.as_deref(), Some("riscv64"));
  /// assert_eq!(build.libc, None);
  /// ```
  pub fn to_wire(&self) -> Option<AssetBuild> {
    let build = AssetBuild {
      os: word(self.os, |os| os.as_str()),
      arch: word(self.arch, |arch| arch.as_str()),
      kind: word(self.kind, |kind| kind.as_str()),
      libc: word(self.libc, |libc| libc.as_str()),
    };
    (build != AssetBuild::default()).then_some(build)
  }
}

fn word<T: Copy>(reading: Reading<T>, as_str: fn(T) -> &'static str) -> Option<String> {
  reading.known().map(|value| as_str(value).to_owned())
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use crate::{Hints, classify};

  #[rstest]
  #[case::everything("tool-x86_64-unknown-linux-musl.tar.zst", ["linux", "x64", "tar_zst", "musl"])]
  #[case::a_sidecar_has_its_kind("SHA256SUMS.txt", ["null", "null", "checksum", "null"])]
  #[case::a_contradiction_is_left_open("app-linux-windows-x64.zip", ["null", "x64", "zip", "null"])]
  fn each_known_word_is_written_and_the_rest_is_null(#[case] name: &str, #[case] expected: [&str; 4]) {
    let build = classify(name, &Hints::NONE).to_wire().unwrap();
    let words = [build.os, build.arch, build.kind, build.libc].map(|word| word.unwrap_or_else(|| "null".to_owned()));
    assert_eq!(words, expected);
  }

  #[test]
  fn a_name_that_says_nothing_has_no_build() {
    assert_eq!(classify("", &Hints::NONE).to_wire(), None);
  }
}
