//! Which of several words of one sort counts.
//!
//! What a file runs on is said in one place, and mostly at the right: `win-tool-ubuntu-x64` is for Ubuntu, since `tool` stands
//! between. Words of one sort that follow each other with nothing but other platform words between (`tool-linux-windows-x64`) are
//! meant alike, and contradict each other.

use super::lexicon::Word;
use super::tokens::Token;

/// The rightmost words of one sort in a name.
pub(super) struct Cluster<T> {
  /// What the rightmost says.
  pub(super) last: T,
  /// Where it stands.
  pub(super) at: usize,
  /// Another meaning beside it.
  pub(super) other: Option<T>,
}

/// The rightmost words for which `read` knows something, and whether they agree.
pub(super) fn cluster<T: Copy + Eq>(tokens: &[Token], read: impl Fn(usize, Word) -> Option<T>) -> Option<Cluster<T>> {
  let at = (0..tokens.len())
    .rev()
    .find(|at| read(*at, tokens[*at].word).is_some())?;
  let last = read(at, tokens[at].word)?;
  let beside = tokens[..at].iter().enumerate().rev();
  let other = beside
    .take_while(|(at, token)| is_platform_word(token.word) || read(*at, token.word).is_some())
    .find_map(|(at, token)| read(at, token.word).filter(|value| *value != last));
  Some(Cluster { last, at, other })
}

/// Whether a word belongs among a platform's.
fn is_platform_word(word: Word) -> bool {
  let is_system = matches!(
    word,
    Word::Os(_) | Word::Win32 | Word::Distro(_) | Word::Alpine | Word::Manylinux | Word::Musllinux
  );
  let is_processor = matches!(
    word,
    Word::Arch(_) | Word::Bits64 | Word::Bits32 | Word::Bit | Word::All | Word::NoArch
  );
  let is_makers = matches!(word, Word::Apple | Word::Silicon | Word::Intel);
  let is_toolchain = matches!(
    word,
    Word::WindowsAbi | Word::W64 | Word::W32 | Word::Libc(_) | Word::Static
  );
  is_system || is_processor || is_makers || is_toolchain || matches!(word, Word::Filler | Word::And)
}
