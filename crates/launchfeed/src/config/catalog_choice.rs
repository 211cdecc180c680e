//! Which apps there are: the list, else the catalog file, else the built-in family.

use std::path::{Path, PathBuf};

use release_feed::catalog::{Catalog, SkippedEntry, parse_app_list, parse_catalog_file};

use super::args::SourceArgs;
use super::findings::{ConfigError, Findings, Shown};
use super::setting::{APPS, CATALOG};
use super::surroundings::Surroundings;
use super::values::{path, text};

/// Longest catalog file; a family of thousands fits, and a device or a wrong file doesn't fill the memory.
pub const MAX_CATALOG_BYTES: u64 = 4 * 1024 * 1024;

/// Where the catalog came from.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum CatalogSource {
  /// The family that the product ships with.
  BuiltIn,
  /// The list.
  List,
  /// A file.
  File(PathBuf),
}

pub(super) fn choose_catalog(
  args: &SourceArgs,
  surroundings: &dyn Surroundings,
  findings: &mut Findings,
) -> (Catalog, CatalogSource) {
  let file = path(args.catalog.as_ref()).map(Path::new);
  if let Some(list) = text(APPS, args.apps.as_ref(), findings) {
    let catalog = of_list(list, findings);
    if !catalog.is_empty() {
      if file.is_some() {
        findings.warn(format!("{CATALOG} has no effect, since {APPS} is set"));
      }
      return (catalog, CatalogSource::List);
    }
    let instead = if file.is_some() {
      "the catalog file"
    } else {
      "the built-in list"
    };
    findings.warn(format!("{APPS}: no entry is left; {instead} is used"));
  }
  match file {
    Some(file) => of_file(file, surroundings, findings),
    None => (Catalog::craft_apps(), CatalogSource::BuiltIn),
  }
}

fn of_list(list: &str, findings: &mut Findings) -> Catalog {
  let (catalog, skipped) = parse_app_list(list);
  for SkippedEntry { entry, why } in skipped {
    findings.warn(format!("{APPS}: skipped {}: {why}", Shown(&entry)));
  }
  catalog
}

fn of_file(file: &Path, surroundings: &dyn Surroundings, findings: &mut Findings) -> (Catalog, CatalogSource) {
  let read = surroundings.read_file(file, MAX_CATALOG_BYTES + 1);
  let catalog = match read {
    Err(error) => Err(format!("it can't be read: {error}")),
    Ok(text) if text.len() as u64 > MAX_CATALOG_BYTES => Err(format!("it has more than {MAX_CATALOG_BYTES} bytes")),
    Ok(text) => parse_catalog_file(&text).map_err(|error| error.to_string()),
  };
  let catalog = catalog.unwrap_or_else(|why| {
    findings.refuse(ConfigError::Catalog {
      setting: CATALOG,
      path: file.display().to_string(),
      why,
    });
    Catalog::default()
  });
  (catalog, CatalogSource::File(file.to_owned()))
}

#[cfg(test)]
mod tests {
  use rstest::rstest;

  use super::super::surroundings::tests::MadeUp;
  use super::*;

  const ONE_APP: &str = "[[apps]]\nkey = \"demo\"\nname = \"Demo\"\nrepo = \"acme/demo\"\n";

  #[test]
  fn without_any_choice_it_is_the_built_in_family() {
    let (catalog, source, findings) = choose(None, None);
    assert_eq!((catalog.len(), source), (13, CatalogSource::BuiltIn));
    assert_eq!((findings.warnings(), findings.errors()), (vec![], vec![]));
  }

  #[test]
  fn a_catalog_file_replaces_it() {
    let (catalog, source, findings) = choose(None, Some("/etc/family.toml"));
    assert_eq!(keys(&catalog), ["demo"]);
    assert_eq!(source, CatalogSource::File("/etc/family.toml".into()));
    assert_eq!((findings.warnings(), findings.errors()), (vec![], vec![]));
  }

  #[test]
  fn the_list_counts_before_the_file_which_is_then_not_read() {
    let (catalog, source, findings) = choose(Some("a=A=o/a"), Some("/etc/missing.toml"));
    assert_eq!((keys(&catalog), source), (vec!["a".to_owned()], CatalogSource::List));
    assert_eq!(
      findings.warnings(),
      ["LAUNCHFEED_CATALOG (--catalog) has no effect, since CRAFT_APPS_RELEASE_APPS (--apps) is set"]
    );
    assert_eq!(findings.errors(), [""; 0]);
  }

  #[test]
  fn skipped_entries_are_named() {
    let (catalog, _, findings) = choose(Some("a=A=o/a,b=B"), None);
    assert_eq!(keys(&catalog), ["a"]);
    assert_eq!(
      findings.warnings(),
      ["CRAFT_APPS_RELEASE_APPS (--apps): skipped \"b=B\": expected key=Name=org/repo"]
    );
  }

  #[test]
  fn of_a_list_of_which_nothing_is_left_the_built_in_family_remains() {
    let (catalog, source, findings) = choose(Some("nonsense"), None);
    assert_eq!((catalog.len(), source), (13, CatalogSource::BuiltIn));
    assert_eq!(
      findings.warnings()[1],
      "CRAFT_APPS_RELEASE_APPS (--apps): no entry is left; the built-in list is used"
    );
  }

  #[test]
  fn of_a_list_of_which_nothing_is_left_the_catalog_file_remains_where_there_is_one() {
    let (catalog, source, findings) = choose(Some("nonsense"), Some("/etc/family.toml"));
    assert_eq!(keys(&catalog), ["demo"]);
    assert_eq!(source, CatalogSource::File("/etc/family.toml".into()));
    assert_eq!(
      findings.warnings()[1..],
      ["CRAFT_APPS_RELEASE_APPS (--apps): no entry is left; the catalog file is used"]
    );
  }

  #[rstest]
  #[case::missing("/etc/missing.toml", "it can't be read: ")]
  #[case::malformed("/etc/malformed.toml", "line 5: ")]
  #[case::overlong("/etc/overlong.toml", "it has more than 4194304 bytes")]
  fn a_file_that_cannot_be_used_stops_the_start_with_its_path(#[case] file: &str, #[case] why: &str) {
    let (_, _, findings) = choose(None, Some(file));
    let [error] = &findings.errors()[..] else {
      panic!("not one error")
    };
    assert!(
      error.starts_with(&format!("LAUNCHFEED_CATALOG (--catalog): {file:?}: {why}")),
      "{error}"
    );
  }

  fn choose(apps: Option<&str>, catalog: Option<&str>) -> (Catalog, CatalogSource, Findings) {
    let surroundings = MadeUp {
      files: [
        ("/etc/family.toml", ONE_APP.to_owned()),
        ("/etc/malformed.toml", format!("{ONE_APP}[[apps")),
        ("/etc/overlong.toml", "#".repeat(5_000_000)),
      ]
      .into(),
      ..MadeUp::default()
    };
    let args = SourceArgs {
      apps: apps.map(Into::into),
      catalog: catalog.map(Into::into),
      ..SourceArgs::default()
    };
    let mut findings = Findings::default();
    let (catalog, source) = choose_catalog(&args, &surroundings, &mut findings);
    (catalog, source, findings)
  }

  fn keys(catalog: &Catalog) -> Vec<String> {
    catalog.apps().map(|(key, _)| key.to_string()).collect()
  }
}
