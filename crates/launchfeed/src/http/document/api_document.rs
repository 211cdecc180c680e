//! The frame of the document, and what follows from the routes alone.

use feed_types::{AppAnswer, ReleaseInfoAnswer};
use utoipa::OpenApi as _;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Operation, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{OpenApi, RefOr, Required, Schema};

/// The tag of the release info.
pub(in crate::http) const RELEASES: &str = "Releases";
/// The tag of the links.
pub(in crate::http) const DOWNLOADS: &str = "Downloads";
/// The tag of the document and its pages.
pub(in crate::http) const THIS_API: &str = "This API";

const ABOUT: &str = "\
Launchfeed stands between a family of desktop apps and GitHub Releases, and gives every launcher, updater and download page one fast answer.

Everything here can be read with `GET`, and `HEAD` gives the same headers without the body; any other method is refused with `405` and \
`Allow`. Errors are JSON too: `success` is `false`, and `error` has a `code` for programs and a `message` for people. \
Web pages of any origin may read the releases and this document (CORS).

The API grows and never changes its meaning: ignore fields that you don't know, and treat every field as optional. The words of `platform` \
are closed lists. The words of `build` are open: ignore values you don't know.";

/// What is true of the whole API. The routes add themselves.
#[derive(utoipa::OpenApi)]
#[openapi(
  info(title = "Launchfeed", description = ABOUT, license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")),
  servers((url = "/", description = "This instance")),
  tags(
    (name = RELEASES, description = "The current release of each app, with its files."),
    (name = DOWNLOADS, description = "Links that never change, for web pages, scripts and people."),
    (name = THIS_API, description = "What you are reading, for people and for programs."),
  ),
  components(schemas(ReleaseInfoAnswer, AppAnswer)),
)]
pub(in crate::http) struct ApiDocument;

impl ApiDocument {
  /// The document without any routes.
  pub(in crate::http) fn frame() -> OpenApi {
    Self::openapi()
  }
}

/// The document with what follows from the routes: a name for each operation, and `HEAD` wherever there is `GET`.
pub(in crate::http) fn complete(mut document: OpenApi) -> OpenApi {
  if let Some(components) = &mut document.components {
    components.schemas.values_mut().for_each(forget_defaults);
  }
  for (path, item) in &mut document.paths.paths {
    if let Some(get) = &mut item.get {
      name_request(get);
      item.head = Some(head_of(get, path));
      get.operation_id = Some(operation_id("get", path));
    }
  }
  document
}

/// Every request may have an id, and its answer has it too.
fn name_request(operation: &mut Operation) {
  let id = || {
    ObjectBuilder::new()
      .schema_type(Type::String)
      .pattern(Some("^[!-~]{1,128}$"))
      .build()
  };
  let given = ParameterBuilder::new()
    .name("X-Request-Id")
    .parameter_in(ParameterIn::Header)
    .required(Required::False)
    .description(Some(
      "What you call this request: 1 to 128 visible ASCII characters. The answer has it too, and so has the server's log where something \
       goes wrong. Anything else counts as none.",
    ))
    .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
    .example(Some("7f3c9a1e".into()))
    .build();
  operation.parameters.get_or_insert_default().push(RefOr::T(given));
  let answered = HeaderBuilder::new()
    .schema(Some(id()))
    .description(Some(
      "The request's own id, or one that the server gives. The whole answer has none where the request has none.",
    ))
    .build();
  for response in operation.responses.responses.values_mut() {
    if let RefOr::T(response) = response {
      response
        .headers
        .insert("X-Request-Id".to_owned(), RefOr::T(answered.clone()));
    }
  }
}

/// Defaults are for reading leniently; an answer leaves nothing out.
fn forget_defaults(schema: &mut RefOr<Schema>) {
  let RefOr::T(Schema::Object(object)) = schema else {
    return;
  };
  for property in object.properties.values_mut() {
    match property {
      RefOr::Ref(reference) => reference.default = None,
      RefOr::T(Schema::Object(property)) => property.default = None,
      RefOr::T(Schema::Array(property)) => property.default = None,
      RefOr::T(Schema::OneOf(property)) => property.default = None,
      RefOr::T(_) => {}
    }
  }
}

fn head_of(get: &Operation, path: &str) -> Operation {
  let mut head = get.clone();
  head.operation_id = Some(operation_id("head", path));
  head.description = Some("The headers of `GET`, without the body.".to_owned());
  for response in head.responses.responses.values_mut() {
    if let RefOr::T(response) = response {
      response.content.clear();
    }
  }
  head
}

/// Unique, and the same for as long as the path is.
fn operation_id(method: &str, path: &str) -> String {
  path
    .split(|c: char| !c.is_ascii_alphanumeric())
    .filter(|word| !word.is_empty())
    .fold(method.to_owned(), |id, word| format!("{id}_{word}"))
}
