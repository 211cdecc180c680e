//! The HTTP server: the routes, and an accept loop of our own under them.
//!
//! Nothing on a request's way waits for anything but the client. What a client may cost is bounded by [`Limits`].

mod accept_trouble;
mod answers;
mod bind;
mod cache_policy;
mod connection;
mod document;
mod download;
mod error_answer;
mod front;
mod limits;
mod meter;
mod negotiation;
mod pages;
mod patient_io;
mod release_info;
mod request_id;
mod router;
mod seldom;
mod send_answer;
mod serve;
mod served;
mod server_span;
mod trace_parent;
mod transmit;

pub use answers::Answers;
pub(crate) use bind::can_bind;
pub use bind::{BindError, bind};
pub use cache_policy::CachePolicy;
pub use error_answer::ErrorAnswer;
pub use front::{Front, FrontBody};
pub use limits::Limits;
pub use meter::{Encoding, RequestMeter, RequestTotals, Route, STATUSES};
pub use router::{api_document, router};
pub use serve::serve;
