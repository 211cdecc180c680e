//! The rules as histories of answers: one after the other, and any.

mod new_release;
mod properties;
mod same_tag;
mod shared;
mod taking_back;
