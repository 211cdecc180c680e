//! The operating system.
//!
//! An ending that belongs to one system (`.msi`, `.dmg`, `.deb`) decides, unless a word after the app's part of the name says
//! otherwise. Words come next, the first of the name only where there is no other (`windows95-linux-x64.zip` is for Linux); what
//! only hints at a system (`msvc`, `.app` before `.zip`) comes last.

use super::lexicon::Word;
use super::system_words::cluster;
use super::tokens::{Text, Token};
use crate::build::{Doubt, Doubts, Reading};
use crate::format::Format;
use crate::vocabulary::BuildOs;

/// The system that `tokens` and the ending name.
pub(super) fn read_os(text: &Text<'_>, tokens: &[Token], format: Format, doubts: &mut Doubts) -> Reading<BuildOs> {
  let meant = cluster(tokens, |at, word| {
    os_of(word).filter(|_| at > 0 && !follows_for(tokens, at))
  });
  let Some(meant) = meant.or_else(|| cluster(tokens, |_, word| os_of(word))) else {
    return format.os().or_else(|| hinted_os(text, tokens)).into();
  };
  let by_ending = format.os().filter(|_| !may_override(format, meant.last));
  let os = match (by_ending, meant.other) {
    (Some(os), other) if os == meant.last || other == Some(os) => os,
    (Some(os), _) if is_in_app_part(tokens, meant.at) => os,
    (None, None) => meant.last,
    _ => {
      doubts.add(Doubt::TwoSystems);
      return Reading::Contradictory;
    }
  };
  if tokens
    .iter()
    .any(|token| os_of(token.word).is_some_and(|other| other != os))
  {
    doubts.add(Doubt::OtherSystemInName);
  }
  Reading::Known(os)
}

fn os_of(word: Word) -> Option<BuildOs> {
  match word {
    Word::Os(os) => Some(os),
    Word::Win32 => Some(BuildOs::Windows),
    Word::Distro(_) | Word::Alpine | Word::Manylinux | Word::Musllinux => Some(BuildOs::Linux),
    _ => None,
  }
}

/// Packages of one system that another one took over: Termux and jailbroken iOS use `.deb`, FreeBSD has a `.pkg` of its own, and
/// Alpine an `.apk`.
fn may_override(format: Format, os: BuildOs) -> bool {
  match format {
    Format::Deb => matches!(os, BuildOs::Android | BuildOs::Ios),
    Format::Pkg => matches!(
      os,
      BuildOs::FreeBsd | BuildOs::Solaris | BuildOs::Illumos | BuildOs::NetBsd
    ),
    Format::Pacman => os == BuildOs::Windows,
    _ => false,
  }
}

/// `teams-for-linux`: the system is a part of what the app is called.
fn follows_for(tokens: &[Token], at: usize) -> bool {
  at > 0 && tokens[at - 1].word == Word::For
}

/// Whether the word at `at` stands in the app's part of the name: first, after `for`, or before a version.
fn is_in_app_part(tokens: &[Token], at: usize) -> bool {
  at == 0
    || follows_for(tokens, at)
    || tokens[at + 1..]
      .iter()
      .any(|token| matches!(token.word, Word::Number | Word::Version | Word::Unknown))
}

/// What only hints at a system.
fn hinted_os(text: &Text<'_>, tokens: &[Token]) -> Option<BuildOs> {
  let packed = tokens.last().and_then(|token| match token.word {
    Word::Packed(os) if text.before(*token) == Some(b'.') => Some(os),
    _ => None,
  });
  packed.or_else(|| {
    tokens.iter().rev().find_map(|token| match token.word {
      Word::WindowsAbi | Word::W64 | Word::W32 => Some(BuildOs::Windows),
      Word::Apple => Some(BuildOs::Macos),
      Word::Packed(BuildOs::Linux) if text.of_token(*token) == b"appimage" => Some(BuildOs::Linux),
      _ => None,
    })
  })
}
