//! The catalog file: TOML, one `[[apps]]` table per app.
//!
//! ```toml
//! [[apps]]
//! key = "photocraft"
//! name = "PhotoCraft"
//! repo = "storytold/photocraft"
//! ```
//!
//! An app may say which of the repository's releases are its own, and which one of those it is:
//!
//! ```toml
//! tag_prefix = "artcraft-v"            # only tags such as artcraft-v0.41.0; the version is what follows
//! select = "newest-stable-version"     # or "latest", the default
//! pinned_tag = "v1.2"                  # that one release, instead of select
//! ```
//!
//! An app may have `[[apps.builds]]` tables, which say what the files are whose names would be misread.
//!
//! A file is written with care and read at start, so that anything wrong in it stops the start with its place.

use std::ops::Range;

use asset_names::{BuildOverride, OverrideError};
use serde::Deserialize;
use toml::Spanned;

use super::build_table::BuildTable;
use super::family::{Catalog, CatalogApp, check_display_name};
use super::release_fields::ReleaseFields;
use super::{InvalidAppKey, InvalidRepoName};

/// Longest part of a value that an error shows, in characters.
const MAX_SHOWN_CHARS: usize = 120;
/// Longest reason, which may hold a value.
const MAX_REASON_CHARS: usize = 400;

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
  tag_prefix: Option<Spanned<String>>,
  select: Option<Spanned<String>>,
  pinned_tag: Option<Spanned<String>>,
  #[serde(default)]
  builds: Vec<BuildTable>,
}

/// What is wrong with a catalog file, and where. One line each.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum CatalogFileError {
  /// No TOML, a field missing, unknown or of the wrong type.
  #[error("line {line}: {}", cut(why))]
  Malformed {
    /// Line number, from 1.
    line: usize,
    /// What is wrong.
    why: String,
  },
  /// A value that can't be used.
  #[error("line {line}: {}: {}", quoted(value), cut(why))]
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
/// When it is no TOML of this form, a key, name, repository or build can't be used, a key stands twice, or there is no app.
pub fn parse_catalog_file(text: &str) -> Result<Catalog, CatalogFileError> {
  let file: CatalogFile = toml::from_str(text).map_err(|error| malformed(text, &error))?;
  let mut catalog = Catalog::default();
  for table in file.apps {
    let invalid = |value: &Spanned<String>, why: &dyn ToString| CatalogFileError::Invalid {
      line: line_of(text, &value.span()),
      value: value.get_ref().clone(),
      why: why.to_string(),
    };
    let key = table
      .key
      .get_ref()
      .parse()
      .map_err(|error: InvalidAppKey| invalid(&table.key, &error))?;
    let app = CatalogApp {
      name: check_display_name(table.name.get_ref()).map_err(|error| invalid(&table.name, &error))?,
      repo: table
        .repo
        .get_ref()
        .parse()
        .map_err(|error: InvalidRepoName| invalid(&table.repo, &error))?,
      releases: ReleaseFields {
        tag_prefix: table.tag_prefix,
        select: table.select,
        pinned_tag: table.pinned_tag,
      }
      .read()
      .map_err(|(value, why)| invalid(value, &why))?,
      build_overrides: read_builds(&table.builds).map_err(|(value, why)| invalid(value, &why))?,
    };
    catalog
      .add(key, app)
      .map_err(|_| invalid(&table.key, &"this key stands earlier in the file"))?;
  }
  if catalog.is_empty() {
    Err(CatalogFileError::Empty)
  } else {
    Ok(catalog)
  }
}

fn read_builds(tables: &[BuildTable]) -> Result<Vec<BuildOverride>, (&Spanned<String>, OverrideError)> {
  tables.iter().map(BuildTable::read).collect()
}

fn malformed(text: &str, error: &toml::de::Error) -> CatalogFileError {
  CatalogFileError::Malformed {
    line: line_of(text, &error.span().unwrap_or_default()),
    why: error.message().lines().collect::<Vec<_>>().join("; "),
  }
}

/// A value in quotes, cut where it is overlong.
fn quoted(value: &str) -> String {
  let (head, more) = head(value, MAX_SHOWN_CHARS);
  format!("{head:?}{more}")
}

/// A reason, cut where it is overlong.
fn cut(why: &str) -> String {
  let (head, more) = head(why, MAX_REASON_CHARS);
  format!("{head}{more}")
}

/// The first characters of a text, and what stands for the rest if there is one.
fn head(text: &str, max_chars: usize) -> (&str, &'static str) {
  match text.char_indices().nth(max_chars) {
    Some((end, _)) => (&text[..end], "…"),
    None => (text, ""),
  }
}

/// The number of the line, from 1, on which a span begins.
fn line_of(text: &str, span: &Range<usize>) -> usize {
  1 + text.bytes().take(span.start).filter(|byte| *byte == b'\n').count()
}

#[cfg(test)]
mod tests {
  use asset_names::{Hints, classify};
  use rstest::rstest;

  use super::*;
  use crate::catalog::{PinnedTag, Select, TagPrefix};

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
    assert!(!error.contains('\n'), "{error}");
  }

  #[test]
  fn a_builds_table_says_what_an_apps_files_are() {
    let text = format!(
      "{ONE_APP}[[apps.builds]]\npattern = \"demo-server-*\"\nos = \"linux\"\nlibc = \"musl\"\n\
       [[apps.builds]]\npattern = \"*.dat\"\nkind = \"none\"\n{}",
      ONE_APP.replace("Demo\"", "Other\"")
    );
    let catalog = parse_catalog_file(&text).unwrap();
    let overrides = |key: &str| &catalog.get(&key.parse().unwrap()).unwrap().build_overrides;
    let hints = Hints {
      overrides: overrides("demo"),
      ..Hints::NONE
    };
    let build = classify("demo-server-2.tar.gz", &hints).to_wire().unwrap();
    assert_eq!(
      (build.os.as_deref(), build.libc.as_deref()),
      (Some("linux"), Some("musl"))
    );
    assert_eq!(classify("a.dat", &hints).to_wire(), None);
    assert_eq!(overrides("demo").len(), 2);
    assert_eq!(*overrides("other"), []);
  }

  #[rstest]
  #[case::no_pattern("os = \"linux\"", "line 5: missing field `pattern`")]
  #[case::empty_pattern(
    "pattern = \"\"\nos = \"linux\"",
    "line 6: \"\": a pattern has 1 to 200 bytes, not 0"
  )]
  #[case::nothing_said(
    "pattern = \"*\"",
    "line 6: \"*\": an override says at least one of os, arch, kind and libc"
  )]
  #[case::unknown_os(
    "pattern = \"*\"\nos = \"beos\"",
    "line 7: \"beos\": os: `beos` is not a word of the build vocabulary"
  )]
  #[case::unknown_arch("pattern = \"*\"\n\narch = \"pdp11\"", "line 8: \"pdp11\": arch")]
  #[case::unknown_kind("kind = \"floppy\"\npattern = \"*\"", "line 6: \"floppy\": kind")]
  #[case::unknown_libc("pattern = \"*\"\nlibc = \"bionic\"", "line 7: \"bionic\": libc")]
  #[case::unknown_field("pattern = \"*\"\nsystem = \"linux\"", "line 7: unknown field `system`")]
  fn what_is_wrong_with_a_builds_table_is_named_with_its_place(#[case] table: &str, #[case] expected: &str) {
    let text = format!("{ONE_APP}[[apps.builds]]\n{table}\n");
    let error = parse_catalog_file(&text).unwrap_err().to_string();
    assert!(error.starts_with(expected), "{error}");
  }

  #[rstest]
  #[case("", None, Select::Latest)]
  #[case("select = \"latest\"", None, Select::Latest)]
  #[case("tag_prefix = \"demo-v\"", Some("demo-v"), Select::Latest)]
  #[case("select = \"newest-stable-version\"", None, Select::NewestStableVersion)]
  #[case(
    "select = \"newest-stable-version\"\ntag_prefix = \"demo@\"",
    Some("demo@"),
    Select::NewestStableVersion
  )]
  #[case("pinned_tag = \"v1.2\"", None, pinned("v1.2"))]
  #[case(
    "pinned_tag = \"demo/v1.2\"\ntag_prefix = \"demo/\"",
    Some("demo/"),
    pinned("demo/v1.2")
  )]
  fn an_app_may_say_which_release_is_its_own(
    #[case] fields: &str,
    #[case] prefix: Option<&str>,
    #[case] select: Select,
  ) {
    let catalog = parse_catalog_file(&format!("{ONE_APP}{fields}\n")).unwrap();
    let releases = &catalog.get(&"demo".parse().unwrap()).unwrap().releases;
    assert_eq!(releases.tag_prefix.as_ref().map(TagPrefix::as_str), prefix);
    assert_eq!(releases.select, select);
  }

  #[rstest]
  #[case("tag_prefix = \"\"", "line 5: \"\": expected 1 to 64 bytes")]
  #[case("tag_prefix = 7", "line 5: invalid type")]
  #[case(
    "\nselect = \"newest\"",
    "line 6: \"newest\": expected \"latest\" or \"newest-stable-version\""
  )]
  #[case("pinned_tag = \"a b\"", "line 5: \"a b\": expected 1 to 64 bytes")]
  #[case(
    "pinned_tag = \"v1\"\nselect = \"latest\"",
    "line 6: \"latest\": a pinned_tag leaves nothing to select"
  )]
  #[case(
    "tag_prefix = \"demo-\"\npinned_tag = \"v1\"",
    "line 6: \"v1\": it isn't the app's tag_prefix and a version"
  )]
  fn what_is_wrong_with_that_is_named_with_its_place(#[case] fields: &str, #[case] expected: &str) {
    let error = parse_catalog_file(&format!("{ONE_APP}{fields}\n"))
      .unwrap_err()
      .to_string();
    assert!(error.starts_with(expected), "{error}");
  }

  #[rstest]
  #[case::key("key")]
  #[case::name("name")]
  #[case::repo("repo")]
  #[case::tag_prefix("tag_prefix")]
  #[case::select("select")]
  #[case::pinned_tag("pinned_tag")]
  #[case::pattern("builds = [{ os = \"linux\", pattern")]
  #[case::word("builds = [{ pattern = \"*\", os")]
  fn what_is_wrong_is_named_in_a_line_of_bounded_length(#[case] field: &str) {
    let long = "ü".repeat(10_000);
    let known: String = ONE_APP
      .lines()
      .filter(|line| !line.starts_with(&format!("{field} =")))
      .map(|line| format!("{line}\n"))
      .collect();
    let end = if field.contains('{') { " }]" } else { "" };
    for value in [format!("{field} = \"{long} \"{end}"), format!("\"{long}\" = 1")] {
      let error = parse_catalog_file(&format!("{known}{value}\n"))
        .unwrap_err()
        .to_string();
      assert!(error.chars().count() < 700, "{error}");
      assert!(
        error.starts_with("line ") && error.contains("üüü") && error.contains('…'),
        "{error}"
      );
    }
  }

  #[test]
  fn a_key_stands_once() {
    let error = parse_catalog_file(&ONE_APP.repeat(2)).unwrap_err().to_string();
    assert!(error.starts_with("line 6: \"Demo\""), "{error}");
  }

  fn pinned(tag: &str) -> Select {
    Select::Pinned(PinnedTag::read(tag).unwrap())
  }
}
