//! Which files were replaced under their name.

use std::collections::HashMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::known_file::KnownFile;

/// A file that is another one than it was under the same tag and name. What isn't known on both sides isn't compared.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct ReplacedFile {
  /// Its name.
  pub name: String,
  /// GitHub's number for it, where that changed.
  pub id: Option<Changed<u64>>,
  /// Its SHA-256, where that changed.
  pub sha256: Option<Changed<String>>,
  /// Its size, where that changed.
  pub size_bytes: Option<Changed<u64>>,
  /// Whether it may hold other bytes than before: all but a file that was uploaded anew with the digest and the size that it had.
  pub other_bytes: bool,
}

/// What was, and what is.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Changed<T> {
  /// Before.
  pub from: T,
  /// Now.
  pub to: T,
}

impl ReplacedFile {
  fn between(before: &KnownFile, after: &KnownFile) -> Option<Self> {
    let known_size = |file: &KnownFile| (file.size_bytes > 0).then_some(file.size_bytes);
    let id = changed(before.id, after.id);
    let sha256 = changed(before.sha256.clone(), after.sha256.clone());
    let size_bytes = changed(known_size(before), known_size(after));
    let has_same_digest = before.sha256.is_some() && before.sha256 == after.sha256;
    let other_bytes = sha256.is_some() || size_bytes.is_some() || (id.is_some() && !has_same_digest);
    (other_bytes || id.is_some()).then(|| Self {
      name: after.name.clone(),
      id,
      sha256,
      size_bytes,
      other_bytes,
    })
  }
}

/// `x.msi (digest, size)`.
impl fmt::Display for ReplacedFile {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let changes = [
      (self.sha256.is_some(), "digest"),
      (self.size_bytes.is_some(), "size"),
      (self.id.is_some(), "id"),
    ];
    let words: Vec<&str> = changes.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
    write!(f, "{} ({})", self.name, words.join(", "))
  }
}

/// What is known of each file once a list of files is served: also of those that it lacks, and what it doesn't say of one that is
/// the same as before. The list's own come first.
pub(super) fn known_after(before: &[KnownFile], served: Vec<KnownFile>) -> Vec<KnownFile> {
  let mut gone: HashMap<&str, &KnownFile> = before.iter().map(|file| (file.name.as_str(), file)).collect();
  let mut known: Vec<KnownFile> = Vec::with_capacity(served.len() + gone.len());
  for file in served {
    known.push(match gone.remove(file.name.as_str()) {
      Some(before) if ReplacedFile::between(before, &file).is_none() => KnownFile {
        id: file.id.or(before.id),
        size_bytes: if file.size_bytes > 0 {
          file.size_bytes
        } else {
          before.size_bytes
        },
        sha256: file.sha256.or_else(|| before.sha256.clone()),
        name: file.name,
      },
      _ => file,
    });
  }
  known.extend(
    before
      .iter()
      .filter(|file| gone.contains_key(file.name.as_str()))
      .cloned(),
  );
  known
}

/// The files of both lists that are others than they were, in the order of the second.
pub(super) fn replaced_files(before: &[KnownFile], after: &[KnownFile]) -> Vec<ReplacedFile> {
  let before: HashMap<&str, &KnownFile> = before.iter().map(|file| (file.name.as_str(), file)).collect();
  after
    .iter()
    .filter_map(|file| ReplacedFile::between(before.get(file.name.as_str())?, file))
    .collect()
}

fn changed<T: PartialEq>(from: Option<T>, to: Option<T>) -> Option<Changed<T>> {
  let (from, to) = (from?, to?);
  (from != to).then_some(Changed { from, to })
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case::nothing(file(Some(1), 7, Some("a")), file(Some(1), 7, Some("a")), None)]
  #[case::another_digest(file(Some(1), 7, Some("a")), file(Some(1), 7, Some("b")), Some(("x.msi (digest)", true)))]
  #[case::another_size(file(Some(1), 7, Some("a")), file(Some(1), 8, Some("a")), Some(("x.msi (size)", true)))]
  #[case::everything(file(Some(1), 7, Some("a")), file(Some(2), 8, Some("b")), Some(("x.msi (digest, size, id)", true)))]
  #[case::uploaded_anew(file(Some(1), 7, Some("a")), file(Some(2), 7, Some("a")), Some(("x.msi (id)", false)))]
  #[case::uploaded_anew_without_a_digest(file(Some(1), 7, None), file(Some(2), 7, None), Some(("x.msi (id)", true)))]
  #[case::uploaded_anew_with_a_digest_at_last(file(Some(1), 7, None), file(Some(2), 7, Some("a")), Some(("x.msi (id)", true)))]
  #[case::a_digest_at_last(file(Some(1), 7, None), file(Some(1), 7, Some("a")), None)]
  #[case::no_digest_any_more(file(Some(1), 7, Some("a")), file(Some(1), 7, None), None)]
  #[case::a_size_at_last(file(Some(1), 0, None), file(Some(1), 7, None), None)]
  #[case::nothing_but_the_size_is_known(file(None, 7, None), file(Some(2), 7, Some("a")), None)]
  fn what_is_known_on_both_sides_tells_a_replaced_file(
    #[case] before: KnownFile,
    #[case] after: KnownFile,
    #[case] expected: Option<(&str, bool)>,
  ) {
    let replaced = replaced_files(&[before], &[after]);
    let replaced: Vec<_> = replaced
      .iter()
      .map(|file| (file.to_string(), file.other_bytes))
      .collect();
    let expected: Vec<_> = expected
      .iter()
      .map(|(words, other)| ((*words).to_owned(), *other))
      .collect();
    assert_eq!(replaced, expected);
  }

  #[test]
  fn a_replaced_file_says_from_what_to_what() {
    let replaced = replaced_files(&[file(Some(1), 7, Some("a"))], &[file(Some(2), 8, Some("b"))]);
    let expected = ReplacedFile {
      name: "x.msi".to_owned(),
      id: Some(Changed { from: 1, to: 2 }),
      sha256: Some(Changed {
        from: "a".to_owned(),
        to: "b".to_owned(),
      }),
      size_bytes: Some(Changed { from: 7, to: 8 }),
      other_bytes: true,
    };
    assert_eq!(replaced, [expected]);
  }

  #[test]
  fn a_file_of_one_side_alone_is_not_a_replaced_one() {
    let other = KnownFile {
      name: "y.msi".to_owned(),
      ..file(Some(9), 9, Some("c"))
    };
    assert_eq!(replaced_files(&[file(Some(1), 7, Some("a"))], &[other]), []);
  }

  #[test]
  fn what_is_known_of_a_file_stays_known_until_it_is_replaced() {
    let named = |name: &str, file: KnownFile| KnownFile {
      name: name.to_owned(),
      ..file
    };
    let before = [
      named("gone", file(Some(1), 7, Some("a"))),
      named("same", file(Some(2), 7, Some("b"))),
      named("other", file(Some(3), 7, Some("c"))),
    ];
    let served = vec![
      named("new", file(None, 1, None)),
      named("same", file(None, 0, None)),
      named("other", file(Some(9), 7, None)),
    ];
    let expected = [
      named("new", file(None, 1, None)),
      named("same", file(Some(2), 7, Some("b"))),
      named("other", file(Some(9), 7, None)),
      named("gone", file(Some(1), 7, Some("a"))),
    ];
    assert_eq!(known_after(&before, served), expected);
  }

  fn file(id: Option<u64>, size_bytes: u64, sha256: Option<&str>) -> KnownFile {
    KnownFile {
      name: "x.msi".to_owned(),
      id,
      size_bytes,
      sha256: sha256.map(str::to_owned),
    }
  }
}
