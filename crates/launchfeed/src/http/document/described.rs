//! What several routes have in common, described once.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use feed_types::UtcTime;
use serde::Serialize;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::header::{Header, HeaderBuilder};
use utoipa::openapi::schema::{Object, ObjectBuilder, Schema, Type};
use utoipa::openapi::{Ref, RefOr, Response, ResponseBuilder};
use utoipa::{IntoParams, IntoResponses, PartialSchema, ToSchema};

use super::examples::{app_answer, release, whole_answer};
use crate::http::error_answer::{ErrorAnswer, ErrorBody};

/// What a client says so that it is answered in few bytes.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "it is only described: the routes read the headers themselves")]
pub(in crate::http) struct CheapReads {
  /// The content codings that you take. There are `gzip`, `zstd` and `br`; without this header the body comes as it is.
  #[param(value_type = String, required = false, rename = "Accept-Encoding", example = "br, zstd, gzip")]
  accept_encoding: Option<String>,
  /// The `ETag` of the answer that you have, or several, or `*`. If it is still current, the answer is `304` without a body.
  #[param(value_type = String, required = false, rename = "If-None-Match", example = "W/\"0123456789abcdef0123456789abcdef\"")]
  if_none_match: Option<String>,
}

/// A published answer: 200, or 304 to whoever has it.
pub(in crate::http) struct Published<T>(PhantomData<T>);

/// The OpenAPI document.
pub(in crate::http) struct JsonPage;

/// A page for people.
pub(in crate::http) struct HtmlPage;

/// Where a link leads, or why nowhere.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "it is only described: the routes answer themselves")]
pub(in crate::http) enum LinkAnswers {
  /// To the file, on GitHub.
  #[response(
    status = 302,
    headers(
      ("Location" = String, description = "The file's address on GitHub."),
      ("Cache-Control" = String, description = "`public, max-age=60`"),
    ),
  )]
  Found,
  /// There is no such app, it has no release, or its release has no such build; then `available` says what it has.
  #[response(
    status = 404,
    headers(("Cache-Control" = String, description = "`no-store`")),
    example = json!(ErrorAnswer::NoSuchBuild(&release()).body()),
  )]
  NotFound(ErrorBody<'static>),
  /// Nothing is known of the app yet: this instance has just been started.
  #[response(
    status = 503,
    headers(
      ("Retry-After" = u32, description = "In seconds."),
      ("Cache-Control" = String, description = "`no-store`"),
    ),
    example = json!(ErrorAnswer::NotKnownYet.body()),
  )]
  NotKnownYet(ErrorBody<'static>),
}

/// A published answer, to be shown.
trait Example: ToSchema + Serialize {
  const ABOUT: &str;

  fn example() -> Self;
}

impl Example for feed_types::ReleaseInfoAnswer {
  const ABOUT: &str =
    "The whole family. Also while GitHub is away: then with the last good releases and their true times.";

  fn example() -> Self {
    whole_answer()
  }
}

impl Example for feed_types::AppAnswer {
  const ABOUT: &str = "One app.";

  fn example() -> Self {
    app_answer()
  }
}

impl<T: Example> IntoResponses for Published<T> {
  fn responses() -> BTreeMap<String, RefOr<Response>> {
    let headers = [
      (
        "ETag",
        text(
          "Of the meaning: while only fetch times move, it stays for half an hour. Absent until everything was fetched once.",
        ),
      ),
      (
        "X-Last-Fetched",
        header(
          UtcTime::schema(),
          "When the oldest part of the answer was fetched; a `304` has it too. Absent until everything was fetched once.",
        ),
      ),
      (
        "Cache-Control",
        text("`public, max-age=60`; `no-store` until everything was fetched once."),
      ),
      ("Vary", text("`accept-encoding`")),
    ];
    let body = ContentBuilder::new()
      .schema(Some(Ref::from_schema_name(T::name())))
      .example(serde_json::to_value(T::example()).ok());
    let complete = ResponseBuilder::new()
      .description(T::ABOUT)
      .content("application/json", body.build());
    cacheable(complete, headers)
  }
}

impl IntoResponses for JsonPage {
  fn responses() -> BTreeMap<String, RefOr<Response>> {
    page("The document.", "application/json", Object::with_type(Type::Object))
  }
}

impl IntoResponses for HtmlPage {
  fn responses() -> BTreeMap<String, RefOr<Response>> {
    page("The page.", "text/html; charset=utf-8", Object::with_type(Type::String))
  }
}

fn page(about: &str, content_type: &str, schema: Object) -> BTreeMap<String, RefOr<Response>> {
  let headers = [
    ("ETag", text("Of the content.")),
    ("Cache-Control", text("`public, max-age=3600`")),
    ("Vary", text("`accept-encoding`")),
  ];
  let body = ContentBuilder::new().schema(Some(Schema::from(schema))).build();
  cacheable(
    ResponseBuilder::new().description(about).content(content_type, body),
    headers,
  )
}

/// 200 and 304, with the same headers.
fn cacheable<const N: usize>(
  complete: ResponseBuilder,
  headers: [(&str, Header); N],
) -> BTreeMap<String, RefOr<Response>> {
  let unchanged = ResponseBuilder::new().description("What you have is current.");
  let with_headers = |response: ResponseBuilder| {
    let response = headers.iter().fold(response, |response, (name, header)| {
      response.header(*name, header.clone())
    });
    RefOr::T(response.build())
  };
  [("200", complete), ("304", unchanged)]
    .map(|(status, response)| (status.to_owned(), with_headers(response)))
    .into()
}

fn text(about: &str) -> Header {
  header(ObjectBuilder::new().schema_type(Type::String), about)
}

fn header(schema: impl Into<RefOr<Schema>>, about: &str) -> Header {
  HeaderBuilder::new()
    .schema(Some(schema))
    .description(Some(about))
    .build()
}
