//! Every route, in one place.

use std::time::Duration;

use axum::Router;
use axum::http::Method;
use axum::http::header::ETAG;
use axum::middleware::from_fn;
use tower_http::cors::{Any, CorsLayer, Vary};
use utoipa::openapi::OpenApi;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use super::answers::Answers;
use super::document::{ApiDocument, complete};
use super::error_answer::ErrorAnswer;
use super::pages::Pages;
use super::request_id::{X_REQUEST_ID, name_requests};
use super::send_answer::X_LAST_FETCHED;
use super::served::Served;
use super::{download, pages, release_info};

/// How long a browser may remember that it may ask.
const PREFLIGHT_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// The public routes.
pub fn router(answers: Answers) -> Router {
  let (routes, document) = public_routes().split_for_parts();
  let pages = Pages::of(&complete(document)).into();
  routes
    .fallback(|| async { ErrorAnswer::NotFound })
    .with_state(Served { answers, pages })
    .layer(from_fn(name_requests))
}

/// What the public routes are, for programs: the OpenAPI document.
pub fn api_document() -> OpenApi {
  complete(public_routes().into_openapi())
}

/// The one list that both the routes and their document come from.
fn public_routes() -> OpenApiRouter<Served> {
  let for_any_origin = OpenApiRouter::default()
    .nest("/v1/craft_apps", releases())
    .nest("/v1", releases())
    .routes(read_only(routes!(pages::openapi_json)))
    .layer(cors());
  OpenApiRouter::with_openapi(ApiDocument::frame())
    .merge(for_any_origin)
    .routes(read_only(routes!(download::download)))
    .routes(read_only(routes!(download::download_of_type)))
    .routes(read_only(routes!(pages::docs)))
}

fn releases() -> OpenApiRouter<Served> {
  OpenApiRouter::default()
    .routes(read_only(routes!(release_info::release_info)))
    .routes(read_only(routes!(release_info::app_release_info)))
}

fn read_only(route: UtoipaMethodRouter<Served>) -> UtoipaMethodRouter<Served> {
  route.map(|methods| methods.fallback(|| async { ErrorAnswer::READ_ONLY }))
}

/// Any page may read, and see what it needs to ask again cheaply. Nothing differs by origin, so nothing varies by it.
fn cors() -> CorsLayer {
  CorsLayer::new()
    .allow_origin(Any)
    .allow_methods([Method::GET, Method::HEAD])
    .allow_headers(Any)
    .expose_headers([ETAG, X_LAST_FETCHED, X_REQUEST_ID])
    .max_age(PREFLIGHT_AGE)
    .vary(Vary::list([]))
}

#[cfg(test)]
mod tests {
  use std::sync::Arc;

  use asset_names::{Hints, classify, contract_platform};
  use axum::body::{Body, Bytes, to_bytes};
  use axum::http::header::{
    ACCEPT_ENCODING, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ALLOW,
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, IF_NONE_MATCH, LOCATION, RETRY_AFTER, VARY,
  };
  use axum::http::{HeaderMap, HeaderName, Request, StatusCode};
  use feed_types::{App, Asset, Release, ReleaseInfo, ReleaseInfoAnswer};
  use release_feed::answer::{Coding, Effort, Publication, PublishedFeed};
  use release_feed::catalog::parse_app_list;
  use rstest::rstest;
  use serde_json::{Value, json};
  use tower::ServiceExt;

  use super::*;

  const CRAFT_PATH: &str = "/v1/craft_apps/release_info";
  const NEUTRAL_PATH: &str = "/v1/release_info";
  const APP_PATH: &str = "/v1/craft_apps/release_info/demo";
  const NEUTRAL_APP_PATH: &str = "/v1/release_info/demo";

  mod release_info {
    use super::*;

    #[rstest]
    #[tokio::test]
    async fn both_paths_answer_with_the_published_bytes(
      #[values(CRAFT_PATH, NEUTRAL_PATH)] path: &str,
      #[values("", "?x=1", "?")] query: &str,
    ) {
      let answered = ask(Method::GET, &format!("{path}{query}"), &complete()).await;
      assert_eq!(answered.status, StatusCode::OK);
      assert_eq!(answered.body, complete().all().body(Coding::Identity));
      assert_eq!(answered.header(CONTENT_TYPE), "application/json");
      assert_eq!(answered.header(CONTENT_LENGTH), answered.body.len().to_string());
      assert_eq!(answered.header(CACHE_CONTROL), "public, max-age=60");
      assert_eq!(answered.header(X_LAST_FETCHED), "2026-10-08T14:52:50Z");
    }

    #[rstest]
    #[tokio::test]
    async fn one_app_is_answered_alone(#[values(APP_PATH, NEUTRAL_APP_PATH)] path: &str) {
      let answered = ask(Method::GET, path, &complete()).await;
      let whole: Value = serde_json::from_slice(complete().all().body(Coding::Identity)).unwrap();
      let app = &whole["release_info"]["apps"]["demo"];
      assert_eq!(
        answered.json(),
        json!({ "success": true, "app_key": "demo", "app": app })
      );
      assert_eq!(answered.header(CACHE_CONTROL), "public, max-age=60");
      assert_ne!(
        answered.header(ETAG),
        ask(Method::GET, CRAFT_PATH, &complete()).await.header(ETAG)
      );
    }

    #[rstest]
    #[case::unknown("/v1/release_info/other")]
    #[case::another_case("/v1/release_info/Demo")]
    #[case::nul("/v1/release_info/%00")]
    #[case::dots("/v1/release_info/..")]
    #[case::encoded_dots("/v1/release_info/%2e%2e")]
    #[case::an_encoded_slash("/v1/release_info/demo%2F")]
    #[case::no_text("/v1/release_info/%ff")]
    #[case::ten_kilobytes(&format!("/v1/release_info/{}", "a".repeat(10_000)))]
    #[tokio::test]
    async fn an_unknown_key_is_not_found(#[case] path: &str) {
      let answered = ask(Method::GET, path, &complete()).await;
      assert_eq!(answered.status, StatusCode::NOT_FOUND);
      answered.assert_is_error("unknown_app");
    }

    #[rstest]
    #[tokio::test]
    async fn a_cold_answer_is_never_kept_and_never_confirmed(
      #[values(CRAFT_PATH, APP_PATH)] path: &str,
      #[values(Method::GET, Method::HEAD)] method: Method,
    ) {
      let answered = ask_with(method, path, &cold(), &[(IF_NONE_MATCH, "*")]).await;
      assert_eq!(
        (answered.status, answered.header(CACHE_CONTROL)),
        (StatusCode::OK, "no-store")
      );
      assert_eq!(
        (answered.headers.get(ETAG), answered.headers.get(X_LAST_FETCHED)),
        (None, None)
      );
    }

    #[rstest]
    #[tokio::test]
    async fn head_has_the_headers_of_get_and_no_body(
      #[values(
        CRAFT_PATH,
        NEUTRAL_PATH,
        APP_PATH,
        NEUTRAL_APP_PATH,
        "/download/demo/linux/x64",
        "/v1/release_info/other",
        "/openapi.json",
        "/docs"
      )]
      path: &str,
      #[values("identity", "br")] coding: &str,
    ) {
      let get = ask_with(Method::GET, path, &complete(), &[(ACCEPT_ENCODING, coding)]).await;
      let head = ask_with(Method::HEAD, path, &complete(), &[(ACCEPT_ENCODING, coding)]).await;
      assert_eq!((head.status, head.headers), (get.status, get.headers));
      assert!(head.body.is_empty());
    }

    #[rstest]
    #[tokio::test]
    async fn a_request_copies_no_bytes(#[values("identity", "gzip", "zstd", "br")] coding: &str) {
      let feed = complete();
      let answered = ask_with(Method::GET, CRAFT_PATH, &feed, &[(ACCEPT_ENCODING, coding)]).await;
      let published = Coding::ALL.map(|coding| feed.all().body(coding).as_ptr());
      assert!(published.contains(&answered.body.as_ptr()));
    }

    #[tokio::test]
    async fn the_next_request_gets_what_was_published_since() {
      let answers = answers(cold());
      let router = router(answers.clone());
      answers.publication.replace(complete());
      let response = router.oneshot(request(Method::GET, CRAFT_PATH, &[])).await.unwrap();
      assert_eq!(
        to_bytes(response.into_body(), usize::MAX).await.unwrap(),
        complete().all().body(Coding::Identity)
      );
    }
  }

  mod encodings {
    use super::*;

    #[rstest]
    #[case("identity", Coding::Identity)]
    #[case("gzip", Coding::Gzip)]
    #[case("gzip, deflate, br, zstd", Coding::Br)]
    #[case("zstd;q=1, br;q=0.5", Coding::Zstd)]
    #[case("nonsense;;", Coding::Identity)]
    #[tokio::test]
    async fn each_client_gets_its_coding_and_caches_tell_them_apart(#[case] accepted: &str, #[case] coding: Coding) {
      let answered = ask_with(Method::GET, CRAFT_PATH, &complete(), &[(ACCEPT_ENCODING, accepted)]).await;
      assert_eq!(answered.body, complete().all().body(coding));
      let named = answered
        .headers
        .get(CONTENT_ENCODING)
        .map(|value| value.to_str().unwrap());
      assert_eq!(named, (coding != Coding::Identity).then(|| coding.token()));
      assert_eq!(answered.header(VARY), "accept-encoding");
      assert_eq!(answered.header(CONTENT_LENGTH), answered.body.len().to_string());
    }
  }

  mod revalidation {
    use super::*;

    #[rstest]
    #[case::itself("{etag}")]
    #[case::as_if_it_were_strong("{strong}")]
    #[case::in_a_list("\"a\", W/\"b\" , {etag}")]
    #[case::anything("*")]
    #[tokio::test]
    async fn who_has_it_already_gets_a_304(#[case] named: &str, #[values(CRAFT_PATH, APP_PATH)] path: &str) {
      let get = ask(Method::GET, path, &complete()).await;
      let etag = get.header(ETAG);
      let named = named
        .replace("{etag}", etag)
        .replace("{strong}", etag.trim_start_matches("W/"));
      for method in [Method::GET, Method::HEAD] {
        let request = [(IF_NONE_MATCH, named.as_str()), (ACCEPT_ENCODING, "br")];
        let answered = ask_with(method, path, &complete(), &request).await;
        assert_eq!((answered.status, answered.body.len()), (StatusCode::NOT_MODIFIED, 0));
        for name in [ETAG, CACHE_CONTROL, VARY, X_LAST_FETCHED] {
          assert_eq!(answered.header(name.clone()), get.header(name));
        }
        let of_a_body = [CONTENT_TYPE, CONTENT_LENGTH, CONTENT_ENCODING];
        assert!(
          of_a_body.iter().all(|name| !answered.headers.contains_key(name)),
          "{:?}",
          answered.headers
        );
      }
    }

    #[rstest]
    #[case::another("W/\"other\"")]
    #[case::a_part_of_it("W/\"0")]
    #[case::malformed("W/{etag")]
    #[case::empty("")]
    #[tokio::test]
    async fn who_has_something_else_gets_the_body(#[case] named: &str) {
      let answered = ask_with(Method::GET, CRAFT_PATH, &complete(), &[(IF_NONE_MATCH, named)]).await;
      assert_eq!(answered.status, StatusCode::OK);
      assert!(!answered.body.is_empty());
    }
  }

  mod downloads {
    use super::*;

    const BASE: &str = "https://github.com/acme/demo/releases/download/v1.0/";

    #[rstest]
    #[case::best_for_windows("windows/x64", "demo-1.0-windows-x64.msi")]
    #[case::best_for_macos("macos/arm64", "demo-1.0-macos-universal.dmg")]
    #[case::best_for_some_linux("linux/x64", "demo-1.0-linux-x86_64.AppImage")]
    #[case::best_for_debian("linux/x64?distro=debian", "demo-1.0-linux-x86_64.deb")]
    #[case::best_for_browsers("web/any", "demo-web-1.0.zip")]
    #[case::of_a_type("linux/x64/deb", "demo-1.0-linux-x86_64.deb")]
    #[case::of_the_contracts_word("linux/x64/app_image", "demo-1.0-linux-x86_64.AppImage")]
    #[case::of_the_open_word("linux/x64/appimage", "demo-1.0-linux-x86_64.AppImage")]
    #[case::of_an_open_arch("linux/riscv64/tar_xz", "demo-1.0-linux-riscv64.tar.xz")]
    #[case::universal_where_there_is_no_other("macos/x64/dmg", "demo-1.0-macos-universal.dmg")]
    #[case::of_a_type_for_browsers("web/any/web_zip", "demo-web-1.0.zip")]
    #[tokio::test]
    async fn a_link_leads_to_the_file_of_the_current_release(#[case] link: &str, #[case] file: &str) {
      let answered = ask(Method::GET, &format!("/download/demo/{link}"), &complete()).await;
      assert_eq!(answered.status, StatusCode::FOUND);
      assert_eq!(answered.header(LOCATION), format!("{BASE}{file}"));
      assert_eq!(answered.header(CACHE_CONTROL), "public, max-age=60");
    }

    #[rstest]
    #[case::another_system("freebsd/x64")]
    #[case::another_processor("windows/riscv64")]
    #[case::another_type("linux/x64/rpm")]
    #[case::another_processor_of_a_type("windows/arm64/msi")]
    #[case::no_system("beos/x64")]
    #[case::nonsense("%00/..%2f")]
    #[tokio::test]
    async fn where_there_is_none_it_is_said_what_there_is(#[case] link: &str) {
      let answered = ask(Method::GET, &format!("/download/demo/{link}"), &complete()).await;
      assert_eq!(
        (answered.status, answered.header(CACHE_CONTROL)),
        (StatusCode::NOT_FOUND, "no-store")
      );
      let error = answered.json()["error"].clone();
      assert_eq!(error["code"], "no_such_build", "{error}");
      assert_eq!(error["available"].as_array().unwrap().len(), 6, "{error}");
      assert_eq!(error["available"][0]["build"]["os"], "windows");
    }

    #[rstest]
    #[case("/download/other/linux/x64", "unknown_app")]
    #[case("/download/https:%2F%2Fevil.example/linux/x64", "unknown_app")]
    #[case("/download/demo/%ff/x64", "unknown_app")]
    #[case("/download/empty/linux/x64", "no_release")]
    #[tokio::test]
    async fn without_an_app_or_a_release_there_is_no_link(#[case] path: &str, #[case] code: &str) {
      let answered = ask(Method::GET, path, &complete()).await;
      assert_eq!(answered.status, StatusCode::NOT_FOUND);
      answered.assert_is_error(code);
    }

    #[rstest]
    #[tokio::test]
    async fn what_is_not_known_yet_has_no_link_yet(#[values("", "/deb")] package_type: &str) {
      let path = format!("/download/demo/linux/x64{package_type}");
      let answered = ask(Method::GET, &path, &cold()).await;
      assert_eq!(answered.status, StatusCode::SERVICE_UNAVAILABLE);
      assert_eq!(answered.header(RETRY_AFTER), "30");
      answered.assert_is_error("not_known_yet");
    }
  }

  mod other_origins {
    use super::*;

    #[rstest]
    #[tokio::test]
    async fn any_page_may_read_and_see_what_it_needs(
      #[values(CRAFT_PATH, NEUTRAL_APP_PATH, "/openapi.json")] path: &str,
    ) {
      let origin = [(HeaderName::from_static("origin"), "https://example.org")];
      let answered = ask_with(Method::GET, path, &complete(), &origin).await;
      assert_eq!(answered.header(ACCESS_CONTROL_ALLOW_ORIGIN), "*");
      assert_eq!(
        answered.header(ACCESS_CONTROL_EXPOSE_HEADERS),
        "etag,x-last-fetched,x-request-id"
      );
      assert_eq!(answered.header(VARY), "accept-encoding");
    }

    #[rstest]
    #[tokio::test]
    async fn a_browser_that_asks_beforehand_may(#[values(CRAFT_PATH, NEUTRAL_APP_PATH, "/openapi.json")] path: &str) {
      let preflight = [
        (HeaderName::from_static("origin"), "https://example.org"),
        (HeaderName::from_static("access-control-request-method"), "GET"),
        (
          HeaderName::from_static("access-control-request-headers"),
          "if-none-match",
        ),
      ];
      let answered = ask_with(Method::OPTIONS, path, &complete(), &preflight).await;
      assert!(answered.status.is_success());
      assert_eq!(answered.header(ACCESS_CONTROL_ALLOW_ORIGIN), "*");
      assert_eq!(answered.header(ACCESS_CONTROL_ALLOW_METHODS), "GET,HEAD");
    }
  }

  mod errors {
    use super::*;

    #[rstest]
    #[tokio::test]
    async fn every_answer_has_the_id_of_its_request(
      #[values(
        CRAFT_PATH,
        APP_PATH,
        "/download/demo/linux/x64",
        "/openapi.json",
        "/docs",
        "/nothing"
      )]
      path: &str,
      #[values(Method::GET, Method::HEAD, Method::POST, Method::OPTIONS)] method: Method,
    ) {
      assert_eq!(ask(method, path, &complete()).await.header(X_REQUEST_ID), "abc");
    }

    #[rstest]
    #[tokio::test]
    async fn any_other_method_is_refused_with_those_allowed(
      #[values(
        CRAFT_PATH,
        NEUTRAL_PATH,
        APP_PATH,
        "/download/demo/linux/x64",
        "/download/demo/linux/x64/deb",
        "/openapi.json",
        "/docs"
      )]
      path: &str,
      #[values("POST", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "BREW")] method: &str,
    ) {
      let answered = ask(method.parse().unwrap(), path, &complete()).await;
      assert_eq!(answered.status, StatusCode::METHOD_NOT_ALLOWED);
      assert_eq!(answered.header(ALLOW), "GET, HEAD");
      answered.assert_is_error("method_not_allowed");
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
        "/v1/craft_apps",
        "/download/demo/linux",
        "/download/demo/linux/x64/deb/more"
      )]
      path: &str,
      #[values(Method::GET, Method::POST)] method: Method,
    ) {
      let answered = ask(method, path, &complete()).await;
      assert_eq!(
        (answered.status, answered.headers.get(ALLOW)),
        (StatusCode::NOT_FOUND, None)
      );
      answered.assert_is_error("not_found");
    }
  }

  mod described {
    use std::collections::BTreeSet;

    use super::*;
    use crate::http::front::WHOLE_ANSWER;

    #[test]
    fn the_document_has_every_route_and_no_other() {
      // The one place where a router tells its paths.
      let told = format!("{:?}", router(answers(cold())));
      let (told, _fallback) = told.split_once("fallback_router").unwrap();
      let routed: BTreeSet<&str> = told
        .split("RouteId(")
        .filter_map(|rest| rest.split_once("): \"")?.1.split_once('"'))
        .map(|(path, _)| path)
        .collect();
      let document = api_document();
      let documented: BTreeSet<&str> = document.paths.paths.keys().map(String::as_str).collect();
      assert_eq!(routed, documented, "{told}");
    }

    #[test]
    fn the_short_way_leads_to_documented_paths() {
      let paths = api_document().paths.paths;
      assert!(WHOLE_ANSWER.iter().all(|path| paths.contains_key(*path)));
    }

    #[test]
    fn each_operation_has_a_name_of_its_own() {
      let document = document();
      let operations = document["paths"].as_object().unwrap().values();
      let names: Vec<&Value> = operations
        .flat_map(|item| item.as_object().unwrap().values())
        .map(|operation| &operation["operationId"])
        .collect();
      let different: BTreeSet<&str> = names.iter().map(|name| name.as_str().unwrap()).collect();
      assert_eq!(different.len(), names.len());
    }

    #[tokio::test]
    async fn every_route_is_read_as_documented_and_refuses_all_else() {
      for (path, item) in document()["paths"].as_object().unwrap() {
        let methods: Vec<&String> = item.as_object().unwrap().keys().collect();
        assert_eq!(methods, ["get", "head"], "{path}");
        let path = with_examples(path, &item["get"]);
        let get = ask(Method::GET, &path, &complete()).await;
        let status = get.status.as_str();
        let documented = &item["get"]["responses"][status];
        assert!(documented.is_object(), "{path}: {status}");
        for name in documented["headers"].as_object().unwrap().keys() {
          assert!(get.headers.contains_key(name.as_str()), "{path}: {name}");
        }
        let head = ask(Method::HEAD, &path, &complete()).await;
        assert_eq!(
          (head.status, head.headers, head.body.len()),
          (get.status, get.headers, 0),
          "{path}"
        );
        let post = ask(Method::POST, &path, &complete()).await;
        assert_eq!(post.header(ALLOW), "GET, HEAD", "{path}");
        post.assert_is_error("method_not_allowed");
      }
    }

    #[rstest]
    #[case("Os", "windows macos linux freebsd web")]
    #[case("Arch", "x64 x86 arm64 universal")]
    #[case(
      "PackageType",
      "msi portable_zip dmg cli_zip app_image app_image_zsync deb rpm flatpak tar_gz web_zip"
    )]
    fn the_closed_lists_are_the_contracts(#[case] name: &str, #[case] words: &str) {
      let words: Vec<&str> = words.split(' ').collect();
      assert_eq!(document()["components"]["schemas"][name]["enum"], json!(words));
    }

    fn document() -> Value {
      serde_json::to_value(api_document()).unwrap()
    }

    /// The path with the example of each parameter, of an app that there is.
    fn with_examples(path: &str, operation: &Value) -> String {
      let parameters = operation["parameters"].as_array().unwrap().iter();
      let filled = parameters.fold(path.to_owned(), |path, parameter| {
        let name = parameter["name"].as_str().unwrap();
        path.replace(&format!("{{{name}}}"), parameter["example"].as_str().unwrap())
      });
      filled.replace("photocraft", "demo")
    }
  }

  struct Answered {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
  }

  impl Answered {
    fn header(&self, name: HeaderName) -> &str {
      let value = self.headers.get(&name);
      value
        .unwrap_or_else(|| panic!("no {name} in {:?}", self.headers))
        .to_str()
        .unwrap()
    }

    fn json(&self) -> Value {
      serde_json::from_slice(&self.body).unwrap()
    }

    fn assert_is_error(&self, code: &str) {
      assert_eq!(self.header(CONTENT_TYPE), "application/json");
      assert_eq!(self.header(CACHE_CONTROL), "no-store");
      let mut body = self.json();
      let message = body["error"]["message"].take();
      assert!(message.as_str().is_some_and(|message| !message.is_empty()));
      assert_eq!(
        body,
        json!({ "success": false, "error": { "code": code, "message": null } })
      );
    }
  }

  async fn ask(method: Method, path: &str, feed: &PublishedFeed) -> Answered {
    ask_with(method, path, feed, &[]).await
  }

  async fn ask_with(method: Method, path: &str, feed: &PublishedFeed, headers: &[(HeaderName, &str)]) -> Answered {
    let router = router(answers(feed.clone()));
    let response = router.oneshot(request(method, path, headers)).await.unwrap();
    let (parts, body) = response.into_parts();
    Answered {
      status: parts.status,
      headers: parts.headers,
      body: to_bytes(body, usize::MAX).await.unwrap(),
    }
  }

  fn request(method: Method, path: &str, headers: &[(HeaderName, &str)]) -> Request<Body> {
    // What is given otherwise differs from request to request.
    let mut request = Request::builder().method(method).uri(path).header(X_REQUEST_ID, "abc");
    for (name, value) in headers {
      request = request.header(name, *value);
    }
    request.body(Body::empty()).unwrap()
  }

  fn answers(feed: PublishedFeed) -> Answers {
    Answers {
      publication: Publication::new(feed),
      catalog: Arc::new(parse_app_list("demo=Demo=acme/demo,empty=Empty=acme/empty").0),
    }
  }

  fn cold() -> PublishedFeed {
    feed_of(App::default())
  }

  fn complete() -> PublishedFeed {
    let names = [
      "demo-1.0-windows-x64.msi",
      "demo-1.0-macos-universal.dmg",
      "demo-1.0-linux-x86_64.AppImage",
      "demo-1.0-linux-x86_64.deb",
      "demo-1.0-linux-riscv64.tar.xz",
      "demo-web-1.0.zip",
      "SHA256SUMS.txt",
    ];
    let assets = names.map(|name| Asset {
      name: name.to_owned(),
      download_url: format!("https://github.com/acme/demo/releases/download/v1.0/{name}"),
      platform: contract_platform(name),
      build: classify(name, &Hints::app("demo")).to_wire(),
      ..Asset::default()
    });
    let release = Release {
      tag: "v1.0".to_owned(),
      version: "1.0".to_owned(),
      assets: assets.into(),
      ..Release::default()
    };
    feed_of(App {
      latest_release: Some(release),
      app_last_fetched: "2026-10-08T14:52:50Z".parse().ok(),
      ..App::default()
    })
  }

  fn feed_of(app: App) -> PublishedFeed {
    let empty = App {
      latest_release: None,
      ..app.clone()
    };
    let apps = [("demo".to_owned(), app), ("empty".to_owned(), empty)];
    let answer = ReleaseInfoAnswer {
      success: true,
      release_info: ReleaseInfo::new(apps.into()),
      ..ReleaseInfoAnswer::default()
    };
    PublishedFeed::encode(answer, Effort::Quick).unwrap()
  }
}
