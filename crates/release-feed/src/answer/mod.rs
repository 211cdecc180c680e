//! The answers that every route reads: built when something changed, already encoded, in every content coding.

mod coding;
mod encoded_answer;
mod encoder;
mod kernel_copy;
mod meaning;
mod published_feed;

pub use coding::{Coding, Effort};
pub use encoded_answer::EncodedAnswer;
pub use encoder::{FeedEncoder, FeedPublisher, feed_channel};
pub use kernel_copy::KernelCopy;
pub use published_feed::{Publication, PublishedFeed};
