//! Counting requests, at next to no cost for them.

mod recorded;
mod request_meter;
mod route;
mod shard;

pub use recorded::{Encoding, STATUSES};
pub(super) use recorded::{Recorded, encoding_of};
pub(super) use request_meter::ConnectionMeter;
pub use request_meter::{RequestMeter, RequestTotals};
pub use route::Route;
