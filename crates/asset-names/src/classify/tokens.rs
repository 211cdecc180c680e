//! A name cut into words.
//!
//! A word is a run of ASCII letters and digits and of anything beyond ASCII; everything else separates. What is glued together
//! without a separator is cut only where every piece is a known word (`linuxarm64`, `macos11`) or where upper case begins one
//! (`AtomSetup`, `ToolWin64`).
//!
//! Only the last [`MAX_BYTES`] bytes of a name are read: a listed name has at most 200, and whatever a platform is called stands at
//! the right. This bounds time and memory, so that words live in an array on the stack.

use super::lexicon::{PREFIXES, Word, meaning};

/// How much of a name is read, in bytes, from its end.
pub(super) const MAX_BYTES: usize = 256;

/// Most words that so many bytes can hold: each takes a byte and a separator, and what is glued takes more.
const MAX_TOKENS: usize = MAX_BYTES / 2 + 1;

/// The readable part of a name, as written and in lowercase.
pub(super) struct Text<'n> {
  pub(super) raw: &'n [u8],
  lower: [u8; MAX_BYTES],
  pub(super) is_cut: bool,
}

/// One word.
#[derive(Clone, Copy)]
pub(super) struct Token {
  pub(super) start: u16,
  pub(super) end: u16,
  pub(super) word: Word,
}

/// The words of a name without its ending, from left to right.
pub(super) struct Tokens {
  list: [Token; MAX_TOKENS],
  len: usize,
}

impl<'n> Text<'n> {
  pub(super) fn of(name: &'n str) -> Self {
    let bytes = name.as_bytes();
    let raw = &bytes[bytes.len().saturating_sub(MAX_BYTES)..];
    let mut lower = [0; MAX_BYTES];
    for (to, from) in lower.iter_mut().zip(raw) {
      *to = from.to_ascii_lowercase();
    }
    Self {
      raw,
      lower,
      is_cut: raw.len() < bytes.len(),
    }
  }

  /// In lowercase (ASCII only).
  pub(super) fn lower(&self) -> &[u8] {
    &self.lower[..self.raw.len()]
  }

  pub(super) fn of_token(&self, token: Token) -> &[u8] {
    &self.lower[usize::from(token.start)..usize::from(token.end)]
  }

  /// The byte right before a token; `None` at the beginning.
  pub(super) fn before(&self, token: Token) -> Option<u8> {
    self.raw.get(usize::from(token.start).checked_sub(1)?).copied()
  }

  /// Whether a token is followed by a point and a digit, as a part of a version is.
  pub(super) fn goes_on_as_version(&self, token: Token) -> bool {
    let rest = self.raw.get(usize::from(token.end)..).unwrap_or_default();
    matches!(rest, [b'.', digit, ..] if digit.is_ascii_digit())
  }
}

impl Tokens {
  /// Cuts the first `stem_len` bytes of `text`.
  pub(super) fn of(text: &Text<'_>, stem_len: usize) -> Self {
    let nothing = Token {
      start: 0,
      end: 0,
      word: Word::Unknown,
    };
    let mut tokens = Self {
      list: [nothing; MAX_TOKENS],
      len: 0,
    };
    let stem = text.lower().get(..stem_len).unwrap_or_default();
    let mut at = 0;
    while at < stem.len() {
      if !is_word_byte(stem[at]) {
        at += 1;
        continue;
      }
      let length = stem[at..].iter().take_while(|byte| is_word_byte(**byte)).count();
      tokens.push(at, at + length, Word::Unknown);
      at += length;
    }
    tokens
  }

  pub(super) fn as_slice(&self) -> &[Token] {
    &self.list[..self.len]
  }

  pub(super) fn as_mut_slice(&mut self) -> &mut [Token] {
    &mut self.list[..self.len]
  }

  /// Gives each word that wasn't taken out its meaning.
  pub(super) fn understand(&mut self, text: &Text<'_>) {
    let words = Self {
      list: self.list,
      len: self.len,
    };
    self.len = 0;
    for token in words.as_slice() {
      if token.word == Word::TakenOut {
        self.push(token.start.into(), token.end.into(), Word::TakenOut);
      } else {
        self.understand_one(text, *token);
      }
    }
  }

  fn understand_one(&mut self, text: &Text<'_>, token: Token) {
    let (start, end) = (usize::from(token.start), usize::from(token.end));
    let word = &text.lower()[start..end];
    if let Some(word) = by_itself(word) {
      return self.push(start, end, word);
    }
    if let Some((length, first, second)) = glued(word) {
      self.push(start, start + length, first);
      return self.push(start + length, end, second);
    }
    for at in camel_humps(&text.raw[start..end]) {
      if let Some(last) = hump(&word[at..]) {
        self.push(start, start + at, Word::Unknown);
        return self.push(start + at, end, last);
      }
      if let Some((length, first, second)) = glued(&word[at..]) {
        self.push(start, start + at, Word::Unknown);
        self.push(start + at, start + at + length, first);
        return self.push(start + at + length, end, second);
      }
    }
    self.push(start, end, Word::Unknown);
  }

  fn push(&mut self, start: usize, end: usize, word: Word) {
    if let (Ok(start), Ok(end), Some(slot)) = (u16::try_from(start), u16::try_from(end), self.list.get_mut(self.len)) {
      *slot = Token { start, end, word };
      self.len += 1;
    }
  }
}

pub(super) fn is_word_byte(byte: u8) -> bool {
  byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

/// What a word means without cutting it.
fn by_itself(word: &[u8]) -> Option<Word> {
  if word.iter().all(u8::is_ascii_digit) {
    return Some(Word::Number);
  }
  meaning(word).or_else(|| looks_like_version(word).then_some(Word::Version))
}

/// Where a word is a known prefix and what can be glued to it: the prefix's length and both meanings.
fn glued(word: &[u8]) -> Option<(usize, Word, Word)> {
  PREFIXES
    .iter()
    .filter(|(prefix, _)| prefix.as_bytes().first() == word.first())
    .find_map(|(prefix, first)| {
      let rest = word.strip_prefix(prefix.as_bytes())?;
      let second = if rest.is_empty() {
        None
      } else if rest.iter().all(u8::is_ascii_digit) {
        Some(Word::Number)
      } else {
        meaning(rest)
      }?;
      fits_glued(*first, second).then_some((prefix.len(), *first, second))
    })
}

fn fits_glued(first: Word, second: Word) -> bool {
  match first {
    Word::Os(_) => matches!(
      second,
      Word::Number
        | Word::Arch(_)
        | Word::Bits32
        | Word::Bits64
        | Word::Libc(_)
        | Word::Static
        | Word::Intel
        | Word::Silicon
        | Word::Portable
        | Word::Setup
    ),
    Word::Arch(_) => matches!(second, Word::Os(_)),
    _ => second == Word::Number,
  }
}

/// What the last part of a word may mean where upper case begins it.
fn hump(part: &[u8]) -> Option<Word> {
  meaning(part).filter(|word| {
    matches!(
      word,
      Word::Os(_)
        | Word::Win32
        | Word::Arch(_)
        | Word::Bits32
        | Word::Bits64
        | Word::Setup
        | Word::Portable
        | Word::Silicon
    )
  })
}

/// Where upper case follows something else, from left to right.
fn camel_humps(raw: &[u8]) -> impl Iterator<Item = usize> {
  let mixed = raw.iter().any(u8::is_ascii_lowercase);
  (1..raw.len()).filter(move |at| mixed && raw[*at].is_ascii_uppercase() && !raw[*at - 1].is_ascii_uppercase())
}

/// `2rc1`, `v2`, `b9001`, `rc1`, `9c93ec0b`: a part of a version, or of what stands in its place.
fn looks_like_version(word: &[u8]) -> bool {
  let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
  let Some(first) = word.first() else { return false };
  let is_hash = word.len() >= 7 && digits > 0 && word.iter().all(u8::is_ascii_hexdigit);
  let is_numbered =
    digits > 0 && word.len() - digits <= 2 && word.is_ascii() && (first.is_ascii_digit() || digits + 1 == word.len());
  is_hash || is_numbered || is_release_stage(word)
}

/// `rc1`, `beta2`.
fn is_release_stage(word: &[u8]) -> bool {
  [b"rc".as_slice(), b"beta", b"alpha", b"pre", b"dev", b"build"]
    .iter()
    .any(|stage| {
      word
        .strip_prefix(*stage)
        .is_some_and(|rest| !rest.is_empty() && rest.iter().all(u8::is_ascii_digit))
    })
}
