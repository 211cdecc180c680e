//! Asking GitHub for an app's latest release: one conditional request, and reading the answer as the input that it is.

mod allowance;
mod api_base;
mod ask_around;
mod ask_span;
mod asker_status;
mod budget_left;
mod checksums;
mod choose;
mod credentials;
mod error_answer;
mod etag;
mod fetch_failure;
mod fetch_latest_release;
mod http_client;
mod identity;
mod kept_texts;
mod lenient_json;
mod obstacle;
mod read_body;
mod read_release;
mod refusal;
mod release_source;
mod token;
mod token_state;
mod validators;

pub use allowance::{Allowance, AllowanceAnswer, AllowanceFailure, Budget, ask_allowance};
pub use api_base::ApiBase;
pub use asker_status::AskerStatus;
pub use budget_left::BudgetLeft;
pub use checksums::Checksums;
pub use choose::ChoiceMemory;
pub use credentials::Credentials;
pub use etag::ETag;
pub use fetch_failure::{FetchFailure, Forbidden};
pub use fetch_latest_release::GithubSource;
pub use http_client::{
  ClientError, Timeouts, build_http_client, build_one_shot_client, build_plain_http_client, install_tls_provider,
};
pub use identity::Identity;
pub use obstacle::{NetworkFailure, Obstacle};
pub use read_body::MAX_BODY_BYTES;
pub use read_release::{ReadRelease, ReleasePage, read_release, read_release_page};
pub use release_source::{Ask, Known, Outcome, ReleaseAnswer, ReleaseSource};
pub use token::{InvalidToken, Token};
pub use validators::Validators;
