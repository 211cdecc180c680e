//! Every row of the trouble table in docs/operating.md, produced for real.

use std::fs;
use std::path::Path;
use std::time::Instant;

use github_standin::{Answer, SampleRelease};
use rstest::rstest;
use testkit::{DEADLINE, HttpConnection, RedisServer, Server, ServerBuilder};

use crate::exposition::scrape;
use crate::stage::*;

#[derive(Clone, Copy, Debug)]
enum Trouble {
  NothingYet,
  OneAppFails,
  ReleaseGone,
  RateLimited,
  TokenRefused,
  RedisGone,
  RedisFull,
  ChannelForbidden,
  SnapshotFails,
  SnapshotBad,
  FilesLeftOut,
  NoConnectionsLeft,
}

const ROWS: [(&str, Trouble); 12] = [
  ("Answers lack apps; `/readyz` is 503", Trouble::NothingYet),
  ("One app isn't updated", Trouble::OneAppFails),
  ("An app lost its release", Trouble::ReleaseGone),
  ("No app is updated for a while", Trouble::RateLimited),
  ("Updates come more seldom", Trouble::TokenRefused),
  ("Instances ask GitHub each for itself", Trouble::RedisGone),
  ("The same, though Redis answers", Trouble::RedisFull),
  ("Others show a release half a minute later", Trouble::ChannelForbidden),
  ("A restart during an outage would start empty", Trouble::SnapshotFails),
  ("A start that begins with nothing", Trouble::SnapshotBad),
  ("A file isn't in the answer", Trouble::FilesLeftOut),
  ("New clients wait", Trouble::NoConnectionsLeft),
];

#[test]
fn every_row_of_the_table_is_produced() {
  let documented: Vec<String> = rows().into_iter().map(|row| row.symptom).collect();
  assert_eq!(documented, ROWS.map(|(symptom, _)| symptom.to_owned()));
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn a_row_says_what_is_seen(#[values(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)] number: usize) {
  let (_, trouble) = ROWS[number];
  let row = rows().swap_remove(number);
  let (stage, mut redis) = (Stage::set().await, RedisServer::start());
  let (server, _open) = produce(trouble, &stage, &mut redis).await;
  server.log().wait_for(&[&row.log]);
  let started = Instant::now();
  while !row.metric.holds(&server) {
    assert!(
      started.elapsed() < DEADLINE,
      "{trouble:?}: {:?} never holds",
      row.metric
    );
  }
  let expected = if matches!(trouble, Trouble::NothingYet) {
    503
  } else {
    200
  };
  while ready(&server).status != expected {
    assert!(started.elapsed() < DEADLINE, "{trouble:?}: never {expected}");
  }
}

/// The program in trouble, and connections that are to stay open.
async fn produce(trouble: Trouble, stage: &Stage, redis: &mut RedisServer) -> (Server, Vec<HttpConnection>) {
  let family = stage.family();
  let sharing = |family: ServerBuilder, redis: &RedisServer| family.env("LAUNCHFEED_REDIS_URL", redis.url());
  let server = match trouble {
    Trouble::NothingYet => {
      stage.github.script_all_always(Answer::status(500));
      family.start()
    }
    Trouble::OneAppFails => {
      before(stage);
      stage.github.script_always("acme/beta", Answer::status(500));
      family.start()
    }
    Trouble::ReleaseGone => {
      before(stage);
      stage.github.set_no_release("acme/beta");
      family.start()
    }
    Trouble::RateLimited => {
      before(stage);
      stage.github.script_all_always(Answer::secondary_limit("600"));
      family.start()
    }
    Trouble::TokenRefused => {
      stage.github.set_bad_token("ghp_hunter2");
      family.env("CRAFT_APPS_RELEASE_GITHUB_TOKEN", "ghp_hunter2").start()
    }
    Trouble::RedisGone => {
      redis.kill();
      sharing(family, redis).start()
    }
    Trouble::RedisFull => {
      redis.command::<()>(&["CONFIG", "SET", "maxmemory", "1"]);
      sharing(family, redis).start()
    }
    Trouble::ChannelForbidden => {
      redis.command::<()>(&["ACL", "SETUSER", "default", "resetchannels"]);
      sharing(family, redis).start()
    }
    Trouble::SnapshotFails => {
      // In the way of the file, whoever runs this test.
      fs::create_dir_all(stage.state.path().join("snapshot/in/the/way")).unwrap();
      family.start()
    }
    Trouble::SnapshotBad => {
      fs::write(stage.state.path().join("snapshot"), "launchfeed-snapshot 1 rubbish\n{}").unwrap();
      family.start()
    }
    Trouble::FilesLeftOut => {
      let release = SampleRelease::new("v1.0")
        .asset("alpha-1.0-linux-x64.deb")
        .asset("a:b.zip");
      stage.github.set_latest("acme/alpha", release);
      family.start()
    }
    Trouble::NoConnectionsLeft => return without_connections(stage),
  };
  (server, Vec::new())
}

/// Starts it once, so that there is a last good answer, and makes that old.
fn before(stage: &Stage) {
  let mut server = stage.serve_asked();
  server.terminate();
  assert!(server.wait().success());
  testkit::age_snapshot(stage.state.path(), 7_200);
}

fn without_connections(stage: &Stage) -> (Server, Vec<HttpConnection>) {
  let program = env!("CARGO_BIN_EXE_launchfeed");
  let mut command = std::process::Command::new("sh");
  // So few files that a handful of connections is all there may be.
  command.args(["-c", &format!("ulimit -n 128; exec '{program}' serve \"$@\""), "sh"]);
  let server = ServerBuilder::of(command).against(&stage.github.api_url(), stage.state.path());
  let server = server
    .args(["--apps", TWO_APPS, "--admin-listen", "127.0.0.1:0"])
    .start();
  server.log().wait_for(&["round", "mode="]);
  let open = (0..120).map(|_| HttpConnection::open(server.address())).collect();
  (server, open)
}

#[derive(Debug)]
struct Row {
  symptom: String,
  metric: Metric,
  log: String,
}

/// `name{label="value"} 1` or `name > 0`, as the table has it.
#[derive(Debug)]
struct Metric {
  name: String,
  labels: Vec<(String, String)>,
  is_more_than: bool,
  value: f64,
}

impl Metric {
  fn read(text: &str) -> Self {
    let (sample, value) = text.rsplit_once(' ').unwrap();
    let (sample, is_more_than) = sample
      .strip_suffix(" >")
      .map_or((sample, false), |sample| (sample, true));
    let (name, labels) = sample.split_once('{').unwrap_or((sample, ""));
    let labels = labels
      .trim_end_matches('}')
      .split(',')
      .filter(|label| !label.is_empty());
    let labels = labels.map(|label| {
      let (name, value) = label.split_once('=').unwrap();
      (name.to_owned(), value.trim_matches('"').to_owned())
    });
    Self {
      name: name.trim_end_matches("_total").to_owned(),
      labels: labels.collect(),
      is_more_than,
      value: value.parse().unwrap(),
    }
  }

  fn holds(&self, server: &Server) -> bool {
    let families = scrape(server);
    let samples = &families[&self.name].samples;
    let found = samples.iter().find(|sample| {
      self
        .labels
        .iter()
        .all(|(name, value)| sample.labels.get(name) == Some(value))
    });
    found.is_some_and(|sample| {
      if self.is_more_than {
        sample.value > self.value
      } else {
        sample.value == self.value
      }
    })
  }
}

fn rows() -> Vec<Row> {
  let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operating.md");
  let document = fs::read_to_string(path).unwrap();
  let (_, table) = document.split_once("\n## Trouble\n").unwrap();
  let rows = table.lines().filter(|line| line.starts_with("| ")).skip(1);
  let rows = rows.map(|line| {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    Row {
      symptom: cells[1].to_owned(),
      metric: Metric::read(cells[2].trim_matches('`')),
      log: cells[3].trim_matches('`').to_owned(),
    }
  });
  rows.collect()
}
