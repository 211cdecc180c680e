//! A scriptable GitHub over real HTTP, for tests and demonstrations.
//!
//! It answers the calls that a release feed makes, `GET /repos/<owner>/<name>/releases/latest`,
//! `GET /repos/<owner>/<name>/releases` in pages, `…/releases/tags/<tag>`, `GET /repos/<owner>/<name>` (and `/repositories/<id>…`, where GitHub
//! sends renamed ones) and `GET /rate_limit`, with the headers, validators, limits and bodies that GitHub gives them, and hands out the files of
//! releases. On top of that every answer can be scripted, the bad ones above all: pages of
//! HTML, bodies that never end, connections that close, limits of both kinds.
//!
//! ```
//! use github_standin::{Answer, SampleRelease, StandIn};
//!
//! # async fn example() -> std::io::Result<()> {
//! let github = StandIn::start().await?;
//! github.set_latest("storytold/photocraft", SampleRelease::new("v0.5.0").asset("photocraft-0.5.0-linux-x64.deb"));
//! github.script("storytold/photocraft", [Answer::html_error(502), Answer::secondary_limit("60")]);
//! // Ask `github.api_url()`: the first two answers are the scripted ones, then the release comes.
//! assert_eq!(github.request_count(), 0);
//! github.shutdown().await;
//! # Ok(())
//! # }
//! ```
//!
//! - What is answered is decided at the moment the request arrives, and stands in the log from then on; latency and delays
//!   come after that.
//! - Owner and name compare without case, and are answered in the case that they were set with.
//! - It listens on 127.0.0.1 only, and holds nothing but what it was given.

mod answer;
mod body;
mod clock;
mod downloads;
mod encoding;
mod error_body;
mod etag;
mod rate_body;
mod rate_limit;
mod release_list;
mod repositories;
mod request_log;
mod respond;
mod route;
pub mod sample_family;
mod sample_release;
mod scripts;
mod server;
mod stand_in;
mod tokens;
mod world;

pub use answer::Answer;
pub use request_log::SeenRequest;
pub use sample_release::SampleRelease;
pub use stand_in::{StandIn, StandInOptions};
