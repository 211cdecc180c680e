//! What the page for people shows of the document.

use askama::Template;
use serde_json::Value;

use super::words::{Piece, paragraphs, pieces, type_pieces};

/// The page's style. Its digest is in the content security policy, so it stands in the page byte for byte.
pub(super) const STYLE: &str = include_str!("../../../templates/docs.css");

/// Where an instance listens by default.
const EXAMPLE_BASE: &str = "http://127.0.0.1:8080";

/// The whole page.
#[derive(Template)]
#[template(path = "docs.html")]
pub(super) struct DocsView {
  title: String,
  version: String,
  about: Vec<Vec<Piece>>,
  groups: Vec<GroupView>,
  types: Vec<TypeView>,
}

/// Routes for one purpose.
struct GroupView {
  name: String,
  about: Vec<Piece>,
  routes: Vec<RouteView>,
}

/// One route, or several that do the same.
struct RouteView {
  id: String,
  summary: String,
  paths: Vec<String>,
  about: Vec<Vec<Piece>>,
  commands: Vec<String>,
  parameters: Vec<ParameterView>,
  answers: Vec<AnswerView>,
}

struct ParameterView {
  name: String,
  place: &'static str,
  example: String,
  about: Vec<Piece>,
}

struct AnswerView {
  status: String,
  reason: &'static str,
  about: Vec<Piece>,
  body: Option<BodyView>,
  /// The status of an answer above that has the same headers, which aren't shown again.
  same_headers_as: Option<String>,
  headers: Vec<HeaderView>,
}

struct BodyView {
  content_type: String,
  type_pieces: Vec<Piece>,
  example: Option<String>,
}

struct HeaderView {
  name: String,
  about: Vec<Piece>,
}

/// A type of the answers.
struct TypeView {
  name: String,
  about: Vec<Vec<Piece>>,
  /// Where it is one of a few words.
  words: Vec<String>,
  fields: Vec<FieldView>,
}

struct FieldView {
  name: String,
  type_pieces: Vec<Piece>,
  is_optional: bool,
  about: Vec<Piece>,
}

impl DocsView {
  /// Everything in the document, in its order of groups.
  pub(super) fn of(document: &Value) -> Self {
    let groups = items(&document["tags"]).map(|tag| GroupView {
      name: text(&tag["name"]),
      about: pieces(&text(&tag["description"])),
      routes: routes_of(document, &tag["name"]),
    });
    Self {
      title: text(&document["info"]["title"]),
      version: text(&document["info"]["version"]),
      about: paragraphs(&text(&document["info"]["description"])),
      groups: groups.collect(),
      types: entries(&document["components"]["schemas"])
        .map(|(name, schema)| TypeView::of(name, schema))
        .collect(),
    }
  }
}

/// Those with this tag; paths with the same operation are one.
fn routes_of(document: &Value, tag: &Value) -> Vec<RouteView> {
  let mut found: Vec<(Value, RouteView)> = Vec::new();
  for (path, item) in entries(&document["paths"]) {
    let mut operation = item["get"].clone();
    if !items(&operation["tags"]).any(|named| named == tag) {
      continue;
    }
    let route = RouteView::of(path, &operation);
    operation["operationId"].take();
    match found.iter_mut().find(|(same, _)| *same == operation) {
      Some((_, shown)) => shown.paths.extend(route.paths),
      None => found.push((operation, route)),
    }
  }
  found.into_iter().map(|(_, route)| route).collect()
}

impl RouteView {
  fn of(path: &str, operation: &Value) -> Self {
    Self {
      id: text(&operation["operationId"]),
      summary: text(&operation["summary"]),
      paths: vec![path.to_owned()],
      about: paragraphs(&text(&operation["description"])),
      commands: commands(path, operation),
      parameters: items(&operation["parameters"]).map(ParameterView::of).collect(),
      answers: entries(&operation["responses"])
        .map(|(status, response)| AnswerView::of(status, response, &operation["responses"]))
        .collect(),
    }
  }
}

impl ParameterView {
  fn of(parameter: &Value) -> Self {
    Self {
      name: text(&parameter["name"]),
      place: match parameter["in"].as_str() {
        Some("path") => "in the path",
        Some("query") => "query, optional",
        _ => "header, optional",
      },
      example: text(&parameter["example"]),
      about: pieces(&text(&parameter["description"])),
    }
  }
}

impl AnswerView {
  fn of(status: &str, response: &Value, all: &Value) -> Self {
    let same = entries(all).find(|(_, other)| other["headers"] == response["headers"]);
    let body = entries(&response["content"])
      .next()
      .map(|(content_type, body)| BodyView {
        content_type: content_type.to_owned(),
        type_pieces: type_pieces(&body["schema"]),
        example: body.get("example").map(|example| format!("{example:#}")),
      });
    let headers = entries(&response["headers"]).map(|(name, header)| HeaderView {
      name: name.to_owned(),
      about: pieces(&text(&header["description"])),
    });
    Self {
      status: status.to_owned(),
      reason: status
        .parse()
        .ok()
        .and_then(|status: axum::http::StatusCode| status.canonical_reason())
        .unwrap_or_default(),
      about: pieces(&text(&response["description"])),
      body,
      same_headers_as: same.map(|(first, _)| first.to_owned()).filter(|first| first != status),
      headers: headers.collect(),
    }
  }
}

impl TypeView {
  fn of(name: &str, schema: &Value) -> Self {
    let required: Vec<&Value> = items(&schema["required"]).collect();
    let fields = entries(&schema["properties"]).map(|(name, field)| FieldView {
      name: name.to_owned(),
      type_pieces: type_pieces(field),
      is_optional: !required.iter().any(|required| *required == name),
      about: pieces(&about_field(field)),
    });
    Self {
      name: name.to_owned(),
      about: paragraphs(&text(&schema["description"])),
      words: items(&schema["enum"]).map(text).collect(),
      fields: fields.collect(),
    }
  }
}

/// What is said of a field itself; where it may be `null`, that stands beside the choices or in the one that isn't.
fn about_field(field: &Value) -> String {
  let choices = field["oneOf"].as_array().into_iter().flatten();
  std::iter::once(field)
    .chain(choices)
    .map(|schema| text(&schema["description"]))
    .find(|text| !text.is_empty())
    .unwrap_or_default()
}

/// How to ask from a shell.
fn commands(path: &str, operation: &Value) -> Vec<String> {
  let parameters = || items(&operation["parameters"]);
  let path = parameters()
    .filter(|parameter| parameter["in"] == "path")
    .fold(path.to_owned(), |path, parameter| {
      path.replace(
        &format!("{{{}}}", text(&parameter["name"])),
        &text(&parameter["example"]),
      )
    });
  let address = format!("{EXAMPLE_BASE}{path}");
  if operation["responses"].get("302").is_none() {
    let unchanged = format!("curl -s --compressed --etag-compare etag --etag-save etag {address}");
    return vec![format!("curl -s {address}"), unchanged];
  }
  let query: Vec<String> = parameters()
    .filter(|parameter| parameter["in"] == "query")
    .map(|parameter| format!("{}={}", text(&parameter["name"]), text(&parameter["example"])))
    .collect();
  let mut commands = vec![format!("curl -sI {address}")];
  if !query.is_empty() {
    commands.push(format!("curl -sI '{address}?{}'", query.join("&")));
  }
  commands
}

fn text(value: &Value) -> String {
  value.as_str().unwrap_or_default().to_owned()
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
  list.as_array().into_iter().flatten()
}

fn entries(map: &Value) -> impl Iterator<Item = (&str, &Value)> {
  map
    .as_object()
    .into_iter()
    .flatten()
    .map(|(name, value)| (name.as_str(), value))
}
