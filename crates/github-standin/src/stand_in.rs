//! The handle: starts the stand-in, tells it what to answer, shows what it was asked.

use std::{
  fmt, io,
  net::{Ipv4Addr, SocketAddr},
  sync::{Arc, atomic::Ordering},
  time::Duration,
};

use bytes::Bytes;
use serde_json::Value;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
  answer::Answer,
  request_log::SeenRequest,
  sample_release::SampleRelease,
  server::{self, Shared},
};

/// How to start; the default is a free port and GitHub's own paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StandInOptions {
  /// Port on 127.0.0.1; 0 picks a free one. The port of one that was shut down can be taken again.
  pub port: u16,
  /// What comes before every path, such as `/api/v3` on GitHub Enterprise; part of [`StandIn::api_url`].
  pub api_prefix: String,
}

/// A running stand-in. It stops when it is dropped; [`StandIn::shutdown`] also waits until it has.
pub struct StandIn {
  address: SocketAddr,
  api_prefix: String,
  shared: Arc<Shared>,
  stop: CancellationToken,
  tasks: TaskTracker,
}

impl StandInOptions {
  /// The default: a free port, GitHub's own paths.
  pub fn new() -> Self {
    Self::default()
  }

  /// Sets [`StandInOptions::port`].
  #[must_use]
  pub fn port(mut self, port: u16) -> Self {
    self.port = port;
    self
  }

  /// Sets [`StandInOptions::api_prefix`].
  #[must_use]
  pub fn api_prefix(mut self, api_prefix: &str) -> Self {
    api_prefix.clone_into(&mut self.api_prefix);
    self
  }
}

impl StandIn {
  /// Starts on a free port of 127.0.0.1, without any repository. Fails when no port can be bound.
  pub async fn start() -> io::Result<Self> {
    Self::start_with(StandInOptions::default()).await
  }

  /// Starts as asked. Fails when the port cannot be bound.
  pub async fn start_with(options: StandInOptions) -> io::Result<Self> {
    let listener = server::listen(SocketAddr::from((Ipv4Addr::LOCALHOST, options.port)))?;
    let address = listener.local_addr()?;
    let trimmed = options.api_prefix.trim_matches('/');
    let api_prefix = if trimmed.is_empty() {
      String::new()
    } else {
      format!("/{trimmed}")
    };
    let api_url = format!("http://{address}{api_prefix}");
    let shared = Arc::new(Shared::new(&api_url, &api_prefix));
    let stop = CancellationToken::new();
    let tasks = TaskTracker::new();
    tasks.spawn(server::serve(
      listener,
      Arc::clone(&shared),
      stop.clone(),
      tasks.clone(),
    ));
    Ok(Self {
      address,
      api_prefix,
      shared,
      stop,
      tasks,
    })
  }

  /// The API's base address, `http://127.0.0.1:<port>` and the prefix, without a slash at its end.
  pub fn api_url(&self) -> String {
    format!("http://{}{}", self.address, self.api_prefix)
  }

  /// The website's base address, where the files of releases lie: `http://127.0.0.1:<port>`.
  pub fn web_url(&self) -> String {
    format!("http://{}", self.address)
  }

  /// Where it listens.
  pub fn address(&self) -> SocketAddr {
    self.address
  }

  /// Sets the latest release of a repository, which exists from then on.
  pub fn set_latest(&self, repo: &str, release: SampleRelease) {
    self.set_latest_json(repo, release.to_json(repo));
  }

  /// The same with JSON of any shape, such as a recorded answer.
  pub fn set_latest_json(&self, repo: &str, release: impl Into<Value>) {
    let json = release.into().to_string();
    self.shared.world().repositories.set_latest(repo, json.into());
  }

  /// Sets all releases of a repository, newest first. Its latest is the first one that isn't marked as a prerelease.
  pub fn set_releases(&self, repo: &str, releases: impl IntoIterator<Item = SampleRelease>) {
    let releases = releases.into_iter().map(|release| release.to_json(repo));
    self.set_releases_json(repo, releases);
  }

  /// The same with JSON of any shape. Drafts (`"draft": true`) are listed for requests with a token alone.
  pub fn set_releases_json(&self, repo: &str, releases: impl IntoIterator<Item = Value>) {
    let releases = releases.into_iter().collect();
    self.shared.world().repositories.set_list(repo, releases);
  }

  /// The repository exists, and has no release: 404 for its latest, 200 for itself.
  pub fn set_no_release(&self, repo: &str) {
    self.shared.world().repositories.set_no_release(repo);
  }

  /// The repository doesn't exist, like all that were never set: 404.
  pub fn remove_repo(&self, repo: &str) {
    self.shared.world().repositories.remove(repo);
  }

  /// Renames a repository, with its release and its id: the old name answers 301 to `/repositories/<id>…`.
  /// Nothing happens if it doesn't exist.
  pub fn rename_repo(&self, old_repo: &str, new_repo: &str) {
    self.shared.world().repositories.rename(old_repo, new_repo);
  }

  /// Sets a file of a release, to be had below [`Self::web_url`]: its address answers 302 to a signed one that has the bytes. Files that were
  /// never set are a 404.
  pub fn set_file(&self, repo: &str, tag: &str, name: &str, bytes: impl Into<Bytes>) {
    self.shared.world().downloads.set(repo, tag, name, bytes.into());
  }

  /// The address of a release's file answers this from now on, until the file is set again.
  pub fn script_file(&self, repo: &str, tag: &str, name: &str, answer: Answer) {
    self.shared.world().downloads.script(repo, tag, name, answer);
  }

  /// The file is gone: 404.
  pub fn remove_file(&self, repo: &str, tag: &str, name: &str) {
    self.shared.world().downloads.remove(repo, tag, name);
  }

  /// Gives an existing repository another id, as if a stranger had registered its name.
  pub fn set_repo_id(&self, repo: &str, id: u64) {
    self.shared.world().repositories.set_id(repo, id);
  }

  /// The next requests for that repository's releases (the latest, a page, one of a tag) get these, in order, then the usual again.
  pub fn script(&self, repo: &str, answers: impl IntoIterator<Item = Answer>) {
    self.shared.world().scripts.queue(repo, answers);
  }

  /// All requests for that repository's releases get this once its queue is empty, until [`Self::clear_script`].
  pub fn script_always(&self, repo: &str, answer: Answer) {
    self.shared.world().scripts.always(repo, answer);
  }

  /// Drops both kinds of script of that repository.
  pub fn clear_script(&self, repo: &str) {
    self.shared.world().scripts.clear(repo);
  }

  /// Every request gets this, whatever its path and the other scripts: GitHub is down.
  pub fn script_all_always(&self, answer: Answer) {
    self.shared.world().scripts.everywhere(answer);
  }

  /// Drops all scripts.
  pub fn clear_all(&self) {
    self.shared.world().scripts.clear_all();
  }

  /// Waits this long before each answer.
  pub fn set_latency(&self, latency: Duration) {
    self.shared.world().latency = latency;
  }

  /// The `Date` of every answer from now on, sent as given: a clock that stands.
  pub fn set_date(&self, date: &str) {
    self.shared.world().date = Some(date.to_owned());
  }

  /// From now on all requests count against one limit, whoever sends them: at 0 they get a 403. Without this the headers
  /// show 60 or 5,000 an hour per `Authorization`, and nobody is ever refused.
  pub fn set_rate_limit(&self, limit: u32, remaining: u32, reset_unix_secs: u64) {
    self.shared.world().rate_limits.set(limit, remaining, reset_unix_secs);
  }

  /// The same for requests with this token alone, or for those without any; it goes before the limit for all.
  pub fn set_rate_limit_of(&self, token: Option<&str>, limit: u32, remaining: u32, reset_unix_secs: u64) {
    let mut world = self.shared.world();
    world.rate_limits.set_of(token, limit, remaining, reset_unix_secs);
  }

  /// Ends [`Self::set_rate_limit`] and [`Self::set_rate_limit_of`].
  pub fn clear_rate_limit(&self) {
    self.shared.world().rate_limits.clear();
  }

  /// Only this token is good from now on: others, and none at all, get a 401.
  pub fn require_token(&self, token: &str) {
    self.shared.world().tokens.require(token);
  }

  /// This token gets a 401 from now on, as if it had been revoked.
  pub fn set_bad_token(&self, token: &str) {
    self.shared.world().tokens.refuse(token);
  }

  /// The owner's repositories want single sign-on of this token from now on: 403 to requests with it.
  pub fn require_single_sign_on(&self, owner: &str, token: &str) {
    self.shared.world().tokens.require_single_sign_on(owner, token);
  }

  /// Nobody sees this repository without a token from now on: 404.
  pub fn set_private(&self, repo: &str) {
    self.shared.world().tokens.hide(repo);
  }

  /// Answers to requests with a token say from now on that it is a classic one with these scopes, such as `repo, user`.
  pub fn set_token_scopes(&self, scopes: &str) {
    self.shared.world().tokens.describe("x-oauth-scopes", scopes);
  }

  /// Answers to requests with a token say from now on that it expires then, such as `2026-11-05 12:00:00 UTC`.
  pub fn set_token_expiration(&self, time: &str) {
    let header = "github-authentication-token-expiration";
    self.shared.world().tokens.describe(header, time);
  }

  /// Every token is good again and sees everything, none is needed, and nothing is said of them.
  pub fn clear_tokens(&self) {
    self.shared.world().tokens.clear();
  }

  /// Every request since the start or [`Self::clear_requests`], oldest first (the newest 20,000 of them).
  pub fn requests(&self) -> Vec<SeenRequest> {
    self.shared.log.all()
  }

  /// How many there were.
  pub fn request_count(&self) -> usize {
    self.shared.log.count()
  }

  /// Forgets the requests so far.
  pub fn clear_requests(&self) {
    self.shared.log.clear();
  }

  /// Waits until at least this many requests have arrived (answered or not) since the start or the last clearing.
  pub async fn wait_for_requests(&self, requests: usize) {
    self.shared.log.wait_for(requests).await;
  }

  /// Bytes of bodies (as encoded) handed to connections since the start. What a client has read is at most some hundred
  /// KiB less: the rest stands in the buffers between.
  pub fn bytes_sent(&self) -> u64 {
    self.shared.bytes_sent.load(Ordering::Relaxed)
  }

  /// Stops, and waits until the port is closed and every connection cut; connecting is refused from then on.
  pub async fn shutdown(&self) {
    self.stop.cancel();
    self.tasks.close();
    self.tasks.wait().await;
  }
}

impl Drop for StandIn {
  fn drop(&mut self) {
    self.stop.cancel();
  }
}

impl fmt::Debug for StandIn {
  fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    formatter
      .debug_struct("StandIn")
      .field("api_url", &self.api_url())
      .field("requests", &self.request_count())
      .finish_non_exhaustive()
  }
}
