//! Scripted answers, the bad ones above all.

use std::io::{ErrorKind, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use flate2::read::GzDecoder;
use github_standin::{Answer, SampleRelease, StandIn};
use rstest::rstest;
use testkit::HttpConnection;

use crate::asking::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_queue_comes_first_then_what_holds_always_then_the_usual() {
  let github = StandIn::start().await.unwrap();
  github.set_latest(REPO, SampleRelease::new("v1"));
  github.script(REPO, [Answer::status(500), Answer::status(502)]);
  github.script_always(REPO, Answer::status(410));
  let statuses = |count: usize| (0..count).map(|_| status(&github, LATEST)).collect::<Vec<_>>();
  assert_eq!(statuses(4), [500, 502, 410, 410]);
  github.clear_script(REPO);
  assert_eq!(statuses(1), [200]);
  github.script_all_always(Answer::status(503));
  assert_eq!(statuses(2), [503, 503]);
  assert_eq!(status(&github, "/repos/acme/other"), 503);
  github.clear_all();
  assert_eq!(statuses(1), [200]);
}

#[rstest]
#[case::any_status(Answer::status(418), 418, None)]
#[case::gone(Answer::not_found(), 404, None)]
#[case::bad_credentials(Answer::unauthorized(), 401, None)]
#[case::the_hours_requests(Answer::primary_limit(1_791_471_270), 403, Some(("x-ratelimit-reset", "1791471270")))]
#[case::too_much_at_once(Answer::secondary_limit("60"), 403, Some(("retry-after", "60")))]
#[case::moved(Answer::redirect(307, "http://x/"), 307, Some(("location", "http://x/")))]
#[case::a_304_to_anybody(Answer::not_modified("\"x\""), 304, Some(("etag", "\"x\"")))]
#[case::a_header_of_ones_own(Answer::status(200).header("X-Odd", "1"), 200, Some(("x-odd", "1")))]
#[tokio::test(flavor = "multi_thread")]
async fn each_answer_is_what_its_name_says(
  #[case] answer: Answer,
  #[case] status: u16,
  #[case] header: Option<(&str, &str)>,
) {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [answer]);
  let answer = get(&github, LATEST);
  assert_eq!(answer.status, status);
  if let Some((name, value)) = header {
    assert_eq!(answer.header(name), Some(value));
  }
  assert_eq!(answer.header("server"), Some("github.com"));
}

#[tokio::test(flavor = "multi_thread")]
async fn githubs_front_answers_in_html_and_without_the_apis_headers() {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [Answer::html_error(502)]);
  let answer = get(&github, LATEST);
  assert!(answer.header("content-type").unwrap().starts_with("text/html"));
  assert!(answer.body.starts_with(b"<"));
  assert_eq!(
    (answer.header("x-ratelimit-limit"), answer.header("etag")),
    (None, None)
  );
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_messages_and_missing_headers_are_as_told() {
  let github = StandIn::start().await.unwrap();
  let told = [
    Answer::status(200).body(&b"\xff\0"[..]),
    Answer::status(403).message("Not for you"),
    Answer::status(200)
      .without_header("date")
      .without_header("x-ratelimit-reset"),
    Answer::status(200).header("bad\nname", "x"),
  ];
  github.script(REPO, told);
  assert_eq!(get(&github, LATEST).body, b"\xff\0");
  assert_eq!(get(&github, LATEST).json()["message"], "Not for you");
  let bare = get(&github, LATEST);
  assert_eq!((bare.header("date"), bare.header("x-ratelimit-reset")), (None, None));
  assert_eq!(status(&github, LATEST), 500, "what HTTP can't carry is said");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_is_broken_off_as_told() {
  let github = StandIn::start().await.unwrap();
  let release = SampleRelease::new("v1").to_json(REPO);
  github.script(REPO, [Answer::release(release).truncated(), Answer::reset()]);
  for _ in 0..2 {
    let mut connection = HttpConnection::open(github.address());
    connection.send(request_head(LATEST, &[("user-agent", "test")]).as_bytes());
    let error = connection.try_answer("GET").unwrap_err();
    assert!(
      matches!(error.kind(), ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset),
      "{error:?}"
    );
  }
  assert_eq!(github.requests()[0].status, Some(200));
  assert_eq!(github.requests()[1].status, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_left_waiting_hears_nothing_until_the_end() {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [Answer::status(200).hang()]);
  let mut stream = asked(&github, &[]);
  github.wait_for_requests(1).await;
  stream.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
  let error = stream.read(&mut [0]).unwrap_err();
  assert!(
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
    "{error:?}"
  );
  github.shutdown().await;
  assert!(!matches!(stream.read(&mut [0]), Ok(1..)), "it was cut");
}

#[tokio::test(flavor = "multi_thread")]
async fn delays_latency_and_drips_take_their_time() {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [Answer::status(200).delay(Duration::from_millis(60))]);
  github.script(REPO, [Answer::status(200).body("abcd").drip(Duration::from_millis(20))]);
  github.set_latency(Duration::from_millis(40));
  for least in [100, 120] {
    let started = Instant::now();
    get(&github, LATEST);
    assert!(
      started.elapsed() >= Duration::from_millis(least),
      "{:?}",
      started.elapsed()
    );
  }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endless_body_goes_on_for_as_long_as_somebody_reads() {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [Answer::status(200).endless()]);
  let mut stream = asked(&github, &[]);
  let mut read = vec![0; 2_000_000];
  stream.read_exact(&mut read).unwrap();
  assert!(read[1_000_000..].windows(64).any(|bytes| bytes == [b' '; 64]));
  assert!(github.bytes_sent() >= 1_900_000, "{}", github.bytes_sent());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bomb_unfolds_to_far_more_than_was_sent() {
  let github = StandIn::start().await.unwrap();
  github.script(REPO, [Answer::status(200).endless_gzip().header("connection", "close")]);
  let mut stream = asked(&github, &[("accept-encoding", "gzip")]);
  let mut bytes = vec![0; 60_000];
  stream.read_exact(&mut bytes).unwrap();
  let text = String::from_utf8_lossy(&bytes).to_lowercase();
  assert!(text.contains("content-encoding: gzip"));
  // Chunked: what lies between the first chunk's two line ends is the beginning of the stream.
  let head = bytes.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap() + 4;
  let data = head + bytes[head..].windows(2).position(|bytes| bytes == b"\r\n").unwrap() + 2;
  let chunk = usize::from_str_radix(std::str::from_utf8(&bytes[head..data - 2]).unwrap(), 16).unwrap();
  let mut unfolded = Vec::new();
  // It ends in the middle of the stream, which is an error after all that could be unfolded.
  let _ = GzDecoder::new(&bytes[data..data + chunk]).read_to_end(&mut unfolded);
  assert!(unfolded.len() > 20 * chunk, "{} of {chunk}", unfolded.len());
}

/// A connection on which the latest release was asked for.
fn asked(github: &StandIn, headers: &[(&str, &str)]) -> TcpStream {
  use std::io::Write;

  let mut stream = TcpStream::connect(github.address()).unwrap();
  let head = request_head(LATEST, &[&[("user-agent", "test")], headers].concat());
  stream.write_all(head.as_bytes()).unwrap();
  stream
}
