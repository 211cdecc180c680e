//! From the bytes of a checksum file to text.

/// Why bytes aren't the text of a checksum file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum NoText {
  /// Most likely somebody's answer in place of the file.
  Page,
  /// Something that isn't text.
  Binary,
}

/// Reads UTF-8, or UTF-16 that begins with its mark, as Windows writes it. Bytes that are no UTF-8 cost no more than their line.
pub(super) fn file_text(bytes: &[u8]) -> Result<String, NoText> {
  let text = match bytes {
    [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
    [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
    [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
    _ => String::from_utf8_lossy(bytes).into_owned(),
  };
  if text.trim_start().starts_with('<') {
    Err(NoText::Page)
  } else if text.contains('\0') {
    Err(NoText::Binary)
  } else {
    Ok(text)
  }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
  let (pairs, _) = bytes.as_chunks::<2>();
  let units = pairs.iter().map(|pair| unit(*pair));
  char::decode_utf16(units)
    .map(|read| read.unwrap_or(char::REPLACEMENT_CHARACTER))
    .collect()
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
  #[case::a_broken_byte(b"a\xFFb", "a\u{FFFD}b")]
  #[case::nothing(b"", "")]
  fn text_is_read_however_it_is_encoded(#[case] bytes: &[u8], #[case] text: &str) {
    assert_eq!(file_text(bytes), Ok(text.to_owned()));
  }

  #[rstest]
  #[case(b"<!DOCTYPE html><html>", NoText::Page)]
  #[case(b"\xEF\xBB\xBF \n<html>", NoText::Page)]
  #[case(b"\x7FELF\0\x01", NoText::Binary)]
  #[case::utf_16_without_its_mark(b"a\0b\0", NoText::Binary)]
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
