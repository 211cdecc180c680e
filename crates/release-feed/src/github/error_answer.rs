//! What an answer that is an error says in its body.

use http::{HeaderMap, header};
use reqwest::Response;
use serde::Deserialize;
use serde_json::Value;

use super::read_body::read_body;

/// Of what GitHub says in words or as an address, in a log line.
const MAX_SHOWN_BYTES: usize = 200;
/// What a repository that GitHub blocked is called where nothing else says it.
const BLOCKED: &str = "Repository access blocked";

/// As far as it can be read; nothing of it is needed.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct ErrorAnswer {
  /// GitHub's words, cut and escaped.
  pub(super) message: Option<String>,
  /// Whether it says that the repository is blocked.
  pub(super) is_blocked: bool,
  /// Whether it is a page for people, whatever it calls itself.
  pub(super) is_html: bool,
}

impl ErrorAnswer {
  /// Reads the body, whatever it is. `hide` takes secrets out of a text.
  pub(super) async fn read(response: Response, hide: impl Fn(&str) -> String) -> Self {
    let says_html = says_html(response.headers());
    match read_body(response).await {
      Ok(body) => Self::of(&body, says_html, hide),
      Err(_) => Self::default(),
    }
  }

  fn of(body: &[u8], says_html: bool, hide: impl Fn(&str) -> String) -> Self {
    #[derive(Deserialize)]
    struct ErrorBody {
      message: String,
      #[serde(default)]
      block: Value,
    }

    match serde_json::from_slice(body) {
      Ok(ErrorBody { message, block }) => Self {
        is_blocked: block.is_object() || message == BLOCKED,
        message: Some(shown(&message, hide)),
        is_html: false,
      },
      Err(_) => Self {
        is_html: is_html(body) || (says_html && !body.is_empty()),
        ..Self::default()
      },
    }
  }
}

/// Whether a body is HTML or XML, which no JSON begins like.
pub(super) fn is_html(body: &[u8]) -> bool {
  let first = body.iter().find(|byte| !byte.is_ascii_whitespace());
  first == Some(&b'<')
}

/// A text of GitHub's for a log line: without secrets, cut and escaped. What lies across the cut, or is escaped, isn't known for a secret
/// any more, so that these go first.
pub(super) fn shown(text: &str, hide: impl Fn(&str) -> String) -> String {
  let text = hide(text);
  text[..text.floor_char_boundary(MAX_SHOWN_BYTES)]
    .escape_debug()
    .to_string()
}

fn says_html(headers: &HeaderMap) -> bool {
  let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
  content_type.is_some_and(|value| value.trim_start().to_ascii_lowercase().starts_with("text/html"))
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  #[rstest]
  #[case::nothing(b"", false, false)]
  #[case::html(b"\n <!DOCTYPE html>", false, true)]
  #[case::words_that_call_themselves_html(b"Forbidden.", true, true)]
  #[case::words(b"Forbidden.", false, false)]
  #[case::json_that_calls_itself_html(b"{\"message\":\"no\"}", true, false)]
  fn a_page_is_known_by_its_beginning_or_its_type(#[case] body: &[u8], #[case] says_html: bool, #[case] is_page: bool) {
    assert_eq!(ErrorAnswer::of(body, says_html, str::to_owned).is_html, is_page);
  }

  #[rstest]
  #[case(r#"{"message":"Repository access blocked","block":{"reason":"tos"}}"#, true)]
  #[case(r#"{"message":"Repository access blocked"}"#, true)]
  #[case(r#"{"message":"Sorry","block":{"reason":"dmca"}}"#, true)]
  #[case(r#"{"message":"Sorry","block":null}"#, false)]
  #[case(r#"{"message":"Sorry"}"#, false)]
  fn a_block_is_known_by_its_field_or_its_words(#[case] body: &str, #[case] is_blocked: bool) {
    assert_eq!(
      ErrorAnswer::of(body.as_bytes(), false, str::to_owned).is_blocked,
      is_blocked
    );
  }

  #[rstest]
  #[case("[1]")]
  #[case(r#"{"message":7}"#)]
  #[case("{")]
  fn what_is_no_error_of_githubs_says_nothing(#[case] body: &str) {
    assert_eq!(
      ErrorAnswer::of(body.as_bytes(), false, str::to_owned),
      ErrorAnswer::default()
    );
  }
}
