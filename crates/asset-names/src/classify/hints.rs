//! What the caller knows of a file beforehand.

use super::lexicon::{Word, meaning};
use super::tokens::{Text, Token, is_word_byte};
use crate::build_override::BuildOverride;

/// What the caller knows of a file beforehand. Nothing of it is needed.
///
/// An app's name and version may hold words that mean something else: `win-tool`, `go-arch-lint`, version `1.64.0`. They are taken
/// out before anything else is read. Both are compared without case and without what stands between their words.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints<'h> {
  /// The app's or tool's name, as in its file names.
  pub app: Option<&'h str>,
  /// The release's version or tag.
  pub version: Option<&'h str>,
  /// What operators say of names that would be misread; the first that matches wins.
  pub overrides: &'h [BuildOverride],
}

impl<'h> Hints<'h> {
  /// Nothing known.
  pub const NONE: Hints<'static> = Hints {
    app: None,
    version: None,
    overrides: &[],
  };

  /// Only the app's name known.
  pub fn app(app: &'h str) -> Self {
    Self {
      app: Some(app),
      ..Hints::NONE
    }
  }
}

/// Takes the app's name out of `tokens`, where it stands first; says whether it was there.
pub(super) fn take_out_app(text: &Text<'_>, tokens: &mut [Token], app: &str) -> bool {
  let mut lower = [0; MAX_HINT_BYTES];
  let Some(app) = letters_and_digits(app, &mut lower) else {
    return false;
  };
  // Whose app is called like a platform means the platform wherever it doesn't come first.
  let starts = if meaning(app).is_some() {
    tokens.len().min(1)
  } else {
    tokens.len()
  };
  let found = (0..starts).find_map(|start| find(text, tokens, start, 0, app));
  found.map(|found| take_out(tokens, found)).is_some()
}

/// Takes the version out of `tokens`, where it stands first.
pub(super) fn take_out_version(text: &Text<'_>, tokens: &mut [Token], version: &str) {
  let mut lower = [0; MAX_HINT_BYTES];
  let version = version.strip_prefix(['v', 'V']).unwrap_or(version);
  let Some(version) = letters_and_digits(version, &mut lower) else {
    return;
  };
  // The 64 of `x86_64` is no version.
  let follows_platform = |found: &Found| {
    let before = found
      .start
      .checked_sub(1)
      .and_then(|before| meaning(text.of_token(tokens[before])));
    matches!(before, Some(Word::Arch(_) | Word::Os(_)))
  };
  let found = (0..tokens.len()).find_map(|start| {
    let prefix = usize::from(text.of_token(tokens[start]).first() == Some(&b'v'));
    find(text, tokens, start, prefix, version).filter(|found| !follows_platform(found))
  });
  if let Some(found) = found {
    take_out(tokens, found);
  }
}

/// Longest hint that is looked for; an app's name and a tag have at most 64 bytes or so.
const MAX_HINT_BYTES: usize = 128;

/// `hint` in lowercase without separators; `None` where nothing is left, or too much.
fn letters_and_digits<'b>(hint: &str, buffer: &'b mut [u8; MAX_HINT_BYTES]) -> Option<&'b [u8]> {
  let mut length = 0;
  for byte in hint.bytes().filter(|byte| is_word_byte(*byte)) {
    *buffer.get_mut(length)? = byte.to_ascii_lowercase();
    length += 1;
  }
  (length > 0).then(|| &buffer[..length])
}

/// Where a hint stands: its tokens, and the byte at which it ends in the last one.
struct Found {
  start: usize,
  last: usize,
  cut: usize,
}

/// Finds `hint` at the token `start` (after `prefix` bytes of it), if it ends where a word does.
fn find(text: &Text<'_>, tokens: &[Token], start: usize, prefix: usize, hint: &[u8]) -> Option<Found> {
  let mut left = hint;
  for (last, token) in tokens.iter().enumerate().skip(start) {
    let skipped = if last == start { prefix } else { 0 };
    let word = text.of_token(*token).get(skipped..).unwrap_or_default();
    let same = word.iter().zip(left).take_while(|(a, b)| a == b).count();
    left = &left[same..];
    if left.is_empty() {
      let cut = usize::from(token.start) + skipped + same;
      return ends_word(text, *token, cut).then_some(Found { start, last, cut });
    }
    if same < word.len() {
      return None;
    }
  }
  None
}

/// Whether a word ends at the byte `cut` of `token`: at its end, before upper case, before a number.
fn ends_word(text: &Text<'_>, token: Token, cut: usize) -> bool {
  if cut == usize::from(token.end) {
    return true;
  }
  let (last, next) = (text.raw[cut - 1], text.raw[cut]);
  (next.is_ascii_uppercase() && !last.is_ascii_uppercase()) || (next.is_ascii_digit() && !last.is_ascii_digit())
}

/// Marks what was found; of the last token, only what comes before the hint's end.
fn take_out(tokens: &mut [Token], found: Found) {
  for token in &mut tokens[found.start..found.last] {
    token.word = Word::TakenOut;
  }
  match u16::try_from(found.cut) {
    Ok(cut) if cut < tokens[found.last].end => tokens[found.last].start = cut,
    _ => tokens[found.last].word = Word::TakenOut,
  }
}
