//! The settings of each subcommand, read and checked.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use clap::Args;
use release_feed::BaseUrl;
use release_feed::catalog::Catalog;
use release_feed::github::{ApiBase, Token};
use release_feed::release::WebBase;

use super::args::{AdminArgs, LogArgs, PollingArgs, RedisArgs, ServerArgs, SourceArgs, StateArgs, TraceArgs};
use super::base_url::{base_url, default_url, given_url};
use super::catalog_choice::{CatalogSource, choose_catalog};
use super::findings::{ConfigError, ConfigErrors, Findings, Warning};
use super::later::warn_of_variables_without_effect;
use super::listen::{AdminListen, admin_listen, listen};
use super::log::{LogSettings, log};
use super::polling::{PollingSettings, polling};
use super::redis::{RedisSettings, redis};
use super::setting::{GITHUB_API_URL, GITHUB_WEB_URL, OTLP_ENDPOINT, Setting};
use super::state_dir::state_dir;
use super::surroundings::Surroundings;
use super::token::tokens;

const DEFAULT_API_URL: &str = "https://api.github.com";
const DEFAULT_WEB_URL: &str = "https://github.com";
/// Before every key that demonstrations share, so that no real instance takes a made-up release for one.
const DEMO_PREFIX: &str = "launchfeed-demo:";

/// What `serve` can be told.
#[derive(Args, Clone, Debug, Default)]
pub struct ServeArgs {
  /// Where to answer.
  #[command(flatten)]
  pub server: ServerArgs,
  /// Where those who operate it may ask.
  #[command(flatten)]
  pub admin: AdminArgs,
  /// Where to keep the state.
  #[command(flatten)]
  pub state: StateArgs,
  /// Which apps, and whom to ask.
  #[command(flatten)]
  pub source: SourceArgs,
  /// When to ask.
  #[command(flatten)]
  pub polling: PollingArgs,
  /// Where a fleet shares.
  #[command(flatten)]
  pub redis: RedisArgs,
  /// Where traces go.
  #[command(flatten)]
  pub traces: TraceArgs,
  /// What to log.
  #[command(flatten)]
  pub log: LogArgs,
}

/// What `check` can be told of the settings.
#[derive(Args, Clone, Debug, Default)]
pub struct CheckArgs {
  /// Which apps, and whom to ask.
  #[command(flatten)]
  pub source: SourceArgs,
  /// What to log.
  #[command(flatten)]
  pub log: LogArgs,
}

/// What `demo` can be told.
#[derive(Args, Clone, Debug, Default)]
pub struct DemoArgs {
  /// Where to answer.
  #[command(flatten)]
  pub server: ServerArgs,
  /// Where those who operate it may ask.
  #[command(flatten)]
  pub admin: AdminArgs,
  /// Where a fleet shares.
  #[command(flatten)]
  pub redis: RedisArgs,
  /// Where traces go.
  #[command(flatten)]
  pub traces: TraceArgs,
  /// What to log.
  #[command(flatten)]
  pub log: LogArgs,
}

/// The settings of `serve`.
#[derive(Clone, Debug)]
pub struct Settings {
  /// Public address.
  pub listen: SocketAddr,
  /// Private address.
  pub admin_listen: AdminListen,
  /// Folder of what outlives the process. It may not exist yet.
  pub state_dir: PathBuf,
  /// Which apps, and whom to ask.
  pub source: SourceSettings,
  /// When to ask.
  pub polling: PollingSettings,
  /// Where a fleet shares; none for an instance alone.
  pub redis: Option<RedisSettings>,
  /// Collector of traces; none for no traces.
  pub otlp: Option<BaseUrl>,
  /// What to log.
  pub log: LogSettings,
}

/// The settings of `check`.
#[derive(Clone, Debug)]
pub struct CheckSettings {
  /// Which apps, and whom to ask.
  pub source: SourceSettings,
  /// What to log.
  pub log: LogSettings,
}

/// The settings of `demo`.
#[derive(Clone, Debug)]
pub struct DemoSettings {
  /// Public address.
  pub listen: SocketAddr,
  /// Private address.
  pub admin_listen: AdminListen,
  /// Where a fleet shares; none for an instance alone.
  pub redis: Option<RedisSettings>,
  /// Collector of traces; none for no traces.
  pub otlp: Option<BaseUrl>,
  /// What to log.
  pub log: LogSettings,
}

/// Which apps there are, and whom to ask about them.
#[derive(Clone, Debug)]
pub struct SourceSettings {
  /// The family; never empty.
  pub catalog: Catalog,
  /// Where it came from.
  pub catalog_source: CatalogSource,
  /// Whom to ask.
  pub github: GithubSettings,
}

/// Whom to ask, and as whom.
#[derive(Clone, Debug)]
pub struct GithubSettings {
  /// Address of the API.
  pub api: ApiBase,
  /// What downloads and pages must start with.
  pub web: WebBase,
  /// The tokens, each once; empty without any.
  pub tokens: Vec<Token>,
}

/// Settings, and what is odd about them.
#[derive(Clone, Debug)]
pub struct Resolved<S> {
  /// The settings.
  pub settings: S,
  /// To be logged once the log is there.
  pub warnings: Vec<Warning>,
}

/// Settings of which some may be wrong, for whoever looks at the others all the same.
#[derive(Clone, Debug)]
pub struct Examined {
  /// The settings; in place of a value that can't be used stands its default, or an empty one.
  pub settings: Settings,
  /// What is odd.
  pub warnings: Vec<Warning>,
  /// What can't be used.
  pub errors: Vec<ConfigError>,
}

impl Examined {
  /// Whether the value of a setting can't be used.
  pub fn is_unusable(&self, setting: Setting) -> bool {
    self.errors.iter().any(|error| error.setting() == setting)
  }
}

impl Settings {
  /// The settings with which `demo` serves: the built-in family from a stand-in, without a token.
  pub fn of_demo(demo: DemoSettings, api: BaseUrl, state_dir: &Path) -> Self {
    let github = GithubSettings {
      api: ApiBase::new(api),
      web: WebBase::new(default_url(DEFAULT_WEB_URL)),
      tokens: Vec::new(),
    };
    Self {
      listen: demo.listen,
      admin_listen: demo.admin_listen,
      state_dir: state_dir.to_owned(),
      source: SourceSettings {
        catalog: Catalog::craft_apps(),
        catalog_source: CatalogSource::BuiltIn,
        github,
      },
      polling: PollingSettings::default_for(false),
      redis: demo.redis.map(|redis| RedisSettings {
        prefix: format!("{DEMO_PREFIX}{}", redis.prefix),
        ..redis
      }),
      otlp: demo.otlp,
      log: demo.log,
    }
  }
}

impl ServeArgs {
  /// Reads the settings of `serve`.
  ///
  /// # Errors
  ///
  /// Every value that can't be used.
  pub fn resolve(&self, surroundings: &dyn Surroundings) -> Result<Resolved<Settings>, ConfigErrors> {
    let Examined {
      settings,
      warnings,
      errors,
    } = self.examine(surroundings);
    if errors.is_empty() {
      Ok(Resolved { settings, warnings })
    } else {
      Err(ConfigErrors(errors))
    }
  }

  /// Reads the settings of `serve`, and what is wrong with them.
  pub fn examine(&self, surroundings: &dyn Surroundings) -> Examined {
    let mut findings = Findings::default();
    let source = source(&self.source, surroundings, &mut findings);
    let polling = polling(&self.polling, !source.github.tokens.is_empty(), &mut findings);
    let listen = listen(self.server.listen.as_ref(), &mut findings);
    let admin_listen = admin_listen(self.admin.admin_listen.as_ref(), &mut findings).unwrap_or(AdminListen::DEFAULT);
    let settings = Settings {
      listen,
      admin_listen: admin_listen.apart_from(listen, &mut findings),
      state_dir: state_dir(self.state.state_dir.as_ref(), surroundings, &mut findings),
      redis: redis(&self.redis, &mut findings),
      polling,
      otlp: otlp(&self.traces, &mut findings),
      log: log(&self.log, &mut findings),
      source,
    };
    warn_of_variables_without_effect(surroundings, &mut findings);
    let (warnings, errors) = findings.into_parts();
    Examined {
      settings,
      warnings,
      errors,
    }
  }
}

impl CheckArgs {
  /// Reads the settings of `check`.
  ///
  /// # Errors
  ///
  /// Every value that can't be used.
  pub fn resolve(&self, surroundings: &dyn Surroundings) -> Result<Resolved<CheckSettings>, ConfigErrors> {
    let mut findings = Findings::default();
    let settings = CheckSettings {
      source: source(&self.source, surroundings, &mut findings),
      log: log(&self.log, &mut findings),
    };
    resolved(settings, findings)
  }
}

impl DemoArgs {
  /// Reads the settings of `demo`.
  ///
  /// # Errors
  ///
  /// Every value that can't be used.
  pub fn resolve(&self) -> Result<Resolved<DemoSettings>, ConfigErrors> {
    let mut findings = Findings::default();
    let listen = listen(self.server.listen.as_ref(), &mut findings);
    let admin_listen = admin_listen(self.admin.admin_listen.as_ref(), &mut findings);
    let admin_listen = admin_listen.unwrap_or(AdminListen::DEFAULT_IF_FREE);
    let settings = DemoSettings {
      listen,
      admin_listen: admin_listen.apart_from(listen, &mut findings),
      redis: redis(&self.redis, &mut findings),
      otlp: otlp(&self.traces, &mut findings),
      log: log(&self.log, &mut findings),
    };
    resolved(settings, findings)
  }
}

fn source(args: &SourceArgs, surroundings: &dyn Surroundings, findings: &mut Findings) -> SourceSettings {
  let github = GithubSettings {
    api: ApiBase::new(base_url(
      GITHUB_API_URL,
      args.github_api_url.as_ref(),
      DEFAULT_API_URL,
      findings,
    )),
    web: WebBase::new(base_url(
      GITHUB_WEB_URL,
      args.github_web_url.as_ref(),
      DEFAULT_WEB_URL,
      findings,
    )),
    tokens: tokens(args.github_token.as_ref(), args.github_tokens.as_ref(), findings),
  };
  let (catalog, catalog_source) = choose_catalog(args, surroundings, findings);
  SourceSettings {
    catalog,
    catalog_source,
    github,
  }
}

fn otlp(args: &TraceArgs, findings: &mut Findings) -> Option<BaseUrl> {
  given_url(OTLP_ENDPOINT, args.otlp_endpoint.as_ref(), findings)
}

pub(super) fn resolved<S>(settings: S, findings: Findings) -> Result<Resolved<S>, ConfigErrors> {
  let warnings = findings.finish()?;
  Ok(Resolved { settings, warnings })
}

#[cfg(test)]
mod tests {
  use std::ffi::OsString;
  use std::time::Duration;

  use super::super::args::RawSecret;
  use super::super::log::LogFormat;
  use super::super::surroundings::tests::MadeUp;
  use super::*;

  #[test]
  fn without_flags_and_variables_everything_has_the_default_of_the_documents() {
    let Resolved { settings, warnings } = ServeArgs::default().resolve(&at_home()).unwrap();
    assert_eq!(warnings, []);
    assert_eq!(settings.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(
      settings.admin_listen,
      AdminListen::At("127.0.0.1:8081".parse().unwrap())
    );
    assert_eq!(settings.state_dir, Path::new("/home/x/.local/state/launchfeed"));
    assert_eq!(settings.source.catalog, Catalog::craft_apps());
    assert_eq!(settings.source.github.api.as_str(), "https://api.github.com");
    assert_eq!(settings.source.github.web.as_str(), "https://github.com");
    assert!(settings.source.github.tokens.is_empty());
    assert!(settings.polling.enabled && settings.redis.is_none());
    assert_eq!(settings.polling.interval, Duration::from_secs(1800));
    assert_eq!(settings.polling.max_backoff, Duration::from_secs(14_400));
    assert_eq!(
      (settings.log.filter.as_str(), settings.log.format),
      ("info", LogFormat::Text)
    );
  }

  #[test]
  fn a_token_shortens_the_interval() {
    let args = with_token("ghp_abc");
    assert_eq!(
      args.resolve(&at_home()).unwrap().settings.polling.interval,
      Duration::from_secs(120)
    );
    let blank = with_token("  ");
    assert_eq!(
      blank.resolve(&at_home()).unwrap().settings.polling.interval,
      Duration::from_secs(1800)
    );
  }

  #[test]
  fn every_wrong_value_is_reported_at_once() {
    let mut args = ServeArgs::default();
    args.server.listen = Some("nowhere".into());
    args.source.github_api_url = Some("nowhere".into());
    args.source.catalog = Some("/missing".into());
    args.polling.poll_interval_secs = Some("soon".into());
    args.log.log_format = Some("xml".into());
    let errors = args.resolve(&MadeUp::default()).unwrap_err();
    assert_eq!(errors.0.len(), 6, "{errors}");
  }

  #[test]
  fn beside_wrong_values_the_others_can_be_looked_at() {
    let mut args = ServeArgs::default();
    args.source.github_api_url = Some("nowhere".into());
    args.server.listen = Some("localhost:1".into());
    let examined = args.examine(&at_home());
    assert!(examined.is_unusable(GITHUB_API_URL) && !examined.is_unusable(GITHUB_WEB_URL));
    assert_eq!((examined.errors.len(), examined.settings.listen.port()), (1, 1));
  }

  #[test]
  fn no_debug_form_shows_the_token() {
    let args = with_token("hunter2");
    let settings = args.resolve(&at_home()).unwrap();
    assert!(!settings.settings.source.github.tokens.is_empty());
    assert!(!format!("{args:?} {settings:?}").contains("hunter2"));
  }

  #[test]
  fn the_other_commands_read_theirs() {
    let mut check = CheckArgs::default();
    check.source.apps = Some("a=A=o/a".into());
    assert_eq!(
      check.resolve(&MadeUp::default()).unwrap().settings.source.catalog.len(),
      1
    );
    let mut demo = DemoArgs::default();
    demo.server.listen = Some("localhost:1".into());
    let settings = demo.resolve().unwrap().settings;
    assert_eq!(settings.listen.port(), 1);
    assert_eq!(settings.admin_listen, AdminListen::DEFAULT_IF_FREE);
    demo.server.listen = Some("nowhere".into());
    assert!(demo.resolve().is_err());
  }

  #[test]
  fn a_demonstration_shares_under_names_that_no_real_instance_has_or_not_at_all() {
    let mut demo = DemoArgs::default();
    demo.redis.redis_url = Some(RawSecret::from(OsString::from("redis://h")));
    demo.redis.redis_prefix = Some("staging:".into());
    let of_demo = |demo: &DemoArgs| {
      let api = default_url(DEFAULT_API_URL);
      Settings::of_demo(demo.resolve().unwrap().settings, api, Path::new("/x"))
    };
    assert_eq!(of_demo(&demo).redis.unwrap().prefix, "launchfeed-demo:staging:");
    demo.redis.redis_prefix = None;
    assert_eq!(of_demo(&demo).redis.unwrap().prefix, "launchfeed-demo:");
    demo.redis.coordination_enabled = Some("false".into());
    assert!(of_demo(&demo).redis.is_none());
    assert_eq!(demo.resolve().unwrap().warnings.len(), 1);
  }

  fn with_token(token: &str) -> ServeArgs {
    ServeArgs {
      source: SourceArgs {
        github_token: Some(RawSecret::from(OsString::from(token))),
        ..SourceArgs::default()
      },
      ..ServeArgs::default()
    }
  }

  fn at_home() -> MadeUp {
    MadeUp {
      state_home: Some("/home/x/.local/state"),
      ..MadeUp::default()
    }
  }
}
