//! All that a checksum file says.

use std::collections::{BTreeMap, BTreeSet};

use asset_names::is_listable_name;

use super::line::{Line, read_line};

/// As many files are listed at most, which is more than a release of GitHub's may have; a file with more is no checksum file.
const MAX_NAMES: usize = 1_000;
/// The name of a file that was read from standard input.
const STANDARD_INPUT: &str = "-";
const HERE: &str = "./";

/// Digests by the names of their files.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Listing {
  digests: BTreeMap<String, String>,
  /// Names with more than one digest; they have none.
  ambiguous: BTreeSet<String>,
}

/// The file lists more than [`MAX_NAMES`] files.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct TooManyNames;

impl Listing {
  /// Reads a file. One that goes by the name of its `subject` may say nothing but the digest, or name it by the path that it had.
  /// Lines that aren't understood don't count.
  pub(super) fn read(text: &str, subject: Option<&str>) -> Result<Self, TooManyNames> {
    let mut listing = Self::default();
    for Line { digest, name } in text.lines().filter_map(read_line) {
      let Some(name) = whose(name.as_deref(), subject) else {
        continue;
      };
      listing.add(name, digest);
      if listing.names() > MAX_NAMES {
        return Err(TooManyNames);
      }
    }
    Ok(listing)
  }

  /// A file's digest.
  pub(super) fn digest(&self, name: &str) -> Option<&str> {
    self.digests.get(name).map(String::as_str)
  }

  /// Names that are listed with digests that differ.
  pub(super) fn ambiguous(&self) -> impl Iterator<Item = &str> {
    self.ambiguous.iter().map(String::as_str)
  }

  /// How many files are named.
  pub(super) fn names(&self) -> usize {
    self.digests.len() + self.ambiguous.len()
  }

  /// Everything in it.
  pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
    let digests = self.digests.iter().flat_map(|(name, digest)| [name, digest]);
    digests.chain(&self.ambiguous).map(String::as_str)
  }

  fn add(&mut self, name: &str, digest: String) {
    if self.ambiguous.contains(name) {
      return;
    }
    match self.digests.get(name) {
      None => {
        self.digests.insert(name.to_owned(), digest);
      }
      Some(other) if *other == digest => {}
      Some(_) => {
        self.digests.remove(name);
        self.ambiguous.insert(name.to_owned());
      }
    }
  }
}

/// The file that a line is about; none for what can't be a file of a release.
fn whose<'n>(written: Option<&'n str>, subject: Option<&'n str>) -> Option<&'n str> {
  match (written, subject) {
    (None | Some(STANDARD_INPUT), subject) => subject,
    (Some(written), Some(subject)) if written.rsplit(['/', '\\']).next() == Some(subject) => Some(subject),
    (Some(written), _) => {
      let name = written.strip_prefix(HERE).unwrap_or(written);
      is_listable_name(name).then_some(name)
    }
  }
}

#[cfg(test)]
mod tests {
  use proptest::prelude::*;

  use super::*;

  #[test]
  fn a_list_is_read_line_by_line_whatever_stands_between() {
    let (a, b, c) = ("a".repeat(64), "b".repeat(64), "c".repeat(64));
    let text = format!("# of v1\n\n{a}  one.deb\r\n{b} *./two.zip\nrubbish\nSHA256 (three.msi) = {c}\n{a}{a}  four\n");
    let listing = Listing::read(&text, None).unwrap();
    assert_eq!(listing.digest("one.deb"), Some(a.as_str()));
    assert_eq!(listing.digest("two.zip"), Some(b.as_str()));
    assert_eq!(listing.digest("three.msi"), Some(c.as_str()));
    assert_eq!(listing.names(), 3);
  }

  #[test]
  fn a_name_with_two_digests_has_none_and_the_same_one_twice_is_one() {
    let (a, b) = ("a".repeat(64), "b".repeat(64));
    let text = format!("{a}  x\n{b}  x\n{a}  x\n{a}  y\n{}  y\n", "A".repeat(64));
    let listing = Listing::read(&text, None).unwrap();
    assert_eq!((listing.digest("x"), listing.digest("y")), (None, Some(a.as_str())));
    assert_eq!(listing.ambiguous().collect::<Vec<_>>(), ["x"]);
  }

  #[test]
  fn a_digest_alone_is_the_subjects_and_nobodys_in_a_list() {
    let digest = "a".repeat(64);
    for text in [
      digest.clone(),
      format!("{digest}\n"),
      format!("{digest}  -\n"),
      format!("{digest}  dist/demo.deb"),
    ] {
      let listing = Listing::read(&text, Some("demo.deb")).unwrap();
      assert_eq!(listing.digest("demo.deb"), Some(digest.as_str()), "{text}");
      assert_eq!(Listing::read(&text, None), Ok(Listing::default()), "{text}");
    }
  }

  #[test]
  fn a_subjects_file_that_names_another_says_nothing_of_the_subject() {
    let text = format!("{}  other.deb", "a".repeat(64));
    let listing = Listing::read(&text, Some("demo.deb")).unwrap();
    assert_eq!(listing.digest("demo.deb"), None);
    assert!(listing.digest("other.deb").is_some());
  }

  #[test]
  fn a_thousand_names_are_read_and_one_more_is_not() {
    let list = |names: usize| {
      (0..names).fold(String::new(), |text, name| {
        text + &format!("{}  {name}\n", "a".repeat(64))
      })
    };
    assert_eq!(
      Listing::read(&list(1_000), None).map(|listing| listing.names()),
      Ok(1_000)
    );
    assert_eq!(Listing::read(&list(1_001), None), Err(TooManyNames));
  }

  /// The ways in which a list is written.
  #[derive(Clone, Copy, Debug)]
  enum Form {
    Text,
    Binary,
    Here,
    Bsd,
    OpenSsl,
  }

  impl Form {
    fn write(self, name: &str, digest: &str) -> String {
      match self {
        Self::Text => format!("{digest}  {name}"),
        Self::Binary => format!("{digest} *{name}"),
        Self::Here => format!("{digest}  ./{name}"),
        Self::Bsd => format!("SHA256 ({name}) = {digest}"),
        Self::OpenSsl => format!("SHA256({name})= {digest}"),
      }
    }
  }

  proptest! {
    #[test]
    fn what_is_written_in_any_form_comes_back(
      files in prop::collection::btree_map("[a-zA-Z0-9(][a-zA-Z0-9 ()._+@~-]{0,20}[a-zA-Z0-9)]", "[0-9a-f]{64}", 0..20),
      form in prop::sample::select(&[Form::Text, Form::Binary, Form::Here, Form::Bsd, Form::OpenSsl][..]),
      line_end in prop::sample::select(&["\n", "\r\n"][..]),
    ) {
      let text: String = files.iter().map(|(name, digest)| form.write(name, digest) + line_end).collect();
      let listing = Listing::read(&text, None).unwrap();
      for (name, digest) in &files {
        prop_assert_eq!(listing.digest(name), Some(digest.as_str()));
      }
      prop_assert_eq!(listing.names(), files.len());
    }

    #[test]
    fn no_text_panics(text in "(\\PC{0,80}\n){0,4}", subject in prop::option::of("[a-z.]{0,8}")) {
      let _ = Listing::read(&text, subject.as_deref());
    }
  }
}
