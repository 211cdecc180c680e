//! How the tests ask: with reqwest where the answer matters, with a bare connection where the bytes do.

use std::{future::Future, time::Duration};

use github_standin::{SampleRelease, StandIn};
use reqwest::{Client, Response, redirect::Policy};
use serde_json::Value;
use tokio::{
  io::{AsyncReadExt, AsyncWriteExt},
  net::TcpStream,
  runtime::Handle,
  task::yield_now,
  time::timeout,
};

pub(crate) const REPO: &str = "acme/Demo";
pub(crate) const LATEST: &str = "/repos/acme/Demo/releases/latest";
pub(crate) const TAG: &str = "v1.0.0";
/// Far more than anything here takes; it turns a test that would hang into one that fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

const USER_AGENT: &str = "standin-tests";

/// With one repository and its release.
pub(crate) async fn start_with_release() -> StandIn {
  let github = StandIn::start().await.unwrap();
  github.set_latest(REPO, SampleRelease::new(TAG).asset("demo-1.0.0-linux-x64.deb"));
  github
}

/// Asks for the latest release of [`REPO`], and doesn't accept gzip.
pub(crate) async fn latest(github: &StandIn) -> Response {
  get(github, LATEST).await
}

pub(crate) async fn latest_with(github: &StandIn, headers: &[(&str, &str)]) -> Response {
  get_with(github, LATEST, headers).await
}

pub(crate) async fn get(github: &StandIn, path: &str) -> Response {
  get_with(github, path, &[]).await
}

pub(crate) async fn get_with(github: &StandIn, path: &str, headers: &[(&str, &str)]) -> Response {
  let mut request = plain_client().get(format!("{}{path}", github.api_url()));
  for (name, value) in headers {
    request = request.header(*name, *value);
  }
  request.send().await.unwrap()
}

/// Follows no redirects, accepts no gzip.
pub(crate) fn plain_client() -> Client {
  client(false, PATIENCE)
}

/// Accepts gzip, and decodes it.
pub(crate) fn gzip_client() -> Client {
  client(true, PATIENCE)
}

#[expect(
  clippy::disallowed_methods,
  reason = "the stand-in knows nothing of the feed's client factory"
)]
pub(crate) fn client(gzip: bool, timeout: Duration) -> Client {
  // An error means that it is installed already.
  let _ = rustls::crypto::ring::default_provider().install_default();
  Client::builder()
    .no_proxy()
    .redirect(Policy::none())
    .gzip(gzip)
    .timeout(timeout)
    .user_agent(USER_AGENT)
    .build()
    .unwrap()
}

pub(crate) async fn json(response: Response) -> Value {
  serde_json::from_str(&response.text().await.unwrap()).unwrap()
}

pub(crate) fn header<'a>(response: &'a Response, name: &str) -> Option<&'a str> {
  response.headers().get(name).map(|value| value.to_str().unwrap())
}

/// A header that holds a number.
pub(crate) fn number(response: &Response, name: &str) -> u64 {
  header(response, name).unwrap().parse().unwrap()
}

/// A connection on which the latest release of [`REPO`] was asked for.
pub(crate) async fn connection_that_asked(github: &StandIn) -> TcpStream {
  let mut connection = TcpStream::connect(github.address()).await.unwrap();
  let request = format!("GET {LATEST} HTTP/1.1\r\nHost: api\r\nUser-Agent: {USER_AGENT}\r\n\r\n");
  connection.write_all(request.as_bytes()).await.unwrap();
  connection
}

/// Sends the head line and headers (each ended by `\r\n`) and reads until the stand-in closes the connection.
pub(crate) async fn exchange(github: &StandIn, head: &str) -> String {
  let mut connection = TcpStream::connect(github.address()).await.unwrap();
  let request = format!("{head}Host: api\r\nConnection: close\r\n\r\n");
  connection.write_all(request.as_bytes()).await.unwrap();
  let mut answer = Vec::new();
  within_patience(connection.read_to_end(&mut answer)).await.unwrap();
  String::from_utf8(answer).unwrap()
}

/// What tokio is running beside the test itself: the stand-in's listener and its connections.
pub(crate) fn running_tasks() -> usize {
  Handle::current().metrics().num_alive_tasks()
}

pub(crate) async fn until(condition: impl Fn() -> bool) {
  within_patience(async {
    while !condition() {
      yield_now().await;
    }
  })
  .await;
}

pub(crate) async fn within_patience<T>(future: impl Future<Output = T>) -> T {
  timeout(PATIENCE, future).await.expect("it took too long")
}
