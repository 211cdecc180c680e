//! Section 1 of the contract, by the letter.

use github_standin::{Answer, SampleRelease};
use testkit::Server;

use crate::stage::*;

/// What a family of two is answered, with `TIME` for the fetch times.
const WHOLE_ANSWER: &str = concat!(
  r#"{"success":true,"release_info":{"apps":{"#,
  r#""alpha":{"name":"Alpha","repo":"acme/alpha","latest_release":{"tag":"v1.0","version":"1.0","name":"One","#,
  r#""published_at":"2026-10-08T14:52:50Z","html_url":"https://github.com/acme/alpha/releases/tag/v1.0","prerelease":true,"#,
  r###""notes_markdown":"## Notes","assets":[{"name":"alpha-1.0-linux-x86_64.deb","size_bytes":1000,"###,
  r#""download_url":"https://github.com/acme/alpha/releases/download/v1.0/alpha-1.0-linux-x86_64.deb","sha256":null,"#,
  r#""platform":{"os":"linux","arch":"x64","package_type":"deb"},"build":{"os":"linux","arch":"x64","kind":"deb","libc":null}},"#,
  r#"{"name":"alpha-web-1.0.zip","size_bytes":7,"#,
  r#""download_url":"https://github.com/acme/alpha/releases/download/v1.0/alpha-web-1.0.zip","sha256":null,"#,
  r#""platform":{"os":"web","arch":null,"package_type":"web_zip"},"build":{"os":"web","arch":null,"kind":"web_zip","libc":null}},"#,
  r#"{"name":"notes","size_bytes":1,"#,
  r#""download_url":"https://github.com/acme/alpha/releases/download/v1.0/notes","sha256":null,"platform":null,"build":{"os":null,"arch":null,"kind":"other","libc":null}}]},"#,
  r#""app_last_fetched":"TIME"},"#,
  r#""beta":{"name":"Beta","repo":"acme/beta","latest_release":null,"app_last_fetched":"TIME"}},"#,
  r#""last_fetched":"TIME"},"app_renames":[],"repo_renames":[],"important_notices":{"announcements":[],"alerts":[]}}"#,
);

#[tokio::test(flavor = "multi_thread")]
async fn the_whole_answer_is_the_contracts_with_every_field_in_its_place() {
  let stage = Stage::set().await;
  let release = SampleRelease::new("v1.0")
    .name("One")
    .notes("## Notes")
    .prerelease(true)
    .without_digests()
    .asset_of("alpha-1.0-linux-x86_64.deb", 1_000)
    .asset_of("alpha-web-1.0.zip", 7)
    .asset_of("notes", 1);
  stage.github.set_latest("acme/alpha", release);
  stage.github.set_no_release("acme/beta");
  let server = stage.serve_asked("beta=Beta=acme/beta,Alpha=Alpha=acme/alpha");
  let body = String::from_utf8(server.request("GET", PATH).body).unwrap();
  let info = &serde_json::from_str::<serde_json::Value>(&body).unwrap()["release_info"];
  let times = [
    &info["apps"]["alpha"]["app_last_fetched"],
    &info["apps"]["beta"]["app_last_fetched"],
  ];
  let times = times.map(|time| time.as_str().unwrap().to_owned());
  assert!(
    times.iter().all(|time| time.ends_with('Z') && time.len() == 20),
    "{times:?}"
  );
  assert_eq!(info["last_fetched"], *times.iter().min().unwrap());
  assert_eq!(
    times.iter().fold(body, |body, time| body.replace(time, "TIME")),
    WHOLE_ANSWER
  );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_complete_answer_may_be_kept_for_a_minute_and_head_has_the_headers_of_get() {
  let stage = Stage::set().await;
  stage.github.set_latest("acme/alpha", sample("v1"));
  stage.github.set_latest("acme/beta", sample("v2"));
  let server = stage.serve_asked(TWO_APPS);
  let get = server.request("GET", PATH);
  assert_eq!(get.status, 200);
  assert_eq!(get.header("cache-control"), Some("public, max-age=60"));
  assert_eq!(get.header("content-type"), Some("application/json"));
  assert_eq!(get.header("content-length"), Some(get.body.len().to_string().as_str()));
  let head = server.request("HEAD", PATH);
  assert_eq!((head.status, head.headers_but_date()), (200, get.headers_but_date()));
  let neutral = server.request("GET", "/v1/release_info");
  assert_eq!(
    (neutral.headers_but_date(), neutral.body),
    (get.headers_but_date(), get.body)
  );
}

#[tokio::test(flavor = "multi_thread")]
async fn while_any_app_was_never_fetched_nobody_may_keep_the_answer() {
  let stage = Stage::set().await;
  stage.github.set_latest("acme/alpha", sample("v1"));
  stage.github.script_always("acme/beta", Answer::html_error(502));
  let server = stage.serve_asked(TWO_APPS);
  for method in ["GET", "HEAD"] {
    let answer = server.request(method, PATH);
    assert_eq!(
      (answer.status, answer.header("cache-control")),
      (200, Some("no-store")),
      "{method}"
    );
  }
  let info = answer(&server)["release_info"].clone();
  assert_eq!(info["last_fetched"], serde_json::Value::Null);
  assert_eq!(info["apps"]["beta"]["latest_release"], serde_json::Value::Null);
  assert_eq!(info["apps"]["beta"]["app_last_fetched"], serde_json::Value::Null);
  assert_eq!(info["apps"]["alpha"]["latest_release"]["tag"], "v1");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_that_has_not_asked_yet_answers_with_the_names_of_its_apps() {
  let stage = Stage::set().await;
  let server = stage
    .family("alpha=Alpha=acme/alpha")
    .args(["--polling-enabled", "false"])
    .start();
  let answer = server.request("GET", PATH);
  assert_eq!((answer.status, answer.header("cache-control")), (200, Some("no-store")));
  assert_eq!(answer.json()["release_info"]["apps"]["alpha"]["name"], "Alpha");
  assert_stops_well(server);
  assert_eq!(stage.github.request_count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_built_in_family_is_asked_about_by_default() {
  let stage = Stage::set().await;
  stage.github.serve_sample_family();
  let server = program("serve")
    .against(&stage.github.api_url(), stage.state.path())
    .start();
  server
    .log()
    .wait_for(&["round", "fetched=13", "unchanged=0", "failed=0", "rate_limited=false"]);
  let apps = answer(&server)["release_info"]["apps"].clone();
  let keys: Vec<&String> = apps.as_object().unwrap().keys().collect();
  assert_eq!(keys.len(), 13);
  assert!(keys.is_sorted(), "{keys:?}");
  for (key, app) in apps.as_object().unwrap() {
    let assets = app["latest_release"]["assets"].as_array().unwrap();
    assert_eq!(assets.len(), if key == "artcraft-launcher" { 22 } else { 23 }, "{key}");
    let without_platform: Vec<_> = assets.iter().filter(|asset| asset["platform"].is_null()).collect();
    assert_eq!(without_platform.len(), 1, "{key}: the checksums alone are no build");
  }
  let asked: Vec<String> = stage
    .github
    .requests()
    .iter()
    .filter_map(|request| request.repo.clone())
    .collect();
  assert_eq!(asked[0], "storytold/craft-launcher", "in the order of the keys");
}

#[tokio::test(flavor = "multi_thread")]
async fn other_methods_and_paths_are_refused_in_json() {
  let stage = Stage::set().await;
  let server = stage.serve_asked("alpha=Alpha=acme/alpha");
  for method in ["POST", "PUT", "DELETE", "PATCH"] {
    let answer = server.request(method, PATH);
    assert_eq!(
      (answer.status, answer.header("allow")),
      (405, Some("GET, HEAD")),
      "{method}"
    );
    assert_eq!(answer.json()["success"], false);
  }
  for path in ["/", "/v1", "/v1/craft_apps", "/../v1/release_info", "/%00"] {
    let answer = server.request("GET", path);
    assert_eq!(
      (answer.status, answer.header("cache-control")),
      (404, Some("no-store")),
      "{path}"
    );
    assert_eq!(answer.json()["error"]["code"], "not_found", "{path}");
  }
}

fn assert_stops_well(mut server: Server) {
  server.terminate();
  assert!(server.wait().success(), "{}", server.log().text());
}
