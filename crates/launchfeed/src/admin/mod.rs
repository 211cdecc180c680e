//! What only those who operate the service may ask, on a listener of its own: metrics, health and status.
//!
//! All of it is read from what others publish as they go; nothing here holds them up.

mod ago;
mod health;
mod insight;
mod metrics;
mod parts;
mod process;
mod router;
mod status;

pub(crate) use insight::{About, Insight};
pub(crate) use router::{LIVE, READY, router};
