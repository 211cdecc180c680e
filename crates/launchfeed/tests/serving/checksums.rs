//! Digests that come from a release's checksum files.

use github_standin::{Answer, SampleRelease, StandIn};
use serde_json::{Value, json};
use testkit::{Server, age_snapshot};

use crate::stage::*;

const FAMILY: &str = "alpha=Alpha=acme/alpha";
const REPO: &str = "acme/alpha";
const TAG: &str = "v1.0";
const DEB: &str = "alpha-1.0-linux-x64.deb";
const MSI: &str = "alpha-1.0-windows-x64.msi";
const SUMS: &str = "SHA256SUMS.txt";

#[tokio::test(flavor = "multi_thread")]
async fn digests_of_a_checksum_file_are_served_and_it_is_read_once() {
  let stage = stage_with(release()).await;
  let list = format!("{}  {DEB}\n{}  {MSI}\n", "a".repeat(64), "b".repeat(64));
  stage.github.set_file(REPO, TAG, SUMS, list);
  let mut server = serve(&stage);
  assert_eq!(
    served(&server),
    [json!("a".repeat(64)), json!("b".repeat(64)), Value::Null]
  );
  server.terminate();
  assert!(server.wait().success());
  age_snapshot(stage.state.path(), 7_200);
  stage.tell(release().notes("edited, so that it is sent again"));
  let server = serve(&stage);
  assert_eq!(
    served(&server),
    [json!("a".repeat(64)), json!("b".repeat(64)), Value::Null]
  );
  assert_eq!(stage.downloads(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_github_and_a_checksum_file_contradict_each_other_about_is_served_without_a_digest_and_named() {
  let contested = SampleRelease::new(TAG)
    .without_digests()
    .asset_with_digest(DEB, &"b".repeat(64))
    .asset(MSI)
    .asset(SUMS);
  let stage = stage_with(contested).await;
  let list = format!("{}  {DEB}\n{}  {MSI}\n", "a".repeat(64), "c".repeat(64));
  stage.github.set_file(REPO, TAG, SUMS, list);
  let server = serve(&stage);
  assert_eq!(served(&server), [Value::Null, json!("c".repeat(64)), Value::Null]);
  let status = server.admin_request("GET", "/status").json();
  assert_eq!(status["apps"]["alpha"]["checksum_conflicts"], json!([DEB]));
  let said = [
    "WARN",
    "app=alpha",
    DEB,
    "bbbbbbbbbbbb… by GitHub",
    "aaaaaaaaaaaa… by SHA256SUMS.txt",
  ];
  assert_eq!(server.log().count(&said), 1, "{}", server.log().text());
  let (status, table, notes) = program("check")
    .args(["--github-api-url", &stage.github.api_url(), "--apps", FAMILY])
    .args(stage.where_github_is())
    .run();
  assert_eq!(status.code(), Some(0), "{table}{notes}");
  assert!(table.contains("1 with two SHA-256"), "{table}");
  assert!(notes.contains(&format!("served without any: {DEB}")), "{notes}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_checksum_file_that_leads_to_another_host_is_not_fetched() {
  let (stage, elsewhere) = (stage_with(release()).await, StandIn::start().await.unwrap());
  let target = format!("{}/x?sig=signature-of-github", elsewhere.web_url());
  stage
    .github
    .script_file(REPO, TAG, SUMS, Answer::redirect(302, &target));
  let server = serve(&stage);
  assert_eq!(served(&server), [Value::Null, Value::Null, Value::Null]);
  let said = ["WARN", "checksum files can't be read", SUMS, &elsewhere.web_url()];
  assert_eq!(server.log().count(&said), 1, "{}", server.log().text());
  assert!(!server.log().text().contains("signature-of-github"));
  assert_eq!((stage.downloads(), elsewhere.request_count()), (1, 0));
}

/// Two builds and a list, none with a digest of GitHub's.
fn release() -> SampleRelease {
  SampleRelease::new(TAG)
    .without_digests()
    .asset(DEB)
    .asset(MSI)
    .asset(SUMS)
}

async fn stage_with(release: SampleRelease) -> Stage {
  let stage = Stage::set().await;
  stage.tell(release);
  stage
}

fn serve(stage: &Stage) -> Server {
  let server = stage.family(FAMILY).args(stage.where_github_is()).start();
  server.log().wait_for(&["round", "mode="]);
  server
}

/// The files' digests.
fn served(server: &Server) -> Vec<Value> {
  let answer = answer(server);
  let assets = answer["release_info"]["apps"]["alpha"]["latest_release"]["assets"].as_array();
  assets.unwrap().iter().map(|asset| asset["sha256"].clone()).collect()
}

impl Stage {
  fn tell(&self, release: SampleRelease) {
    self.github.set_latest(REPO, release.web_url(&self.github.web_url()));
  }

  fn where_github_is(&self) -> [String; 2] {
    ["--github-web-url".to_owned(), self.github.web_url()]
  }

  /// How often a file of a release was asked for.
  fn downloads(&self) -> usize {
    let requests = self.github.requests();
    requests
      .iter()
      .filter(|request| request.path.contains("/releases/download/"))
      .count()
  }
}
