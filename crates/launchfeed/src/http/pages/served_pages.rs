//! The pages and their routes.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::response::Response;
use utoipa::openapi::OpenApi;

use super::docs_view::{DocsView, STYLE};
use super::page::{Page, sha256_base64};
use crate::http::document::{CheapReads, HtmlPage, JsonPage, THIS_API};

/// Rendered once, at the start.
#[derive(Clone, Debug)]
pub(in crate::http) struct Pages {
  openapi_json: Page,
  docs: Page,
}

impl Pages {
  /// The document, and the same for people.
  pub(in crate::http) fn of(document: &OpenApi) -> Self {
    #[expect(clippy::expect_used, reason = "its types have nothing that JSON hasn't")]
    let value = serde_json::to_value(document).expect("the document is JSON");
    #[expect(clippy::expect_used, reason = "writing to a string can't fail")]
    let html = DocsView::of(&value).render().expect("the page is written to memory");
    Self {
      openapi_json: Page::new(value.to_string(), "application/json"),
      docs: Page::new(html, "text/html; charset=utf-8")
        .with(CONTENT_SECURITY_POLICY, content_security_policy())
        .with(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"))
        .with(REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    }
  }
}

/// The OpenAPI document
///
/// OpenAPI 3.1, for those who generate clients and tests. It changes only with the program.
#[utoipa::path(get, path = "/openapi.json", tag = THIS_API, params(CheapReads), responses(JsonPage))]
pub(in crate::http) async fn openapi_json(
  State(pages): State<Arc<Pages>>,
  method: Method,
  headers: HeaderMap,
) -> Response {
  pages.openapi_json.respond(&method, &headers)
}

/// The page for people
///
/// One page without scripts, which asks for nothing else.
#[utoipa::path(get, path = "/docs", tag = THIS_API, params(CheapReads), responses(HtmlPage))]
pub(in crate::http) async fn docs(State(pages): State<Arc<Pages>>, method: Method, headers: HeaderMap) -> Response {
  pages.docs.respond(&method, &headers)
}

/// Nothing but the page's own style: no scripts, no fonts, no requests, in nobody's frame.
fn content_security_policy() -> HeaderValue {
  let style = sha256_base64(STYLE.as_bytes());
  let policy = format!(
    "default-src 'none'; style-src 'sha256-{style}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  );
  #[expect(clippy::expect_used, reason = "base64 is visible ASCII")]
  HeaderValue::try_from(policy).expect("a header's value")
}

#[cfg(test)]
mod tests {
  use axum::body::to_bytes;
  use serde_json::{Value, json};

  use super::*;
  use crate::http::api_document;

  #[tokio::test]
  async fn the_page_shows_every_route_with_its_parameters_answers_and_examples() {
    let document = serde_json::to_value(api_document()).unwrap();
    let html = text_of(&Pages::of(&api_document()).docs).await;
    for (path, item) in document["paths"].as_object().unwrap() {
      assert!(html.contains(&format!("<code>{path}</code>")), "{path}");
      for parameter in item["get"]["parameters"].as_array().unwrap() {
        let name = parameter["name"].as_str().unwrap();
        assert!(html.contains(&format!("<dt><code>{name}</code>")), "{name}");
      }
    }
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
      assert!(html.contains(&format!("id=\"type-{name}\"")), "{name}");
    }
    assert!(html.contains("curl -s http://127.0.0.1:8080/v1/craft_apps/release_info/photocraft</pre>"));
    assert!(html.contains("<b>503</b> Service Unavailable"));
    assert!(html.contains("&#34;app_key&#34;: &#34;photocraft&#34;"));
  }

  #[tokio::test]
  async fn every_link_within_the_page_leads_somewhere() {
    let html = text_of(&Pages::of(&api_document()).docs).await;
    let targets: Vec<&str> = html
      .split("href=\"#")
      .skip(1)
      .filter_map(|rest| rest.split('"').next())
      .collect();
    assert!(targets.len() > 20);
    for target in targets {
      assert_eq!(html.matches(&format!("id=\"{target}\"")).count(), 1, "{target}");
    }
  }

  #[tokio::test]
  async fn the_page_asks_for_nothing_and_its_policy_lets_only_its_own_style_through() {
    let page = Pages::of(&api_document()).docs;
    let html = text_of(&page).await;
    let style = html.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
    let response = page.respond(&Method::GET, &HeaderMap::new());
    let policy = response.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none';"), "{policy}");
    assert!(policy.contains(&format!("style-src 'sha256-{}'", sha256_base64(style.as_bytes()))));
    assert!(!policy.contains("unsafe"));
    for asking in ["<script", "<img", "src=", "style=\"", "@import", "url("] {
      assert!(!html.contains(asking), "{asking}");
    }
  }

  #[test]
  fn what_the_document_says_is_text_and_never_markup() {
    let document = json!({
      "info": { "title": "<b>", "description": "`<script>` & more" },
      "components": { "schemas": {} }
    });
    let html = DocsView::of(&document).render().unwrap();
    assert!(html.contains("<code>&#60;script&#62;</code> &#38; more"), "{html}");
    assert!(!html.contains("<script>"));
  }

  #[tokio::test]
  async fn the_document_is_served_as_it_is() {
    let served: Value = serde_json::from_str(&text_of(&Pages::of(&api_document()).openapi_json).await).unwrap();
    assert_eq!(served, serde_json::to_value(api_document()).unwrap());
    assert_eq!(served["openapi"], "3.1.0");
  }

  async fn text_of(page: &Page) -> String {
    let body = page.respond(&Method::GET, &HeaderMap::new()).into_body();
    String::from_utf8(to_bytes(body, usize::MAX).await.unwrap().into()).unwrap()
  }
}
