//! The contract's table: which status means what.

use std::time::Duration;

use github_standin::{Answer, SampleRelease, StandIn};
use release_feed::github::{ETag, FetchFailure, Outcome, ReleaseAnswer, ReleaseSource, Token, Validators};
use rstest::rstest;

use crate::asking::*;

#[tokio::test]
async fn a_200_is_the_release_with_its_etag_and_a_304_confirms_it() {
  let github = StandIn::start().await.unwrap();
  github.set_latest(REPO, SampleRelease::new("v1.0").asset("demo-1.0-linux-x64.deb"));
  let asker = Asker::of(&github);
  let Outcome::Release(answer) = asker.ask().await else {
    panic!("no release")
  };
  let ReleaseAnswer { valid, etag, .. } = *answer;
  assert_eq!(
    (valid.release.tag.as_str(), valid.release.version.as_str()),
    ("v1.0", "1.0")
  );
  assert_eq!(valid.release.assets.len(), 1);
  assert_eq!(valid.left_out, []);
  assert!(etag.as_ref().unwrap().as_str().starts_with("W/\""));
  assert_eq!(
    asker.ask_knowing(etag.as_ref()).await,
    Outcome::NotModified { named: etag.unwrap() }
  );
}

#[tokio::test]
async fn a_200_without_an_etag_or_with_one_that_cannot_be_sent_back_is_a_release_too() {
  let github = StandIn::start().await.unwrap();
  let release = || Answer::release(SampleRelease::new("v1").to_json(REPO));
  let odd = [
    release().without_header("etag"),
    release().header("etag", "\"\u{e4}\""),
    release().header("etag", ""),
  ];
  github.script(REPO, odd);
  for _ in 0..3 {
    assert!(matches!(
      Asker::of(&github).ask().await,
      Outcome::Release(answer) if answer.etag.is_none()
    ));
  }
}

#[tokio::test]
async fn a_404_is_no_release() {
  let github = StandIn::start().await.unwrap();
  github.set_no_release(REPO);
  assert_eq!(Asker::of(&github).ask().await, Outcome::NoRelease);
}

#[tokio::test]
async fn a_304_that_confirms_nothing_is_a_failure() {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [Answer::not_modified("\"x\"")]);
  assert_eq!(Asker::of(&github).fail().await, FetchFailure::NothingToConfirm);
}

#[rstest]
#[case::a_429(Answer::status(429).header("retry-after", "60"), Some(60))]
#[case::a_429_with_nothing(Answer::status(429).without_header("x-ratelimit-reset"), None)]
#[case::the_hours_requests_are_used_up(Answer::primary_limit(1_791_471_270), Some(100))]
#[case::too_much_at_once(Answer::secondary_limit("30"), Some(30))]
#[case::a_date(Answer::secondary_limit("Thu, 08 Oct 2026 14:54:50 GMT"), Some(120))]
#[case::a_day_at_most(Answer::secondary_limit("604800"), Some(86_400))]
#[case::a_day_at_most_by_the_reset(Answer::primary_limit(4_000_000_000), Some(86_400))]
#[case::a_fraction(Answer::secondary_limit("1.5"), Some(2))]
#[case::retry_after_comes_first(Answer::primary_limit(1_791_471_270).header("retry-after", "7"), Some(7))]
#[tokio::test]
async fn these_are_rate_limits_until_their_time(#[case] answer: Answer, #[case] secs: Option<u64>) {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [answer.header("date", GITHUBS_DATE)]);
  let retry_at = secs.map(|secs| NOW.plus(Duration::from_secs(secs)));
  assert_eq!(Asker::of(&github).ask().await, Outcome::RateLimited { retry_at });
}

#[rstest]
#[case::too_much(Answer::secondary_limit_untold(403))]
#[case::too_much_by_429(Answer::secondary_limit_untold(429))]
#[case::in_older_words(Answer::status(403).message("You have triggered an abuse detection mechanism. Please retry later."))]
#[case::used_up(Answer::status(403).message("API rate limit exceeded for 192.0.2.1."))]
#[tokio::test]
async fn a_limit_known_by_its_message_alone_is_one_of_a_minute(#[case] answer: Answer) {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [answer]);
  let retry_at = Some(NOW.plus(Duration::from_secs(60)));
  assert_eq!(Asker::of(&github).ask().await, Outcome::RateLimited { retry_at });
}

#[rstest]
#[case::denied(
  Answer::denied(),
  "GitHub answered 403: access is denied: Resource not accessible by personal access token"
)]
#[case::blocked(
  Answer::blocked(),
  "GitHub answered 403: the repository is blocked: Repository access blocked"
)]
#[case::forbidden_in_html(
  Answer::html_error(403),
  "GitHub answered 403 with a page of HTML instead of JSON (from a proxy, a login page, or GitHub's front?)"
)]
#[case::html_that_calls_itself_json(Answer::status(500).body("<html><p>oops</p></html>"), "GitHub answered 500 with a page of HTML instead of JSON (from a proxy, a login page, or GitHub's front?)")]
#[case::a_request_that_is_wrong(Answer::status(400).message("Unsupported X-GitHub-Api-Version header"), "GitHub answered 400 (Unsupported X-GitHub-Api-Version header): check that LAUNCHFEED_GITHUB_API_URL is the API's address; if it is, this program is too old for it")]
#[case::an_api_that_is_gone(
  Answer::status(410),
  "GitHub answered 410 (Gone): check that LAUNCHFEED_GITHUB_API_URL is the API's address; if it is, this program is too old for it"
)]
#[case::legal(Answer::status(451).message("Repository access blocked"), "GitHub answered 451: Repository access blocked")]
#[case::server_error(Answer::status(500).message("oops"), "GitHub answered 500: oops")]
#[case::bad_gateway(
  Answer::html_error(502),
  "GitHub answered 502 with a page of HTML instead of JSON (from a proxy, a login page, or GitHub's front?)"
)]
#[case::unavailable(Answer::status(503).header("retry-after", "60"), "GitHub answered 503: Server Error")]
#[case::nothing_inside(Answer::status(204), "GitHub answered 204")]
#[case::created(Answer::status(201).message("created"), "GitHub answered 201: created")]
#[case::unauthorized_without_a_token(Answer::unauthorized(), "GitHub answered 401: Bad credentials")]
#[tokio::test]
async fn anything_else_is_a_failure_that_says_what_it_was(#[case] answer: Answer, #[case] reason: &str) {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [answer]);
  assert_eq!(Asker::of(&github).fail().await.to_string(), reason);
}

#[tokio::test]
async fn a_refused_token_is_left_out_at_once_and_for_an_hour() {
  let github = StandIn::start().await.unwrap();
  github.set_latest(REPO, SampleRelease::new("v1"));
  github.set_bad_token("ghp_hunter2");
  let asker = Asker::of(&github).with_token("ghp_hunter2");
  assert!(!asker.is_token_refused());
  let whose = Token::new("ghp_hunter2").unwrap().unwrap().identity();
  let validators = Validators::of(&whose, ETag::new("W/\"the-tokens\""));
  for _ in 0..2 {
    assert!(matches!(asker.ask_with(&validators).await, Outcome::Release(_)));
  }
  assert!(asker.is_token_refused());
  let sent: Vec<_> = github
    .requests()
    .iter()
    .map(|request| {
      (
        request.header("authorization").is_some(),
        request.header("if-none-match").is_some(),
      )
    })
    .collect();
  assert_eq!(sent, [(true, true), (false, false), (false, false)]);
}

#[tokio::test]
async fn what_is_refused_to_every_token_and_to_nobody_says_nothing_of_the_tokens() {
  let github = StandIn::start().await.unwrap();
  github.script_always(REPO, Answer::unauthorized());
  github.set_latest("acme/other", SampleRelease::new("v1"));
  let tokens = ["ghp_hunter2_one", "ghp_hunter2_two"];
  let asker = Asker::of(&github).with_tokens(&tokens);
  for _ in 0..2 {
    let failure = asker.fail().await;
    assert_eq!(
      failure.to_string(),
      "GitHub refuses every token and also a request without one (401) for acme/demo"
    );
    assert!(!asker.is_token_refused() && !asker.source.pays_for_confirmations());
    assert!(asker.source.askers().iter().all(|asker| !asker.is_refused));
  }
  assert_eq!(github.request_count(), 6, "everybody is asked, once");
  github.clear_requests();
  let other = asker.of_app("acme/other");
  assert!(matches!(other.ask().await, Outcome::Release(_)));
  assert!(github.requests()[0].header("authorization").is_some());
  assert_eq!(github.request_count(), 1);
}

#[tokio::test]
async fn a_repository_that_is_refused_to_all_is_that_apps_trouble_only_while_github_answers_others() {
  let github = StandIn::start().await.unwrap();
  github.require_token("another");
  let asker = Asker::of(&github).with_token("ghp_hunter2");
  for _ in 0..2 {
    let failure = asker.fail().await;
    assert!(!failure.concerns_the_app_alone() && failure.leaves_alone_for().is_none());
  }
  github.clear_tokens();
  github.set_latest(REPO, SampleRelease::new("v1"));
  assert!(matches!(asker.ask().await, Outcome::Release(_)));
  github.script_always(REPO, Answer::unauthorized());
  assert!(asker.fail().await.concerns_the_app_alone());
  assert!(!asker.fail().await.concerns_the_app_alone());
}

#[rstest]
#[case::the_server_is_in_trouble(Answer::status(502))]
#[case::a_page_of_somebody_elses(Answer::html_error(200))]
#[case::nothing(Answer::reset())]
#[tokio::test]
async fn what_says_nothing_of_whoever_asks_refuses_no_token(#[case] answer: Answer) {
  let github = StandIn::start().await.unwrap();
  github.set_bad_token("ghp_hunter2");
  github.script_always(REPO, answer);
  let asker = Asker::of(&github).with_token("ghp_hunter2");
  asker.fail().await;
  assert!(!asker.is_token_refused());
}

#[tokio::test]
async fn an_answer_to_anybody_refuses_the_token_that_was_refused_before_it() {
  let github = StandIn::start().await.unwrap();
  github.set_bad_token("ghp_hunter2");
  github.set_rate_limit_of(None, 60, 0, 1_791_471_270);
  let asker = Asker::of(&github).with_token("ghp_hunter2");
  assert!(matches!(asker.ask().await, Outcome::RateLimited { .. }));
  assert!(asker.is_token_refused());
  assert_eq!(github.request_count(), 2);
}

#[rstest]
#[case::in_words(|said: &str| Answer::status(500).message(said))]
#[case::as_an_address(|said: &str| Answer::redirect(302, said))]
#[tokio::test]
async fn a_token_that_is_said_back_is_hidden_wherever_the_text_is_cut(#[case] answer: fn(&str) -> Answer) {
  let github = StandIn::start().await.unwrap();
  // With a character that is escaped where it is shown.
  let token = "ghp_hunter2\\hunter2";
  let asker = Asker::of(&github).with_token(token);
  for length in [0, 180, 190, 199, 200, 210] {
    github.script(REPO, [answer(&format!("{}{token}", "x".repeat(length)))]);
    let said = asker.fail().await.to_string();
    assert!(!said.contains("gh"), "{length}: {said}");
    assert!(length > 190 || said.contains("***"), "{length}: {said}");
  }
}

#[tokio::test]
async fn a_repository_that_was_taken_down_is_left_alone_for_hours() {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [Answer::status(451), Answer::status(500)]);
  let asker = Asker::of(&github);
  let waits = [asker.fail().await, asker.fail().await].map(|failure| failure.leaves_alone_for());
  assert_eq!(waits, [Some(Duration::from_secs(4 * 3_600)), None]);
}

#[tokio::test]
async fn what_github_says_is_cut_and_escaped_in_a_reason() {
  let github = StandIn::start().await.unwrap();
  github.script(
    REPO,
    [Answer::status(500).message(&format!("line\nbreak \u{1b}[31m{}", "x".repeat(1_000)))],
  );
  let reason = Asker::of(&github).fail().await.to_string();
  assert!(!reason.contains(['\n', '\u{1b}']) && reason.len() < 300, "{reason}");
}

#[rstest]
#[case::a_long_tag("v".repeat(65), "its tag has 65 bytes")]
#[case::no_tag(String::new(), "no tag")]
#[tokio::test]
async fn a_release_without_a_usable_tag_is_a_failure(#[case] tag: String, #[case] reason: &str) {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [Answer::release(SampleRelease::new(&tag).to_json(REPO))]);
  let failure = Asker::of(&github).fail().await.to_string();
  assert!(failure.contains(reason), "{failure}");
}

#[tokio::test]
async fn a_draft_is_a_failure() {
  let github = StandIn::start().await.unwrap();
  let mut draft = SampleRelease::new("v1").to_json(REPO);
  draft["draft"] = true.into();
  github.script(REPO, [Answer::release(draft)]);
  assert_eq!(Asker::of(&github).fail().await, FetchFailure::Draft);
}

#[tokio::test]
async fn harmful_files_are_left_out_and_the_release_stays() {
  let github = StandIn::start().await.unwrap();
  let names = ["../../x", "nul\0", ".hidden", "good-1.0.zip"];
  let release = names
    .iter()
    .fold(SampleRelease::new("v1"), |release, name| release.asset(name));
  github.script(REPO, [Answer::release(release.to_json(REPO))]);
  let Outcome::Release(answer) = Asker::of(&github).ask().await else {
    panic!("no release")
  };
  assert_eq!(
    answer
      .valid
      .release
      .assets
      .iter()
      .map(|asset| asset.name.as_str())
      .collect::<Vec<_>>(),
    ["good-1.0.zip"]
  );
  assert_eq!(answer.valid.left_out.len(), 3);
}

#[tokio::test]
async fn a_known_etag_of_another_body_brings_the_new_body() {
  let github = StandIn::start().await.unwrap();
  github.set_latest(REPO, SampleRelease::new("v2"));
  let outcome = Asker::of(&github).ask_knowing(ETag::new("W/\"old\"").as_ref()).await;
  assert!(matches!(outcome, Outcome::Release(answer) if answer.valid.release.tag == "v2"));
}
