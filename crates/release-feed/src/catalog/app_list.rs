//! `CRAFT_APPS_RELEASE_APPS`: `key=Name=org/repo,…`.
//!
//! A malformed entry is skipped and named, so that one slip of the pen doesn't stop the rest of the family.

use super::family::{Catalog, CatalogApp, check_display_name};
use super::release_choice::ReleaseChoice;

/// An entry that was left out, and why.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SkippedEntry {
  /// The entry as it was written.
  pub entry: String,
  /// What is wrong with it.
  pub why: String,
}

/// Reads the list. Blank entries (a comma at the end) are no entries; of two with one key the first stays.
pub fn parse_app_list(list: &str) -> (Catalog, Vec<SkippedEntry>) {
  let mut catalog = Catalog::default();
  let mut skipped = Vec::new();
  for entry in list.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
    if let Err(why) = add_entry(&mut catalog, entry) {
      skipped.push(SkippedEntry {
        entry: entry.to_owned(),
        why,
      });
    }
  }
  (catalog, skipped)
}

fn add_entry(catalog: &mut Catalog, entry: &str) -> Result<(), String> {
  let parts: Vec<&str> = entry.split('=').collect();
  let [key, name, repo] = parts[..] else {
    return Err("expected key=Name=org/repo".to_owned());
  };
  let key = key.parse().map_err(|error: super::InvalidAppKey| error.to_string())?;
  let name = check_display_name(name).map_err(|error| error.to_string())?;
  let repo = repo
    .parse()
    .map_err(|error: super::InvalidRepoName| error.to_string())?;
  let app = CatalogApp {
    name,
    repo,
    releases: ReleaseChoice::default(),
    build_overrides: Vec::new(),
  };
  catalog
    .add(key, app)
    .map_err(|_| "its key stands earlier in the list".to_owned())
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn keys_are_lowercased_and_blanks_ignored() {
    let (catalog, skipped) = parse_app_list(" PhotoCraft = Photo Craft = Storytold/PhotoCraft , ,");
    assert_eq!(skipped, []);
    assert_eq!(catalog.len(), 1);
    let app = catalog.get(&"photocraft".parse().unwrap()).unwrap();
    assert_eq!(
      (app.name.as_str(), app.repo.as_str()),
      ("Photo Craft", "Storytold/PhotoCraft")
    );
  }

  #[test]
  fn malformed_entries_are_skipped_and_named() {
    let (catalog, skipped) = parse_app_list("a=A=o/a,b=B,c=C=nowhere,d==o/d,=E=o/e,f=F=o/f=x,A=Again=o/b");
    assert_eq!(catalog.apps().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ["a"]);
    let named: Vec<&str> = skipped.iter().map(|skipped| skipped.entry.as_str()).collect();
    assert_eq!(
      named,
      ["b=B", "c=C=nowhere", "d==o/d", "=E=o/e", "f=F=o/f=x", "A=Again=o/b"]
    );
    assert!(skipped.iter().all(|skipped| !skipped.why.is_empty()));
  }

  #[test]
  fn nothing_valid_leaves_an_empty_catalog() {
    assert!(parse_app_list("nonsense").0.is_empty());
    assert!(parse_app_list("").0.is_empty());
  }
}
