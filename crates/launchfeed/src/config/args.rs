//! The settings as flags and variables, unread.
//!
//! Values are taken as they come and read in one place afterwards, so that a flag and a variable follow the same rules and every
//! error is found in one run.

#![expect(rustdoc::bare_urls, reason = "the help shows these comments as they are")]

use std::ffi::OsString;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use secrecy::{ExposeSecret, SecretString};

use super::setting::{
  ADMIN_LISTEN, APPS, CATALOG, COORDINATION_ENABLED, GITHUB_API_URL, GITHUB_TOKEN, GITHUB_TOKENS, GITHUB_WEB_URL,
  LISTEN, LOG, LOG_FORMAT, MAX_BACKOFF_SECS, OTLP_ENDPOINT, POLL_INTERVAL_SECS, POLLING_ENABLED, REDIS_PREFIX,
  REDIS_URL, STATE_DIR,
};

/// Where to answer.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Server")]
pub struct ServerArgs {
  /// Public address: an IP address or `localhost`, and a port (0: any free one) [default: 127.0.0.1:8080]
  #[arg(long = LISTEN.flag, env = LISTEN.variable, hide_env_values = true, value_name = "HOST:PORT")]
  pub listen: Option<OsString>,
}

/// Where those who operate it may ask.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Server")]
pub struct AdminArgs {
  /// Private address of metrics, health and status: like `--listen`, or `none` [default: 127.0.0.1:8081]
  #[arg(long = ADMIN_LISTEN.flag, env = ADMIN_LISTEN.variable, hide_env_values = true, value_name = "HOST:PORT")]
  pub admin_listen: Option<OsString>,
}

/// Where to keep what must outlive the process.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Server")]
pub struct StateArgs {
  /// Folder of the snapshot [default: $STATE_DIRECTORY, else launchfeed in the platform's state folder]
  #[arg(long = STATE_DIR.flag, env = STATE_DIR.variable, hide_env_values = true, value_name = "FOLDER")]
  pub state_dir: Option<OsString>,
}

/// Which apps there are, and whom to ask.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Apps and GitHub")]
pub struct SourceArgs {
  /// The family's catalog, a TOML file [default: the built-in Craft Apps]
  #[arg(long = CATALOG.flag, env = CATALOG.variable, hide_env_values = true, value_name = "FILE")]
  pub catalog: Option<OsString>,
  /// The family as a list, before any catalog file; malformed entries are skipped [default: the catalog]
  #[arg(long = APPS.flag, env = APPS.variable, hide_env_values = true, value_name = "KEY=NAME=ORG/REPO,…")]
  pub apps: Option<OsString>,
  /// Token for GitHub: 5000 requests an hour rather than 60. Others on the machine see flags; prefer the variable [default: none]
  #[arg(
    long = GITHUB_TOKEN.flag,
    env = GITHUB_TOKEN.variable,
    hide_env_values = true,
    value_name = "TOKEN",
    value_parser = OsStringValueParser::new().map(RawSecret::from)
  )]
  pub github_token: Option<RawSecret>,
  /// More tokens beside that one, whose requests add up [default: none]
  #[arg(
    long = GITHUB_TOKENS.flag,
    env = GITHUB_TOKENS.variable,
    hide_env_values = true,
    value_name = "TOKEN,TOKEN,…",
    value_parser = OsStringValueParser::new().map(RawSecret::from)
  )]
  pub github_tokens: Option<RawSecret>,
  /// Address of GitHub's API [default: https://api.github.com]
  #[arg(long = GITHUB_API_URL.flag, env = GITHUB_API_URL.variable, hide_env_values = true, value_name = "URL")]
  pub github_api_url: Option<OsString>,
  /// What downloads and pages must start with [default: https://github.com]
  #[arg(long = GITHUB_WEB_URL.flag, env = GITHUB_WEB_URL.variable, hide_env_values = true, value_name = "URL")]
  pub github_web_url: Option<OsString>,
}

/// When to ask.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Polling")]
pub struct PollingArgs {
  /// Whether to ask GitHub at all; the endpoint answers anyway [default: true]
  #[arg(long = POLLING_ENABLED.flag, env = POLLING_ENABLED.variable, hide_env_values = true, value_name = "BOOL")]
  pub polling_enabled: Option<OsString>,
  /// How old a release may get: at least 60, or 300 without a token [default: 120, or 1800 without a token]
  #[arg(
    long = POLL_INTERVAL_SECS.flag,
    env = POLL_INTERVAL_SECS.variable,
    hide_env_values = true,
    value_name = "SECONDS",
    allow_negative_numbers = true
  )]
  pub poll_interval_secs: Option<OsString>,
  /// Longest wait after trouble; never below the interval [default: 14400]
  #[arg(
    long = MAX_BACKOFF_SECS.flag,
    env = MAX_BACKOFF_SECS.variable,
    hide_env_values = true,
    value_name = "SECONDS",
    allow_negative_numbers = true
  )]
  pub max_backoff_secs: Option<OsString>,
}

/// Where a fleet of instances shares what it knows.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Fleet")]
pub struct RedisArgs {
  /// Redis through which instances share: redis://USER:PASSWORD@HOST:PORT/DATABASE (all but HOST may be missing), unix:///PATH,
  /// redis-sentinel://HOST,HOST/DATABASE?master=NAME&sentinel_password=PASSWORD or redis-cluster://HOST,HOST; with TLS rediss://,
  /// rediss-sentinel:// or rediss-cluster://. Others see flags; prefer the variable [default: none]
  #[arg(
    long = REDIS_URL.flag,
    env = REDIS_URL.variable,
    hide_env_values = true,
    value_name = "URL",
    value_parser = OsStringValueParser::new().map(RawSecret::from)
  )]
  pub redis_url: Option<RawSecret>,
  /// Put before every key, such as staging: for two families or stages on one Redis [default: none]
  #[arg(long = REDIS_PREFIX.flag, env = REDIS_PREFIX.variable, hide_env_values = true, value_name = "PREFIX")]
  pub redis_prefix: Option<OsString>,
  /// Whether to share through Redis, where its URL is given [default: true]
  #[arg(
    long = COORDINATION_ENABLED.flag,
    env = COORDINATION_ENABLED.variable,
    hide_env_values = true,
    value_name = "BOOL"
  )]
  pub coordination_enabled: Option<OsString>,
}

/// What to log, and how.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Log")]
pub struct LogArgs {
  /// What to log: `error`, `warn`, `info`, `debug`, `trace`, or a filter such as `info,launchfeed=debug` [default: info]
  #[arg(long = LOG.flag, env = LOG.variable, hide_env_values = true, value_name = "FILTER")]
  pub log: Option<OsString>,
  /// Form of the log on standard error: `text` or `json` [default: text]
  #[arg(long = LOG_FORMAT.flag, env = LOG_FORMAT.variable, hide_env_values = true, value_name = "FORMAT")]
  pub log_format: Option<OsString>,
}

/// Where traces go.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Traces")]
pub struct TraceArgs {
  /// Collector of OpenTelemetry traces, by OTLP over HTTP: http://HOST:4318, below which /v1/traces is sent to [default: none]
  #[arg(long = OTLP_ENDPOINT.flag, env = OTLP_ENDPOINT.variable, hide_env_values = true, value_name = "URL")]
  pub otlp_endpoint: Option<OsString>,
}

/// A secret as it was given. Its `Debug` form doesn't show it.
#[derive(Clone, Debug)]
pub struct RawSecret(Option<SecretString>);

impl RawSecret {
  /// The secret itself; none where it isn't UTF-8.
  pub(super) fn expose(&self) -> Option<&str> {
    self.0.as_ref().map(|secret| secret.expose_secret())
  }
}

impl From<OsString> for RawSecret {
  fn from(secret: OsString) -> Self {
    Self(secret.into_string().ok().map(SecretString::from))
  }
}
