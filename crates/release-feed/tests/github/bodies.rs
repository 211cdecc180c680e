//! Bodies that are too long, never end, break off, or are something else.

use std::time::Duration;

use github_standin::{Answer, SampleRelease, StandIn};
use release_feed::github::{FetchFailure, Outcome};
use rstest::rstest;

use crate::asking::*;

/// The contract's four MiB.
const MAX_BODY_BYTES: usize = 4_194_304;
/// Long enough for a local server, short enough for a test.
const SOON: Duration = Duration::from_millis(400);
/// What stands in buffers between the two sides.
const BUFFERS: u64 = 2 * 1024 * 1024;

#[tokio::test]
async fn a_body_of_four_mib_is_read_and_one_byte_more_is_not() {
  let github = StandIn::start().await.unwrap();
  for (length, is_read) in [(MAX_BODY_BYTES, true), (MAX_BODY_BYTES + 1, false)] {
    for chunked in [false, true] {
      let answer = release_of(length);
      let answer = if chunked {
        answer.without_header("content-length")
      } else {
        answer
      };
      github.script(REPO, [answer]);
      let outcome = Asker::of(&github).ask().await;
      assert_eq!(matches!(outcome, Outcome::Release(_)), is_read, "{length} {chunked}");
      assert_eq!(
        outcome == Outcome::Failed(FetchFailure::BodyTooLong),
        !is_read,
        "{length} {chunked}"
      );
    }
  }
}

#[tokio::test]
async fn a_body_without_end_costs_four_mib() {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [Answer::status(200).endless()]);
  assert_eq!(Asker::of(&github).fail().await, FetchFailure::BodyTooLong);
  assert!(
    github.bytes_sent() < MAX_BODY_BYTES as u64 + BUFFERS,
    "{}",
    github.bytes_sent()
  );
}

#[tokio::test]
async fn a_compressed_body_without_end_costs_four_mib_of_what_it_unfolds_to() {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [Answer::status(200).endless_gzip()]);
  assert_eq!(Asker::of(&github).fail().await, FetchFailure::BodyTooLong);
  assert!(github.bytes_sent() < BUFFERS, "{}", github.bytes_sent());
}

#[tokio::test]
async fn an_error_with_a_body_without_end_is_a_failure_all_the_same() {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [Answer::status(500).endless()]);
  assert_eq!(Asker::of(&github).fail().await.to_string(), "GitHub answered 500");
}

#[rstest]
#[case::no_answer(Answer::status(200).hang())]
#[case::a_byte_a_second(Answer::release(SampleRelease::new("v1").to_json(REPO)).drip(Duration::from_secs(1)))]
#[case::an_answer_that_comes_late(Answer::status(200).delay(Duration::from_secs(600)))]
#[tokio::test]
async fn the_whole_request_has_one_deadline(#[case] answer: Answer) {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [answer]);
  assert_eq!(
    Asker::of(&github).within(SOON).fail().await,
    FetchFailure::TimedOut(SOON)
  );
}

#[rstest]
#[case::broken_off(Answer::release(SampleRelease::new("v1").to_json(REPO)).truncated())]
#[case::hung_up(Answer::reset())]
#[tokio::test]
async fn a_connection_that_breaks_is_the_networks_failure(#[case] answer: Answer) {
  let github = StandIn::start().await.unwrap();
  github.script_always(REPO, answer);
  assert!(matches!(Asker::of(&github).fail().await, FetchFailure::Network(_)));
}

#[tokio::test]
async fn nobody_at_the_address_is_the_networks_failure_and_says_so() {
  let github = StandIn::start().await.unwrap();
  let asker = Asker::of(&github).with_token("ghp_hunter2");
  github.shutdown().await;
  let reason = asker.fail().await.to_string();
  assert!(
    reason.contains("can't be reached") && reason.to_lowercase().contains("refused"),
    "{reason}"
  );
  assert!(!reason.contains("hunter2"), "{reason}");
}

#[rstest]
#[case::html(Answer::html_error(200), "a page of HTML")]
#[case::nothing(Answer::status(200).body(""), "it is empty")]
#[case::a_list(Answer::status(200).body("[]"), "no JSON object")]
#[case::invalid_utf8(Answer::status(200).body(&b"{\"tag_name\":\"v1\",\"body\":\"\xff\"}"[..]), "can't be read")]
#[case::not_gzip(Answer::status(200).header("content-encoding", "gzip").body("{}"), "")]
#[tokio::test]
async fn a_200_that_is_no_release_is_a_failure(#[case] answer: Answer, #[case] reason: &str) {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [answer]);
  let failure = Asker::of(&github).fail().await.to_string();
  assert!(failure.contains(reason), "{failure}");
}

fn release_of(length: usize) -> Answer {
  let json = SampleRelease::new("v1").to_json(REPO).to_string();
  let padded = format!("{json}{}", " ".repeat(length - json.len()));
  Answer::release(serde_json::Value::Null).body(padded)
}
