//! Every metric that there is: its name, what it means, its unit and its labels. Nothing can be exposed that isn't declared here.
//!
//! Labels take their values from closed lists or from the catalog, never from a request.

use prometheus_client::metrics::MetricType;

/// A metric's declaration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Metric {
  /// The family's name, unit included, without `_total` and `_info`.
  pub(super) name: &'static str,
  pub(super) kind: Kind,
  /// As it stands at the end of the name.
  pub(super) unit: Option<&'static str>,
  pub(super) labels: &'static [&'static str],
  pub(super) help: &'static str,
}

/// How a metric behaves.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
  /// It only grows, until the process ends.
  Counter,
  /// It goes up and down.
  Gauge,
  /// How many lie below each of some bounds.
  Histogram,
  /// 1, with labels that tell something.
  Info,
}

macro_rules! metrics {
  ($($name:ident = $kind:ident $family:literal, $unit:expr, [$($label:literal),*], $help:literal;)+) => {
    $(
      pub(super) const $name: Metric = Metric {
        name: $family,
        kind: Kind::$kind,
        unit: $unit,
        labels: &[$($label),*],
        help: $help,
      };
    )+

    /// All of them, in the order in which they are exposed.
    #[cfg(test)]
    pub(super) const TABLE: &[Metric] = &[$($name),+];
  };
}

const SECONDS: Option<&str> = Some("seconds");
const BYTES: Option<&str> = Some("bytes");

metrics! {
  HEALTH = Gauge "launchfeed_health", None, ["status"],
    "1 for what /readyz says: ready, degraded, unready or stopping.";
  HTTP_REQUESTS = Counter "launchfeed_http_requests", None, ["route", "status", "encoding"],
    "Requests to the public listener that were answered. Paths that lead nowhere have the route other, rare status codes the status other.";
  HTTP_REQUEST_DURATION = Histogram "launchfeed_http_request_duration_seconds", SECONDS, ["route"],
    "From a request's head being read to its response being handed over; what the client takes to read it doesn't count.";
  HTTP_RESPONSE_BODY = Counter "launchfeed_http_response_body_bytes", BYTES, ["route", "encoding"],
    "Bytes of bodies that were handed over, as they travel.";
  HTTP_CONNECTIONS = Gauge "launchfeed_http_connections", None, [],
    "Open connections to the public listener.";
  ANSWER_COLD = Gauge "launchfeed_answer_cold", None, [],
    "1 while an app was never fetched, so that no cache may keep the answer and launchers ask GitHub about that app themselves.";
  APP_DATA_AGE = Gauge "launchfeed_app_data_age_seconds", SECONDS, ["app"],
    "How long ago GitHub gave or confirmed what is served of an app. Absent while nothing is known of it.";
  APP_FAILURES = Gauge "launchfeed_app_failures", None, ["app"],
    "Failures in a row to ask about an app, by any instance.";
  APP_RELEASE = Info "launchfeed_app_release", None, ["app", "repo", "tag", "version"],
    "The release that is served of an app. Absent where there is none.";
  GITHUB_REQUESTS = Counter "launchfeed_github_requests", None, ["result"],
    "Requests of this instance to GitHub by how they ended.";
  GITHUB_REQUEST_DURATION = Histogram "launchfeed_github_request_duration_seconds", SECONDS, [],
    "How long requests to GitHub took.";
  GITHUB_BUDGET_LIMIT = Gauge "launchfeed_github_budget_limit", None, ["token"],
    "Requests that GitHub allows a token in an hour, as its last answer said; the label is the beginning of the token's SHA-256, or anonymous.";
  GITHUB_BUDGET_REMAINING = Gauge "launchfeed_github_budget_remaining", None, ["token"],
    "Requests that are left until the budget is reset, as GitHub's last answer said.";
  GITHUB_BUDGET_RESET = Gauge "launchfeed_github_budget_reset_seconds", SECONDS, ["token"],
    "Time until the budget is full again; 0 once that time has passed.";
  GITHUB_TOKEN_REFUSED = Gauge "launchfeed_github_token_refused", None, ["token"],
    "1 while GitHub refuses the token and is asked with the others, or without one.";
  POLL_INTERVAL = Gauge "launchfeed_poll_interval_seconds", SECONDS, [],
    "How old a release may get before GitHub is asked about it, as it is in force now.";
  POLL_BACKOFF = Gauge "launchfeed_poll_backoff_seconds", SECONDS, [],
    "Time for which GitHub is still left alone after rate limits or outages; 0 where it may be asked.";
  POLL_TROUBLE = Gauge "launchfeed_poll_trouble", None, [],
    "Rounds in a row that met a rate limit or nothing but failures.";
  POLL_ROUNDS = Counter "launchfeed_poll_rounds", None, ["end"],
    "Rounds in which this instance asked GitHub: good, failed (every request) or rate_limited.";
  POLL_LAST_SIGN = Gauge "launchfeed_poll_last_sign_seconds", SECONDS, [],
    "How long ago the poller last said how it goes; it looks every 30 seconds.";
  FLEET_MODE = Gauge "launchfeed_fleet_mode", None, ["mode"],
    "1 for how this instance acts: alone (it shares nothing), coordinated, or standalone (it would share and can't).";
  FLEET_INSTANCES = Gauge "launchfeed_fleet_instances", None, [],
    "Instances that share, this one included, as far as was last known. Absent where that isn't known.";
  FLEET_CLAIMS = Counter "launchfeed_fleet_claims", None, ["result"],
    "Claims of this instance to ask about an app: won, or lost to another instance.";
  REDIS_STATE = Gauge "launchfeed_redis_state", None, ["state"],
    "1 for how it goes with Redis: off, unknown (not asked yet), ok, reading_fails, writing_fails or announcing_fails.";
  REDIS_CALLS = Counter "launchfeed_redis_calls", None, ["call", "result"],
    "Calls to Redis by what was asked and whether that succeeded: ok or failed.";
  REDIS_CALL_DURATION = Histogram "launchfeed_redis_call_duration_seconds", SECONDS, [],
    "How long calls to Redis took: a round trip, and connecting where that was needed.";
  REDIS_ROUND_TRIP = Gauge "launchfeed_redis_round_trip_seconds", SECONDS, [],
    "How long the last call to Redis took that succeeded. Absent before there was one.";
  SNAPSHOT_AGE = Gauge "launchfeed_snapshot_age_seconds", SECONDS, [],
    "How long ago the snapshot was written. Absent where there is none.";
  SNAPSHOT_FAILING = Gauge "launchfeed_snapshot_failing", None, [],
    "1 while the snapshot can't be written.";
  PROCESS_RESIDENT_MEMORY = Gauge "launchfeed_process_resident_memory_bytes", BYTES, [],
    "Memory that the process holds right now. Linux only, like all of launchfeed_process but the start time.";
  PROCESS_OPEN_FILES = Gauge "launchfeed_process_open_fds", None, [],
    "Open file descriptors, connections among them.";
  PROCESS_MAX_FILES = Gauge "launchfeed_process_max_fds", None, [],
    "File descriptors that the process may have open.";
  PROCESS_THREADS = Gauge "launchfeed_process_threads", None, [],
    "Threads.";
  PROCESS_CPU = Counter "launchfeed_process_cpu_seconds", SECONDS, [],
    "Processor time that the process has used.";
  PROCESS_START_TIME = Gauge "launchfeed_process_start_time_seconds", SECONDS, [],
    "When the process started, as Unix time.";
  BUILD = Info "launchfeed_build", None, ["version"],
    "The program that runs.";
}

impl Metric {
  /// The name without the unit, which the encoder appends.
  pub(super) fn stem(&self) -> &'static str {
    let stem = self
      .unit
      .and_then(|unit| self.name.strip_suffix(unit)?.strip_suffix('_'));
    stem.unwrap_or(self.name)
  }

  /// What it is called where it is asked for.
  #[cfg(test)]
  fn queried_name(&self) -> String {
    match self.kind {
      Kind::Counter => format!("{}_total", self.name),
      Kind::Info => format!("{}_info", self.name),
      Kind::Gauge | Kind::Histogram => self.name.to_owned(),
    }
  }
}

impl From<Kind> for MetricType {
  fn from(kind: Kind) -> Self {
    match kind {
      Kind::Counter => Self::Counter,
      Kind::Gauge => Self::Gauge,
      Kind::Histogram => Self::Histogram,
      Kind::Info => Self::Info,
    }
  }
}

#[cfg(test)]
mod tests {
  use std::collections::BTreeSet;
  use std::fs;
  use std::path::Path;

  use super::*;

  const DOCUMENT: &str = "../../docs/metrics.md";

  #[test]
  fn the_document_lists_them_all_as_they_are_declared_and_no_other() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(DOCUMENT);
    let document = fs::read_to_string(path).unwrap_or_default();
    let documented: Vec<Vec<&str>> = document
      .lines()
      .filter(|line| line.starts_with("| `launchfeed_"))
      .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
      .collect();
    let declared: Vec<Vec<String>> = TABLE.iter().map(row).collect();
    assert!(
      documented == declared,
      "{DOCUMENT} doesn't list the metrics as they are declared; its rows should be:\n{}",
      in_columns(&declared)
    );
  }

  #[test]
  fn names_follow_the_format() {
    for metric in TABLE {
      let Metric { name, unit, .. } = metric;
      assert!(name.starts_with("launchfeed_"), "{name}");
      assert!(
        name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'),
        "{name}"
      );
      assert!(
        !["_total", "_info", "_bucket", "_count", "_sum"]
          .iter()
          .any(|end| name.ends_with(end)),
        "{name}"
      );
      if let Some(unit) = unit {
        assert_eq!(*name, format!("{}_{unit}", metric.stem()));
      }
      assert!(
        metric.help.ends_with('.') && !metric.help.contains(['\n', '\\']),
        "{name}"
      );
    }
    let different: BTreeSet<&str> = TABLE.iter().map(|metric| metric.name).collect();
    assert_eq!(different.len(), TABLE.len());
  }

  fn row(metric: &Metric) -> Vec<String> {
    let kind = format!("{:?}", metric.kind).to_lowercase();
    vec![
      format!("`{}`", metric.queried_name()),
      kind,
      metric.labels.join(", "),
      metric.help.to_owned(),
    ]
  }

  fn in_columns(rows: &[Vec<String>]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..3).map(width).collect();
    let lines = rows.iter().map(|row| {
      format!(
        "| {:3$} | {:4$} | {:5$} | {6} |\n",
        row[0], row[1], row[2], widths[0], widths[1], widths[2], row[3]
      )
    });
    lines.collect()
  }
}
