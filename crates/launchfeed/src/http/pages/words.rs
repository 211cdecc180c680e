//! Texts and types of the document as pieces that a page can show.

use serde_json::Value;

/// A piece of text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Piece {
  /// As it is.
  Text(String),
  /// Something that stands in a program.
  Code(String),
  /// A type that the page explains; its name.
  Type(String),
}

/// The paragraphs of a description: Markdown, of which only paragraphs and `code` are used.
pub(super) fn paragraphs(markdown: &str) -> Vec<Vec<Piece>> {
  markdown
    .split("\n\n")
    .map(str::trim)
    .filter(|paragraph| !paragraph.is_empty())
    .map(pieces)
    .collect()
}

/// One paragraph.
pub(super) fn pieces(markdown: &str) -> Vec<Piece> {
  let parts = markdown.trim().split('`').enumerate();
  parts
    .filter(|(_, text)| !text.is_empty())
    .map(|(number, text)| {
      let text = text.to_owned();
      if number % 2 == 0 {
        Piece::Text(text)
      } else {
        Piece::Code(text)
      }
    })
    .collect()
}

/// What a schema lets through, in a few words.
pub(super) fn type_pieces(schema: &Value) -> Vec<Piece> {
  let text = |text: &str| vec![Piece::Text(text.to_owned())];
  if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
    return vec![Piece::Type(name.to_owned())];
  }
  let choices = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array());
  if let Some(choices) = choices {
    return one_of(choices.iter().map(type_pieces));
  }
  match &schema["type"] {
    Value::Array(types) => one_of(types.iter().map(|name| match name.as_str() {
      Some("null") => text("null"),
      _ => {
        let mut single = schema.clone();
        single["type"] = name.clone();
        type_pieces(&single)
      }
    })),
    Value::String(name) if name == "array" => [text("list of "), type_pieces(&schema["items"])].concat(),
    Value::String(name) if name == "object" && schema["additionalProperties"].is_object() => {
      [text("map of text to "), type_pieces(&schema["additionalProperties"])].concat()
    }
    Value::String(name) if name == "string" => text(match schema["format"].as_str() {
      Some("date-time") => "time",
      Some("uri") => "URL",
      _ => "text",
    }),
    Value::String(name) if name == "boolean" => text("true or false"),
    Value::String(name) => text(name),
    _ => text("anything"),
  }
}

/// With `null` last, since it is the exception.
fn one_of(choices: impl Iterator<Item = Vec<Piece>>) -> Vec<Piece> {
  let null = [Piece::Text("null".to_owned())];
  let mut choices: Vec<Vec<Piece>> = choices.collect();
  choices.sort_by_key(|choice| *choice == null);
  choices.join(&Piece::Text(" or ".to_owned()))
}

#[cfg(test)]
mod tests {
  use rstest::rstest;
  use serde_json::json;

  use super::*;

  #[test]
  fn code_is_told_from_text_in_each_paragraph() {
    let of = |text: &str| Piece::Text(text.to_owned());
    let expected = vec![
      vec![of("Send "), Piece::Code("x: <y>".to_owned()), of(".")],
      vec![of("Then\nwait.")],
    ];
    assert_eq!(paragraphs("Send `x: <y>`.\n\nThen\nwait.\n"), expected);
    assert_eq!(paragraphs(""), Vec::<Vec<Piece>>::new());
  }

  #[rstest]
  #[case(json!({ "type": "string" }), "text")]
  #[case(json!({ "type": ["null", "string"], "format": "uri" }), "URL or null")]
  #[case(json!({ "type": "array", "items": { "$ref": "#/components/schemas/Asset" } }), "list of Asset")]
  #[case(json!({ "oneOf": [{ "type": "null" }, { "$ref": "#/components/schemas/App" }] }), "App or null")]
  #[case(json!({ "type": "object", "additionalProperties": { "type": "integer" } }), "map of text to integer")]
  #[case(json!({}), "anything")]
  fn a_type_is_said_in_a_few_words(#[case] schema: Value, #[case] words: &str) {
    let said: String = type_pieces(&schema)
      .into_iter()
      .map(|piece| match piece {
        Piece::Text(text) | Piece::Code(text) | Piece::Type(text) => text,
      })
      .collect();
    assert_eq!(said, words);
  }
}
