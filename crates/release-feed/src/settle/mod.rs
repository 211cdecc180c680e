//! What becomes of an answer: whether what it tells is served now, waits for more of itself, is believed only if it is said again, or
//! is held until an operator accepts it. Never a half-uploaded release, never a flicker.
//!
//! Pure: [`settle()`] takes what is served, what waits beside it, the answer and the time, and says what follows as data. Whoever
//! calls it keeps [`Pending`] and [`ServedBefore`], asks at GitHub with the validators of [`Pending::candidate`] while there is one,
//! and shares and saves what is served with its own validators. The same rules hold for GitHub's answers and for what others share.
//!
//! 1. A new tag is served once it has a file for every platform that the served release has, is immutable, or is 30 minutes old.
//! 2. Under the same tag more files, another text and (unless the policy holds them) replaced files are served at once; what takes
//!    something away, or goes back to what was served before, must be said twice with 60 s between.
//! 3. So must an older release, and that there is none.
//!
//! Nothing known yet: whatever there is. The operator chose another release: that one, at once.

mod answer;
#[cfg(test)]
mod cases;
mod changed_files;
mod demands;
mod fingerprint;
mod heard;
mod known_file;
mod pending;
mod platforms;
mod policy;
#[cfg(test)]
mod samples;
mod served;
mod served_before;
mod settle_answer;
mod settled;
mod times;
mod told;
mod why;
mod words;

pub use answer::Answer;
pub use changed_files::{Changed, ReplacedFile};
pub use fingerprint::{Fingerprint, NoFingerprint};
pub use pending::Pending;
pub use policy::{OnReplacedAsset, Policy};
pub use served::Served;
pub use served_before::ServedBefore;
pub use settle_answer::settle;
pub use settled::{Settled, TakeWhy, Taken};
pub use times::Times;
pub use told::Told;
pub use why::Why;
