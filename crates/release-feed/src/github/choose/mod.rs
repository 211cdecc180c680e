//! Which release is an app's: the pure choice among those of a list, and the asking for it.

mod candidate;
mod choose_release;
mod memory;
mod reply;
mod walk;

pub(in crate::github) use choose_release::Asking;
pub use memory::ChoiceMemory;
