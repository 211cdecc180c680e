//! A sorted table from short words to their meanings, built by the compiler.
//!
//! A word of at most 16 bytes is one integer, so that finding it takes a handful of integer comparisons and touches no text.

/// Longest word that a table holds, in bytes.
pub(super) const MAX_WORD_BYTES: usize = 16;

/// `word` as an integer; `None` when no table can hold it: too long, or with the zero bytes that pad.
pub(super) fn key(word: &[u8]) -> Option<u128> {
  if word.contains(&0) {
    return None;
  }
  let mut bytes = [0; MAX_WORD_BYTES];
  bytes.get_mut(..word.len())?.copy_from_slice(word);
  Some(u128::from_be_bytes(bytes))
}

/// The meaning of `word` (lowercase) in `table`.
pub(super) fn look_up<T: Copy>(table: &[(u128, T)], word: &[u8]) -> Option<T> {
  let key = key(word)?;
  let at = table.binary_search_by(|(entry, _)| entry.cmp(&key)).ok()?;
  table.get(at).map(|(_, meaning)| *meaning)
}

/// The table of `words`. Fails to compile on a word that is too long or stands there twice.
pub(super) const fn table<T: Copy, const N: usize>(words: [(&str, T); N]) -> [(u128, T); N] {
  let mut table = [(0, words[0].1); N];
  let mut filled = 0;
  while filled < N {
    let entry = (const_key(words[filled].0), words[filled].1);
    let mut at = filled;
    while at > 0 && table[at - 1].0 >= entry.0 {
      assert!(table[at - 1].0 != entry.0, "a word stands in the table twice");
      table[at] = table[at - 1];
      at -= 1;
    }
    table[at] = entry;
    filled += 1;
  }
  table
}

const fn const_key(word: &str) -> u128 {
  let word = word.as_bytes();
  assert!(
    !word.is_empty() && word.len() <= MAX_WORD_BYTES,
    "a word must have 1 to 16 bytes"
  );
  let mut bytes = [0; MAX_WORD_BYTES];
  let mut at = 0;
  while at < word.len() {
    bytes[at] = word[at];
    at += 1;
  }
  u128::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
  use super::*;

  const TABLE: [(u128, u8); 4] = table([("win", 1), ("linux", 2), ("a", 3), ("sixteen-bytes-ok", 4)]);

  #[test]
  fn each_word_is_found_and_no_other() {
    assert_eq!(look_up(&TABLE, b"win"), Some(1));
    assert_eq!(look_up(&TABLE, b"linux"), Some(2));
    assert_eq!(look_up(&TABLE, b"a"), Some(3));
    assert_eq!(look_up(&TABLE, b"sixteen-bytes-ok"), Some(4));
    for other in ["", "wi", "wind", "w", "sixteen-bytes-ok!", "é", "win\0"] {
      assert_eq!(look_up(&TABLE, other.as_bytes()), None, "{other}");
    }
  }
}
