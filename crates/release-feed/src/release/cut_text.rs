//! Cutting long text without cutting a character in two.

const ELLIPSIS: char = '…';

/// Cuts a text after `max_bytes`, at a character boundary, and then ends it in `…`. A text that was cut stays as it is when it is
/// cut again.
pub(super) fn cut_after(mut text: String, max_bytes: usize) -> String {
  let was_cut_already = text.ends_with(ELLIPSIS) && text.len() <= max_bytes + ELLIPSIS.len_utf8();
  if text.len() > max_bytes && !was_cut_already {
    text.truncate(text.floor_char_boundary(max_bytes));
    text.push(ELLIPSIS);
  }
  text
}

#[cfg(test)]
mod tests {
  use proptest::prelude::*;
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case::shorter("abc", "abc")]
  #[case::as_long("abcd", "abcd")]
  #[case::longer("abcde", "abcd…")]
  #[case::in_the_middle_of_a_character("abcö", "abc…")]
  #[case::ending_in_an_ellipsis("abcd…", "abcd…")]
  #[case::ending_in_an_ellipsis_too_far("abcde…", "abcd…")]
  fn a_text_is_cut_after_four_bytes(#[case] text: &str, #[case] cut: &str) {
    assert_eq!(cut_after(text.to_owned(), 4), cut);
  }

  proptest! {
    #[test]
    fn cutting_twice_is_cutting_once(text in ".{0,12}…?", max in 0_usize..12) {
      let once = cut_after(text, max);
      prop_assert!(once.len() <= max + ELLIPSIS.len_utf8());
      prop_assert_eq!(cut_after(once.clone(), max), once);
    }
  }
}
