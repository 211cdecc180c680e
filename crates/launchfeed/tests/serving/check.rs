//! `launchfeed check`.

use github_standin::{Answer, SampleRelease};
use rstest::rstest;
use serde_json::{Value, json};

use crate::stage::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_family_without_trouble_is_a_table_and_exit_code_0() {
  let stage = Stage::set().await;
  stage.github.serve_sample_family();
  let (status, table, notes) = program("check")
    .args(["--github-api-url", &stage.github.api_url()])
    .run();
  assert_eq!(status.code(), Some(0), "{table}{notes}");
  let lines: Vec<&str> = table.lines().collect();
  assert_eq!(lines.len(), 14, "{table}");
  assert!(lines[0].starts_with("APP"), "{table}");
  let words: Vec<&str> = lines[10].split_whitespace().collect();
  assert_eq!(
    words,
    [
      "photocraft",
      "storytold/photocraft",
      "v0.5.0",
      "2026-10-08T14:52:50Z",
      "23",
      "23",
      "23"
    ]
  );
  let tag_column = lines[0].find("TAG").unwrap();
  assert!(
    lines[1..].iter().all(|line| line[tag_column..].starts_with('v')),
    "{table}"
  );
  assert_eq!(notes, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_said_per_app_and_the_exit_code_is_1() {
  let stage = Stage::set().await;
  let names = ["ok-1.0-linux-x64.deb", "mystery", ".hidden"];
  let release = names
    .iter()
    .fold(SampleRelease::new("v1"), |release, name| release.asset(name));
  stage.github.set_latest("acme/ok", release);
  stage.github.set_no_release("acme/empty");
  stage.github.set_latest("acme/down", sample("v1"));
  stage.github.script_always("acme/down", Answer::html_error(502));
  let apps = "ok=Ok=acme/ok,empty=Empty=acme/empty,down=Down=acme/down,gone=Gone=acme/gone";
  let (status, table, notes) = check(&stage, apps, &[]);
  assert_eq!(status, Some(1), "{table}{notes}");
  let line = |app: &str| table.lines().find(|line| line.starts_with(app)).unwrap().to_owned();
  assert!(line("ok ").ends_with("1 not listed; 1 not recognised"), "{table}");
  assert!(line("empty ").ends_with("the repository has no release"), "{table}");
  assert!(
    line("down ").contains("GitHub answered 502 with a page of HTML")
      && line("down ").contains("that is GitHub's own trouble"),
    "{table}"
  );
  assert!(
    line("gone ").ends_with(
      "there is no such repository, or the token may not see it; \
       check the app's repository in the catalog, or the token's rights"
    ),
    "{table}"
  );
  assert!(notes.contains("ok: not recognised: mystery"), "{notes}");
  assert!(notes.contains("ok: not listed: .hidden ("), "{notes}");
  assert!(notes.contains("2 of 4 apps failed"), "{notes}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_family_of_which_no_file_is_listed_is_trouble() {
  let stage = Stage::set().await;
  stage.github.set_latest("acme/alpha", sample("v1"));
  stage.github.set_latest("acme/beta", sample("v1"));
  let (status, table, notes) = check(&stage, TWO_APPS, &["--github-web-url", "https://elsewhere.example"]);
  assert_eq!(status, Some(1), "{table}{notes}");
  assert_eq!(
    table.matches("none of the release's files is listed").count(),
    2,
    "{table}"
  );
  assert_eq!(table.matches("--github-web-url").count(), 2, "{table}");
  assert!(notes.contains("2 of 2 apps failed"), "{notes}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_github_says_turns_hides_or_breaks_a_line() {
  let stage = Stage::set().await;
  let odd = "\u{202e}\u{2028}\u{200b}\u{feff}\u{2066}\u{ad}";
  let release = SampleRelease::new("v1\u{202e}\u{200d}")
    .asset(&format!("mystery{odd}"))
    .asset(&format!(".hidden\n\u{9b}{odd}"));
  let mut release = release.to_json("acme/odd");
  let encoded: String = odd.bytes().map(|byte| format!("%{byte:02X}")).collect();
  let download = format!("https://github.com/acme/odd/releases/download/v1/mystery{encoded}");
  release["assets"][0]["browser_download_url"] = download.into();
  stage.github.set_latest_json("acme/odd", release);
  stage.github.set_latest("acme/bad", SampleRelease::new("v1").name(odd));
  let says = Answer::status(500).message(&format!("down{odd}"));
  stage.github.script_always("acme/down", says);
  let apps = "bad=Bad=acme/bad,down=Down=acme/down,odd=Odd=acme/odd";
  let (_, table, notes) = check(&stage, apps, &[]);
  let escaped = r"\u{202e}\u{2028}\u{200b}\u{feff}\u{2066}\u{ad}";
  assert!(table.contains(r"v1\u{202e}\u{200d} "), "{table}");
  assert!(
    table.contains(&format!("GitHub answered 500: down{escaped}")),
    "{table}"
  );
  assert!(notes.contains(&format!("not recognised: mystery{escaped}")), "{notes}");
  assert!(
    notes.contains(&format!(r"not listed: .hidden\n\u{{9b}}{escaped}")),
    "{notes}"
  );
  for output in [&table, &notes] {
    assert!(
      !output.contains(|c: char| odd.contains(c) || c == '\u{9b}' || c == '\u{200d}'),
      "{output}"
    );
  }
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_read_json() {
  let stage = Stage::set().await;
  stage.github.set_latest(
    "acme/ok",
    SampleRelease::new("v1").asset("ok-1.0-linux-x64.deb").asset("mystery"),
  );
  let (status, output, _) = check(&stage, "ok=Ok=acme/ok,gone=Gone=acme/gone", &["--json"]);
  assert_eq!(status, Some(1));
  let report: Value = serde_json::from_str(&output).unwrap();
  assert_eq!(report["ok"], false);
  assert_eq!(
    report["apps"][1],
    json!({
      "app": "ok", "repo": "acme/ok", "tag": "v1", "published_at": "2026-10-08T14:52:50Z", "assets": 2, "recognised": 1,
      "with_digest": 2, "unrecognised": ["mystery"], "left_out": [], "checksum_conflicts": [],
      "unused_patterns": [], "failure": null, "advice": null, "note": null,
    })
  );
  assert_eq!(report["apps"][0]["tag"], Value::Null);
  assert!(
    report["apps"][0]["failure"]
      .as_str()
      .unwrap()
      .contains("no such repository")
  );
}

#[rstest]
#[case::used_up(Answer::primary_limit(4_000_000_000), "rate limit is used up")]
#[case::too_much(Answer::secondary_limit("60"), "wants to be left alone (too much at once)")]
#[case::too_much_with_nothing_to_read(Answer::status(429).header("retry-after", "").header("x-ratelimit-remaining", "59"), "wants to be left alone (too much at once)")]
#[tokio::test(flavor = "multi_thread")]
async fn after_a_limit_nobody_else_is_asked_about_and_it_is_said_which(#[case] answer: Answer, #[case] words: &str) {
  let stage = Stage::set().await;
  stage.github.script_always("acme/alpha", answer);
  let (status, table, _) = check(&stage, TWO_APPS, &[]);
  assert_eq!(status, Some(1));
  assert!(table.contains(&format!("{words} until 20")), "{table}");
  assert!(table.contains("not asked: GitHub"), "{table}");
  assert_eq!(table.matches(words).count(), 2, "{table}");
  assert_eq!(stage.github.request_count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn single_sign_on_is_named_for_the_repository_that_wants_it_alone() {
  let stage = Stage::set().await;
  let sso = Answer::single_sign_on("https://github.com/orgs/acme/sso");
  stage.github.script("acme/asso", [sso, Answer::not_found()]);
  stage.github.script_always("acme/closed", Answer::unauthorized());
  let apps = "asso=Sso=acme/asso,closed=Closed=acme/closed,gone=Gone=acme/gone";
  let check = program("check")
    .args(["--github-api-url", &stage.github.api_url(), "--apps", apps])
    .env("CRAFT_APPS_RELEASE_GITHUB_TOKEN", "ghp_hunter2");
  let (_, table, notes) = check.run();
  let line = |app: &str| table.lines().find(|line| line.starts_with(app)).unwrap().to_owned();
  assert!(line("asso ").contains("single sign-on"), "{table}");
  assert!(
    line("closed ").contains("GitHub refuses every token and also a request without one (401) for acme/closed"),
    "{table}"
  );
  assert!(line("gone ").contains("there is no such repository"), "{table}");
  assert_eq!(table.matches("single sign-on").count(), 1, "{table}");
  assert!(!notes.contains("refused the token"), "{notes}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_token_is_trouble_though_every_app_is_answered_without_it() {
  let stage = Stage::set().await;
  stage.github.set_latest("acme/alpha", sample("v1"));
  stage.github.set_latest("acme/beta", sample("v1"));
  stage.github.set_bad_token("ghp_hunter2");
  let check = program("check")
    .args([
      "--github-api-url",
      &stage.github.api_url(),
      "--apps",
      TWO_APPS,
      "--json",
    ])
    .env("CRAFT_APPS_RELEASE_GITHUB_TOKEN", "ghp_hunter2");
  let (status, output, notes) = check.run();
  assert_eq!(status.code(), Some(1), "{output}{notes}");
  let report: Value = serde_json::from_str(&output).unwrap();
  assert_eq!((&report["ok"], &report["token_refused"]), (&json!(false), &json!(true)));
  assert_eq!(report["apps"][1]["tag"], "v1");
  assert!(
    notes.contains("refused the token") && notes.contains("CRAFT_APPS_RELEASE_GITHUB_TOKEN"),
    "{notes}"
  );
  assert!(!format!("{output}{notes}").contains("hunter2"));
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_at_the_address_fails_every_app() {
  let stage = Stage::set().await;
  let api_url = stage.github.api_url();
  stage.github.shutdown().await;
  let (status, table, _) = program("check")
    .args(["--github-api-url", &api_url, "--apps", TWO_APPS])
    .run();
  assert_eq!(status.code(), Some(1));
  assert_eq!(table.matches("can't be reached").count(), 2, "{table}");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_refusal_is_said_in_words_that_help() {
  let stage = Stage::set().await;
  let cases = [
    (
      "blocked",
      Answer::blocked(),
      ["is blocked", "take the app out of the catalog"],
    ),
    ("denied", Answer::denied(), ["not accessible", "IP allow list"]),
    ("gone", Answer::status(410), ["LAUNCHFEED_GITHUB_API_URL", "too old"]),
    ("html", Answer::html_error(200), ["page of HTML", "login page"]),
    ("legal", Answer::status(451), ["451", "taken down"]),
  ];
  for (key, answer, _) in cases.clone() {
    stage.github.script_always(&format!("acme/{key}"), answer);
  }
  stage.github.set_latest("acme/sso", sample("v1"));
  stage.github.set_private("acme/sso");
  stage.github.require_single_sign_on("acme", "ghp_hunter2");
  let apps = ["blocked", "denied", "gone", "html", "legal", "sso"].map(|key| format!("{key}={key}=acme/{key}"));
  let check = program("check")
    .args(["--github-api-url", &stage.github.api_url(), "--apps", &apps.join(",")])
    .env("CRAFT_APPS_RELEASE_GITHUB_TOKEN", "ghp_hunter2");
  let (_, table, _) = check.run();
  let line = |app: &str| table.lines().find(|line| line.starts_with(app)).unwrap().to_owned();
  for word in ["single sign-on", "Configure SSO"] {
    assert!(line("sso ").contains(word), "{table}");
  }
  stage.github.clear_tokens();
  let check = program("check").args(["--github-api-url", &stage.github.api_url(), "--apps", &apps.join(",")]);
  let (_, table, _) = check.run();
  let line = |app: &str| table.lines().find(|line| line.starts_with(app)).unwrap().to_owned();
  for (key, _, words) in cases {
    assert!(words.iter().all(|word| line(key).contains(word)), "{key}: {table}");
  }
}

fn check(stage: &Stage, apps: &str, more: &[&str]) -> (Option<i32>, String, String) {
  let arguments = ["--github-api-url", &stage.github.api_url(), "--apps", apps];
  let (status, output, notes) = program("check").args(arguments).args(more).run();
  (status.code(), output, notes)
}
