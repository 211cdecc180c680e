//! Where a checksum file may be fetched from, also after a redirect: the server that releases' downloads must lie on, and where
//! GitHub keeps their bytes. Addresses that are numbers are nobody's but the configured server's, private ones above all.

use url::{Host, Url};

const GITHUB: &str = "github.com";
const GITHUBS_STORES: [&str; 3] = [
  "objects.githubusercontent.com",
  "release-assets.githubusercontent.com",
  "github-releases.githubusercontent.com",
];
/// Around the name of the bucket in an older store's host.
const GITHUBS_BUCKET: (&str, &str) = ("github-production-release-asset-", ".s3.amazonaws.com");
const HTTPS_PORT: u16 = 443;

/// Whether a file may be fetched from there; `web` is the configured server.
pub(super) fn is_allowed(url: &Url, web: &Url) -> bool {
  has_allowed_scheme(url, web)
    && url.username().is_empty()
    && url.password().is_none()
    && match (url.host(), web.host()) {
      (Some(host), Some(ours)) => {
        let is_own_port = url.port_or_known_default() == web.port_or_known_default();
        let is_https_port = url.scheme() == "https" && url.port_or_known_default() == Some(HTTPS_PORT);
        (is_own_port || is_https_port) && is_allowed_host(&host, &ours)
      }
      _ => false,
    }
}

fn has_allowed_scheme(url: &Url, web: &Url) -> bool {
  url.scheme() == "https" || url.scheme() == "http" && web.scheme() == "http"
}

fn is_allowed_host(host: &Host<&str>, ours: &Host<&str>) -> bool {
  match (host, ours) {
    (Host::Domain(host), Host::Domain(ours)) => {
      host == ours || is_below(host, ours) || *ours == GITHUB && is_githubs_store(host)
    }
    _ => host == ours,
  }
}

fn is_below(host: &str, domain: &str) -> bool {
  host
    .strip_suffix(domain)
    .and_then(|rest| rest.strip_suffix('.'))
    .is_some_and(|rest| !rest.is_empty())
}

fn is_githubs_store(host: &str) -> bool {
  let (before, after) = GITHUBS_BUCKET;
  let is_bucket = host
    .strip_prefix(before)
    .and_then(|rest| rest.strip_suffix(after))
    .is_some_and(|bucket| !bucket.is_empty() && !bucket.contains('.'));
  is_bucket || GITHUBS_STORES.contains(&host)
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case("https://github.com/acme/demo/releases/download/v1/SHA256SUMS")]
  #[case("https://objects.githubusercontent.com/github-production-release-asset-2e65be/1?X-Amz-Signature=1")]
  #[case("https://release-assets.githubusercontent.com/github-production-release-asset/1?sig=1")]
  #[case("https://github-releases.githubusercontent.com/1")]
  #[case("https://github-production-release-asset-2e65be.s3.amazonaws.com/1")]
  #[case("https://media.github.com/x")]
  fn github_and_its_stores_are_asked(#[case] url: &str) {
    assert!(allowed(url, "https://github.com"));
  }

  #[rstest]
  #[case::another_host("https://evil.example/x")]
  #[case::a_host_that_ends_alike("https://evilgithub.com/x")]
  #[case::a_host_that_begins_alike("https://github.com.evil.example/x")]
  #[case::a_dot_at_the_end("https://github.com./x")]
  #[case::anybodys_content("https://raw.githubusercontent.com/x")]
  #[case::anybodys_bucket("https://evil.s3.amazonaws.com/x")]
  #[case::a_bucket_that_begins_alike("https://github-production-release-asset-.evil.s3.amazonaws.com/x")]
  #[case::no_bucket("https://github-production-release-asset-.s3.amazonaws.com/x")]
  #[case::without_tls("http://github.com/x")]
  #[case::another_port("https://github.com:8443/x")]
  #[case::a_user("https://user@github.com/x")]
  #[case::this_machine("https://127.0.0.1/x")]
  #[case::this_machine_by_name("https://localhost/x")]
  #[case::this_machine_in_another_spelling("https://2130706433/x")]
  #[case::a_private_network("https://10.0.0.1/x")]
  #[case::where_clouds_keep_secrets("http://169.254.169.254/latest/meta-data")]
  #[case::this_machine_in_ipv6("https://[::1]/x")]
  #[case::no_host("file:///etc/passwd")]
  #[case::something_else("data:text/plain,x")]
  fn nobody_else_is(#[case] url: &str) {
    assert!(!allowed(url, "https://github.com"));
  }

  #[rstest]
  #[case("https://ghe.example:8443", "https://ghe.example:8443/x", true)]
  #[case("https://ghe.example:8443", "https://media.ghe.example/x", true)]
  #[case("https://ghe.example:8443", "https://ghe.example:9/x", false)]
  #[case("https://ghe.example", "https://release-assets.githubusercontent.com/x", false)]
  #[case("https://ghe.example", "http://ghe.example/x", false)]
  #[case("http://ghe.example", "http://ghe.example/x", true)]
  #[case("http://ghe.example", "https://ghe.example/x", true)]
  #[case("http://127.0.0.1:3000", "http://127.0.0.1:3000/x", true)]
  #[case("http://127.0.0.1:3000", "http://127.0.0.1:3001/x", false)]
  #[case("http://127.0.0.1:3000", "http://127.0.0.2:3000/x", false)]
  #[case("http://10.0.0.1", "http://10.0.0.1/x", true)]
  #[case("http://[::1]:3000", "http://[::1]:3000/x", true)]
  fn another_server_is_asked_alone_with_what_lies_below_its_name(
    #[case] web: &str,
    #[case] url: &str,
    #[case] expected: bool,
  ) {
    assert_eq!(allowed(url, web), expected);
  }

  fn allowed(url: &str, web: &str) -> bool {
    is_allowed(&Url::parse(url).unwrap(), &Url::parse(web).unwrap())
  }
}
