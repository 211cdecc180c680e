//! Texts without the secrets that whoever wrote them was sent.

use std::cmp::Reverse;

const HIDDEN: &str = "***";
/// Whoever says a secret back may have cut it; its kind and a few characters are nothing secret yet.
const TELLING_CHARS: usize = 8;

/// A text without these secrets, nor any part of one that begins with its first eight characters. They may begin alike: at each place as
/// much is hidden as stands there of any. To be used before the text is cut or escaped: what is left of a secret after that isn't known
/// any more.
pub fn hide_secrets<'s>(text: &str, secrets: impl IntoIterator<Item = &'s str>) -> String {
  let mut secrets: Vec<&str> = secrets.into_iter().filter(|secret| !secret.is_empty()).collect();
  // One may be the beginning of another.
  secrets.sort_by_key(|secret| Reverse(secret.len()));
  let whole = |text: String, secret: &&str| text.replace(secret, HIDDEN);
  let text = secrets.iter().fold(text.to_owned(), whole);
  let (mut clean, mut rest) = (String::with_capacity(text.len()), &*text);
  while let Some(first) = rest.chars().next() {
    let known = secrets.iter().filter_map(|secret| beginning_in(rest, secret)).max();
    let (said, after) = rest.split_at(known.unwrap_or(first.len_utf8()));
    clean.push_str(if known.is_some() { HIDDEN } else { said });
    rest = after;
  }
  clean
}

/// How many bytes of a secret's beginning a text begins with, if they are telling.
fn beginning_in(text: &str, secret: &str) -> Option<usize> {
  let same = text
    .chars()
    .zip(secret.chars())
    .take_while(|(said, known)| said == known);
  let (chars, bytes) = same.fold((0, 0), |(chars, bytes), (said, _)| (chars + 1, bytes + said.len_utf8()));
  (chars >= TELLING_CHARS).then_some(bytes)
}

#[cfg(test)]
mod tests {
  use proptest::prelude::*;
  use rstest::rstest;

  use super::*;

  const SECRET: &str = "ghp_0123456789";

  #[rstest]
  #[case::whole("for ghp_0123456789!", "for ***!")]
  #[case::twice("ghp_0123456789ghp_0123456789", "******")]
  #[case::cut("for ghp_012345", "for ***")]
  #[case::cut_and_continued("for ghp_012345…", "for ***…")]
  #[case::cut_twice("ghp_012345ghp_0123", "******")]
  #[case::its_kind("for ghp_012", "for ghp_012")]
  #[case::another("for ghp_9876543210", "for ghp_9876543210")]
  #[case::nothing("", "")]
  fn a_secret_is_hidden_and_its_beginning_too(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(hide_secrets(text, [SECRET]), expected);
  }

  #[rstest]
  #[case::short("it was: pässwö!", "pässwö", "it was: ***!")]
  #[case::of_other_characters("it was: pässwörtl…", "pässwörtlich", "it was: ***…")]
  #[case::none("it was: nothing", "", "it was: nothing")]
  fn a_secret_may_be_anything(#[case] text: &str, #[case] secret: &str, #[case] expected: &str) {
    assert_eq!(hide_secrets(text, [secret]), expected);
  }

  #[rstest]
  #[case::the_second("no ghp_01234567_two!", "no ***!")]
  #[case::the_first("no ghp_01234567_one!", "no ***!")]
  #[case::the_second_cut("no ghp_01234567_tw", "no ***")]
  #[case::both("ghp_01234567_one ghp_01234567_two", "*** ***")]
  #[case::neither("ghp_012 ä", "ghp_012 ä")]
  fn of_secrets_that_begin_alike_nothing_is_left(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(
      hide_secrets(text, ["ghp_01234567_one", "ghp_01234567_two", ""]),
      expected
    );
  }

  proptest! {
    #[test]
    fn no_text_holds_it_afterwards(before in "[ab]{0,12}", end in 0_usize..12, after in "[ab]{0,12}", secret in "[ab]{9,12}") {
      let text = format!("{before}{}{after}", &secret[..end.min(secret.len())]);
      let hidden = hide_secrets(&text, [&*secret]);
      prop_assert!(!hidden.contains(&secret[..TELLING_CHARS]), "{} in {}", secret, hidden);
    }
  }
}
