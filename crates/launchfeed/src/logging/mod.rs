//! The log, on standard error, one line for each event.
//!
//! Much of what is logged was written by others: names and messages of GitHub, errors of Redis, contents of files. So both formats
//! escape whatever could steer a terminal or look like another line, and bound every field.

mod escape;
mod init;
mod json_lines;
mod panics;
mod text_fields;

pub(crate) use init::{BoxedLayer, init};
