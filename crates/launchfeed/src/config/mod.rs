//! From flags, variables and defaults to settings, or to one clear line for each value that can't be used.
//!
//! A flag counts before its variable, and that before the default; a blank value counts as none. What is read here is checked
//! here: whoever gets [`Settings`] needs no further checks. No secret is in any error, warning or `Debug` form.

mod args;
mod base_url;
mod catalog_choice;
mod findings;
mod health;
mod later;
mod listen;
mod log;
mod polling;
mod redis;
mod setting;
mod settings;
mod state_dir;
mod surroundings;
mod token;
mod values;

pub use args::{AdminArgs, LogArgs, PollingArgs, RawSecret, RedisArgs, ServerArgs, SourceArgs, StateArgs};
pub use catalog_choice::{CatalogSource, MAX_CATALOG_BYTES};
pub use findings::{ConfigError, ConfigErrors, Warning};
pub(crate) use health::reachable;
pub use health::{HealthArgs, HealthSettings};
pub use listen::AdminListen;
pub use log::{LogFormat, LogSettings};
pub use polling::PollingSettings;
pub use redis::RedisSettings;
pub use setting::Setting;
#[cfg(test)]
pub(crate) use setting::setting_names;
pub(crate) use setting::{
  ADMIN_LISTEN, APPS, CATALOG, GITHUB_API_URL, GITHUB_TOKEN, GITHUB_TOKENS, GITHUB_WEB_URL, LISTEN, LOG, LOG_FORMAT,
  OTLP_ENDPOINT, POLL_INTERVAL_SECS, REDIS_PREFIX, REDIS_URL, STATE_DIR,
};
pub use settings::{
  CheckArgs, CheckSettings, DemoArgs, DemoSettings, Examined, GithubSettings, Resolved, ServeArgs, Settings,
  SourceSettings,
};
pub use surroundings::{Machine, Surroundings};
