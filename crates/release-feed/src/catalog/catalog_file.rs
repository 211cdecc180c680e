//! The catalog file: TOML, one `[[apps]]` table per app.
//!
//! ```toml
//! [[apps]]
//! key = "photocraft"
//! name = "PhotoCraft"
//! repo = "storytold/photocraft"
//! ```
//!
//! A file is written with care and read at start, so that anything wrong in it stops the start with its place.

use serde::Deserialize;
use toml::Spanned;

use super::family::{Catalog, CatalogApp, check_display_name};
use super::{InvalidAppKey, InvalidRepoName};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CatalogFile {
  #[serde(default)]
  apps: Vec<FileApp>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileApp {
  key: Spanned<String>,
  name: Spanned<String>,
  repo: Spanned<String>,
}

/// What is wrong with a catalog file, and where.
#[derive(Debug, thiserror::Error)]
pub enum CatalogFileError {
  /// No TOML, a field missing, unknown or of the wrong type.
  #[error("{0}")]
  Malformed(#[from] toml::de::Error),
  /// A value that can't be used.
  #[error("line {line}: {value:?}: {why}")]
  Invalid {
    /// Line number, from 1.
    line: usize,
    /// The value.
    value: String,
    /// What is expected.
    why: String,
  },
  /// Not one app.
  #[error("there is no [[apps]] table in it")]
  Empty,
}

/// Reads a catalog file's text.
///
/// # Errors
///
/// When it is no TOML of this form, a key, name or repository can't be used, a key stands twice, or there is no app.
pub fn parse_catalog_file(text: &str) -> Result<Catalog, CatalogFileError> {
  let file: CatalogFile = toml::from_str(text)?;
  let invalid = |value: &Spanned<String>, why: String| CatalogFileError::Invalid {
    line: text
      .bytes()
      .take(value.span().start)
      .filter(|byte| *byte == b'\n')
      .count()
      + 1,
    value: value.get_ref().clone(),
    why,
  };
  let mut catalog = Catalog::default();
  for app in file.apps {
    let key = app
      .key
      .get_ref()
      .parse()
      .map_err(|error: InvalidAppKey| invalid(&app.key, error.to_string()))?;
    let name = check_display_name(app.name.get_ref()).map_err(|error| invalid(&app.name, error.to_string()))?;
    let repo = app
      .repo
      .get_ref()
      .parse()
      .map_err(|error: InvalidRepoName| invalid(&app.repo, error.to_string()))?;
    catalog
      .add(key, CatalogApp { name, repo })
      .map_err(|_| invalid(&app.key, "this key stands earlier in the file".to_owned()))?;
  }
  if catalog.is_empty() {
    Err(CatalogFileError::Empty)
  } else {
    Ok(catalog)
  }
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::*;

  const ONE_APP: &str = "[[apps]]\nkey = \"Demo\"\nname = \"Demo App\"\nrepo = \"acme/demo\"\n";

  #[test]
  fn each_table_is_an_app() {
    let catalog = parse_catalog_file(ONE_APP).unwrap();
    let app = catalog.get(&"demo".parse().unwrap()).unwrap();
    assert_eq!((app.name.as_str(), app.repo.as_str()), ("Demo App", "acme/demo"));
  }

  #[rstest]
  #[case::no_toml("[[apps", "line 1")]
  #[case::unknown_field("[[apps]]\nkey = \"a\"\nname = \"A\"\nrepository = \"a/a\"\n", "repository")]
  #[case::missing_field("[[apps]]\nkey = \"a\"\nname = \"A\"\n", "repo")]
  #[case::wrong_type("[[apps]]\nkey = 7\nname = \"A\"\nrepo = \"a/a\"\n", "line 2")]
  #[case::bad_repository("\n[[apps]]\nkey = \"a\"\nname = \"A\"\nrepo = \"nowhere\"\n", "line 5: \"nowhere\"")]
  #[case::bad_key("[[apps]]\nkey = \"a b\"\nname = \"A\"\nrepo = \"a/a\"\n", "line 2: \"a b\"")]
  #[case::bad_name("[[apps]]\nkey = \"a\"\nname = \" \"\nrepo = \"a/a\"\n", "line 3")]
  #[case::empty("", "no [[apps]]")]
  fn what_is_wrong_is_named_with_its_place(#[case] text: &str, #[case] expected: &str) {
    let error = parse_catalog_file(text).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
  }

  #[test]
  fn a_key_stands_once() {
    let error = parse_catalog_file(&ONE_APP.repeat(2)).unwrap_err().to_string();
    assert!(error.starts_with("line 6: \"Demo\""), "{error}");
  }
}
