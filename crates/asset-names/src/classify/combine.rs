//! Words that mean something only beside others.
//!
//! `x86_64`, `64-bit`, `Windows-64`, `arm-v7`, `macos-11`, `linux-android`, `apple-darwin`, `en-US` and the like: each pair is put
//! together in the first word, and the second becomes a filler.

use super::lexicon::Word;
use super::tokens::{Text, Token};
use crate::vocabulary::{BuildArch, BuildOs};

/// Puts together what belongs together, from left to right.
pub(super) fn combine(text: &Text<'_>, tokens: &mut [Token]) {
  for at in 0..tokens.len() {
    let Some(next) = tokens.get(at + 1).copied() else {
      lone_386(text, tokens, at);
      return;
    };
    let here = tokens[at];
    lone_386(text, tokens, at);
    match here.word {
      Word::Arch(arch) => arch_and(text, tokens, at, arch, next),
      Word::Os(os) => {
        if os == BuildOs::Linux && matches!(next.word, Word::Os(BuildOs::Android | BuildOs::Ohos)) {
          tokens[at].word = Word::Filler;
        } else {
          system_and_number(text, tokens, at);
        }
      }
      Word::Distro(_) | Word::Alpine | Word::Manylinux | Word::Musllinux => system_and_number(text, tokens, at),
      Word::Number if next.word == Word::Bit => number_and_bit(text, tokens, at),
      Word::Apple if matches!(next.word, Word::Os(_)) => tokens[at].word = Word::Filler,
      Word::Apple if next.word == Word::Silicon => tokens[at].word = Word::Filler,
      Word::Debug if matches!(next.word, Word::Symbols | Word::Info) => tokens[at].word = Word::Symbols,
      Word::Sha if next.word == Word::Number || next.word == Word::Checksum => tokens[at].word = Word::Checksum,
      _ => {}
    }
    locale(text, tokens, at);
  }
}

/// `386` alone, not as a part of a version.
fn lone_386(text: &Text<'_>, tokens: &mut [Token], at: usize) {
  let here = tokens[at];
  if here.word == Word::Number && text.of_token(here) == b"386" && is_alone(text, here) {
    tokens[at].word = Word::Arch(BuildArch::X86);
  }
}

/// `x86_64`, `x86-64`, `x86_32`, `aarch_64`, `arm-v7`, `ppcle_64`, `x86_64-v3`, `arm-none-eabi`.
fn arch_and(text: &Text<'_>, tokens: &mut [Token], at: usize, arch: BuildArch, next: Token) {
  let word = text.of_token(next);
  let underscored = text.before(next) == Some(b'_');
  let sure = underscored || !text.goes_on_as_version(next);
  let combined = match (arch, word) {
    (BuildArch::X86, b"64" | b"64v1" | b"64v2" | b"64v3" | b"64v4" | b"64h" | b"64bit") if sure => BuildArch::X64,
    (BuildArch::X86, b"32" | b"32bit") if sure => BuildArch::X86,
    (BuildArch::Arm, b"64" | b"64bit" | b"v8" | b"v8a" | b"8") if sure => BuildArch::Arm64,
    (BuildArch::Arm, b"32" | b"32bit") if sure => BuildArch::Arm,
    (BuildArch::Arm, b"v7" | b"v7a" | b"v7l" | b"v7hf" | b"7") if sure => BuildArch::ArmV7,
    (BuildArch::Arm, b"v6" | b"v6l" | b"v6hf" | b"6") if sure => BuildArch::ArmV6,
    (BuildArch::Arm, b"v5" | b"v5te" | b"5") if sure => BuildArch::ArmV5,
    (_, b"64") if underscored => arch,
    (BuildArch::X64 | BuildArch::Arm64, b"v1" | b"v2" | b"v3" | b"v4" | b"v8a" | b"v8") if sure => arch,
    // A compiler's target, not what the file runs on.
    (BuildArch::Arm | BuildArch::Arm64 | BuildArch::RiscV64 | BuildArch::RiscV32, b"none") => {
      tokens[at].word = Word::Unknown;
      return;
    }
    _ => return,
  };
  tokens[at].word = Word::Filler;
  tokens[at + 1].word = Word::Arch(combined);
}

/// `Windows-64`, `linux64`, `linux86`, `macos-11`, `ubuntu-22.04`, `darwin-10.12`: bits where the number is one of them, else
/// the system's version.
fn system_and_number(text: &Text<'_>, tokens: &mut [Token], at: usize) {
  let Some(number) = tokens.get(at + 1).copied().filter(|token| token.word == Word::Number) else {
    return;
  };
  let is_glued = number.start == tokens[at].end;
  let is_joined = is_glued || matches!(text.before(number), Some(b'-' | b'_' | b' '));
  let bits = match text.of_token(number) {
    b"64" => Some(Word::Bits64),
    b"32" => Some(Word::Bits32),
    b"86" | b"386" if is_glued => Some(Word::Arch(BuildArch::X86)),
    _ => None,
  };
  match bits.filter(|_| is_joined && !text.goes_on_as_version(number)) {
    // `win-64bit` and `win-32-bit` are read by what follows the number.
    Some(_) if tokens.get(at + 2).is_some_and(|token| token.word == Word::Bit) => {}
    Some(bits) => tokens[at + 1].word = bits,
    None if text.of_token(number) == b"386" && !is_glued => {}
    None => system_version(text, tokens, at + 1),
  }
}

/// `11`, `22.04`, `2_17`: as far as it goes.
fn system_version(text: &Text<'_>, tokens: &mut [Token], from: usize) {
  let mut at = from;
  while let Some(token) = tokens.get_mut(at).filter(|token| token.word == Word::Number) {
    if at > from && !matches!(text.before(*token), Some(b'.' | b'_')) {
      return;
    }
    token.word = Word::Filler;
    at += 1;
  }
}

/// `64-bit`, `32 bit`.
fn number_and_bit(text: &Text<'_>, tokens: &mut [Token], at: usize) {
  tokens[at].word = match text.of_token(tokens[at]) {
    b"64" => Word::Bits64,
    b"32" => Word::Bits32,
    _ => return,
  };
  tokens[at + 1].word = Word::Filler;
}

/// `en-US`, `de_DE`.
fn locale(text: &Text<'_>, tokens: &mut [Token], at: usize) {
  let (language, country) = (tokens[at], tokens[at + 1]);
  let raw = |token: Token| &text.raw[usize::from(token.start)..usize::from(token.end)];
  let joined = matches!(text.before(country), Some(b'-' | b'_'));
  if joined
    && matches!(raw(language), [a, b] if a.is_ascii_lowercase() && b.is_ascii_lowercase())
    && matches!(raw(country), [a, b] if a.is_ascii_uppercase() && b.is_ascii_uppercase())
  {
    let locale = Word::Locale {
      english: raw(language) == b"en",
    };
    tokens[at].word = locale;
    tokens[at + 1].word = locale;
  }
}

/// Whether no point with a digit stands on either side.
fn is_alone(text: &Text<'_>, token: Token) -> bool {
  let start = usize::from(token.start);
  let follows = start >= 2 && text.raw[start - 1] == b'.' && text.raw[start - 2].is_ascii_digit();
  !follows && !text.goes_on_as_version(token)
}
