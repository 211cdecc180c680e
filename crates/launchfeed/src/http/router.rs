//! Every route, in one place.

use axum::Router;
use release_feed::answer::Publication;

use super::error_answer::ErrorAnswer;
use super::release_info::release_info;

/// The public routes.
pub fn router(publication: Publication) -> Router {
  Router::new()
    .route("/v1/craft_apps/release_info", release_info())
    .route("/v1/release_info", release_info())
    .fallback(|| async { ErrorAnswer::NotFound })
    .with_state(publication)
}

#[cfg(test)]
mod tests {
  use axum::body::{Body, to_bytes};
  use axum::http::header::{ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE};
  use axum::http::{HeaderMap, HeaderName, Method, Request, StatusCode};
  use feed_types::{App, ReleaseInfo, ReleaseInfoAnswer};
  use release_feed::answer::PublishedAnswer;
  use rstest::rstest;
  use serde_json::{Value, json};
  use tower::ServiceExt;

  use super::*;

  const CRAFT_PATH: &str = "/v1/craft_apps/release_info";
  const NEUTRAL_PATH: &str = "/v1/release_info";

  mod release_info {
    use super::*;

    #[rstest]
    #[tokio::test]
    async fn both_paths_answer_with_the_published_bytes(
      #[values(CRAFT_PATH, NEUTRAL_PATH)] path: &str,
      #[values("", "?x=1", "?")] query: &str,
    ) {
      let published = complete();
      let (status, headers, body) = ask(Method::GET, &format!("{path}{query}"), published.clone()).await;
      assert_eq!(status, StatusCode::OK);
      assert_eq!(body, **published.body());
      assert_eq!(header(&headers, CONTENT_TYPE), "application/json");
      assert_eq!(header(&headers, CONTENT_LENGTH), body.len().to_string());
      assert_eq!(header(&headers, CACHE_CONTROL), "public, max-age=60");
    }

    #[rstest]
    #[case::complete(complete(), "public, max-age=60")]
    #[case::cold(cold(), "no-store")]
    #[tokio::test]
    async fn caches_keep_a_complete_answer_for_a_minute_and_a_cold_one_never(
      #[case] published: PublishedAnswer,
      #[case] expected: &str,
      #[values(Method::GET, Method::HEAD)] method: Method,
    ) {
      let (_, headers, _) = ask(method, CRAFT_PATH, published).await;
      assert_eq!(header(&headers, CACHE_CONTROL), expected);
    }

    #[rstest]
    #[tokio::test]
    async fn head_has_the_headers_of_get_and_no_body(#[values(CRAFT_PATH, NEUTRAL_PATH)] path: &str) {
      let (_, get_headers, _) = ask(Method::GET, path, complete()).await;
      let (status, headers, body) = ask(Method::HEAD, path, complete()).await;
      assert_eq!((status, headers), (StatusCode::OK, get_headers));
      assert!(body.is_empty());
    }

    #[tokio::test]
    async fn a_request_copies_no_bytes() {
      let published = complete();
      let publication = Publication::new(published.clone());
      let response = router(publication)
        .oneshot(request(Method::GET, CRAFT_PATH))
        .await
        .unwrap();
      let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
      assert_eq!(body.as_ptr(), published.body().as_ptr());
    }

    #[tokio::test]
    async fn the_next_request_gets_what_was_published_since() {
      let publication = Publication::new(cold());
      let router = router(publication.clone());
      publication.replace(complete());
      let response = router.oneshot(request(Method::GET, CRAFT_PATH)).await.unwrap();
      assert_eq!(
        to_bytes(response.into_body(), usize::MAX).await.unwrap(),
        complete().body()
      );
    }
  }

  mod errors {
    use super::*;

    #[rstest]
    #[tokio::test]
    async fn any_other_method_is_refused_with_those_allowed(
      #[values(CRAFT_PATH, NEUTRAL_PATH)] path: &str,
      #[values("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW")] method: &str,
    ) {
      let (status, headers, body) = ask(method.parse().unwrap(), path, complete()).await;
      assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED);
      assert_eq!(header(&headers, ALLOW), "GET, HEAD");
      assert_is_error(&headers, &body, "method_not_allowed");
    }

    #[rstest]
    #[tokio::test]
    async fn any_other_path_is_not_found(
      #[values(
        "/",
        "/v1",
        "/v1/release_info/",
        "/V1/release_info",
        "//v1/release_info",
        "/%00",
        "/v1/craft_apps"
      )]
      path: &str,
      #[values(Method::GET, Method::POST)] method: Method,
    ) {
      let (status, headers, body) = ask(method, path, complete()).await;
      assert_eq!(status, StatusCode::NOT_FOUND);
      assert_eq!(headers.get(ALLOW), None);
      assert_is_error(&headers, &body, "not_found");
    }

    fn assert_is_error(headers: &HeaderMap, body: &[u8], code: &str) {
      assert_eq!(header(headers, CONTENT_TYPE), "application/json");
      assert_eq!(header(headers, CACHE_CONTROL), "no-store");
      let mut body: Value = serde_json::from_slice(body).unwrap();
      let message = body["error"]["message"].take();
      assert!(message.as_str().is_some_and(|message| !message.is_empty()));
      assert_eq!(
        body,
        json!({ "success": false, "error": { "code": code, "message": null } })
      );
    }
  }

  async fn ask(method: Method, path: &str, published: PublishedAnswer) -> (StatusCode, HeaderMap, Vec<u8>) {
    let router = router(Publication::new(published));
    let response = router.oneshot(request(method, path)).await.unwrap();
    let (parts, body) = response.into_parts();
    (
      parts.status,
      parts.headers,
      to_bytes(body, usize::MAX).await.unwrap().to_vec(),
    )
  }

  fn request(method: Method, path: &str) -> Request<Body> {
    Request::builder().method(method).uri(path).body(Body::empty()).unwrap()
  }

  fn header(headers: &HeaderMap, name: HeaderName) -> &str {
    headers.get(name).unwrap().to_str().unwrap()
  }

  fn cold() -> PublishedAnswer {
    PublishedAnswer::encode(&ReleaseInfoAnswer::default())
  }

  fn complete() -> PublishedAnswer {
    let app = App {
      app_last_fetched: "2026-10-08T14:52:50Z".parse().ok(),
      ..App::default()
    };
    PublishedAnswer::encode(&ReleaseInfoAnswer {
      success: true,
      release_info: ReleaseInfo::new([("demo".to_owned(), app)].into()),
      ..ReleaseInfoAnswer::default()
    })
  }
}
