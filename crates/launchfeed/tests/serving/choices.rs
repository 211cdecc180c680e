//! A catalog file that says which release is an app's, from the file to the answer.

use github_standin::SampleRelease;
use testkit::{Server, temporary_folder};

use crate::stage::*;

const REPO: &str = "acme/many";
const CATALOG: &str = r#"
[[apps]]
key = "art"
name = "Art"
repo = "acme/many"
tag_prefix = "art-"

[[apps]]
key = "high"
name = "High"
repo = "acme/many"
tag_prefix = "high/"
select = "newest-stable-version"

[[apps]]
key = "kept"
name = "Kept"
repo = "acme/many"
tag_prefix = "kept@"
pinned_tag = "kept@1.2"

[[apps]]
key = "whole"
name = "Whole"
repo = "acme/many"
"#;

#[tokio::test(flavor = "multi_thread")]
async fn each_app_gets_the_release_that_its_catalog_chooses() {
  let stage = Stage::set().await;
  set_releases(&stage);
  let folder = temporary_folder();
  let catalog = folder.path().join("family.toml");
  std::fs::write(&catalog, CATALOG).unwrap();
  let serve = || -> Server {
    let builder = program("serve").against(&stage.github.api_url(), stage.state.path());
    builder.args(["--catalog", catalog.to_str().unwrap()]).start()
  };
  let mut server = serve();
  server.log().wait_for(&["round", "mode="]);
  let expected = [
    ("art", "art-v1.1", "1.1", false),
    ("high", "high/v2.0", "2.0", false),
    ("kept", "kept@1.2", "1.2", false),
    ("whole", "launcher-v9-rc.1", "launcher-v9-rc.1", true),
  ];
  assert_told(&server, &expected);
  server.terminate();
  assert!(server.wait().success());
  // From the snapshot alone, without GitHub: of other choices nothing is served.
  stage.github.shutdown().await;
  std::fs::write(&catalog, CATALOG.replace("kept@1.2", "kept@1.3")).unwrap();
  let server = serve();
  assert_told(&server, &expected[..2]);
  assert!(answer(&server)["release_info"]["apps"]["kept"]["latest_release"].is_null());
}

#[tokio::test(flavor = "multi_thread")]
async fn check_says_which_release_was_chosen_and_why_and_what_to_do_where_none_is() {
  let stage = Stage::set().await;
  set_releases(&stage);
  let folder = temporary_folder();
  let catalog = folder.path().join("family.toml");
  std::fs::write(&catalog, CATALOG.replace("art-", "arts-")).unwrap();
  let api_url = stage.github.api_url();
  let (status, table, notes) = program("check")
    .args(["--github-api-url", &api_url, "--catalog", catalog.to_str().unwrap()])
    .run();
  assert_eq!(status.code(), Some(1), "{table}{notes}");
  let line = |app: &str| table.lines().find(|line| line.starts_with(app)).unwrap().to_owned();
  assert!(
    line("art ").contains("there is no release that is the newest stable release"),
    "{table}"
  );
  assert!(
    line("art ").contains("compare tag_prefix, select and pinned_tag"),
    "{table}"
  );
  assert!(
    line("high ").contains("high/v2.0") && line("high ").contains("chosen: the highest stable version"),
    "{table}"
  );
  assert!(line("kept ").contains("chosen: the one that pinned_tag"), "{table}");
  assert!(!line("whole ").contains("chosen"), "{table}");
}

fn set_releases(stage: &Stage) {
  let others = (0..31).map(|number| SampleRelease::new(&format!("other-v{number}")));
  let releases = ["launcher-v9-rc.1", "art-v1.1", "art-v2-beta", "high/v1.9"].map(SampleRelease::new);
  let deep = ["high/v2.0", "kept@1.3", "kept@1.2"].map(SampleRelease::new);
  let releases = releases.into_iter().chain(others).chain(deep);
  stage.github.set_releases(REPO, releases);
}

/// Key, tag, version and whether it is a prerelease.
fn assert_told(server: &Server, expected: &[(&str, &str, &str, bool)]) {
  let apps = answer(server)["release_info"]["apps"].clone();
  for (key, tag, version, prerelease) in expected {
    let release = &apps[key]["latest_release"];
    assert_eq!(
      (&release["tag"], &release["version"], &release["prerelease"]),
      (&(*tag).into(), &(*version).into(), &(*prerelease).into()),
      "{key}: {release}"
    );
  }
}
