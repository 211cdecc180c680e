//! `launchfeed demo`.

use testkit::request;

use crate::stage::*;

#[tokio::test(flavor = "multi_thread")]
async fn the_demonstration_serves_the_sample_family_and_says_where() {
  let mut demo = program("demo")
    .args(["--listen", "127.0.0.1:0"])
    .env("CRAFT_APPS_RELEASE_GITHUB_TOKEN", "ghp_secret")
    .start();
  let address = demo.address();
  demo.output().wait_for(&["sample data"]);
  demo.output().wait_for(&[&format!("http://{address}{PATH}")]);
  demo.output().wait_for(&[&format!("http://{address}/docs")]);
  demo.log().wait_for(&["round", "fetched=13", "failed=0"]);
  let get = request(address, "GET", PATH);
  let apps = get.json()["release_info"]["apps"].clone();
  let counts: Vec<usize> = apps
    .as_object()
    .unwrap()
    .values()
    .map(|app| app["latest_release"]["assets"].as_array().unwrap().len())
    .collect();
  assert_eq!(counts, [22, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23]);
  assert!(!get.json()["release_info"]["last_fetched"].is_null());
  let head = request(address, "HEAD", PATH);
  assert_eq!(head.headers_but_date(), get.headers_but_date());
  demo.interrupt();
  assert!(demo.wait().success(), "{}", demo.log().text());
}
