//! Settings as operators give them, and what is said of those that can't be used.

use std::net::TcpListener;

use rstest::rstest;

use crate::program::{Ended, Running, launchfeed, run};

const SECRET: &str = "hunter2";

mod refused {
  use super::*;

  #[rstest]
  #[case::polling("CRAFT_APPS_RELEASE_POLLING_ENABLED", "--polling-enabled", "maybe")]
  #[case::coordination("CRAFT_APPS_RELEASE_COORDINATION_ENABLED", "--coordination-enabled", "2")]
  #[case::interval("CRAFT_APPS_RELEASE_POLL_INTERVAL_SECS", "--poll-interval-secs", "-60")]
  #[case::backoff("CRAFT_APPS_RELEASE_MAX_BACKOFF_SECS", "--max-backoff-secs", "1e3")]
  #[case::listen("LAUNCHFEED_LISTEN", "--listen", ":8080")]
  #[case::admin_listen("LAUNCHFEED_ADMIN_LISTEN", "--admin-listen", "localhost")]
  #[case::catalog("LAUNCHFEED_CATALOG", "--catalog", "/nowhere/family.toml")]
  #[case::api_url("LAUNCHFEED_GITHUB_API_URL", "--github-api-url", "api.github.com")]
  #[case::web_url("LAUNCHFEED_GITHUB_WEB_URL", "--github-web-url", "ftp://github.com")]
  #[case::redis_prefix("LAUNCHFEED_REDIS_PREFIX", "--redis-prefix", "two words")]
  #[case::log("LAUNCHFEED_LOG", "--log", "launchfeed=loud")]
  #[case::misspelt_level("LAUNCHFEED_LOG", "--log", "wibble")]
  #[case::log_format("LAUNCHFEED_LOG_FORMAT", "--log-format", "xml")]
  fn a_value_that_cannot_be_used_stops_the_start_with_one_line_however_it_was_given(
    #[case] variable: &str,
    #[case] flag: &str,
    #[case] value: &str,
  ) {
    let mut by_variable = launchfeed(&["serve"]);
    by_variable.env(variable, value);
    for command in [by_variable, launchfeed(&["serve", flag, value])] {
      let line = one_line_of_refusal(&run(command, b""));
      assert!(
        line.starts_with(&format!("launchfeed: {variable} ({flag}): {value:?}")),
        "{line}"
      );
    }
  }

  #[test]
  fn a_token_that_no_header_carries_stops_the_start_and_is_never_shown() {
    for token in [format!("{SECRET}\n{SECRET}"), format!("{SECRET}\u{e9}")] {
      let mut command = launchfeed(&["serve", "--log", "trace"]);
      command.env("CRAFT_APPS_RELEASE_GITHUB_TOKEN", token);
      let line = one_line_of_refusal(&run(command, b""));
      assert!(
        line.starts_with("launchfeed: CRAFT_APPS_RELEASE_GITHUB_TOKEN (--github-token): "),
        "{line}"
      );
      assert!(!line.contains(SECRET), "{line}");
    }
  }

  #[test]
  fn an_address_of_redis_that_is_none_stops_the_start_and_is_never_shown() {
    for (url, why) in [
      (format!("http://u:{SECRET}@h"), "starts with none of redis://"),
      (format!("redis-sentinel://u:{SECRET}@a,b"), "add ?master=NAME"),
      (format!("redis://u:{SECRET}@a,b"), "redis-cluster://"),
      (format!("redis://u:{SECRET}@a/-1"), "database"),
      (format!("redis://u:{SECRET}"), "port"),
      (format!("redis://u:{SECRET}/x@a"), "/ is written %2F"),
      (format!("redis://{SECRET}@a"), ":password@"),
    ] {
      let mut command = launchfeed(&["serve", "--log", "trace"]);
      command.env("LAUNCHFEED_REDIS_URL", url);
      let line = one_line_of_refusal(&run(command, b""));
      assert!(
        line.starts_with("launchfeed: LAUNCHFEED_REDIS_URL (--redis-url): ") && line.contains(why),
        "{line}"
      );
      assert!(!line.contains(SECRET), "{line}");
    }
  }

  #[test]
  fn a_port_in_use_is_one_line() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let line = one_line_of_refusal(&run(launchfeed(&["serve", "--listen", &address]), b""));
    assert!(
      line.contains(&address) && line.contains("another program listens there already"),
      "{line}"
    );
  }

  #[test]
  fn every_wrong_value_has_its_line() {
    let ended = run(
      launchfeed(&["serve", "--listen", "x", "--log", "a=b", "--poll-interval-secs", "x"]),
      b"",
    );
    assert_eq!(ended.stderr.lines().count(), 3, "{ended:?}");
    assert_eq!(ended.code, Some(2));
  }

  #[rstest]
  #[case::no_command(&[])]
  #[case::unknown_command(&["server"])]
  #[case::unknown_flag(&["serve", "--port", "80"])]
  #[case::no_value(&["serve", "--listen"])]
  #[case::needed_flag(&["pick", "--os", "linux"])]
  fn wrong_usage_exits_with_2_and_prints_no_result(#[case] arguments: &[&str]) {
    let ended = run(launchfeed(arguments), b"");
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    assert!(!ended.stderr.is_empty());
  }

  fn one_line_of_refusal(ended: &Ended) -> String {
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{ended:?}");
    assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
    ended.stderr.clone()
  }
}

mod taken {
  use super::*;

  #[test]
  fn a_flag_counts_before_its_variable_and_a_blank_variable_counts_as_none() {
    let mut command = launchfeed(&["serve", "--listen", "127.0.0.1:0"]);
    command
      .env("LAUNCHFEED_GITHUB_API_URL", "http://127.0.0.1:1")
      .env("LAUNCHFEED_LISTEN", "nowhere")
      .env("CRAFT_APPS_RELEASE_POLLING_ENABLED", " ")
      .env("CRAFT_APPS_RELEASE_GITHUB_TOKEN", "")
      .env("LAUNCHFEED_LOG_FORMAT", "");
    assert!(Running::start(command).ask().starts_with("HTTP/1.1 200 OK\r\n"));
  }

  #[test]
  fn a_list_of_apps_is_what_is_answered_for() {
    let mut command = launchfeed(&["serve", "--polling-enabled", "no"]);
    command
      .env("LAUNCHFEED_LISTEN", "localhost:0")
      .env("CRAFT_APPS_RELEASE_APPS", "demo=Demo=acme/demo,nonsense");
    let answer = Running::start(command).ask();
    assert!(
      answer.contains(r#""apps":{"demo":{"name":"Demo","repo":"acme/demo","#),
      "{answer}"
    );
  }

  #[cfg(unix)]
  #[test]
  fn what_is_odd_is_logged_without_colours_and_without_secrets() {
    let mut command = launchfeed(&[
      "serve",
      "--listen",
      "127.0.0.1:0",
      "--log",
      "trace",
      "--polling-enabled",
      "false",
    ]);
    command
      .env("CRAFT_APPS_RELEASE_GITHUB_TOKEN", SECRET)
      .env("CRAFT_APPS_RELEASE_POLL_INTERVAL_SECS", "5")
      .env("LAUNCHFEED_REDIS_PREFIX", "staging:")
      .env("LAUNCHFEED_ADMIN_TOKEN", SECRET);
    let server = Running::start(command);
    server.ask();
    server.signal("TERM");
    server.wait_for("stopping");
    let (_, said) = server.wait();
    assert!(
      said.contains("CRAFT_APPS_RELEASE_POLL_INTERVAL_SECS (--poll-interval-secs): 5 is raised to 60"),
      "{said}"
    );
    assert!(
      said.contains("LAUNCHFEED_REDIS_PREFIX (--redis-prefix) has no effect without LAUNCHFEED_REDIS_URL"),
      "{said}"
    );
    assert!(
      said.contains("LAUNCHFEED_ADMIN_TOKEN has no effect in this version"),
      "{said}"
    );
    assert!(!said.contains(SECRET) && !said.contains('\u{1b}'), "{said}");
  }

  #[test]
  fn help_names_each_flag_variable_and_default_and_no_value() {
    let mut command = launchfeed(&["serve", "--help"]);
    command.env("CRAFT_APPS_RELEASE_GITHUB_TOKEN", SECRET);
    let ended = run(command, b"");
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    let text = ended.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for (variable, default) in [
      ("CRAFT_APPS_RELEASE_POLLING_ENABLED", "true"),
      ("CRAFT_APPS_RELEASE_COORDINATION_ENABLED", "true"),
      ("CRAFT_APPS_RELEASE_POLL_INTERVAL_SECS", "120, or 1800 without a token"),
      ("CRAFT_APPS_RELEASE_MAX_BACKOFF_SECS", "14400"),
      ("CRAFT_APPS_RELEASE_GITHUB_TOKEN", "none"),
      ("CRAFT_APPS_RELEASE_APPS", "the catalog"),
      ("LAUNCHFEED_LISTEN", "127.0.0.1:8080"),
      (
        "LAUNCHFEED_STATE_DIR",
        "$STATE_DIRECTORY, else launchfeed in the platform's state folder",
      ),
      ("LAUNCHFEED_CATALOG", "the built-in Craft Apps"),
      ("LAUNCHFEED_GITHUB_API_URL", "https://api.github.com"),
      ("LAUNCHFEED_GITHUB_WEB_URL", "https://github.com"),
      ("LAUNCHFEED_REDIS_URL", "none"),
      ("LAUNCHFEED_REDIS_PREFIX", "none"),
      ("LAUNCHFEED_LOG", "info"),
      ("LAUNCHFEED_LOG_FORMAT", "text"),
    ] {
      assert!(
        text.contains(&format!("[default: {default}] [env: {variable}]")),
        "{variable}: {text}"
      );
    }
    assert!(!text.contains(SECRET));
  }

  #[test]
  fn help_has_everything_about_a_fleet_in_one_place() {
    let help = run(launchfeed(&["serve", "--help"]), b"").stdout;
    let fleet = help
      .split("\nFleet:\n")
      .nth(1)
      .and_then(|rest| rest.split("\n\nLog:\n").next());
    let fleet = fleet.unwrap();
    for word in [
      "redis://",
      "rediss://",
      "unix://",
      "redis-sentinel://",
      "rediss-sentinel://",
      "redis-cluster://",
      "rediss-cluster://",
      "/DATABASE",
      "sentinel_password",
      "--redis-prefix",
      "--coordination-enabled",
    ] {
      assert!(fleet.contains(word), "{word}: {fleet}");
    }
  }
}
