//! Whatever GitHub answers, the last good answer stays and the reason is said.

use github_standin::{Answer, SampleRelease};
use serde_json::{Value, json};

use crate::stage::*;

/// By app: a bad answer, and words of the reason that the log must give.
fn bad_answers() -> Vec<(&'static str, Answer, &'static str)> {
  let release = |tag: &str| SampleRelease::new(tag).to_json("acme/x");
  let draft = {
    let mut draft = release("v9");
    draft["draft"] = true.into();
    draft
  };
  vec![
    ("bad-gateway", Answer::html_error(502), "502"),
    (
      "broken-off",
      Answer::release(release("v9")).truncated(),
      "can't be reached",
    ),
    ("draft", Answer::release(draft), "draft"),
    (
      "five-mib",
      Answer::release(release("v9")).body(" ".repeat(5 * 1024 * 1024)),
      "longer than 4 MiB",
    ),
    (
      "forbidden",
      Answer::status(403).message("Not for you"),
      "access is denied: Not for you",
    ),
    ("gone", Answer::status(410), "410"),
    ("html", Answer::html_error(200), "HTML"),
    ("hung-up", Answer::reset(), "can't be reached"),
    (
      "invalid-utf8",
      Answer::status(200).body(&b"{\"tag_name\":\"v9\",\"name\":\"\xff\"}"[..]),
      "can't be read",
    ),
    ("legal", Answer::status(451), "451"),
    ("list", Answer::release(json!([release("v9")])), "no JSON object"),
    ("long-tag", Answer::release(release(&"9".repeat(65))), "65 bytes"),
    (
      "moved",
      Answer::redirect(301, "https://api.github.com/repositories/1"),
      "redirect",
    ),
    ("no-tag", Answer::release(json!({"name": "x"})), "no tag"),
    ("null", Answer::release(Value::Null), "no JSON object"),
    ("odd-304", Answer::status(304).without_header("etag"), ""),
    ("tag-of-7", Answer::release(json!({"tag_name": 7})), "no tag"),
  ]
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_good_release_stays_through_every_bad_answer_and_each_reason_is_said_once() {
  let stage = Stage::set().await;
  let bad_answers = bad_answers();
  let keys: Vec<&str> = bad_answers.iter().map(|(key, ..)| *key).chain(["good"]).collect();
  let apps: Vec<String> = keys.iter().map(|key| format!("{key}={key}=acme/{key}")).collect();
  let apps = apps.join(",");
  for key in &keys {
    stage.github.set_latest(&format!("acme/{key}"), sample("v1"));
  }
  let mut first = stage.serve_asked(&apps);
  first.terminate();
  assert!(first.wait().success());
  testkit::age_snapshot(stage.state.path(), 7_200);
  for (key, answer, _) in bad_answers.iter().cloned() {
    stage.github.script_always(&format!("acme/{key}"), answer);
  }
  let second = stage.family(&apps).start();
  let before = answer(&second);
  second
    .log()
    .wait_for(&["round", "fetched=0", "rate_limited=false", "failed=16", "unchanged=2"]);
  let after = answer(&second);
  for (key, _, reason) in &bad_answers {
    assert_eq!(
      after["release_info"]["apps"][key]["latest_release"]["tag"], "v1",
      "{key}"
    );
    if *key != "odd-304" {
      assert_eq!(
        after["release_info"]["apps"][key], before["release_info"]["apps"][key],
        "{key}"
      );
      let lines = second.log().all();
      let told = lines
        .iter()
        .filter(|line| line.contains("WARN") && line.contains(reason) && names_app(line, key));
      assert_eq!(told.count(), 1, "{key}");
    }
  }
}

#[tokio::test(flavor = "multi_thread")]
async fn harmful_parts_of_a_release_are_left_out_and_named_without_harm() {
  let stage = Stage::set().await;
  let mut release = SampleRelease::new("v1").to_json("acme/alpha");
  let asset = |name: &str, url: &str| json!({"name": name, "browser_download_url": url, "size": -5, "state": "uploaded", "digest": "md5:00"});
  release["assets"] = json!([
    asset("../../x", "https://github.com/acme/alpha/releases/download/v1/../../x"),
    asset(
      "nul\u{0}\u{1b}[31m",
      "https://github.com/acme/alpha/releases/download/v1/nul"
    ),
    asset("evil.deb", "https://evil.example/evil.deb"),
    asset(
      "good.deb",
      "https://github.com/acme/alpha/releases/download/v1/good.deb"
    ),
    null_asset(),
    7,
  ]);
  release["published_at"] = "yesterday".into();
  release["html_url"] = "javascript:alert(1)".into();
  stage.github.set_latest_json("acme/alpha", release);
  let server = stage.serve_asked("alpha=Alpha=acme/alpha");
  let release = answer(&server)["release_info"]["apps"]["alpha"]["latest_release"].clone();
  assert_eq!(release["published_at"], Value::Null);
  assert_eq!(release["html_url"], "https://github.com/acme/alpha/releases/tag/v1");
  let assets = release["assets"].as_array().unwrap();
  assert_eq!(assets.len(), 1, "{assets:?}");
  assert_eq!(
    (
      assets[0]["name"].as_str(),
      &assets[0]["size_bytes"],
      &assets[0]["sha256"]
    ),
    (Some("good.deb"), &json!(0), &Value::Null)
  );
  let line = server.log().wait_for(&["WARN", "aren't listed", "evil.deb"]);
  assert!(!line.contains(['\0', '\u{1b}']), "{line:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_refused_token_it_goes_on_without_loudly() {
  let stage = Stage::set().await;
  stage.github.set_latest("acme/alpha", sample("v1"));
  stage.github.set_latest("acme/beta", sample("v1"));
  stage.github.set_bad_token("ghp_hunter2");
  let serve = stage
    .family(TWO_APPS)
    .env("CRAFT_APPS_RELEASE_GITHUB_TOKEN", "ghp_hunter2");
  let server = serve.start();
  server.log().wait_for(&["round", "fetched=2", "failed=0"]);
  assert_eq!(server.log().count(&["WARN", "refused the token", "slower interval"]), 1);
  assert!(!answer(&server)["release_info"]["last_fetched"].is_null());
  assert_eq!(stage.github.request_count(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_token_is_in_no_line_of_the_log_however_much_is_logged() {
  let stage = Stage::set().await;
  stage.github.set_latest("acme/alpha", sample("v1"));
  stage.github.script_always("acme/beta", Answer::reset());
  let secret = "ghp_hunter2_1234567890";
  let mut server = stage
    .family(TWO_APPS)
    .env("CRAFT_APPS_RELEASE_GITHUB_TOKEN", secret)
    .env("LAUNCHFEED_LOG", "trace")
    .start();
  server.log().wait_for(&["round", "mode="]);
  let body = String::from_utf8(server.request("GET", PATH).body).unwrap();
  server.terminate();
  server.wait();
  assert_eq!(
    stage.github.requests()[0].header("authorization"),
    Some(format!("Bearer {secret}").as_str())
  );
  let snapshot = std::fs::read_to_string(stage.state.path().join("snapshot")).unwrap();
  for text in [server.log().text(), body, snapshot] {
    assert!(!text.contains("hunter2"), "{text}");
  }
}

/// Whether a line is about that app, alone or among others with the same reason.
fn names_app(line: &str, key: &str) -> bool {
  let named = line
    .split_once("named=")
    .and_then(|(_, rest)| rest.split_once(" reason="));
  line.contains(&format!("app={key} ")) || named.is_some_and(|(apps, _)| apps.split(", ").any(|app| app == key))
}

fn null_asset() -> Value {
  json!({"name": null, "browser_download_url": null, "size": null, "state": null, "digest": null})
}
