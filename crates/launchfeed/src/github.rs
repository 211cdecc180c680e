//! From settings to whoever answers about releases.

use release_feed::SystemClock;
use release_feed::github::{Checksums, ClientError, Credentials, GithubSource, Timeouts, Token, build_http_client};
use release_feed::release::ReleaseRules;

use crate::config::GithubSettings;

/// GitHub as the machine's clock sees it.
pub(crate) type Github = GithubSource<SystemClock>;

/// What a release must be, by these settings.
pub(crate) fn release_rules(settings: &GithubSettings) -> ReleaseRules {
  ReleaseRules {
    web: settings.web.clone(),
  }
}

/// GitHub as these settings say.
pub(crate) fn github_source(settings: &GithubSettings) -> Result<Github, ClientError> {
  let timeouts = Timeouts::default();
  Ok(GithubSource {
    client: build_http_client(timeouts)?,
    timeouts,
    api: settings.api.clone(),
    credentials: Credentials::new(settings.token.clone()),
    rules: release_rules(settings),
    checksums: Checksums::default(),
    clock: SystemClock,
  })
}

/// Who asks whom, in a form that gives no secret away: validators and limits belong to both.
pub(crate) fn asked_as(settings: &GithubSettings) -> String {
  let identity = settings.token.as_ref().map(Token::identity).unwrap_or_default();
  format!("{identity} at {}", settings.api.as_str())
}
