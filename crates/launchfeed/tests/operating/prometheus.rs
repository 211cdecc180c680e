//! A real Prometheus: it understands every metric, the alerts do what they are for, and the dashboard asks for what there is.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use release_feed::github::{Timeouts, build_http_client, install_tls_provider};
use reqwest::Client;
use serde_json::Value;
use tempfile::TempDir;
use testkit::{DEADLINE, LogLines, RedisServer, free_port};
use tokio::time::sleep;

use crate::metrics::documented;
use crate::stage::*;

const BETWEEN_TRIES: Duration = Duration::from_millis(200);
const JOB: &str = "launchfeed";

#[test]
fn the_alerts_are_rules_and_fire_for_what_they_are_meant_for_alone() {
  for (command, file) in [("check", "alerts.yml"), ("test", "alerts_test.yml")] {
    let ran = Command::new("promtool")
      .args([command, "rules", file])
      .current_dir(ops("prometheus"))
      .output();
    let ran = ran.unwrap_or_else(|error| panic!("promtool: {error}; install it: apt install prometheus"));
    let said = String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "promtool {command} rules {file}:\n{said}");
  }
}

#[test]
fn the_alerts_ask_for_metrics_that_there_are() {
  let rules = fs::read_to_string(ops("prometheus/alerts.yml")).unwrap();
  let documented = documented();
  let asked: Vec<&str> = names_in(&rules).collect();
  assert!(asked.len() >= 10, "{asked:?}");
  for name in asked {
    assert!(documented.contains_key(name), "{name} is no metric");
  }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_real_prometheus_shows_every_metric_and_answers_every_question_of_the_dashboard() {
  let (stage, redis) = (Stage::set().await, RedisServer::start());
  let server = stage.family().env("LAUNCHFEED_REDIS_URL", redis.url()).start();
  server.log().wait_for(&["round", "mode=\"coordinated\""]);
  server.request("GET", PATH);
  let prometheus = Prometheus::scrape(&server.admin_address().to_string());
  prometheus.wait_for("up == 1").await;
  for (name, (kind, _)) in documented() {
    let name = if kind == "histogram" {
      format!("{name}_bucket")
    } else {
      name
    };
    prometheus.wait_for(&name).await;
  }
  for expression in dashboard_expressions() {
    server.request("GET", PATH);
    prometheus.wait_for(&expression).await;
  }
  let rules = prometheus.ask("rules", &[]).await;
  let rules = rules["data"]["groups"][0]["rules"].as_array().unwrap();
  assert!(
    rules.len() >= 10 && rules.iter().all(|rule| rule["lastError"].is_null()),
    "{rules:?}"
  );
}

/// As the dashboard's variables would be filled in.
fn dashboard_expressions() -> Vec<String> {
  let dashboard = fs::read_to_string(ops("grafana/launchfeed.json")).unwrap();
  let dashboard: Value = serde_json::from_str(&dashboard).unwrap();
  let panels = dashboard["panels"].as_array().unwrap();
  let targets = panels.iter().filter_map(|panel| panel["targets"].as_array()).flatten();
  let expressions = targets.map(|target| {
    let expression = target["expr"].as_str().unwrap();
    expression
      .replace("$__rate_interval", "1m")
      .replace("$job", JOB)
      .replace("$instance", ".*")
  });
  let expressions: Vec<String> = expressions.collect();
  assert!(expressions.len() > 30);
  assert!(
    expressions.iter().all(|expression| !expression.contains('$')),
    "{expressions:?}"
  );
  let shown = expressions.join("\n");
  for name in documented().keys() {
    assert!(shown.contains(name.as_str()), "the dashboard doesn't show {name}");
  }
  expressions
}

fn names_in(text: &str) -> impl Iterator<Item = &str> {
  let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
  text
    .split(move |c| !is_name(c))
    .filter(|word| word.starts_with("launchfeed_"))
}

fn ops(path: &str) -> PathBuf {
  Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ops").join(path)
}

struct Prometheus {
  child: Child,
  port: u16,
  client: Client,
  log: LogLines,
  _folder: TempDir,
}

impl Prometheus {
  /// One that scrapes this address each second and knows our alerts.
  fn scrape(target: &str) -> Self {
    let (folder, port) = (testkit::temporary_folder(), free_port());
    let config = format!(
      "global: {{ scrape_interval: 1s, evaluation_interval: 1s }}\nrule_files: [{}]\nscrape_configs:\n  - job_name: {JOB}\n    \
       static_configs: [{{ targets: ['{target}'] }}]\n",
      ops("prometheus/alerts.yml").canonicalize().unwrap().display()
    );
    let path = folder.path().join("prometheus.yml");
    fs::write(&path, config).unwrap();
    let child = Command::new("prometheus")
      .arg(format!("--config.file={}", path.display()))
      .arg(format!("--storage.tsdb.path={}", folder.path().join("data").display()))
      .arg(format!("--web.listen-address=127.0.0.1:{port}"))
      .stdin(Stdio::null())
      .stdout(Stdio::null())
      .stderr(Stdio::piped())
      .spawn();
    let mut child = child.unwrap_or_else(|error| panic!("prometheus: {error}; install it: apt install prometheus"));
    let log = LogLines::follow(child.stderr.take().unwrap());
    log.wait_for(&["Server is ready to receive web requests"]);
    install_tls_provider();
    let client = build_http_client(Timeouts::default()).unwrap();
    Self {
      child,
      port,
      client,
      log,
      _folder: folder,
    }
  }

  async fn ask(&self, what: &str, query: &[(&str, &str)]) -> Value {
    let url = format!("http://127.0.0.1:{}/api/v1/{what}", self.port);
    let url = reqwest::Url::parse_with_params(&url, query).unwrap();
    let answer = self.client.get(url).send().await.unwrap().text().await.unwrap();
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["status"], "success", "{query:?}: {answer}\n{}", self.log.text());
    answer
  }

  /// Asks until there is something to see.
  async fn wait_for(&self, expression: &str) {
    let started = Instant::now();
    while self.ask("query", &[("query", expression)]).await["data"]["result"]
      .as_array()
      .is_none_or(Vec::is_empty)
    {
      assert!(
        started.elapsed() < DEADLINE,
        "{expression} shows nothing\n{}",
        self.log.text()
      );
      sleep(BETWEEN_TRIES).await;
    }
  }
}

impl Drop for Prometheus {
  fn drop(&mut self) {
    let _ = self.child.kill();
    let _ = self.child.wait();
  }
}
