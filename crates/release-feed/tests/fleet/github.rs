//! A GitHub whose releases change, which has bad hours, and which counts.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use feed_types::{Asset, Release};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use release_feed::UnixMs;
use release_feed::github::{Ask, ETag, FetchFailure, Identity, Outcome, ReleaseAnswer, ReleaseSource};
use release_feed::release::ValidRelease;
use tokio::time::{Instant, sleep};

use super::watch::Watch;

/// How it is disposed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Mood {
  Well,
  /// Every request fails after that long.
  Down,
  /// Every request is refused until then, by the true time.
  Limiting(UnixMs),
}

/// Shared by all instances.
pub(crate) struct GitHub {
  state: Mutex<State>,
}

struct State {
  mood: Mood,
  versions: Vec<u32>,
  /// The app whose requests fail, whatever the mood.
  failing: Option<usize>,
  /// Every request takes that long, where it is set.
  latency: Option<Duration>,
  chance: StdRng,
}

/// One instance's way to it.
pub(crate) struct Asker {
  pub(crate) github: Arc<GitHub>,
  pub(crate) watch: Watch,
  pub(crate) instance: usize,
  /// The true time minus this instance's, in milliseconds.
  pub(crate) behind_ms: Arc<dyn Fn() -> i64 + Send + Sync>,
}

impl GitHub {
  pub(crate) fn new(apps: usize, seed: u64) -> Arc<Self> {
    Arc::new(Self {
      state: Mutex::new(State {
        mood: Mood::Well,
        versions: vec![1; apps],
        failing: None,
        latency: None,
        chance: StdRng::seed_from_u64(seed),
      }),
    })
  }

  pub(crate) fn set_mood(&self, mood: Mood) {
    self.state().mood = mood;
  }

  pub(crate) fn mood(&self) -> Mood {
    self.state().mood
  }

  pub(crate) fn fail(&self, app: usize) {
    self.state().failing = Some(app);
  }

  pub(crate) fn set_latency(&self, latency: Duration) {
    self.state().latency = Some(latency);
  }

  /// The app has a new release.
  pub(crate) fn release(&self, app: usize) {
    self.state().versions[app] += 1;
  }

  pub(crate) fn version(&self, app: usize) -> u32 {
    self.state().versions[app]
  }

  fn state(&self) -> MutexGuard<'_, State> {
    self.state.lock().unwrap()
  }

  fn answer(&self, app: usize, etag: Option<&ETag>) -> (Mood, Outcome, Duration) {
    let mut state = self.state();
    let usual = Duration::from_millis(state.chance.random_range(50..2_000));
    let latency = state.latency.unwrap_or(usual);
    let counter_moved = state.chance.random_bool(0.05);
    let version = state.versions[app];
    let current = ETag::new(format!("W/\"{app}-{version}\""));
    let outcome = match state.mood {
      _ if state.failing == Some(app) => Outcome::Failed(FetchFailure::BodyTooLong),
      Mood::Down => Outcome::Failed(FetchFailure::Network("connection refused".to_owned())),
      Mood::Limiting(until) => Outcome::RateLimited { retry_at: Some(until) },
      // A download counter moves the ETag and nothing else.
      Mood::Well if etag.is_some() && etag == current.as_ref() && !counter_moved => Outcome::NotModified {
        named: current.unwrap(),
      },
      Mood::Well => release(app, version, current),
    };
    (state.mood, outcome, latency)
  }
}

impl ReleaseSource for Asker {
  async fn latest_release(&self, ask: Ask<'_>) -> Outcome {
    let app: usize = ask.key.as_str()[1..].parse().unwrap();
    self.watch.asked(self.instance, app);
    let started = Instant::now();
    let (mood, outcome, latency) = self.github.answer(app, ask.etag_for(&Identity::anonymous()));
    sleep(latency).await;
    if let Mood::Limiting(until) = mood {
      self.watch.was_limited(self.instance, until);
      // GitHub names its time; the reader of its answer turns it into ours by the answer's `Date`.
      let retry_at = Some(until.shifted_by_ms(-(self.behind_ms)()));
      return Outcome::RateLimited { retry_at };
    }
    debug_assert!(started.elapsed() < Duration::from_secs(30));
    outcome
  }
}

/// The key of an app by its number.
pub(crate) fn key(app: usize) -> String {
  format!("a{app}")
}

pub(crate) fn catalog_text(apps: usize) -> String {
  let entries: Vec<String> = (0..apps).map(|app| format!("a{app}=A{app}=o/a{app}")).collect();
  entries.join(",")
}

fn release(app: usize, version: u32, etag: Option<ETag>) -> Outcome {
  let name = format!("a{app}-{version}-linux-x64.deb");
  let release = Release {
    tag: format!("v{version}"),
    version: version.to_string(),
    name: format!("v{version}"),
    html_url: format!("https://github.com/o/a{app}/releases/tag/v{version}"),
    assets: vec![Asset {
      download_url: format!("https://github.com/o/a{app}/releases/download/v{version}/{name}"),
      platform: asset_names::contract_platform(&name),
      build: asset_names::classify(
        &name,
        &asset_names::Hints {
          app: Some(&key(app)),
          version: Some(&version.to_string()),
          overrides: &[],
        },
      )
      .to_wire(),
      name,
      ..Asset::default()
    }],
    ..Release::default()
  };
  Outcome::Release(Box::new(ReleaseAnswer {
    valid: ValidRelease {
      release,
      left_out: Vec::new(),
    },
    etag,
    ..ReleaseAnswer::default()
  }))
}
