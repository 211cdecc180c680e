//! Digests of files for which GitHub has none, from the checksum files of the same release: those that were uploaded before GitHub
//! computed digests itself, and an Enterprise server's.

mod allowed_address;
mod complete;
mod conflict;
mod file_name;
mod file_text;
mod line;
mod listing;
mod memo;
mod plan;
mod remembered;
mod settle;
mod transfer;

pub use complete::Checksums;
pub(super) use complete::Means;
