//! Files that are no builds, told by their words: `SHA256SUMS.txt`, `app-1.0-src.tar.xz`, `app-1.0-pdb.zip`.

use super::lexicon::Word;
use super::tokens::{Text, Token};
use crate::build::Role;

/// The role of readable data: digests, a bill of materials, a signature, or data about the release.
pub(super) fn role_of_data(tokens: &[Token]) -> Role {
  for token in tokens.iter().rev() {
    match token.word {
      Word::Checksum => return Role::Checksum,
      Word::Sbom => return Role::Sbom,
      Word::Sigstore => return Role::Signature,
      _ => {}
    }
  }
  Role::Metadata
}

/// The role of a file without an ending: `SHA256SUMS`, `RELEASES-linux`, `LICENSE`; `None`: nothing says that it isn't a build.
///
/// Digests and bills count only where no platform is named, since tools that make them are called so.
pub(super) fn role_of_bare(tokens: &[Token]) -> Option<Role> {
  let (first, last) = (tokens.first()?.word, tokens.last()?.word);
  match (first, last) {
    (Word::Checksum, _) | (_, Word::Checksum) => Some(Role::Checksum),
    (_, Word::Sbom) => Some(Role::Sbom),
    (Word::Document, _) if !tokens.iter().any(names_a_processor) => Some(Role::Metadata),
    _ => None,
  }
}

/// Whether an archive holds source: `source` or `src` is all that it says beside the app and the version.
///
/// `src-cli_7.6.0_windows_amd64.tar.gz` and `source-code-pro.zip` hold something that is called so.
pub(super) fn is_source(text: &Text<'_>, tokens: &[Token]) -> bool {
  let Some(at) = tokens.iter().rposition(|token| token.word == Word::Source) else {
    return false;
  };
  let says_nothing_else = |token: &Token| match token.word {
    Word::BesideSource | Word::Source | Word::Number | Word::Version | Word::TakenOut | Word::Full | Word::All => true,
    // `gui`, `desktop` and `bin` say nothing of a build, but of source they would.
    Word::Neutral => matches!(text.of_token(*token), b"release" | b"stable" | b"latest"),
    _ => false,
  };
  !tokens.iter().any(names_a_processor) && tokens[at + 1..].iter().all(says_nothing_else)
}

fn names_a_processor(token: &Token) -> bool {
  matches!(token.word, Word::Arch(_) | Word::Bits64 | Word::Bits32 | Word::Win32)
}

/// Whether a file holds symbols for debuggers.
pub(super) fn is_symbols(tokens: &[Token]) -> bool {
  tokens.iter().skip(1).any(|token| token.word == Word::Symbols)
}

/// Whether a file turns one build into another.
pub(super) fn is_delta(tokens: &[Token]) -> bool {
  tokens.iter().skip(1).any(|token| token.word == Word::Delta)
}
