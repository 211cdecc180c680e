//! Digests from a release's checksum files.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use feed_types::Release;
use github_standin::{Answer, SampleRelease, StandIn};
use release_feed::catalog::{AppKey, Catalog, parse_app_list};
use release_feed::github::{
  ApiBase, Ask, Checksums, ChoiceMemory, Credentials, ETag, GithubSource, Known, Outcome, ReleaseSource, Timeouts,
  Validators, build_http_client, install_tls_provider,
};
use release_feed::release::{ReleaseFacts, ReleaseRules, WebBase};
use release_feed::{BaseUrl, VirtualClock};
use rstest::rstest;

use crate::asking::{NOW, REPO};

const TAG: &str = "v1.0";
const DEB: &str = "demo-1.0-linux-x64.deb";
const MSI: &str = "demo-1.0-windows-x64.msi";
const SUMS: &str = "SHA256SUMS.txt";
const MIB: usize = 1024 * 1024;
const TEN_MINUTES_MS: i64 = 600_000;

#[tokio::test]
async fn digests_come_from_a_list_and_neither_a_token_nor_a_second_request_goes_for_them() {
  let mut stage = Stage::set(with_list()).await;
  stage.source.credentials = Credentials::new(release_feed::github::Token::new("ghp_hunter2").unwrap());
  stage.list(&format!("{}  {DEB}\r\n{} *./{MSI}\n", a(), b()));
  assert_eq!(stage.ask().await, [Some(a()), Some(b()), None]);
  let requests = stage.github.requests();
  let paths: Vec<&str> = requests.iter().map(|request| request.path.as_str()).collect();
  assert_eq!(paths[1], format!("/acme/demo/releases/download/{TAG}/{SUMS}"));
  assert!(paths[2].starts_with("/github-production-release-asset/"), "{paths:?}");
  assert_eq!(requests.len(), 3);
  assert_eq!(requests[0].header("authorization"), Some("Bearer ghp_hunter2"));
  for download in &requests[1..] {
    assert_eq!(
      (download.header("authorization"), download.header("cookie")),
      (None, None)
    );
  }
  // Counters have moved, so that GitHub sends it all again.
  stage.tell(with_list().notes("the same release, edited"));
  assert_eq!(stage.ask().await, [Some(a()), Some(b()), None]);
  assert_eq!(stage.downloads(), 1);
}

#[tokio::test]
async fn a_restarted_instance_believes_what_it_knew() {
  let mut stage = Stage::set(with_list()).await;
  stage.list(&format!("{}  {DEB}\n{}  {MSI}\n", a(), b()));
  stage.ask().await;
  stage.source.checksums = Checksums::default();
  assert_eq!(stage.ask().await, [Some(a()), Some(b()), None]);
  stage.tell(with_list().notes("edited"));
  assert_eq!(stage.ask().await, [Some(a()), Some(b()), None]);
  assert_eq!(stage.downloads(), 1);
}

#[tokio::test]
async fn what_is_known_without_digests_is_asked_for_whole_once() {
  let stage = Stage::set(with_list()).await;
  stage.list("nothing that is understood");
  assert_eq!(stage.ask().await, [None, None, None]);
  for _ in 0..3 {
    stage.advance(TEN_MINUTES_MS);
    stage.ask().await;
  }
  assert_eq!(stage.downloads(), 1);
  let asked = stage.github.requests();
  let whole = asked
    .iter()
    .filter(|request| request.path.ends_with("latest") && request.status == Some(200));
  assert_eq!(whole.count(), 1, "there is nothing to try again");
}

#[tokio::test]
async fn a_file_of_its_own_may_hold_the_digest_alone() {
  let release = SampleRelease::new(TAG)
    .without_digests()
    .asset(DEB)
    .asset(MSI)
    .asset(&format!("{DEB}.sha256"))
    .asset_of(&format!("{MSI}.sha256sum"), 77);
  let stage = Stage::set(release).await;
  stage.file(&format!("{DEB}.sha256"), &a().to_uppercase());
  stage.file(&format!("{MSI}.sha256sum"), &format!("{}  dist/{MSI}\n", b()));
  assert_eq!(stage.ask().await, [Some(a()), Some(b()), None, None]);
}

#[tokio::test]
async fn where_github_says_every_digest_nothing_is_fetched() {
  let stage = Stage::set(SampleRelease::new(TAG).asset(DEB).asset(SUMS)).await;
  stage.list(&format!("{}  {DEB}\n", a()));
  assert!(stage.ask().await.iter().all(Option::is_some));
  assert_eq!(stage.downloads(), 0);
}

#[tokio::test]
async fn a_digest_that_github_contradicts_is_none_and_shown_also_at_later_answers_and_after_a_restart() {
  let release = || {
    SampleRelease::new(TAG)
      .without_digests()
      .asset_with_digest(DEB, &b())
      .asset(MSI)
      .asset(SUMS)
  };
  let mut stage = Stage::set(release()).await;
  stage.list(&format!("{}  {DEB}\n{}  {MSI}\n", a(), b()));
  assert_eq!(stage.ask().await, [None, Some(b()), None]);
  assert_eq!(stage.conflicts(), [DEB]);
  stage.tell(release().notes("edited"));
  assert_eq!(stage.ask().await, [None, Some(b()), None]);
  assert_eq!((stage.conflicts(), stage.downloads()), (vec![DEB.to_owned()], 1));
  stage.source.checksums = Checksums::default();
  assert_eq!(stage.ask().await, [None, Some(b()), None]);
  assert_eq!((stage.conflicts(), stage.downloads()), (vec![DEB.to_owned()], 2));
  // Nothing tells any more that it was a contradiction; the digest stays untold.
  stage.source.checksums = Checksums::default();
  stage.script(Answer::html_error(503));
  for notes in ["edited again", "and again"] {
    stage.tell(release().notes(notes));
    assert_eq!(stage.ask().await, [None, Some(b()), None]);
  }
}

#[tokio::test]
async fn a_list_that_is_replaced_is_read_again() {
  let stage = Stage::set(with_list()).await;
  stage.list(&format!("{}  {DEB}\n{}  {MSI}\n", a(), b()));
  stage.ask().await;
  stage.tell(
    SampleRelease::new(TAG)
      .without_digests()
      .asset(DEB)
      .asset(MSI)
      .asset_of(SUMS, 77),
  );
  stage.list(&format!("{}  {DEB}\n", b()));
  assert_eq!(stage.ask().await, [Some(b()), None, None]);
  assert_eq!(stage.downloads(), 2);
}

#[tokio::test]
async fn after_a_failure_ten_minutes_pass_and_the_release_is_had_all_the_same() {
  let stage = Stage::set(with_list()).await;
  assert_eq!(stage.ask().await, [None, None, None]);
  assert_eq!(stage.downloads(), 1);
  stage.list(&format!("{}  {DEB}\n{}  {MSI}\n", a(), b()));
  stage.advance(TEN_MINUTES_MS - 60_000);
  assert_eq!(stage.ask().await, [None, None, None]);
  assert_eq!(stage.downloads(), 1);
  stage.advance(120_000);
  assert_eq!(stage.ask().await, [Some(a()), Some(b()), None]);
}

#[tokio::test]
async fn while_a_file_cannot_be_read_github_may_confirm_the_release_for_ten_minutes_at_a_time() {
  let stage = Stage::set(with_list()).await;
  for _ in 0..4 {
    stage.ask().await;
  }
  stage.advance(TEN_MINUTES_MS);
  for _ in 0..4 {
    stage.ask().await;
  }
  let requests = stage.github.requests();
  let asked = requests.iter().filter(|request| request.path.ends_with("latest"));
  let statuses: Vec<Option<u16>> = asked.map(|request| request.status).collect();
  let (whole, confirmed) = (Some(200), Some(304));
  assert_eq!(statuses[..4], [whole, confirmed, confirmed, confirmed]);
  assert_eq!(statuses[4..], [whole, confirmed, confirmed, confirmed]);
  assert_eq!(stage.downloads(), 2);
}

#[tokio::test]
async fn what_is_known_stays_while_a_file_cannot_be_read() {
  let mut stage = Stage::set(with_list().asset("extra.zip")).await;
  stage.list(&format!("{}  {DEB}\n{}  {MSI}\n", a(), b()));
  stage.ask().await;
  stage.source.checksums = Checksums::default();
  stage.github.remove_file(REPO, TAG, SUMS);
  assert_eq!(stage.ask().await, [Some(a()), Some(b()), None, None]);
  assert_eq!(stage.downloads(), 2);
}

#[rstest]
#[case::an_error(Answer::html_error(502))]
#[case::a_page(Answer::html_error(200))]
#[case::binary(Answer::file(&b"\x7FELF\0\0"[..]))]
#[case::without_end(Answer::file("").endless())]
#[case::compressed_without_end(Answer::file("").endless_gzip())]
#[case::one_byte_too_many(Answer::file(vec![b'\n'; MIB + 1]))]
#[case::broken_off(Answer::file("0123456789").truncated())]
#[case::hung_up(Answer::reset())]
#[case::no_answer(Answer::file("").hang())]
#[case::a_byte_a_second(Answer::file("0123456789").drip(Duration::from_secs(1)))]
#[case::round_in_circles(Answer::redirect(302, &format!("/acme/demo/releases/download/{TAG}/{SUMS}")))]
#[case::nowhere(Answer::redirect(302, "http://[").without_header("location"))]
#[case::to_a_file(Answer::redirect(302, "file:///etc/passwd"))]
#[case::where_clouds_keep_secrets(Answer::redirect(302, "http://169.254.169.254/latest/meta-data"))]
#[tokio::test]
async fn whatever_comes_in_a_lists_place_the_release_is_had_without_it(#[case] answer: Answer) {
  let mut stage = Stage::set(with_list()).await;
  stage.source.checksums = Checksums::within(Duration::from_millis(600));
  stage.script(answer);
  assert_eq!(stage.ask().await, [None, None, None]);
  assert!(
    stage.github.bytes_sent() < 4 * MIB as u64,
    "{}",
    stage.github.bytes_sent()
  );
  assert!((1..=4).contains(&stage.downloads()), "{}", stage.downloads());
}

#[tokio::test]
async fn a_file_of_one_mib_is_read() {
  let stage = Stage::set(with_list()).await;
  let line = format!("{}  {DEB}\n", a());
  stage.list(&format!("{}{line}", "\n".repeat(MIB - line.len())));
  assert_eq!(stage.ask().await[0], Some(a()));
}

#[tokio::test]
async fn lines_that_are_no_text_cost_themselves() {
  let stage = Stage::set(with_list()).await;
  let (deb, msi) = (format!("{}  {DEB}\n", a()), format!("{}  {MSI}\r\n", b()));
  let lines = [
    &b"# f\xFCr \0alle\n"[..],
    deb.as_bytes(),
    b"\x7FELF\0\n\xE4\n",
    msi.as_bytes(),
  ];
  stage.github.set_file(REPO, TAG, SUMS, lines.concat());
  assert_eq!(stage.ask().await, [Some(a()), Some(b()), None]);
}

#[rstest]
#[case::in_a_digest(&format!("{}  {DEB}\n", "deadbeef".repeat(8)), "deadbeefdeadbeef")]
#[case::in_a_digest_in_other_letters(&format!("{}  {DEB}\n", "DEADBEEF".repeat(8)), "deadbeefdeadbeef")]
#[case::in_a_comment(&format!("# for ghp_hunter2\n{}  {DEB}\n", "a".repeat(64)), "ghp_hunter2")]
#[tokio::test]
async fn a_file_that_holds_the_token_is_not_believed(#[case] text: &str, #[case] token: &str) {
  let mut stage = Stage::set(with_list()).await;
  stage.source.credentials = Credentials::new(release_feed::github::Token::new(token).unwrap());
  stage.list(text);
  assert_eq!(stage.ask().await, [None, None, None]);
  stage.list(&format!("{}  {DEB}\n", a()));
  stage.advance(TEN_MINUTES_MS);
  assert_eq!(stage.ask().await, [Some(a()), None, None]);
}

#[tokio::test]
async fn files_that_hang_leave_time_for_the_others() {
  let mut stage = Stage::set(with_files(14).asset(SUMS)).await;
  stage.source.checksums = Checksums::within(Duration::from_secs(2));
  stage.script(Answer::file("").hang());
  for number in 0..14 {
    let name = single(number);
    match number {
      0 | 4 | 8 => stage.github.script_file(REPO, TAG, &name, Answer::file("").hang()),
      _ => stage.file(&name, &a()),
    }
  }
  let started = Instant::now();
  let digests = stage.ask().await;
  assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
  assert_eq!(digests.iter().flatten().count(), 11);
  (0..14).for_each(|number| stage.file(&single(number), &b()));
  stage.advance(TEN_MINUTES_MS);
  assert_eq!(stage.ask().await.iter().flatten().count(), 14);
  for number in 9..14 {
    let asked = stage.github.requests();
    let asked = asked
      .iter()
      .filter(|request| request.path.ends_with(&format!("/{}", single(number))));
    assert_eq!(asked.count(), 1, "what was read is read once");
  }
}

#[tokio::test]
async fn what_takes_all_the_time_is_asked_for_after_the_others_the_next_time() {
  let mut stage = Stage::set(with_files(13)).await;
  stage.source.checksums = Checksums::within(Duration::from_millis(800));
  for number in 0..12 {
    stage
      .github
      .script_file(REPO, TAG, &single(number), Answer::file("").hang());
  }
  stage.file(&single(12), &a());
  assert_eq!(stage.ask().await.iter().flatten().count(), 0);
  stage.advance(TEN_MINUTES_MS);
  assert_eq!(stage.ask().await.iter().flatten().count(), 1);
}

#[tokio::test]
async fn a_redirect_to_another_host_is_refused() {
  let (stage, elsewhere) = (Stage::set(with_list()).await, StandIn::start().await.unwrap());
  elsewhere.set_file(REPO, TAG, SUMS, format!("{}  {DEB}\n", a()));
  let target = format!("{}/{REPO}/releases/download/{TAG}/{SUMS}", elsewhere.web_url());
  stage.script(Answer::redirect(302, &target));
  assert_eq!(stage.ask().await, [None, None, None]);
  assert_eq!((stage.downloads(), elsewhere.request_count()), (1, 0));
}

#[tokio::test]
async fn sixteen_files_are_fetched_at_most() {
  let release = (0..30).fold(SampleRelease::new(TAG).without_digests(), |release, number| {
    let name = format!("demo-{number}.zip");
    release.asset(&name).asset(&format!("{name}.sha256"))
  });
  let stage = Stage::set(release).await;
  (0..30).for_each(|number| stage.file(&format!("demo-{number}.zip.sha256"), &a()));
  let digests = stage.ask().await;
  assert_eq!(digests.iter().flatten().count(), 16);
  stage.advance(TEN_MINUTES_MS);
  stage.ask().await;
  assert_eq!(stage.downloads(), 16);
}

fn a() -> String {
  "a".repeat(64)
}

fn b() -> String {
  "b".repeat(64)
}

/// Two builds and a list, none with a digest of GitHub's.
fn with_list() -> SampleRelease {
  SampleRelease::new(TAG)
    .without_digests()
    .asset(DEB)
    .asset(MSI)
    .asset(SUMS)
}

/// Builds that have a file each with their digest.
fn with_files(builds: usize) -> SampleRelease {
  (0..builds).fold(SampleRelease::new(TAG).without_digests(), |release, number| {
    release.asset(&build(number)).asset(&single(number))
  })
}

fn build(number: usize) -> String {
  format!("demo-{number}.zip")
}

fn single(number: usize) -> String {
  format!("{}.sha256", build(number))
}

/// A GitHub whose website lies beside its API, and an instance that remembers what it was told.
struct Stage {
  github: StandIn,
  source: GithubSource<Arc<VirtualClock>>,
  clock: Arc<VirtualClock>,
  catalog: Catalog,
  key: AppKey,
  known: Mutex<Option<(Release, ReleaseFacts, Option<ETag>)>>,
}

impl Stage {
  async fn set(release: SampleRelease) -> Self {
    install_tls_provider();
    let github = StandIn::start().await.unwrap();
    let timeouts = Timeouts::default();
    let clock = Arc::new(VirtualClock::starting_at(NOW));
    let source = GithubSource {
      client: build_http_client(timeouts).unwrap(),
      timeouts,
      api: ApiBase::new(BaseUrl::read(&github.api_url()).unwrap()),
      credentials: Credentials::default(),
      rules: ReleaseRules {
        web: WebBase::new(BaseUrl::read(&github.web_url()).unwrap()),
      },
      checksums: Checksums::default(),
      clock: Arc::clone(&clock),
      choices: ChoiceMemory::default(),
    };
    let stage = Self {
      github,
      source,
      clock,
      catalog: parse_app_list("demo=Demo=acme/demo").0,
      key: "demo".parse().unwrap(),
      known: Mutex::default(),
    };
    stage.tell(release);
    stage
  }

  fn tell(&self, release: SampleRelease) {
    self.github.set_latest(REPO, release.web_url(&self.github.web_url()));
  }

  fn list(&self, text: &str) {
    self.file(SUMS, text);
  }

  fn file(&self, name: &str, text: &str) {
    self.github.set_file(REPO, TAG, name, text.to_owned());
  }

  fn script(&self, answer: Answer) {
    self.github.script_file(REPO, TAG, SUMS, answer);
  }

  fn advance(&self, milliseconds: i64) {
    self.clock.set_by_ms(milliseconds);
  }

  /// Asks, and gives the digests that are known then.
  async fn ask(&self) -> Vec<Option<String>> {
    let known = self.known.lock().unwrap().clone();
    let validators = Validators::unowned(known.as_ref().and_then(|(.., etag)| etag.clone()));
    let ask = Ask {
      key: &self.key,
      app: self.catalog.get(&self.key).unwrap(),
      known: known.as_ref().map(|(release, facts, _)| Known {
        validators: &validators,
        release,
        facts,
      }),
    };
    let release = match self.source.latest_release(ask).await {
      Outcome::Release(answer) => {
        let release = answer.valid.release;
        *self.known.lock().unwrap() = Some((release.clone(), answer.facts, answer.etag));
        release
      }
      Outcome::NotModified { .. } => known.as_ref().unwrap().0.clone(),
      other => panic!("{other:?}"),
    };
    release.assets.into_iter().map(|asset| asset.sha256).collect()
  }

  fn conflicts(&self) -> Vec<String> {
    self.source.checksum_conflicts(&self.key, TAG)
  }

  /// How often the website was asked for a file.
  fn downloads(&self) -> usize {
    let requests = self.github.requests();
    requests
      .iter()
      .filter(|request| request.path.contains("/releases/download/"))
      .count()
  }
}
