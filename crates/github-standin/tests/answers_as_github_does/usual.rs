//! What is answered as long as nothing is scripted.

use std::collections::HashSet;

use github_standin::{SampleRelease, StandIn, StandInOptions};
use rstest::rstest;
use serde_json::{Value, json};

use crate::asking::{
  LATEST, REPO, TAG, exchange, get, get_with, gzip_client, header, json, latest, latest_with, plain_client,
  start_with_release,
};

const LATEST_RELEASE_DOCS: &str = "https://docs.github.com/rest/releases/releases#get-the-latest-release";
const REST_DOCS: &str = "https://docs.github.com/rest";
const USER_AGENT: &str = "User-Agent: t\r\n";

mod latest_release {
  use super::*;

  #[tokio::test]
  async fn a_release_comes_with_githubs_headers() {
    let github = start_with_release().await;
    let response = latest(&github).await;
    assert_eq!(response.status(), 200);
    assert_eq!(
      header(&response, "content-type"),
      Some("application/json; charset=utf-8")
    );
    assert_eq!(header(&response, "server"), Some("github.com"));
    assert_eq!(
      header(&response, "cache-control"),
      Some("public, max-age=60, s-maxage=60")
    );
    assert_eq!(
      header(&response, "vary"),
      Some("Accept,Accept-Encoding, Accept, X-Requested-With")
    );
    assert_eq!(header(&response, "x-github-media-type"), Some("github.v3; format=json"));
    httpdate::parse_http_date(header(&response, "date").unwrap()).unwrap();
    let release = json(response).await;
    assert_eq!(release["tag_name"], TAG);
    assert_eq!(release["assets"][0]["name"], "demo-1.0.0-linux-x64.deb");
    assert_eq!(
      release["assets"][0]["browser_download_url"],
      "https://github.com/acme/Demo/releases/download/v1.0.0/demo-1.0.0-linux-x64.deb"
    );
  }

  #[tokio::test]
  async fn what_is_cached_for_one_token_is_private() {
    let github = start_with_release().await;
    let response = latest_with(&github, &[("authorization", "Bearer any")]).await;
    assert_eq!(
      header(&response, "cache-control"),
      Some("private, max-age=60, s-maxage=60")
    );
    assert!(header(&response, "vary").unwrap().contains("Authorization"));
  }

  #[tokio::test]
  async fn json_of_any_shape_is_served_as_given() {
    let github = StandIn::start().await.unwrap();
    github.set_latest_json(REPO, json!({ "tag_name": 7, "odd": [null] }));
    assert_eq!(
      json(latest(&github).await).await,
      json!({ "tag_name": 7, "odd": [null] })
    );
  }

  #[tokio::test]
  async fn a_newer_release_replaces_the_older_one() {
    let github = start_with_release().await;
    github.set_latest(REPO, SampleRelease::new("v2.0.0"));
    assert_eq!(json(latest(&github).await).await["tag_name"], "v2.0.0");
  }

  #[tokio::test]
  async fn owner_and_name_are_found_whatever_their_case() {
    let github = start_with_release().await;
    let response = get(&github, "/repos/ACME/dEMO/releases/latest").await;
    assert_eq!(response.status(), 200);
    assert_eq!(
      response.text().await.unwrap(),
      latest(&github).await.text().await.unwrap()
    );
  }

  #[tokio::test]
  async fn a_repository_without_a_release_is_a_404_that_points_at_the_latest_release() {
    let github = StandIn::start().await.unwrap();
    github.set_no_release(REPO);
    assert_is_404(&github, LATEST, LATEST_RELEASE_DOCS).await;
  }

  #[tokio::test]
  async fn the_latest_release_of_a_repository_that_was_never_set_is_the_same_404() {
    let github = StandIn::start().await.unwrap();
    assert_is_404(&github, LATEST, LATEST_RELEASE_DOCS).await;
  }

  #[tokio::test]
  async fn a_release_that_is_taken_back_is_gone() {
    let github = start_with_release().await;
    github.set_no_release(REPO);
    assert_eq!(latest(&github).await.status(), 404);
  }

  #[tokio::test]
  async fn a_404_has_no_etag_and_is_never_a_304() {
    let github = StandIn::start().await.unwrap();
    let response = latest_with(&github, &[("if-none-match", "*")]).await;
    assert_eq!(response.status(), 404);
    assert_eq!(header(&response, "etag"), None);
  }

  #[tokio::test]
  async fn those_who_accept_gzip_get_it_and_the_same_etag() {
    let github = start_with_release().await;
    let plain = latest(&github).await;
    assert_eq!(header(&plain, "content-encoding"), None);
    let etag = header(&plain, "etag").unwrap().to_owned();
    let plain = plain.text().await.unwrap();
    let on_the_wire = get_with(&github, LATEST, &[("accept-encoding", "br, gzip")]).await;
    assert_eq!(header(&on_the_wire, "content-encoding"), Some("gzip"));
    assert_eq!(header(&on_the_wire, "etag"), Some(etag.as_str()));
    let compressed = on_the_wire.bytes().await.unwrap();
    assert!(compressed.len() < plain.len(), "{} bytes", compressed.len());
    let url = format!("{}{LATEST}", github.api_url());
    let decoded = gzip_client().get(url).send().await.unwrap().text().await.unwrap();
    assert_eq!(decoded, plain);
  }
}

mod validators {
  use super::*;

  #[tokio::test]
  async fn an_etag_is_weak_and_64_hex_digits() {
    let github = start_with_release().await;
    let etag = etag(&github).await;
    let digits = etag.strip_prefix("W/\"").and_then(|rest| rest.strip_suffix('"'));
    assert!(is_sha256_hex(digits.unwrap()), "{etag}");
  }

  #[rstest]
  #[case::as_it_was_sent("{}")]
  #[case::in_a_list("\"a\", {}, W/\"b\"")]
  #[case::in_a_list_without_blanks("\"a\",{}")]
  #[case::by_star("*")]
  #[tokio::test]
  async fn a_request_that_names_the_etag_gets_a_304(#[case] if_none_match: &str) {
    let github = start_with_release().await;
    let etag = etag(&github).await;
    let named = if_none_match.replace("{}", &etag);
    assert_eq!(status_for(&github, &named).await, 304);
  }

  #[tokio::test]
  async fn the_strong_form_of_the_etag_names_it_too() {
    let github = start_with_release().await;
    let etag = etag(&github).await;
    assert_eq!(status_for(&github, etag.strip_prefix("W/").unwrap()).await, 304);
  }

  #[rstest]
  #[case::another("W/\"0000\"")]
  #[case::a_list_of_others("\"a\", \"b\"")]
  #[case::nothing("")]
  #[tokio::test]
  async fn a_request_that_names_others_gets_the_release(#[case] if_none_match: &str) {
    let github = start_with_release().await;
    assert_eq!(status_for(&github, if_none_match).await, 200);
  }

  #[tokio::test]
  async fn the_etag_changes_with_the_release() {
    let github = start_with_release().await;
    let before = etag(&github).await;
    github.set_latest(REPO, SampleRelease::new("v2.0.0"));
    assert_ne!(etag(&github).await, before);
    assert_eq!(status_for(&github, &before).await, 200);
  }

  #[tokio::test]
  async fn a_304_has_the_etag_and_the_limits_but_no_content() {
    let github = start_with_release().await;
    let etag = etag(&github).await;
    let response = latest_with(&github, &[("if-none-match", &etag)]).await;
    assert_eq!(header(&response, "etag"), Some(etag.as_str()));
    assert_eq!(
      header(&response, "cache-control"),
      Some("public, max-age=60, s-maxage=60")
    );
    assert!(header(&response, "x-ratelimit-remaining").is_some());
    assert_eq!(header(&response, "content-type"), None);
    assert_eq!(header(&response, "content-length"), None);
    assert_eq!(response.text().await.unwrap(), "");
  }

  #[tokio::test]
  async fn the_bytes_of_a_304_end_with_its_head() {
    let github = start_with_release().await;
    let head = format!("GET {LATEST} HTTP/1.1\r\n{USER_AGENT}If-None-Match: *\r\n");
    let answer = exchange(&github, &head).await;
    assert!(answer.starts_with("HTTP/1.1 304 Not Modified\r\n"), "{answer}");
    assert!(answer.ends_with("\r\n\r\n"), "{answer}");
  }

  async fn etag(github: &StandIn) -> String {
    header(&latest(github).await, "etag").unwrap().to_owned()
  }

  async fn status_for(github: &StandIn, if_none_match: &str) -> u16 {
    let response = latest_with(github, &[("if-none-match", if_none_match)]).await;
    response.status().as_u16()
  }
}

mod repository {
  use super::*;

  #[tokio::test]
  async fn it_answers_with_its_id_and_its_name_in_its_own_case() {
    let github = start_with_release().await;
    let response = get(&github, "/repos/ACME/demo").await;
    assert_eq!(response.status(), 200);
    assert!(header(&response, "etag").is_some());
    let repository = json(response).await;
    assert!(repository["id"].as_u64().unwrap() > 0);
    assert_eq!(repository["full_name"], REPO);
    assert_eq!(repository["name"], "Demo");
    assert_eq!(repository["owner"]["login"], "acme");
  }

  #[tokio::test]
  async fn it_exists_without_a_release() {
    let github = StandIn::start().await.unwrap();
    github.set_no_release(REPO);
    assert_eq!(get(&github, "/repos/acme/Demo").await.status(), 200);
  }

  #[tokio::test]
  async fn its_id_is_the_same_at_every_start_and_another_ones_is_another() {
    let (one, other) = (start_with_release().await, start_with_release().await);
    one.set_no_release("acme/other");
    assert_eq!(id_of(&one, REPO).await, id_of(&other, REPO).await);
    assert_ne!(id_of(&one, REPO).await, id_of(&one, "acme/other").await);
  }

  #[tokio::test]
  async fn it_answers_by_the_id_that_it_was_given() {
    let github = start_with_release().await;
    github.set_repo_id(REPO, 4711);
    assert_eq!(id_of(&github, REPO).await, 4711);
    assert_eq!(json(get(&github, "/repositories/4711").await).await["full_name"], REPO);
    let release = json(get(&github, "/repositories/4711/releases/latest").await).await;
    assert_eq!(release["tag_name"], TAG);
  }

  #[tokio::test]
  async fn one_that_was_never_set_is_a_404() {
    let github = StandIn::start().await.unwrap();
    assert_is_404(&github, "/repos/acme/Demo", REST_DOCS).await;
  }

  #[tokio::test]
  async fn one_that_was_removed_is_a_404_with_its_release() {
    let github = start_with_release().await;
    github.remove_repo("ACME/demo");
    assert_is_404(&github, "/repos/acme/Demo", REST_DOCS).await;
    assert_is_404(&github, LATEST, LATEST_RELEASE_DOCS).await;
  }

  #[rstest]
  #[case("/")]
  #[case("/user")]
  #[case("/repos/acme/Demo/commits")]
  #[case("/repositories/7")]
  #[tokio::test]
  async fn every_other_path_is_a_404(#[case] path: &str) {
    let github = start_with_release().await;
    assert_is_404(&github, path, REST_DOCS).await;
  }

  #[tokio::test]
  async fn nothing_is_there_for_other_methods() {
    let github = start_with_release().await;
    let url = format!("{}{LATEST}", github.api_url());
    assert_eq!(plain_client().post(url).send().await.unwrap().status(), 404);
  }
}

mod renamed {
  use super::*;

  #[tokio::test]
  async fn the_old_name_leads_to_the_id_which_has_the_release() {
    let github = start_with_release().await;
    let id = id_of(&github, REPO).await;
    let before = latest(&github).await.text().await.unwrap();
    github.rename_repo("ACME/demo", "acme/renamed");
    let response = latest(&github).await;
    assert_eq!(response.status(), 301);
    let path = format!("/repositories/{id}/releases/latest");
    let location = format!("{}{path}", github.api_url());
    assert_eq!(header(&response, "location"), Some(location.as_str()));
    let body = json(response).await;
    assert_eq!(body["message"], "Moved Permanently");
    assert_eq!(body["url"], location);
    let there = get(&github, &path).await;
    assert_eq!(there.status(), 200);
    assert_eq!(there.text().await.unwrap(), before);
  }

  #[tokio::test]
  async fn the_repository_itself_leads_there_too() {
    let github = start_with_release().await;
    let id = id_of(&github, REPO).await;
    github.rename_repo(REPO, "acme/renamed");
    let response = get(&github, "/repos/acme/demo").await;
    assert_eq!(response.status(), 301);
    let location = format!("{}/repositories/{id}", github.api_url());
    assert_eq!(header(&response, "location"), Some(location.as_str()));
    let repository = json(get(&github, &format!("/repositories/{id}")).await).await;
    assert_eq!(repository["full_name"], "acme/renamed");
  }

  #[tokio::test]
  async fn the_new_name_answers_at_once() {
    let github = start_with_release().await;
    github.rename_repo(REPO, "acme/renamed");
    assert_eq!(get(&github, "/repos/acme/renamed/releases/latest").await.status(), 200);
  }

  #[tokio::test]
  async fn after_two_renames_the_first_name_still_leads_there() {
    let github = start_with_release().await;
    let id = id_of(&github, REPO).await;
    github.rename_repo(REPO, "acme/second");
    github.rename_repo("acme/second", "acme/third");
    for old in [REPO, "acme/second"] {
      let response = get(&github, &format!("/repos/{old}/releases/latest")).await;
      assert_eq!(response.status(), 301, "{old}");
    }
    let repository = json(get(&github, &format!("/repositories/{id}")).await).await;
    assert_eq!(repository["full_name"], "acme/third");
  }

  #[tokio::test]
  async fn a_name_that_somebody_else_took_doesnt_lead_there_any_more() {
    let github = start_with_release().await;
    github.rename_repo(REPO, "acme/renamed");
    github.set_latest(REPO, SampleRelease::new("v9"));
    assert_eq!(json(latest(&github).await).await["tag_name"], "v9");
  }

  #[tokio::test]
  async fn each_of_two_that_had_the_same_name_answers_under_its_own_id() {
    let github = start_with_release().await;
    github.rename_repo(REPO, "acme/renamed");
    github.set_latest(REPO, SampleRelease::new("v9"));
    let (old, new) = (id_of(&github, "acme/renamed").await, id_of(&github, REPO).await);
    assert_ne!(old, new);
    for (id, name) in [(old, "acme/renamed"), (new, REPO)] {
      let repository = json(get(&github, &format!("/repositories/{id}")).await).await;
      assert_eq!(repository["full_name"], name);
    }
  }

  #[tokio::test]
  async fn renaming_what_doesnt_exist_does_nothing() {
    let github = start_with_release().await;
    github.rename_repo("acme/none", "acme/renamed");
    assert_eq!(get(&github, "/repos/acme/none").await.status(), 404);
    assert_eq!(get(&github, "/repos/acme/renamed").await.status(), 404);
  }
}

mod prefix {
  use super::*;

  #[rstest]
  #[case("/api/v3")]
  #[case("api/v3/")]
  #[tokio::test]
  async fn paths_are_known_below_it_only(#[case] prefix: &str) {
    let github = start_below(prefix).await;
    let address = github.address();
    assert_eq!(github.api_url(), format!("http://{address}/api/v3"));
    assert_eq!(json(latest(&github).await).await["tag_name"], TAG);
    let outside = plain_client().get(format!("http://{address}{LATEST}")).send().await;
    assert_eq!(outside.unwrap().status(), 404);
  }

  #[tokio::test]
  async fn renamed_repositories_lead_below_it() {
    let github = start_below("/api/v3").await;
    github.rename_repo(REPO, "acme/renamed");
    let response = latest(&github).await;
    let location = header(&response, "location").unwrap().to_owned();
    assert!(
      location.starts_with(&format!("{}/repositories/", github.api_url())),
      "{location}"
    );
    assert_eq!(plain_client().get(location).send().await.unwrap().status(), 200);
  }

  async fn start_below(prefix: &str) -> StandIn {
    let github = StandIn::start_with(StandInOptions::new().api_prefix(prefix))
      .await
      .unwrap();
    github.set_latest(REPO, SampleRelease::new(TAG));
    github
  }
}

mod sample_family {
  use github_standin::sample_family::releases;

  use super::*;

  const LAUNCHER: &str = "storytold/craft-launcher";

  #[tokio::test]
  async fn all_13_have_23_assets_but_the_launcher_which_has_22() {
    let family = served_family().await;
    assert_eq!(family.len(), 13);
    for (repo, body) in &family {
      let expected = if *repo == LAUNCHER { 22 } else { 23 };
      assert_eq!(assets(body).len(), expected, "{repo}");
    }
    assert!(family.iter().any(|(repo, _)| *repo == LAUNCHER));
  }

  #[tokio::test]
  async fn every_digest_is_a_sha256_and_no_two_are_the_same() {
    let mut seen = HashSet::new();
    for (repo, body) in served_family().await {
      for asset in assets(&body) {
        let digest = asset["digest"].as_str().unwrap().to_owned();
        assert!(
          is_sha256_hex(digest.strip_prefix("sha256:").unwrap()),
          "{repo}: {digest}"
        );
        assert!(seen.insert(digest), "{repo}: {}", asset["name"]);
      }
    }
  }

  #[tokio::test]
  async fn two_stand_ins_serve_the_same_bytes() {
    let (one, other) = (served_family().await, served_family().await);
    assert_eq!(one, other);
  }

  async fn served_family() -> Vec<(&'static str, String)> {
    let github = StandIn::start().await.unwrap();
    github.serve_sample_family();
    let client = plain_client();
    let mut bodies = Vec::new();
    for (repo, _) in releases() {
      let url = format!("{}/repos/{repo}/releases/latest", github.api_url());
      let response = client.get(url).send().await.unwrap();
      assert_eq!(response.status(), 200, "{repo}");
      bodies.push((repo, response.text().await.unwrap()));
    }
    bodies
  }

  fn assets(body: &str) -> Vec<Value> {
    let release: Value = serde_json::from_str(body).unwrap();
    release["assets"].as_array().unwrap().clone()
  }
}

async fn assert_is_404(github: &StandIn, path: &str, documentation_url: &str) {
  let response = get(github, path).await;
  assert_eq!(response.status(), 404, "{path}");
  assert_eq!(
    header(&response, "content-type"),
    Some("application/json; charset=utf-8")
  );
  let expected = json!({ "message": "Not Found", "documentation_url": documentation_url, "status": "404" });
  assert_eq!(json(response).await, expected, "{path}");
}

async fn id_of(github: &StandIn, repo: &str) -> u64 {
  let repository = json(get(github, &format!("/repos/{repo}")).await).await;
  repository["id"].as_u64().unwrap()
}

fn is_sha256_hex(digits: &str) -> bool {
  digits.len() == 64 && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}
