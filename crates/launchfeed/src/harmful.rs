//! Characters that no text of others' may bring before people as they are.

/// Whether a character could steer a terminal, end a line somewhere, turn the direction of what follows it, or stand there unseen, so that two
/// names look alike. What only chooses between forms of the character before it, as of an emoji, is none.
pub(crate) fn is_harmful(c: char) -> bool {
  c.is_control()
    || matches!(c,
      '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
      | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
      | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
      | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case::control("\0\t\n\r\u{1b}\u{7f}\u{85}\u{9b}")]
  #[case::line_ends("\u{2028}\u{2029}")]
  #[case::direction("\u{61c}\u{200e}\u{200f}\u{202a}\u{202e}\u{2066}\u{2069}")]
  #[case::zero_width("\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}\u{ad}\u{34f}\u{180e}")]
  #[case::other_formats("\u{2061}\u{206f}\u{fff9}\u{fffb}\u{1d173}\u{e0001}\u{e0041}")]
  #[case::fillers("\u{115f}\u{1160}\u{3164}\u{ffa0}")]
  fn what_is_not_seen_or_does_something_is_harmful(#[case] text: &str) {
    assert!(text.chars().all(is_harmful), "{}", text.escape_unicode());
  }

  #[rstest]
  #[case("Wörter, слова, 言葉, كلمات, מילים")]
  #[case("🚀 ☁️ é e\u{301} \u{a0} … “” – \u{fffd}")]
  fn what_is_read_is_not(#[case] text: &str) {
    assert!(!text.contains(is_harmful));
  }
}
