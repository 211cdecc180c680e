//! From the bytes of a checksum file to text.

use std::borrow::Cow;

/// Why bytes aren't the text of a checksum file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum NoText {
  /// Most likely somebody's answer in place of the file.
  Page,
  /// Something that isn't text.
  Binary,
}

/// Reads UTF-8, or UTF-16 that begins with its mark, as Windows writes it. Lines that are no text are left out.
pub(super) fn file_text(bytes: &[u8]) -> Result<String, NoText> {
  let bytes = match bytes {
    [0xFF, 0xFE, rest @ ..] => Cow::from(utf16(rest, u16::from_le_bytes)),
    [0xFE, 0xFF, rest @ ..] => Cow::from(utf16(rest, u16::from_be_bytes)),
    [0xEF, 0xBB, 0xBF, rest @ ..] => Cow::from(rest),
    _ => Cow::from(bytes),
  };
  let text = lines_of(&bytes);
  let first = text.trim_start();
  if first.starts_with('<') {
    Err(NoText::Page)
  } else if first.is_empty() && !bytes.trim_ascii().is_empty() {
    Err(NoText::Binary)
  } else {
    Ok(text)
  }
}

/// The lines that are text, each with its end.
fn lines_of(bytes: &[u8]) -> String {
  let lines = bytes.split_inclusive(|byte| *byte == b'\n');
  let lines = lines.filter(|line| !line.contains(&0));
  lines.filter_map(|line| str::from_utf8(line).ok()).collect()
}

/// As UTF-8, in which half a surrogate is a zero byte, so that its line is no text.
fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Vec<u8> {
  let (pairs, _) = bytes.as_chunks::<2>();
  let units = pairs.iter().map(|pair| unit(*pair));
  let text: String = char::decode_utf16(units).map(|read| read.unwrap_or('\0')).collect();
  text.into_bytes()
}

#[cfg(test)]
mod tests {
  use proptest::prelude::*;
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case::plain(b"abc\n", "abc\n")]
  #[case::a_mark(b"\xEF\xBB\xBFabc", "abc")]
  #[case::utf_16_of_windows(b"\xFF\xFEa\0b\0\r\0\n\0", "ab\r\n")]
  #[case::utf_16_the_other_way(b"\xFE\xFF\0a\0b", "ab")]
  #[case::half_a_unit(b"\xFF\xFEa\0b", "a")]
  #[case::a_line_that_is_no_utf_8(b"\xFF\xFFx\na\r\nb\xE4c\nd", "a\r\nd")]
  #[case::a_line_that_is_binary(b"\x7FELF\0\x01\na\nb\0\nc\n", "a\nc\n")]
  #[case::half_a_surrogate(b"\xFF\xFE\x00\xD8\n\0a\0\n\0", "a\n")]
  #[case::nothing(b"", "")]
  fn text_is_read_however_it_is_encoded(#[case] bytes: &[u8], #[case] text: &str) {
    assert_eq!(file_text(bytes), Ok(text.to_owned()));
  }

  #[rstest]
  #[case(b"<!DOCTYPE html><html>", NoText::Page)]
  #[case(b"\xEF\xBB\xBF \n<html>", NoText::Page)]
  #[case(b"\x7FELF\0\x01", NoText::Binary)]
  #[case::utf_16_without_its_mark(b"a\0b\0\n\0c\0", NoText::Binary)]
  #[case::latin_1(b"\xE4\n", NoText::Binary)]
  #[case::a_page_after_something_binary(b"\xFF\n<html>", NoText::Page)]
  fn what_is_no_text_is_named(#[case] bytes: &[u8], #[case] what: NoText) {
    assert_eq!(file_text(bytes), Err(what));
  }

  proptest! {
    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..64), mark in 0_usize..3) {
      let marks: [&[u8]; 3] = [b"", b"\xFF\xFE", b"\xFE\xFF"];
      let _ = file_text(&[marks[mark], &bytes].concat());
    }

    #[test]
    fn what_windows_writes_comes_back(text in "[a-zA-Z0-9 äß😀.\r\n]{0,40}") {
      let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
      prop_assert_eq!(file_text(&[b"\xFF\xFE".as_slice(), &bytes].concat()), Ok(text));
    }
  }
}
