//! From a name to a [`Build`](crate::Build).

mod arch;
mod classify_name;
mod combine;
mod endings;
mod hints;
mod key_table;
mod lexicon;
mod os;
mod sidecars;
mod system_words;
mod tokens;
mod usual_words;
mod word_table;

pub use classify_name::classify;
pub use hints::Hints;
