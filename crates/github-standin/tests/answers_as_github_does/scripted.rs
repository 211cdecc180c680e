//! Each kind of scripted answer, and the order in which scripts apply.

use std::time::{Duration, Instant};

use github_standin::{Answer, SampleRelease, StandIn};
use rstest::rstest;
use serde_json::json;
use tokio::io::AsyncReadExt;

use crate::asking::{
  LATEST, REPO, TAG, client, connection_that_asked, exchange, get, gzip_client, header, json, latest, latest_with,
  number, running_tasks, start_with_release, until, within_patience,
};

const USER_AGENT: &str = "User-Agent: t\r\n";
const API_HEADERS: [&str; 6] = [
  "etag",
  "x-github-media-type",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-ratelimit-resource",
];

mod order {
  use super::*;

  #[tokio::test]
  async fn the_queue_comes_first_then_what_is_always_answered_then_the_usual() {
    let github = start_with_release().await;
    github.script_always(REPO, Answer::status(503));
    github.script(REPO, [Answer::status(500), Answer::status(501)]);
    assert_eq!(statuses(&github, 4).await, [500, 501, 503, 503]);
    github.clear_script(REPO);
    assert_eq!(statuses(&github, 1).await, [200]);
  }

  #[tokio::test]
  async fn a_queue_that_is_used_up_gives_way_to_the_usual() {
    let github = start_with_release().await;
    github.script(REPO, [Answer::status(500)]);
    github.script(REPO, [Answer::status(502)]);
    assert_eq!(statuses(&github, 3).await, [500, 502, 200]);
  }

  #[tokio::test]
  async fn a_script_holds_for_one_repositorys_latest_release_only() {
    let github = start_with_release().await;
    github.set_latest("acme/other", SampleRelease::new(TAG));
    github.script_always("ACME/demo", Answer::status(500));
    assert_eq!(statuses(&github, 1).await, [500]);
    assert_eq!(get(&github, "/repos/acme/other/releases/latest").await.status(), 200);
    assert_eq!(get(&github, "/repos/acme/Demo").await.status(), 200);
  }

  #[tokio::test]
  async fn a_script_holds_under_the_repositorys_id_too() {
    let github = start_with_release().await;
    github.set_repo_id(REPO, 7);
    github.script(REPO, [Answer::status(500)]);
    assert_eq!(get(&github, "/repositories/7/releases/latest").await.status(), 500);
  }

  #[tokio::test]
  async fn a_repository_that_doesnt_exist_can_be_scripted() {
    let github = StandIn::start().await.unwrap();
    github.script(REPO, [Answer::status(500)]);
    assert_eq!(statuses(&github, 2).await, [500, 404]);
  }

  #[tokio::test]
  async fn what_everything_gets_goes_before_all_scripts_and_leaves_them_as_they_were() {
    let github = start_with_release().await;
    github.script(REPO, [Answer::status(500)]);
    github.script_all_always(Answer::html_error(503));
    assert_eq!(statuses(&github, 2).await, [503, 503]);
    for path in ["/repos/acme/Demo", "/user", "/"] {
      assert_eq!(get(&github, path).await.status(), 503, "{path}");
    }
    github.clear_script(REPO);
    assert_eq!(statuses(&github, 1).await, [503]);
  }

  #[tokio::test]
  async fn clearing_all_ends_every_kind_of_script() {
    let github = start_with_release().await;
    github.script(REPO, [Answer::status(500)]);
    github.script_always(REPO, Answer::status(501));
    github.script_all_always(Answer::status(503));
    github.clear_all();
    assert_eq!(statuses(&github, 2).await, [200, 200]);
  }

  async fn statuses(github: &StandIn, requests: usize) -> Vec<u16> {
    let mut statuses = Vec::new();
    for _ in 0..requests {
      statuses.push(latest(github).await.status().as_u16());
    }
    statuses
  }
}

mod contents {
  use super::*;

  #[rstest]
  #[case(401, "Unauthorized")]
  #[case(404, "Not Found")]
  #[case(422, "Unprocessable Entity")]
  #[case(429, "Too Many Requests")]
  #[case(451, "Repository access blocked")]
  #[case(500, "Server Error")]
  #[case(503, "Server Error")]
  #[tokio::test]
  async fn a_status_comes_with_the_json_of_its_kind(#[case] status: u16, #[case] message: &str) {
    let github = scripted(Answer::status(status)).await;
    let response = latest(&github).await;
    assert_eq!(response.status(), status);
    assert_eq!(
      header(&response, "content-type"),
      Some("application/json; charset=utf-8")
    );
    assert!(header(&response, "x-ratelimit-remaining").is_some());
    assert_eq!(json(response).await["message"], message);
  }

  #[rstest]
  #[case(100)]
  #[case(99)]
  #[tokio::test]
  async fn a_status_that_cannot_be_sent_is_a_500_that_says_so(#[case] status: u16) {
    let github = scripted(Answer::status(status)).await;
    let response = latest(&github).await;
    assert_eq!(response.status(), 500);
    let text = response.text().await.unwrap();
    assert_eq!(text, format!("the script cannot be sent: status {status}"));
  }

  #[tokio::test]
  async fn a_204_has_no_content() {
    let github = scripted(Answer::status(204)).await;
    let response = latest(&github).await;
    assert_eq!(response.status(), 204);
    assert_eq!(response.text().await.unwrap(), "");
  }

  #[tokio::test]
  async fn not_found_is_the_404_of_a_missing_release() {
    let github = scripted(Answer::not_found()).await;
    let scripted = json(latest(&github).await).await;
    let usual = json(get(&github, "/repos/acme/none/releases/latest").await).await;
    assert_eq!(scripted, usual);
    assert_eq!(scripted["status"], "404");
  }

  #[tokio::test]
  async fn an_html_error_is_a_page_without_the_apis_headers() {
    let github = scripted(Answer::html_error(502)).await;
    let response = latest(&github).await;
    assert_eq!(response.status(), 502);
    assert_eq!(header(&response, "content-type"), Some("text/html; charset=utf-8"));
    for name in API_HEADERS {
      assert_eq!(header(&response, name), None, "{name}");
    }
    let page = response.text().await.unwrap();
    assert!(page.starts_with("<!DOCTYPE html>"), "{page}");
  }

  #[rstest]
  #[case(301, "http://127.0.0.1:9/there")]
  #[case(302, "/elsewhere")]
  #[case(307, "//evil.example")]
  #[case(308, "not an address")]
  #[tokio::test]
  async fn a_redirect_leads_where_it_is_told_to(#[case] status: u16, #[case] location: &str) {
    let github = scripted(Answer::redirect(status, location)).await;
    let response = latest(&github).await;
    assert_eq!(response.status(), status);
    assert_eq!(header(&response, "location"), Some(location));
    assert_eq!(json(response).await["url"], location);
  }

  #[tokio::test]
  async fn the_primary_limit_shows_that_all_is_used_until_its_reset() {
    let github = scripted(Answer::primary_limit(1_900_000_000)).await;
    let response = latest(&github).await;
    assert_eq!(response.status(), 403);
    assert_eq!(number(&response, "x-ratelimit-limit"), 60);
    assert_eq!(number(&response, "x-ratelimit-remaining"), 0);
    assert_eq!(number(&response, "x-ratelimit-used"), 60);
    assert_eq!(number(&response, "x-ratelimit-reset"), 1_900_000_000);
    assert_eq!(header(&response, "retry-after"), None);
    let message = json(response).await["message"].to_string();
    assert!(message.contains("API rate limit exceeded"), "{message}");
  }

  #[rstest]
  #[case("60")]
  #[case("Wed, 21 Oct 2026 07:28:00 GMT")]
  #[case("soon")]
  #[tokio::test]
  async fn the_secondary_limit_says_when_to_come_back_as_given(#[case] retry_after: &str) {
    let github = scripted(Answer::secondary_limit(retry_after)).await;
    let response = latest(&github).await;
    assert_eq!(response.status(), 403);
    assert_eq!(header(&response, "retry-after"), Some(retry_after));
    assert_eq!(number(&response, "x-ratelimit-remaining"), 60);
    let message = json(response).await["message"].to_string();
    assert!(message.contains("secondary rate limit"), "{message}");
  }

  #[tokio::test]
  async fn unauthorized_is_githubs_401() {
    let github = scripted(Answer::unauthorized()).await;
    let response = latest(&github).await;
    assert_eq!(response.status(), 401);
    assert_eq!(json(response).await["message"], "Bad credentials");
  }

  #[tokio::test]
  async fn not_modified_is_a_304_even_for_those_who_didnt_ask() {
    let github = scripted(Answer::not_modified("W/\"made-up\"")).await;
    let response = latest(&github).await;
    assert_eq!(response.status(), 304);
    assert_eq!(header(&response, "etag"), Some("W/\"made-up\""));
    assert_eq!(response.text().await.unwrap(), "");
  }

  #[tokio::test]
  async fn a_scripted_release_turns_into_a_304_for_those_who_know_it() {
    let github = start_with_release().await;
    github.script_always(REPO, Answer::release(json!({ "tag_name": "v7" })));
    let response = latest(&github).await;
    let etag = header(&response, "etag").unwrap().to_owned();
    assert_eq!(json(response).await["tag_name"], "v7");
    assert_eq!(latest_with(&github, &[("if-none-match", &etag)]).await.status(), 304);
  }

  #[tokio::test]
  async fn a_scripted_release_is_compared_by_the_etag_that_it_was_given() {
    let github = start_with_release().await;
    let release = Answer::release(json!({ "tag_name": "v7" })).header("ETag", "\"own\"");
    github.script_always(REPO, release);
    assert_eq!(header(&latest(&github).await, "etag"), Some("\"own\""));
    let known = latest_with(&github, &[("if-none-match", "W/\"own\"")]).await;
    assert_eq!(known.status(), 304);
    assert_eq!(header(&known, "etag"), Some("\"own\""));
  }

  #[tokio::test]
  async fn a_release_without_an_etag_is_never_a_304() {
    let github = scripted(Answer::release(json!({})).without_header("ETag")).await;
    let response = latest_with(&github, &[("if-none-match", "*")]).await;
    assert_eq!(response.status(), 200);
    assert_eq!(header(&response, "etag"), None);
  }
}

mod changes {
  use super::*;

  #[tokio::test]
  async fn a_header_replaces_the_default_one() {
    let answer = Answer::status(429)
      .header("Retry-After", "0")
      .header("X-RateLimit-Remaining", "many")
      .header("date", "yesterday");
    let response = latest(&scripted(answer).await).await;
    assert_eq!(header(&response, "retry-after"), Some("0"));
    assert_eq!(header(&response, "x-ratelimit-remaining"), Some("many"));
    assert_eq!(header(&response, "date"), Some("yesterday"));
    assert_eq!(response.headers().get_all("date").iter().count(), 1);
  }

  #[rstest]
  #[case::value("x-odd", "two\r\nlines", "the script cannot be sent: value of header \"x-odd\"")]
  #[case::name("x odd", "one", "the script cannot be sent: header name \"x odd\"")]
  #[tokio::test]
  async fn a_header_that_cannot_be_sent_is_a_500_that_says_so(
    #[case] name: &str,
    #[case] value: &str,
    #[case] text: &str,
  ) {
    let response = latest(&scripted(Answer::not_found().header(name, value)).await).await;
    assert_eq!(response.status(), 500);
    assert_eq!(response.text().await.unwrap(), text);
  }

  #[tokio::test]
  async fn a_default_header_can_be_left_out() {
    let answer = Answer::status(403)
      .without_header("X-RateLimit-Reset")
      .without_header("date");
    let response = latest(&scripted(answer).await).await;
    assert_eq!(header(&response, "x-ratelimit-reset"), None);
    assert_eq!(header(&response, "date"), None);
    assert!(header(&response, "x-ratelimit-limit").is_some());
  }

  #[tokio::test]
  async fn without_its_length_a_body_comes_in_chunks() {
    let github = scripted(Answer::status(200).body("hello").without_header("content-length")).await;
    let answer = exchange(&github, &format!("GET {LATEST} HTTP/1.1\r\n{USER_AGENT}")).await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let head = head.to_ascii_lowercase();
    assert!(head.contains("\r\ntransfer-encoding: chunked"), "{head}");
    assert!(!head.contains("content-length"), "{head}");
    assert_eq!(body, "5\r\nhello\r\n0\r\n\r\n");
  }

  #[tokio::test]
  async fn a_body_is_sent_byte_for_byte() {
    const BODY: &[u8] = b"\xff\xfe{not json\0";
    let github = scripted(Answer::release(json!({})).body(BODY)).await;
    let response = latest(&github).await;
    assert_eq!(number(&response, "content-length"), BODY.len() as u64);
    assert_eq!(response.bytes().await.unwrap(), BODY);
  }

  #[tokio::test]
  async fn a_message_replaces_the_body_by_json_that_says_it() {
    let github = scripted(Answer::status(403).message("Sorry. Your account was suspended.")).await;
    let expected = json!({
      "message": "Sorry. Your account was suspended.",
      "documentation_url": "https://docs.github.com/rest",
      "status": "403",
    });
    assert_eq!(json(latest(&github).await).await, expected);
  }
}

mod deliveries {
  use super::*;

  const MIB: u64 = 1024 * 1024;
  /// Long enough to be told from no wait at all, and only ever compared from below.
  const WAIT: Duration = Duration::from_millis(150);

  #[tokio::test]
  async fn a_reset_closes_the_connection_without_a_word() {
    let github = scripted(Answer::reset()).await;
    let answer = exchange(&github, &format!("GET {LATEST} HTTP/1.1\r\n{USER_AGENT}")).await;
    assert_eq!(answer, "");
    assert_eq!(github.requests()[0].status, None);
    assert_eq!(latest(&github).await.status(), 200);
  }

  #[tokio::test]
  async fn a_truncated_body_ends_halfway_to_what_was_promised() {
    const BODY: &str = "0123456789";
    let github = scripted(Answer::status(200).body(BODY).truncated()).await;
    let answer = exchange(&github, &format!("GET {LATEST} HTTP/1.1\r\n{USER_AGENT}")).await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.to_ascii_lowercase().contains("\r\ncontent-length: 10"), "{head}");
    assert_eq!(body, "01234");
  }

  #[rstest]
  #[case::of_a_release(Answer::release(json!({ "tag_name": "v1" })))]
  #[case::of_nothing(Answer::status(200).body(""))]
  #[case::in_chunks(Answer::not_found().without_header("content-length"))]
  #[tokio::test]
  async fn a_truncated_body_is_an_error_for_whoever_reads_it(#[case] answer: Answer) {
    let github = scripted(answer.truncated()).await;
    let error = latest(&github).await.bytes().await.unwrap_err();
    assert!(error.is_body() || error.is_decode(), "{error:?}");
  }

  #[tokio::test]
  async fn an_endless_body_is_blanks_and_stops_when_the_client_hangs_up() {
    let github = scripted(Answer::release(json!({})).endless()).await;
    let before = running_tasks();
    let mut connection = connection_that_asked(&github).await;
    let mut start = vec![0; 4 * MIB as usize];
    within_patience(connection.read_exact(&mut start)).await.unwrap();
    let head_ends = start.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    let blanks = start[head_ends..].iter().filter(|byte| **byte == b' ').count();
    assert!(blanks as u64 > 3 * MIB, "{blanks} blanks");
    assert!(github.bytes_sent() > 3 * MIB, "{} bytes", github.bytes_sent());
    assert_eq!(running_tasks(), before + 1);
    drop(connection);
    until(|| running_tasks() == before).await;
  }

  #[tokio::test]
  async fn an_endless_body_promises_no_length() {
    let github = scripted(Answer::release(json!({})).endless()).await;
    let response = latest(&github).await;
    assert_eq!(response.status(), 200);
    assert_eq!(header(&response, "content-length"), None);
  }

  #[tokio::test]
  async fn endless_gzip_decodes_to_far_more_than_was_sent() {
    const ENOUGH: u64 = 64 * MIB;
    let github = scripted(Answer::release(json!({})).endless_gzip()).await;
    let url = format!("{}{LATEST}", github.api_url());
    let mut response = gzip_client().get(url).send().await.unwrap();
    assert_eq!(response.status(), 200);
    let mut decoded = 0;
    while decoded < ENOUGH {
      decoded += response.chunk().await.unwrap().unwrap().len() as u64;
    }
    let sent = github.bytes_sent();
    assert!(sent > 0 && decoded > 10 * sent, "{decoded} bytes of {sent}");
  }

  #[tokio::test]
  async fn endless_gzip_says_so_even_to_those_who_dont_accept_it() {
    let github = scripted(Answer::release(json!({})).endless_gzip()).await;
    let mut response = latest(&github).await;
    assert_eq!(header(&response, "content-encoding"), Some("gzip"));
    let start = response.chunk().await.unwrap().unwrap();
    assert!(start.starts_with(b"\x1f\x8b"));
  }

  #[tokio::test]
  async fn a_dripping_body_comes_one_byte_per_interval() {
    const BODY: &str = "12345";
    let interval = WAIT / 5;
    let github = scripted(Answer::status(200).body(BODY).drip(interval)).await;
    let mut response = latest(&github).await;
    let started = Instant::now();
    let mut pieces = Vec::new();
    while let Some(piece) = response.chunk().await.unwrap() {
      pieces.push(piece);
    }
    // The first interval may have begun before the head was here.
    assert!(started.elapsed() >= interval * 3, "{:?}", started.elapsed());
    assert!(pieces.len() > 1, "{pieces:?}");
    assert_eq!(pieces.concat(), BODY.as_bytes());
  }

  #[tokio::test]
  async fn a_hanging_answer_never_comes() {
    let github = scripted(Answer::release(json!({})).hang()).await;
    let url = format!("{}{LATEST}", github.api_url());
    let error = client(false, WAIT).get(url).send().await.unwrap_err();
    assert!(error.is_timeout(), "{error:?}");
    assert_eq!(github.request_count(), 1);
    assert_eq!(github.requests()[0].status, None);
    assert_eq!(github.bytes_sent(), 0);
  }

  #[tokio::test]
  async fn a_hanging_answer_ends_when_the_client_hangs_up() {
    let github = scripted(Answer::release(json!({})).hang()).await;
    let before = running_tasks();
    let connection = connection_that_asked(&github).await;
    within_patience(github.wait_for_requests(1)).await;
    assert_eq!(running_tasks(), before + 1);
    drop(connection);
    until(|| running_tasks() == before).await;
  }

  #[tokio::test]
  async fn a_delayed_answer_comes_after_its_delay() {
    let github = scripted(Answer::status(500).delay(WAIT)).await;
    let started = Instant::now();
    assert_eq!(latest(&github).await.status(), 500);
    assert!(started.elapsed() >= WAIT, "{:?}", started.elapsed());
  }

  #[tokio::test]
  async fn latency_comes_on_top_of_a_delay() {
    let github = scripted(Answer::status(500).delay(WAIT)).await;
    github.set_latency(WAIT);
    let started = Instant::now();
    assert_eq!(latest(&github).await.status(), 500);
    assert!(started.elapsed() >= 2 * WAIT, "{:?}", started.elapsed());
    let started = Instant::now();
    assert_eq!(latest(&github).await.status(), 200);
    assert!(started.elapsed() >= WAIT, "{:?}", started.elapsed());
  }

  #[tokio::test]
  async fn an_answer_is_decided_and_logged_before_its_delay() {
    let github = scripted(Answer::status(500).delay(Duration::from_secs(3600))).await;
    let connection = connection_that_asked(&github).await;
    within_patience(github.wait_for_requests(1)).await;
    assert_eq!(github.requests()[0].status, Some(500));
    assert_eq!(github.bytes_sent(), 0);
    drop(connection);
  }
}

/// With that answer once, then the release.
async fn scripted(answer: Answer) -> StandIn {
  let github = start_with_release().await;
  github.script(REPO, [answer]);
  github
}
