//! The server put together: the poller, the writer of snapshots and the answers, from the first to the last.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use futures_util::FutureExt;
use rand::SeedableRng;
use rand::rngs::{StdRng, SysRng};
use release_feed::answer::{FeedPublisher, feed_channel};
use release_feed::catalog::AppKey;
use release_feed::poller::{Feed, FeedParts, Poller, PollerSettings, RequestsPerHour};
use release_feed::snapshot::{Restored, SnapshotSender, SnapshotStore, snapshot_channel};
use release_feed::status::StatusBoard;
use release_feed::{BaseUrl, Clock, SystemClock};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, spawn};
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use crate::admin::{self, About, Insight};
use crate::config::{ADMIN_LISTEN, AdminListen, LISTEN, PollingSettings, Settings};
use crate::fleet::join;
use crate::github::{Github, asked_as, github_source, release_rules};
use crate::http::{self, Answers, BindError, Front, Limits, RequestMeter, bind};
use crate::lifecycle::StopSignals;
use crate::outcome::{Failure, Outcome};
use crate::state_folder::StateFolder;

/// Apps named in one line; the rest is counted.
const MAX_NAMED: usize = 20;

/// Where it is listened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Addresses {
  /// For everybody.
  pub(crate) public: SocketAddr,
  /// For those who operate it; none where that is switched off.
  pub(crate) private: Option<SocketAddr>,
}

/// Serves until a signal comes; `ready` is told the addresses once they are listened on.
pub(crate) async fn serve_until_signalled(
  settings: Settings,
  ready: impl FnOnce(Addresses) -> Result<(), Failure>,
) -> Result<Outcome, Failure> {
  let signals = StopSignals::listen()
    .context("listening for signals")
    .map_err(Failure::Failed)?;
  let started_at = SystemClock.now();
  let mut state_folder = StateFolder::take(&settings.state_dir)?;
  let listener = bind(LISTEN, settings.listen).await?;
  let private = bind_private(settings.admin_listen).await?;
  let addresses = Addresses {
    public: address_of(&listener)?,
    private: private.as_ref().map(address_of).transpose()?,
  };
  state_folder.sign(addresses.public);
  let store = SnapshotStore::new(state_folder.path());
  let feed_restored = restore(&settings, &store);
  let (board, meter) = (StatusBoard::default(), Arc::new(RequestMeter::default()));
  let (snapshots, writer) = snapshot_channel(store);
  let writer = writer.reporting_to(board.clone(), Arc::new(SystemClock));
  let first = feed_restored.cache.answer();
  let (publisher, encoder, publication) = feed_channel(first)
    .context("the first answer")
    .map_err(Failure::Failed)?;
  let fleet = settings.redis.as_ref();
  let fleet = fleet
    .map(|redis| join(&settings, redis, feed_restored.instances, &board))
    .transpose()?;
  let poller = poller(&settings, feed_restored, publisher, snapshots)?.reporting_to(board.clone());
  let front = Front::of(Answers {
    publication,
    catalog: Arc::new(settings.source.catalog.clone()),
  });
  let front = front.counted_by(meter.clone()).traced(settings.otlp.is_some());
  log_start(&settings, addresses);
  ready(addresses)?;
  let stop = CancellationToken::new();
  // Stopped last: until then it says that the process stops.
  let stop_private = CancellationToken::new();
  let insight = Insight::of(About {
    board,
    meter,
    clock: Arc::new(SystemClock),
    started_at,
    stop: stop.clone(),
  });
  let private = spawn(serve_private(private, insight, stop_private.clone()));
  let polling = match fleet {
    None => spawn(poller.run(stop.clone())),
    Some((fleet, changes, listener)) => {
      let (polling, listening) = (
        // Boxed, since the compiler gives up on types that are nested deeper.
        poller.in_fleet(fleet, changes).run(stop.clone()).boxed(),
        listener.run(stop.clone()),
      );
      spawn(async {
        tokio::join!(polling, listening);
      })
    }
  };
  let work = async {
    let answering = async {
      let serving = http::serve(listener, front, Limits::of_this_process(), stop.clone());
      let ended = until_stopped("the HTTP server", spawn(serving), &stop).await;
      stop_private.cancel();
      ended
    };
    let (polling, encoding, writing, answering, operating) = tokio::join!(
      until_stopped("the poller", polling, &stop),
      until_stopped("the encoder", spawn(encoder.run()), &stop),
      until_stopped("the writer of snapshots", spawn(writer.run()), &stop),
      answering,
      until_stopped("the private listener", private, &stop),
    );
    polling.and(encoding).and(writing).and(answering).and(operating)
  };
  signals.run(stop.clone(), work).await?;
  info!("stopped");
  Ok(Outcome::Done)
}

/// Listens where metrics and health are asked for.
async fn bind_private(listen: AdminListen) -> Result<Option<TcpListener>, BindError> {
  let address = match listen {
    AdminListen::Off => return Ok(None),
    AdminListen::At(address) => return bind(ADMIN_LISTEN, address).await.map(Some),
    AdminListen::Preferably(address) => address,
  };
  match bind(ADMIN_LISTEN, address).await {
    Err(error) if error.is_in_use() => {
      info!(%address, "somebody else listens there: metrics, health and status get any free port");
      let any_port = SocketAddr::new(address.ip(), 0);
      bind(ADMIN_LISTEN, any_port).await.map(Some)
    }
    bound => bound.map(Some),
  }
}

/// Answers those who operate the service, until stopped; where that is switched off, nothing is done.
async fn serve_private(listener: Option<TcpListener>, insight: Insight, stop: CancellationToken) {
  match listener {
    None => stop.cancelled().await,
    Some(listener) => {
      let front = Front::of_routes(admin::router(insight));
      http::serve(listener, front, Limits::of_private_listener(), stop).await;
    }
  }
}

fn address_of(listener: &TcpListener) -> Result<SocketAddr, Failure> {
  listener.local_addr().context("listening").map_err(Failure::Failed)
}

fn poller(
  settings: &Settings,
  restored: Restored,
  publisher: FeedPublisher,
  snapshots: SnapshotSender,
) -> Result<Poller<Github, SystemClock>, Failure> {
  let source = github_source(&settings.source.github)?;
  let chance = StdRng::try_from_rng(&mut SysRng)
    .context("the system's source of randomness")
    .map_err(Failure::Failed)?;
  let feed = Feed::new(FeedParts {
    restored,
    asked_as: asked_as(&settings.source.github),
    publisher,
    snapshots,
  });
  let poller_settings = PollerSettings {
    polling_enabled: settings.polling.enabled,
    interval: settings.polling.interval,
    interval_without_token: settings.polling.interval_without_token,
    max_backoff: settings.polling.max_backoff,
    requests_per_hour: RequestsPerHour::of_tokens(settings.source.github.tokens.len()),
  };
  Ok(Poller::new(
    poller_settings,
    Arc::new(source),
    SystemClock,
    chance,
    feed,
  ))
}

/// What the snapshot tells; nothing where there is none, or a bad one.
fn restore(settings: &Settings, store: &SnapshotStore) -> Restored {
  let catalog = Arc::new(settings.source.catalog.clone());
  match store.load() {
    Ok(Some(snapshot)) => {
      let rules = release_rules(&settings.source.github);
      let restored = snapshot.restore(catalog, &rules, &asked_as(&settings.source.github), SystemClock.now());
      log_restored(&restored);
      log_backoff(&restored, &settings.polling);
      restored
    }
    Ok(None) => Restored::nothing(catalog),
    Err(error) => {
      warn!(%error, "the snapshot can't be used: starting without it");
      Restored::nothing(catalog)
    }
  }
}

fn log_restored(restored: &Restored) {
  let apps = restored
    .cache
    .entries()
    .filter(|(_, entry)| entry.fetch.is_some())
    .count();
  if apps == 0 {
    info!("the snapshot holds no answer for this catalog's apps");
  } else {
    info!(apps, "the last good answer was read from the snapshot");
  }
  if !restored.set_aside.is_empty() {
    let kept: Vec<&str> = restored.set_aside.keys().map(AppKey::as_str).collect();
    warn!(
      apps = kept.len(),
      kept = %some_of(&kept),
      "the snapshot knows apps that aren't in this catalog: kept for a catalog that has them, and not served"
    );
  }
}

/// Until when nobody is asked because of what happened before the start; otherwise the log would just be still.
fn log_backoff(restored: &Restored, polling: &PollingSettings) {
  let lasting = restored
    .backoff
    .filter(|backoff| polling.enabled && backoff.lasts_at(SystemClock.now(), polling.max_backoff));
  if let Some(until) = lasting.and_then(|backoff| backoff.until.to_utc_time()) {
    info!(%until, "GitHub is left alone until then, because of rate limits or failures before this start");
  }
}

/// The first few of many names.
fn some_of(names: &[&str]) -> String {
  let mut text = names[..names.len().min(MAX_NAMED)].join(", ");
  if names.len() > MAX_NAMED {
    text.push_str(", …");
  }
  text
}

fn log_start(settings: &Settings, addresses: Addresses) {
  let Addresses { public, private } = addresses;
  let (polling, redis) = (&settings.polling, settings.redis.as_ref());
  info!(
    apps = settings.source.catalog.len(),
    github = settings.source.github.api.as_str(),
    tokens = settings.source.github.tokens.len(),
    polling = polling.enabled,
    interval_secs = polling.interval.as_secs(),
    max_backoff_secs = polling.max_backoff.as_secs(),
    redis = redis.map(|redis| tracing::field::display(&redis.address)),
    redis_prefix = redis.map(|redis| redis.prefix.as_str()).filter(|prefix| !prefix.is_empty()),
    otlp = settings.otlp.as_ref().map(BaseUrl::as_str),
    state = %settings.state_dir.display(),
    "launchfeed {} is listening on http://{public}",
    env!("CARGO_PKG_VERSION"),
  );
  match private {
    Some(private) => info!("metrics, health and status are at http://{private}"),
    None => info!("metrics, health and status are switched off ({ADMIN_LISTEN})"),
  }
}

/// Waits for a task. If it ends before it was told to, everything is stopped: half a server is worse than a restart.
async fn until_stopped(what: &'static str, task: JoinHandle<()>, stop: &CancellationToken) -> Result<(), Failure> {
  let ended = task.await;
  if ended.is_ok() && stop.is_cancelled() {
    return Ok(());
  }
  error!(what, "it ended by itself: stopping");
  stop.cancel();
  Err(Failure::Failed(anyhow!("{what} ended by itself; the log says more")))
}
