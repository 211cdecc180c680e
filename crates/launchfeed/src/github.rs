//! From settings to whoever answers about releases.

use release_feed::SystemClock;
use release_feed::github::{
  Checksums, ChoiceMemory, ClientError, Credentials, GithubSource, Identity, Timeouts, build_http_client,
};
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
    credentials: Credentials::new(settings.tokens.iter().cloned()),
    rules: release_rules(settings),
    checksums: Checksums::default(),
    clock: SystemClock,
    choices: ChoiceMemory::default(),
  })
}

/// Who asks whom, in a form that gives no secret away: validators and limits belong to both.
pub(crate) fn asked_as(settings: &GithubSettings) -> String {
  let tokens = settings.tokens.iter().map(|token| token.identity().to_string());
  let mut identities: Vec<String> = tokens.collect();
  if identities.is_empty() {
    identities.push(Identity::anonymous().to_string());
  }
  // Their order says nothing.
  identities.sort_unstable();
  format!("{} at {}", identities.join("+"), settings.api.as_str())
}
