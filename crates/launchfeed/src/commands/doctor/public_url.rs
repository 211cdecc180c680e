//! The address at which launchers find the server: whether the answer arrives there as it was sent.

use std::net::IpAddr;
use std::time::Duration;

use release_feed::BaseUrl;
use release_feed::github::{NetworkFailure, Timeouts, build_plain_http_client};
use reqwest::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, ETAG, HeaderMap, LOCATION};
use reqwest::{Response, StatusCode};

use super::finding::Finding;
use super::github::advice;
use crate::config::{Machine, Surroundings};

pub(super) const NAME: &str = "public_url";
const VARIABLE: &str = "LAUNCHFEED_PUBLIC_URL";
const PATH: &str = "/v1/release_info";
const X_LAST_FETCHED: &str = "x-last-fetched";
/// Shorter than a check may take.
const TIMEOUTS: Timeouts = Timeouts {
  connect: Duration::from_secs(5),
  whole: Duration::from_secs(8),
};
/// Compressing less saves nothing.
const WORTH_COMPRESSING: u64 = 1_000;

pub(super) async fn check() -> Vec<Finding> {
  let value = Machine.variable(VARIABLE).unwrap_or_default();
  let Some(address) = value.to_str().map(str::trim) else {
    return vec![unusable("is not UTF-8")];
  };
  if address.is_empty() {
    return vec![Finding::ok(NAME, "not set: links are made from the request")];
  }
  match BaseUrl::read(address) {
    Ok(url) => check_url(&url).await,
    // Not shown: whatever stands before an @ may be a password.
    Err(why) => vec![unusable(why)],
  }
}

fn unusable(why: &str) -> Finding {
  Finding::wrong(
    NAME,
    format_args!("the value of {VARIABLE} {why}"),
    "set it to an address such as https://apps.example.org, without user, query and fragment",
  )
}

async fn check_url(url: &BaseUrl) -> Vec<Finding> {
  let mut findings = Vec::new();
  if url.url().scheme() != "https" && !is_this_machine(url) {
    findings.push(Finding::warning(
      NAME,
      format_args!("{url} isn't https: whoever is on the way can change what launchers read"),
      "put a proxy with a certificate before the server, and https:// into the address",
    ));
  }
  let client = match build_plain_http_client(TIMEOUTS) {
    Ok(client) => client,
    Err(error) => {
      findings.push(Finding::wrong(NAME, error, "a start is refused without them"));
      return findings;
    }
  };
  let request = client.head(format!("{url}{PATH}")).header(ACCEPT_ENCODING, "gzip");
  match request.send().await {
    Ok(response) => findings.extend(judge(url, &response)),
    Err(error) => {
      let failure = NetworkFailure::of(&error);
      let advice = format!("start the server, if none runs; {}", advice(&failure));
      findings.push(Finding::wrong(
        NAME,
        format_args!("{url} can't be reached: {failure}"),
        advice,
      ));
    }
  }
  findings
}

fn is_this_machine(url: &BaseUrl) -> bool {
  let host = url.url().host_str().unwrap_or_default();
  let address: Option<IpAddr> = host.trim_matches(['[', ']']).parse().ok();
  host == "localhost" || address.is_some_and(|address| address.is_loopback())
}

fn judge(url: &BaseUrl, response: &Response) -> Vec<Finding> {
  let (status, headers) = (response.status(), response.headers());
  if status.is_redirection() {
    let to = headers
      .get(LOCATION)
      .and_then(|to| to.to_str().ok())
      .unwrap_or("nowhere");
    return vec![Finding::warning(
      NAME,
      format_args!("{url} answers {}, a redirect to {to}", status.as_u16()),
      format_args!("set {VARIABLE} to where it leads, so that no launcher goes the long way"),
    )];
  }
  if status != StatusCode::OK {
    return vec![Finding::wrong(
      NAME,
      format_args!("{url}{PATH} answers {}", status.as_u16()),
      "start the server, if none runs; check that the proxy before it passes this path on",
    )];
  }
  let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
  if text(X_LAST_FETCHED).is_none() {
    return vec![if text(CACHE_CONTROL.as_str()) == Some("no-store") {
      Finding::warning(
        NAME,
        format_args!("{url} answers, and not every app was fetched yet"),
        "wait for the first round; if it stays so, look at the server's log",
      )
    } else {
      Finding::wrong(
        NAME,
        format_args!("something else than launchfeed answers at {url}, or its headers are taken away"),
        format_args!("check {VARIABLE} and the proxy before the server: it must pass X-Last-Fetched on"),
      )
    }];
  }
  let mut findings = lost(url, headers);
  if findings.is_empty() {
    findings.push(Finding::ok(NAME, format_args!("{url} answers as it should")));
  }
  findings
}

/// What a proxy took away from an answer that came from a server of ours.
fn lost(url: &BaseUrl, headers: &HeaderMap) -> Vec<Finding> {
  let mut findings = Vec::new();
  if !headers.contains_key(ETAG) {
    findings.push(Finding::warning(
      NAME,
      format_args!("{url}: the answer has no ETag any more, so that every poll costs all of it"),
      "have the proxy before the server pass ETag and If-None-Match on",
    ));
  }
  let length = headers
    .get(CONTENT_LENGTH)
    .and_then(|length| length.to_str().ok()?.parse().ok());
  let is_short = length.is_some_and(|length: u64| length < WORTH_COMPRESSING);
  if !headers.contains_key(CONTENT_ENCODING) && !is_short {
    findings.push(Finding::warning(
      NAME,
      format_args!("{url}: the answer isn't compressed, though gzip was asked for"),
      "have the proxy before the server pass Accept-Encoding and Content-Encoding on",
    ));
  }
  findings
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case("http://localhost:8080", true)]
  #[case("http://127.0.0.2", true)]
  #[case("http://[::1]:8080", true)]
  #[case("http://example.org", false)]
  #[case("http://localhost.example.org", false)]
  #[case("http://192.0.2.1", false)]
  fn only_this_machine_may_be_asked_without_tls(#[case] url: &str, #[case] is_here: bool) {
    assert_eq!(is_this_machine(&BaseUrl::read(url).unwrap()), is_here);
  }
}
