//! The words of GitHub's refusals, as it has been seen to send them; clients tell some of them apart by nothing else.

use http::StatusCode;
use serde_json::{Value, json};

const DOCS: &str = "https://docs.github.com/rest";
const LATEST_RELEASE_DOCS: &str = "https://docs.github.com/rest/releases/releases#get-the-latest-release";
const RATE_LIMIT_DOCS: &str = "https://docs.github.com/rest/overview/resources-in-the-rest-api#rate-limiting";
const SECONDARY_LIMIT_DOCS: &str = "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api";
const SINGLE_SIGN_ON_DOCS: &str =
  "https://docs.github.com/articles/authenticating-to-a-github-organization-with-saml-single-sign-on/";
const REDIRECT_DOCS: &str = "https://docs.github.com/v3/#http-redirects";

/// What GitHub answers to a request without `User-Agent`.
pub(crate) const USER_AGENT_REQUIRED: &str = "\r\nRequest forbidden by administrative rules. Please make sure your request has a User-Agent header \
   (https://docs.github.com/en/rest/overview/resources-in-the-rest-api#user-agent-required). Check \
   https://developer.github.com for other possible causes.\r\n";

/// The usual body of a status; null for those that have none.
pub(crate) fn of_status(status: u16) -> Value {
  match status {
    204 | 304 => Value::Null,
    404 => not_found(LATEST_RELEASE_DOCS),
    451 => blocked("dmca"),
    500..=599 => with_message(status, "Server Error"),
    _ => with_message(status, reason(status)),
  }
}

pub(crate) fn with_message(status: u16, message: &str) -> Value {
  json!({ "message": message, "documentation_url": DOCS, "status": status.to_string() })
}

/// 404 for something that isn't a latest release.
pub(crate) fn nothing_here() -> Value {
  not_found(DOCS)
}

pub(crate) fn bad_credentials() -> Value {
  with_message(401, "Bad credentials")
}

pub(crate) fn authentication_required() -> Value {
  with_message(401, "Requires authentication")
}

pub(crate) fn primary_limit() -> Value {
  json!({
    "message": "API rate limit exceeded for 203.0.113.7. (But here's the good news: Authenticated requests get a higher \
      rate limit. Check out the documentation for more details.)",
    "documentation_url": RATE_LIMIT_DOCS,
  })
}

pub(crate) fn secondary_limit() -> Value {
  json!({
    "message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
    "documentation_url": SECONDARY_LIMIT_DOCS,
  })
}

pub(crate) fn single_sign_on() -> Value {
  json!({
    "message": "Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.",
    "documentation_url": SINGLE_SIGN_ON_DOCS, "status": "403",
  })
}

pub(crate) fn denied() -> Value {
  with_message(403, "Resource not accessible by personal access token")
}

pub(crate) fn blocked(reason: &str) -> Value {
  json!({
    "message": "Repository access blocked",
    "block": { "reason": reason, "created_at": "2024-01-01T00:00:00Z", "html_url": format!("https://github.com/{reason}") },
  })
}

pub(crate) fn moved(status: u16, location: &str) -> Value {
  json!({ "message": reason(status), "url": location, "documentation_url": REDIRECT_DOCS })
}

pub(crate) fn unicorn_page() -> &'static str {
  "<!DOCTYPE html>\n<html>\n  <head>\n    <title>Unicorn! &middot; GitHub</title>\n  </head>\n  <body>\n    \
   <p><strong>We had issues producing the response to your request.</strong></p>\n  </body>\n</html>\n"
}

fn not_found(documentation_url: &str) -> Value {
  json!({ "message": "Not Found", "documentation_url": documentation_url, "status": "404" })
}

fn reason(status: u16) -> &'static str {
  StatusCode::from_u16(status)
    .ok()
    .and_then(|status| status.canonical_reason())
    .unwrap_or("Unknown")
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn a_404_points_at_the_page_about_the_latest_release() {
    let expected = json!({ "message": "Not Found", "documentation_url": LATEST_RELEASE_DOCS, "status": "404" });
    assert_eq!(of_status(404), expected);
  }

  #[test]
  fn a_status_that_nobody_knows_still_has_a_body() {
    assert_eq!(of_status(799)["message"], "Unknown");
  }

  #[test]
  fn a_304_has_none() {
    assert_eq!(of_status(304), Value::Null);
  }
}
