//! Texts without the secrets that whoever wrote them was sent.

const HIDDEN: &str = "***";
/// Whoever says a secret back may have cut it; its kind and a few characters are nothing secret yet.
const TELLING_CHARS: usize = 8;

/// A text without a secret, nor any part of it that begins with its first eight characters. To be used before the text is cut or escaped:
/// what is left of a secret after that isn't known any more.
pub fn hide_secret(text: &str, secret: &str) -> String {
  if secret.is_empty() {
    return text.to_owned();
  }
  let text = text.replace(secret, HIDDEN);
  let Some((telling, _)) = secret.char_indices().nth(TELLING_CHARS) else {
    return text;
  };
  let (mut clean, mut rest) = (String::with_capacity(text.len()), &*text);
  while let Some((before, from)) = rest.find(&secret[..telling]).map(|at| rest.split_at(at)) {
    clean.push_str(before);
    clean.push_str(HIDDEN);
    let same = from
      .chars()
      .zip(secret.chars())
      .take_while(|(said, known)| said == known);
    rest = &from[same.map(|(said, _)| said.len_utf8()).sum()..];
  }
  clean + rest
}

/// The same for several secrets, which may begin alike: at each place the longest beginning that stands there is hidden.
pub fn hide_secrets(text: &str, secrets: &[&str]) -> String {
  let known_from = |rest: &str| {
    let known = secrets.iter().filter_map(|secret| {
      let same = secret
        .chars()
        .zip(rest.chars())
        .take_while(|(known, said)| known == said);
      let (chars, bytes) = same.fold((0, 0), |(chars, bytes), (known, _)| {
        (chars + 1, bytes + known.len_utf8())
      });
      (bytes > 0 && (bytes == secret.len() || chars >= TELLING_CHARS)).then_some(bytes)
    });
    known.max()
  };
  let (mut clean, mut rest) = (String::with_capacity(text.len()), text);
  while let Some(first) = rest.chars().next() {
    let passed = match known_from(rest) {
      Some(bytes) => {
        clean.push_str(HIDDEN);
        bytes
      }
      None => {
        clean.push(first);
        first.len_utf8()
      }
    };
    rest = &rest[passed..];
  }
  clean
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
    assert_eq!(hide_secret(text, SECRET), expected);
  }

  #[rstest]
  #[case::short("it was: pässwö!", "pässwö", "it was: ***!")]
  #[case::of_other_characters("it was: pässwörtl…", "pässwörtlich", "it was: ***…")]
  #[case::none("it was: nothing", "", "it was: nothing")]
  fn a_secret_may_be_anything(#[case] text: &str, #[case] secret: &str, #[case] expected: &str) {
    assert_eq!(hide_secret(text, secret), expected);
  }

  #[rstest]
  #[case::the_second("no ghp_01234567_two!", "no ***!")]
  #[case::the_first("no ghp_01234567_one!", "no ***!")]
  #[case::the_second_cut("no ghp_01234567_tw", "no ***")]
  #[case::both("ghp_01234567_one ghp_01234567_two", "*** ***")]
  #[case::neither("ghp_012 ä", "ghp_012 ä")]
  fn of_secrets_that_begin_alike_nothing_is_left(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(
      hide_secrets(text, &["ghp_01234567_one", "ghp_01234567_two", ""]),
      expected
    );
  }

  proptest! {
    #[test]
    fn no_text_holds_it_afterwards(before in "[ab]{0,12}", end in 0_usize..12, after in "[ab]{0,12}", secret in "[ab]{9,12}") {
      let text = format!("{before}{}{after}", &secret[..end.min(secret.len())]);
      let hidden = hide_secret(&text, &secret);
      prop_assert!(!hidden.contains(&secret[..TELLING_CHARS]), "{} in {}", secret, hidden);
    }
  }
}
