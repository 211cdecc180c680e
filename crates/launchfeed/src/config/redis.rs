//! The Redis through which a fleet shares.

use std::ffi::OsString;

use release_feed::shared::RedisAddress;

use super::args::{RawSecret, RedisArgs};
use super::findings::Findings;
use super::setting::{COORDINATION_ENABLED, REDIS_PREFIX, REDIS_URL};
use super::values::{boolean, text};

const MAX_PREFIX: usize = 64;
const EXPECTED_URL: &str = "a URL such as redis://localhost, rediss://user:password@host:6380/1, unix:///run/redis.sock, \
                            redis-sentinel://host,host?master=NAME or redis-cluster://host,host";
const EXPECTED_PREFIX: &str = "up to 64 visible ASCII characters, such as staging:";

/// Where a fleet shares, and under which keys.
#[derive(Clone, Debug)]
pub struct RedisSettings {
  /// Where.
  pub address: RedisAddress,
  /// What stands before every key.
  pub prefix: String,
}

/// None where no address is given, or sharing is switched off.
pub(super) fn redis(args: &RedisArgs, findings: &mut Findings) -> Option<RedisSettings> {
  let prefix = prefix(args.redis_prefix.as_ref(), findings);
  let is_shared = boolean(COORDINATION_ENABLED, args.coordination_enabled.as_ref(), true, findings);
  let Some(url) = args.redis_url.as_ref().map_or(Some(""), RawSecret::expose) else {
    findings.unusable_secret(REDIS_URL, "is not UTF-8", EXPECTED_URL);
    return None;
  };
  if url.trim().is_empty() {
    if !prefix.is_empty() {
      findings.warn(format!(
        "{REDIS_PREFIX} has no effect without {REDIS_URL}: nothing is shared"
      ));
    }
    return None;
  }
  let address = match RedisAddress::parse(url) {
    Ok(address) => address,
    Err(error) => {
      findings.unusable_secret(REDIS_URL, error.to_string(), EXPECTED_URL);
      return None;
    }
  };
  if !is_shared {
    findings.warn(format!("{REDIS_URL} has no effect while {COORDINATION_ENABLED} is off"));
    return None;
  }
  Some(RedisSettings { address, prefix })
}

fn prefix(value: Option<&OsString>, findings: &mut Findings) -> String {
  let Some(prefix) = text(REDIS_PREFIX, value, findings) else {
    return String::new();
  };
  if prefix.len() > MAX_PREFIX || !prefix.bytes().all(|byte| byte.is_ascii_graphic()) {
    findings.unusable(REDIS_PREFIX, prefix, "is no prefix", EXPECTED_PREFIX);
  }
  prefix.to_owned()
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[test]
  fn without_an_address_nothing_is_shared() {
    for url in [None, Some(""), Some(" \n")] {
      let mut findings = Findings::default();
      assert!(redis(&args(url, None), &mut findings).is_none());
      assert_eq!((findings.warnings(), findings.errors()), (vec![], vec![]));
    }
  }

  #[test]
  fn a_prefix_without_an_address_is_warned_of() {
    for url in [None, Some(" ")] {
      let mut findings = Findings::default();
      assert!(redis(&args(url, Some("staging:")), &mut findings).is_none());
      assert_eq!(
        findings.warnings(),
        [
          "LAUNCHFEED_REDIS_PREFIX (--redis-prefix) has no effect without LAUNCHFEED_REDIS_URL (--redis-url): \
          nothing is shared"
        ]
      );
    }
  }

  #[test]
  fn what_is_given_is_shared_through() {
    let mut findings = Findings::default();
    let settings = redis(&args(Some("redis://u:p@h/2"), Some("staging:")), &mut findings).unwrap();
    assert_eq!(settings.address.to_string(), "redis://h:6379/2");
    assert_eq!(settings.prefix, "staging:");
    assert_eq!((findings.warnings(), findings.errors()), (vec![], vec![]));
  }

  #[test]
  fn an_address_without_sharing_is_warned_of() {
    let mut findings = Findings::default();
    let mut args = args(Some("redis://h"), Some("staging:"));
    args.coordination_enabled = Some("off".into());
    assert!(redis(&args, &mut findings).is_none());
    assert_eq!(findings.warnings().len(), 1);
    assert!(findings.warnings()[0].contains("while CRAFT_APPS_RELEASE_COORDINATION_ENABLED"));
  }

  #[test]
  fn a_bad_address_is_never_shown() {
    for url in [
      "http://u:hunter2@h",
      "redis://u:hunter2@",
      "redis://u:hunter2@h?x=hunter2",
      "redis://hunter2@h",
      "redis://u:hunter2/@h",
      "redis://u:hunter2",
      "redis-sentinel://h?master=m&hunter2",
      "unix:///run/redis.sock?pass=hunter2#hunter2",
    ] {
      let mut findings = Findings::default();
      assert!(redis(&args(Some(url), None), &mut findings).is_none());
      let errors = findings.errors();
      assert!(
        errors[0].starts_with("LAUNCHFEED_REDIS_URL (--redis-url): "),
        "{errors:?}"
      );
      assert!(errors.len() == 1 && !errors[0].contains("hunter2"), "{errors:?}");
    }
  }

  #[rstest]
  #[case("staging:", true)]
  #[case("{a}", true)]
  #[case("two words", false)]
  #[case("ümlaut", false)]
  #[case("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", false)]
  fn a_prefix_is_visible_and_short(#[case] prefix: &str, #[case] is_good: bool) {
    let mut findings = Findings::default();
    let settings = redis(&args(Some("redis://h"), Some(prefix)), &mut findings);
    assert_eq!(findings.errors().is_empty(), is_good);
    assert_eq!(settings.unwrap().prefix, prefix);
  }

  fn args(url: Option<&str>, prefix: Option<&str>) -> RedisArgs {
    RedisArgs {
      redis_url: url.map(|url| RawSecret::from(OsString::from(url))),
      redis_prefix: prefix.map(Into::into),
      coordination_enabled: None,
    }
  }
}
