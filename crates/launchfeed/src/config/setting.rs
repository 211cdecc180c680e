//! What each setting is called.

use std::fmt;

/// A setting's two names.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Setting {
  /// The flag, without its dashes.
  pub flag: &'static str,
  /// The environment variable.
  pub variable: &'static str,
}

/// Both names, so that an error is understood whichever was used.
impl fmt::Display for Setting {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{} (--{})", self.variable, self.flag)
  }
}

macro_rules! settings {
  ($($name:ident = $flag:literal, $variable:literal;)+) => {
    $(pub(crate) const $name: Setting = Setting { flag: $flag, variable: $variable };)+

    /// Every setting's flag and variable.
    #[cfg(test)]
    pub(crate) fn setting_names() -> impl Iterator<Item = (&'static str, &'static str)> {
      [$($name),+].into_iter().map(|setting| (setting.flag, setting.variable))
    }
  };
}

settings! {
  POLLING_ENABLED = "polling-enabled", "CRAFT_APPS_RELEASE_POLLING_ENABLED";
  COORDINATION_ENABLED = "coordination-enabled", "CRAFT_APPS_RELEASE_COORDINATION_ENABLED";
  POLL_INTERVAL_SECS = "poll-interval-secs", "CRAFT_APPS_RELEASE_POLL_INTERVAL_SECS";
  MAX_BACKOFF_SECS = "max-backoff-secs", "CRAFT_APPS_RELEASE_MAX_BACKOFF_SECS";
  GITHUB_TOKEN = "github-token", "CRAFT_APPS_RELEASE_GITHUB_TOKEN";
  GITHUB_TOKENS = "github-tokens", "LAUNCHFEED_GITHUB_TOKENS";
  APPS = "apps", "CRAFT_APPS_RELEASE_APPS";
  LISTEN = "listen", "LAUNCHFEED_LISTEN";
  ADMIN_LISTEN = "admin-listen", "LAUNCHFEED_ADMIN_LISTEN";
  STATE_DIR = "state-dir", "LAUNCHFEED_STATE_DIR";
  CATALOG = "catalog", "LAUNCHFEED_CATALOG";
  GITHUB_API_URL = "github-api-url", "LAUNCHFEED_GITHUB_API_URL";
  GITHUB_WEB_URL = "github-web-url", "LAUNCHFEED_GITHUB_WEB_URL";
  REDIS_URL = "redis-url", "LAUNCHFEED_REDIS_URL";
  REDIS_PREFIX = "redis-prefix", "LAUNCHFEED_REDIS_PREFIX";
  OTLP_ENDPOINT = "otlp-endpoint", "LAUNCHFEED_OTLP_ENDPOINT";
  LOG = "log", "LAUNCHFEED_LOG";
  LOG_FORMAT = "log-format", "LAUNCHFEED_LOG_FORMAT";
}
