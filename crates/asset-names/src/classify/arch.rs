//! The processor and the C library.

use super::lexicon::Word;
use super::system_words::cluster;
use super::tokens::{Text, Token};
use crate::build::{Doubt, Doubts, Reading};
use crate::format::Format;
use crate::vocabulary::{BuildArch, BuildLibc, BuildOs};

/// glibc of the oldest wheel tags, which name a year or nothing instead of a version.
const MANYLINUX_GLIBC: &[(&[u8], (u16, u16))] = &[(b"1", (2, 5)), (b"2010", (2, 12)), (b"2014", (2, 17))];

/// The processor that `tokens` name, on the system that they name.
pub(super) fn read_arch(
  text: &Text<'_>,
  tokens: &[Token],
  format: Format,
  os: Option<BuildOs>,
  doubts: &mut Doubts,
) -> Reading<BuildArch> {
  let is_mac = os == Some(BuildOs::Macos);
  let may_be_universal = is_mac || os == Some(BuildOs::Android);
  let arch_of = |at: usize, word: Word| match word {
    // `universal-something-linux`: a part of the app's name.
    Word::Arch(BuildArch::Universal) if at == 0 && !may_be_universal => None,
    Word::Arch(BuildArch::Arm) | Word::Silicon if is_mac => Some(BuildArch::Arm64),
    Word::Intel if is_mac => Some(BuildArch::X64),
    Word::Arch(arch) => Some(arch),
    _ => None,
  };
  let Some(named) = cluster(tokens, arch_of) else {
    let of_windows = || arch_of_last_number(text, tokens).filter(|_| matches!(format, Format::Exe | Format::Msi));
    let arch = arch_of_width(tokens)
      .or_else(|| is_mac.then(|| arch_of_mac(tokens))?)
      .or_else(of_windows);
    if arch.is_none() && os == Some(BuildOs::Windows) && tokens.iter().any(|token| token.word == Word::Win32) {
      doubts.add(Doubt::WidthOfWin32);
    }
    return arch.into();
  };
  let arch = match named.other {
    None if named.last == BuildArch::Arm && tokens.iter().any(|token| token.word == Word::Bits64) => BuildArch::Arm64,
    None => named.last,
    // Several in one file are all of what Apple and Android have.
    Some(other) if may_be_universal && fits_universal(named.last) && fits_universal(other) => BuildArch::Universal,
    Some(other) if named.last == BuildArch::Universal => other,
    Some(BuildArch::Universal) => named.last,
    Some(_) => {
      doubts.add(Doubt::TwoProcessors);
      return Reading::Contradictory;
    }
  };
  let is_other = |(at, token): (usize, &Token)| arch_of(at, token.word).is_some_and(|other| other != named.last);
  if named.other.is_none() && tokens.iter().enumerate().any(is_other) {
    doubts.add(Doubt::OtherProcessorInName);
  }
  Reading::Known(arch)
}

/// Whether a file for this processor and another one is what Apple and Android call universal.
fn fits_universal(arch: BuildArch) -> bool {
  use BuildArch::{Arm64, ArmV7, Universal, X64, X86};
  matches!(arch, Arm64 | ArmV7 | Universal | X64 | X86)
}

/// `tool-64.exe`: a last number that is a width.
fn arch_of_last_number(text: &Text<'_>, tokens: &[Token]) -> Option<BuildArch> {
  let [.., before, last] = tokens else { return None };
  let is_joined =
    matches!(text.before(*last), Some(b'-' | b'_')) && !matches!(before.word, Word::Number | Word::Version);
  match text.of_token(*last) {
    b"64" if is_joined => Some(BuildArch::X64),
    b"32" if is_joined => Some(BuildArch::X86),
    _ => None,
  }
}

/// Whether the name says that the processor doesn't matter.
pub(super) fn is_for_any_processor(tokens: &[Token]) -> bool {
  tokens
    .iter()
    .any(|token| matches!(token.word, Word::NoArch | Word::All))
}

/// The C library that `tokens` name.
pub(super) fn read_libc(tokens: &[Token], doubts: &mut Doubts) -> Reading<BuildLibc> {
  let libc_of = |at: usize, word: Word| match word {
    // `gnu-tool-linux`: a part of the app's name.
    Word::Libc(_) if at == 0 => None,
    Word::Libc(libc) => Some(libc),
    Word::Manylinux => Some(BuildLibc::Gnu),
    Word::Musllinux | Word::Alpine => Some(BuildLibc::Musl),
    _ => None,
  };
  match cluster(tokens, libc_of) {
    None => Reading::Absent,
    Some(named) if named.other.is_none() => Reading::Known(named.last),
    Some(_) => {
      doubts.add(Doubt::TwoLibcs);
      Reading::Contradictory
    }
  }
}

/// The oldest glibc that the name says it runs on: `gnu-2-17`, `glibc2.31`, `manylinux_2_28`, `manylinux2014`. Several are
/// alternatives.
pub(super) fn read_min_glibc(text: &Text<'_>, tokens: &[Token]) -> Option<(u16, u16)> {
  tokens
    .windows(2)
    .enumerate()
    .filter_map(|(at, pair)| {
      let [named, first] = pair else { return None };
      let first = text.of_token(*first);
      let second = tokens.get(at + 2).map(|token| text.of_token(*token)).and_then(number);
      match named.word {
        Word::Manylinux => match MANYLINUX_GLIBC.iter().find(|(tag, _)| *tag == first) {
          Some((_, version)) => Some(*version),
          None => Some((number(first)?, second?)),
        },
        Word::Libc(BuildLibc::Gnu) if first == b"2" => Some((2, second?)),
        _ => None,
      }
    })
    .min()
}

/// `64-bit` and `linux64` say a width; on what isn't ARM that is x86's.
fn arch_of_width(tokens: &[Token]) -> Option<BuildArch> {
  let width = cluster(tokens, |_, word| match word {
    Word::Bits64 | Word::W64 => Some(BuildArch::X64),
    Word::Bits32 | Word::W32 => Some(BuildArch::X86),
    _ => None,
  })?;
  width.other.is_none().then_some(width.last)
}

/// `Apple`, where others say `Intel`; and `all`, for both.
fn arch_of_mac(tokens: &[Token]) -> Option<BuildArch> {
  tokens.iter().rev().find_map(|token| match token.word {
    Word::Apple => Some(BuildArch::Arm64),
    Word::All => Some(BuildArch::Universal),
    _ => None,
  })
}

fn number(digits: &[u8]) -> Option<u16> {
  std::str::from_utf8(digits).ok()?.parse().ok()
}
