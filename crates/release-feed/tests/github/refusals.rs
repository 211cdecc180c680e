//! Refusals that concern a token or a repository: what is asked next, and what the failure says.

use std::time::Duration;

use github_standin::{Answer, SampleRelease, StandIn};
use release_feed::github::{ETag, FetchFailure, Forbidden, Outcome, ReleaseSource, Token, Validators};
use rstest::rstest;

use crate::asking::*;

const TOKEN: &str = "ghp_hunter2";
const AN_HOUR: Duration = Duration::from_secs(3_600);

#[tokio::test]
async fn where_single_sign_on_is_wanted_a_public_release_comes_without_the_token_at_once_from_then_on() {
  let github = StandIn::start().await.unwrap();
  github.set_latest(REPO, SampleRelease::new("v1"));
  github.require_single_sign_on("acme", TOKEN);
  let asker = Asker::of(&github).with_token(TOKEN);
  let whose = Token::new(TOKEN).unwrap().unwrap().identity();
  let validators = Validators::of(&whose, ETag::new("W/\"the-tokens\""));
  for _ in 0..2 {
    assert!(matches!(asker.ask_with(&validators).await, Outcome::Release(_)));
  }
  assert_eq!(sent(&github), [(true, true), (false, false), (false, false)]);
  assert!(!asker.is_token_refused());
  let other = asker.of_app("other/demo");
  github.set_latest("other/demo", SampleRelease::new("v1"));
  assert!(matches!(other.ask().await, Outcome::Release(_)));
  assert_eq!(sent(&github)[3], (true, false), "another owner gets the token");
}

#[tokio::test]
async fn the_anonymous_validator_goes_with_the_request_without_the_token() {
  let github = StandIn::start().await.unwrap();
  github.set_latest(REPO, SampleRelease::new("v1"));
  let Outcome::Release(answer) = Asker::of(&github).ask().await else {
    panic!("no release")
  };
  github.clear_requests();
  github.require_single_sign_on("acme", TOKEN);
  let validators = Validators::of(&answer.asker, answer.etag.clone());
  let outcome = Asker::of(&github).with_token(TOKEN).ask_with(&validators).await;
  assert_eq!(
    outcome,
    Outcome::NotModified {
      named: answer.etag.unwrap()
    }
  );
  assert_eq!(sent(&github), [(true, false), (false, true)]);
}

#[tokio::test]
async fn where_nothing_is_told_without_the_token_either_that_app_alone_waits_an_hour() {
  let github = StandIn::start().await.unwrap();
  github.set_latest(REPO, SampleRelease::new("v1"));
  github.set_private(REPO);
  github.require_single_sign_on("acme", TOKEN);
  let asker = Asker::of(&github).with_token(TOKEN);
  for _ in 0..2 {
    let failure = asker.fail().await;
    assert!(
      matches!(
        failure,
        FetchFailure::Forbidden {
          why: Forbidden::SingleSignOn,
          ..
        }
      ),
      "{failure:?}"
    );
    assert_eq!(
      (failure.leaves_alone_for(), failure.concerns_the_app_alone()),
      (Some(AN_HOUR), true)
    );
    assert!(failure.to_string().contains("single sign-on"), "{failure}");
  }
}

#[rstest]
#[case::nothing_there(404, Outcome::NoRelease)]
#[case::nobody_may_ask(401, Outcome::Failed(FetchFailure::RefusedToAll { repo: "acme/other".parse().unwrap(), are_others_answered: true }))]
#[tokio::test]
async fn single_sign_on_for_one_repository_is_no_reason_for_another_of_the_same_owner(
  #[case] status: u16,
  #[case] expected: Outcome,
) {
  let github = StandIn::start().await.unwrap();
  github.set_private(REPO);
  github.script(REPO, [Answer::single_sign_on("https://github.com/orgs/acme/sso")]);
  github.script_always("acme/other", Answer::status(status));
  let asker = Asker::of(&github).with_token(TOKEN);
  assert!(matches!(asker.fail().await, FetchFailure::Forbidden { .. }));
  github.clear_requests();
  let other = asker.of_app("acme/other");
  assert_eq!(other.ask().await, expected);
  let asked = sent(&github);
  assert_eq!(
    (asked[0], *asked.last().unwrap()),
    ((false, false), (true, false)),
    "without it first"
  );
}

#[tokio::test]
async fn a_token_is_tried_once_an_hour_for_each_repository_that_tells_nothing_without_it() {
  let github = StandIn::start().await.unwrap();
  let repos = [REPO, "acme/other"];
  for repo in repos {
    github.set_latest(repo, SampleRelease::new("v1"));
    github.set_private(repo);
  }
  github.require_single_sign_on("acme", TOKEN);
  let mut asker = Asker::of(&github).with_token(TOKEN);
  for repo in [repos[0], repos[1], repos[1], repos[0]] {
    asker = asker.of_app(repo);
    let failure = asker.fail().await;
    assert!(failure.to_string().contains("single sign-on"), "{failure}");
  }
  let with_token = || sent(&github).iter().filter(|(token, _)| *token).count();
  assert_eq!(with_token(), 2);
  github.clear_tokens();
  repos.iter().for_each(|repo| github.set_private(repo));
  asker.let_pass(AN_HOUR);
  github.clear_requests();
  assert!(matches!(asker.ask().await, Outcome::Release(_)));
  assert_eq!(sent(&github), [(true, false)]);
}

#[tokio::test]
async fn a_token_that_is_let_in_to_one_repository_is_used_for_its_owner_again() {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [Answer::single_sign_on("https://github.com/orgs/acme/sso")]);
  github.set_latest("acme/other", SampleRelease::new("v1"));
  github.set_private("acme/other");
  let asker = Asker::of(&github).with_token(TOKEN);
  asker.ask().await;
  let other = asker.of_app("acme/other");
  assert!(matches!(other.ask().await, Outcome::Release(_)));
  github.clear_requests();
  assert!(matches!(other.ask().await, Outcome::Release(_)));
  assert_eq!(sent(&github), [(true, false)]);
}

#[rstest]
#[case::denied(Answer::denied(), Forbidden::Denied, AN_HOUR)]
#[case::an_ip_allow_list(Answer::status(403).message("Although you appear to have the correct authorization credentials, the `acme` organization has an IP allow list enabled"), Forbidden::Denied, AN_HOUR)]
#[case::no_classic_tokens(Answer::status(403).message("`acme` forbids access via a personal access token (classic)."), Forbidden::Denied, AN_HOUR)]
#[case::blocked(Answer::blocked(), Forbidden::Blocked, AN_HOUR * 4)]
#[tokio::test]
async fn any_other_403_is_asked_once_without_the_token_and_then_leaves_the_app_alone(
  #[case] answer: Answer,
  #[case] why: Forbidden,
  #[case] wait: Duration,
) {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [answer.clone(), answer]);
  let failure = Asker::of(&github).with_token(TOKEN).fail().await;
  assert!(
    matches!(&failure, FetchFailure::Forbidden { why: told, .. } if *told == why),
    "{failure:?}"
  );
  assert_eq!(
    (failure.leaves_alone_for(), failure.concerns_the_app_alone()),
    (Some(wait), true)
  );
  assert_eq!(sent(&github), [(true, false), (false, false)]);
}

#[tokio::test]
async fn a_token_without_a_right_to_one_repository_asks_about_the_others_of_its_owner() {
  let github = StandIn::start().await.unwrap();
  github.set_latest(REPO, SampleRelease::new("v1"));
  github.set_latest("acme/other", SampleRelease::new("v1"));
  github.script(REPO, [Answer::denied()]);
  let asker = Asker::of(&github).with_token(TOKEN);
  assert!(matches!(asker.ask().await, Outcome::Release(_)));
  let other = asker.of_app("acme/other");
  assert!(matches!(other.ask().await, Outcome::Release(_)));
  assert_eq!(sent(&github), [(true, false), (false, false), (true, false)]);
}

#[tokio::test]
async fn a_404_to_whoever_goes_without_a_refused_token_is_no_release_only_where_the_repository_can_be_seen() {
  let github = StandIn::start().await.unwrap();
  github.set_no_release(REPO);
  github.set_bad_token(TOKEN);
  let asker = Asker::of(&github).with_token(TOKEN);
  assert_eq!(asker.ask().await, Outcome::NoRelease);
  github.set_private(REPO);
  github.set_latest(REPO, SampleRelease::new("v1"));
  // The repository's own address answers 404 too.
  let failure = asker.fail().await;
  assert_eq!(failure, FetchFailure::Unseen);
  assert!(
    failure.to_string().contains("can't be seen without the token"),
    "{failure}"
  );
  assert!(failure.concerns_the_app_alone());
}

#[tokio::test]
async fn what_a_401_says_is_left_is_not_the_tokens() {
  let github = StandIn::start().await.unwrap();
  github.set_latest(REPO, SampleRelease::new("v1"));
  github.set_bad_token(TOKEN);
  github.set_rate_limit_of(None, 60, 17, 1_791_474_770);
  let asker = Asker::of(&github).with_token(TOKEN);
  asker.ask().await;
  assert_eq!(asker.source.budgets(), []);
  let askers = asker.source.askers();
  let told: Vec<_> = askers
    .iter()
    .map(|asker| (asker.is_refused, asker.budget.map(|budget| budget.remaining)))
    .collect();
  assert_eq!(told, [(true, None), (false, Some(16))]);
}

#[rstest]
#[case::of_githubs_front(Answer::html_error(502))]
#[case::of_a_login_page(Answer::status(200).body("<!DOCTYPE html><title>Sign in</title>"))]
#[case::a_request_that_is_wrong(Answer::status(400))]
#[case::an_api_that_is_gone(Answer::status(410))]
#[case::a_server_in_trouble(Answer::status(500))]
#[tokio::test]
async fn what_says_something_of_github_or_of_us_concerns_everybody(#[case] answer: Answer) {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [answer]);
  assert!(!Asker::of(&github).fail().await.concerns_the_app_alone());
}

#[rstest]
#[case::the_same("W/\"a\"", Some("W/\"a\""))]
#[case::a_strong_one_for_a_weak_one("W/\"a\"", Some("\"a\""))]
#[case::a_weak_one_for_a_strong_one("\"a\"", Some("W/\"a\""))]
#[case::none("W/\"a\"", None)]
#[tokio::test]
async fn a_304_confirms_what_was_named_whether_weak_or_not(#[case] named: &str, #[case] confirmed: Option<&str>) {
  let github = StandIn::start().await.unwrap();
  let answer = match confirmed {
    Some(etag) => Answer::not_modified(etag),
    None => Answer::status(304).without_header("etag"),
  };
  github.script(REPO, [answer]);
  let named = ETag::new(named).unwrap();
  let outcome = Asker::of(&github).ask_knowing(Some(&named)).await;
  assert_eq!(outcome, Outcome::NotModified { named });
}

#[tokio::test]
async fn a_304_for_something_else_is_not_believed_and_everything_is_asked_for_once() {
  let github = StandIn::start().await.unwrap();
  github.set_latest(REPO, SampleRelease::new("v2"));
  github.script(REPO, [Answer::not_modified("W/\"b\"")]);
  let named = ETag::new("W/\"a\"").unwrap();
  let outcome = Asker::of(&github).ask_knowing(Some(&named)).await;
  assert!(matches!(outcome, Outcome::Release(answer) if answer.valid.release.tag == "v2"));
  assert_eq!(sent(&github), [(false, true), (false, false)]);
  github.script_always(REPO, Answer::not_modified("W/\"b\""));
  let outcome = Asker::of(&github).ask_knowing(Some(&named)).await;
  assert_eq!(outcome, Outcome::Failed(FetchFailure::NothingToConfirm));
  assert_eq!(github.request_count(), 4);
}

/// Of each request: whether it had a token, and whether it had a validator.
fn sent(github: &StandIn) -> Vec<(bool, bool)> {
  let requests = github.requests();
  let sent = requests.iter().map(|request| {
    (
      request.header("authorization").is_some(),
      request.header("if-none-match").is_some(),
    )
  });
  sent.collect()
}

#[tokio::test]
async fn a_release_that_says_the_token_back_is_told_to_nobody() {
  let github = StandIn::start().await.unwrap();
  github.set_latest(
    REPO,
    SampleRelease::new("v1").notes("Sent: Bearer ghp_hunter2_0123456789."),
  );
  let failure = Asker::of(&github).with_token("ghp_hunter2_0123456789").fail().await;
  assert_eq!(failure, FetchFailure::TokenSaidBack);
  assert!(!failure.concerns_the_app_alone() && !failure.to_string().contains("hunter2"));
  assert!(
    matches!(Asker::of(&github).ask().await, Outcome::Release(_)),
    "nobody's"
  );
}

#[rstest]
#[case::in_the_notes("body", r"\u0067hp_hunter2_0123456789")]
#[case::in_the_name("name", r"for ghp\u005fhunter2\u005f0123456789")]
#[case::in_an_address("html_url", r"https:\/\/github.com\/\u0067hp_hunter2_0123456789")]
#[tokio::test]
async fn one_that_says_it_back_in_escapes_is_told_to_nobody_either(#[case] field: &str, #[case] said: &str) {
  let github = StandIn::start().await.unwrap();
  let mut release = SampleRelease::new("demo-v1").to_json(REPO);
  release[field] = "SAID".into();
  let body = release.to_string().replace("SAID", said);
  github.script(
    REPO,
    [
      Answer::status(200).body(body.clone()),
      Answer::status(200).body(format!("[{body}]")),
      Answer::status(200).body(body),
    ],
  );
  let asker = Asker::of(&github).with_token("ghp_hunter2_0123456789");
  assert_eq!(asker.fail().await, FetchFailure::TokenSaidBack);
  let asker = asker.choosing("tag_prefix = \"demo-\"");
  assert_eq!(asker.fail().await, FetchFailure::TokenSaidBack);
  assert!(
    matches!(Asker::of(&github).ask().await, Outcome::Release(_)),
    "nobody's"
  );
}

#[tokio::test]
async fn a_validator_that_holds_the_token_is_not_kept() {
  let github = StandIn::start().await.unwrap();
  let release = || Answer::release(SampleRelease::new("v1").to_json(REPO));
  github.script_always(REPO, release().header("etag", "W/\"ghp_hunter2_0123456789\""));
  let failure = Asker::of(&github).with_token("ghp_hunter2_0123456789").fail().await;
  assert_eq!(failure, FetchFailure::TokenSaidBack);
}

#[tokio::test]
async fn a_token_of_one_letter_stands_in_every_release_and_is_hidden_in_words_alone() {
  let github = StandIn::start().await.unwrap();
  github.set_latest(REPO, SampleRelease::new("v1"));
  let asker = Asker::of(&github).with_token("e");
  assert!(matches!(asker.ask().await, Outcome::Release(_)));
  github.script(REPO, [Answer::status(500).message("e")]);
  assert_eq!(asker.fail().await.to_string(), "GitHub answered 500: ***");
}
