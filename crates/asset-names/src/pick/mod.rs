//! From a release's files and a host to the build that fits.

mod fit;
mod host;
mod pick_build;
mod policy;
mod preference;
mod reasons;

pub use host::Host;
pub use pick_build::pick;
pub use policy::{Policy, UnknownPolicy};
pub use reasons::{Pick, PickDoubt, Preferred, Rule, Verdict, Why};
