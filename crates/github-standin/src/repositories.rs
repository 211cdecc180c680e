//! The repositories that exist, by name without case, and those that were renamed.

use std::collections::HashMap;

use bytes::Bytes;
use serde_json::{Value, json};

use crate::{etag, route::Target};

const WEB: &str = "https://github.com";
/// Below every id that GitHub may have given today, and the same at every start.
const ID_RANGE: u64 = 900_000_000;

/// All that were set.
#[derive(Default)]
pub(crate) struct Repositories {
  /// By `owner/name` in lowercase, like the next.
  here: HashMap<String, Repository>,
  /// Old names, and the ids that they lead to.
  moved: HashMap<String, u64>,
}

/// One that exists.
#[derive(Clone)]
pub(crate) struct Repository {
  pub(crate) id: u64,
  /// In the case that it was set with.
  pub(crate) full_name: String,
  /// The JSON of its latest release.
  pub(crate) latest: Option<Bytes>,
  /// All releases, newest first, drafts among them; none where only the latest was set.
  list: Option<Vec<Value>>,
}

/// What a target leads to.
pub(crate) enum Found<'a> {
  Here(&'a Repository),
  /// Renamed; it goes by this id.
  Moved(u64),
  Nothing,
}

impl Repositories {
  pub(crate) fn set_latest(&mut self, repo: &str, json: Bytes) {
    let repository = self.existing(repo);
    repository.latest = Some(json);
    repository.list = None;
  }

  /// Sets all releases, newest first. The latest is the first that is neither a draft nor a prerelease.
  pub(crate) fn set_list(&mut self, repo: &str, releases: Vec<Value>) {
    let is_latest = |release: &&Value| release["draft"] != true && release["prerelease"] != true;
    let latest = releases
      .iter()
      .find(is_latest)
      .map(|release| release.to_string().into());
    let repository = self.existing(repo);
    repository.latest = latest;
    repository.list = Some(releases);
  }

  pub(crate) fn set_no_release(&mut self, repo: &str) {
    let repository = self.existing(repo);
    repository.latest = None;
    repository.list = None;
  }

  pub(crate) fn remove(&mut self, repo: &str) {
    self.here.remove(&key(repo));
    self.moved.remove(&key(repo));
  }

  pub(crate) fn rename(&mut self, old_repo: &str, new_repo: &str) {
    if let Some(repository) = self.here.remove(&key(old_repo)) {
      self.moved.insert(key(old_repo), repository.id);
      self.moved.remove(&key(new_repo));
      let renamed = Repository {
        full_name: new_repo.to_owned(),
        ..repository
      };
      self.here.insert(key(new_repo), renamed);
    }
  }

  pub(crate) fn set_id(&mut self, repo: &str, id: u64) {
    if let Some(repository) = self.here.get_mut(&key(repo)) {
      repository.id = id;
    }
  }

  pub(crate) fn find(&self, target: &Target) -> Found<'_> {
    let here = match target {
      Target::Name(name) => self.here.get(&key(name)),
      Target::Id(id) => self.here.values().find(|repository| repository.id == *id),
    };
    let moved = match target {
      Target::Name(name) => self.moved.get(&key(name)),
      Target::Id(_) => None,
    };
    match (here, moved) {
      (Some(repository), _) => Found::Here(repository),
      (None, Some(id)) => Found::Moved(*id),
      (None, None) => Found::Nothing,
    }
  }

  /// The repository, made if it doesn't exist; its name takes on the case given.
  fn existing(&mut self, repo: &str) -> &mut Repository {
    self.moved.remove(&key(repo));
    let mut id = made_up_id(repo);
    // One that was renamed away from this name has kept the id.
    while self.here.values().any(|other| other.id == id) {
      id += 1;
    }
    let fresh = || Repository {
      id,
      full_name: String::new(),
      latest: None,
      list: None,
    };
    let repository = self.here.entry(key(repo)).or_insert_with(fresh);
    repo.clone_into(&mut repository.full_name);
    repository
  }
}

impl Repository {
  /// Its releases, newest first; drafts are for those who may write.
  pub(crate) fn releases(&self, with_drafts: bool) -> Vec<Value> {
    let all = match (&self.list, &self.latest) {
      (Some(list), _) => list.clone(),
      // Whatever was set; text that is no JSON is no entry of a list.
      (None, Some(latest)) => serde_json::from_slice(latest).into_iter().collect(),
      (None, None) => Vec::new(),
    };
    all
      .into_iter()
      .filter(|release| with_drafts || release["draft"] != true)
      .collect()
  }

  /// The release of a tag.
  pub(crate) fn release_of(&self, tag: &str) -> Option<Value> {
    self
      .releases(false)
      .into_iter()
      .find(|release| release["tag_name"] == tag)
  }

  /// What `GET /repos/<owner>/<name>` answers.
  pub(crate) fn to_json(&self, api_url: &str) -> Value {
    let Self { id, full_name, .. } = self;
    let (owner, name) = full_name.split_once('/').unwrap_or(("", full_name));
    json!({
      "id": id,
      "node_id": format!("R_{id}"),
      "name": name,
      "full_name": full_name,
      "private": false,
      "owner": {
        "login": owner,
        "id": made_up_id(owner),
        "html_url": format!("{WEB}/{owner}"),
        "url": format!("{api_url}/users/{owner}"),
        "type": "Organization",
        "site_admin": false,
      },
      "html_url": format!("{WEB}/{full_name}"),
      "description": null,
      "fork": false,
      "url": format!("{api_url}/repos/{full_name}"),
      "releases_url": format!("{api_url}/repos/{full_name}/releases{{/id}}"),
      "clone_url": format!("{WEB}/{full_name}.git"),
      "default_branch": "main",
      "archived": false,
      "disabled": false,
      "visibility": "public",
    })
  }
}

/// A number for a name: the same at every start, whatever the name's case.
pub(crate) fn made_up_id(name: &str) -> u64 {
  let digest = etag::sha256_hex(key(name).as_bytes());
  let number = digest.get(..12).and_then(|digits| u64::from_str_radix(digits, 16).ok());
  1 + number.unwrap_or_default() % ID_RANGE
}

fn key(repo: &str) -> String {
  repo.to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn a_repository_is_found_whatever_the_case_and_answers_in_its_own() {
    let mut repositories = Repositories::default();
    repositories.set_latest("storytold/PhotoCraft", Bytes::from_static(b"{}"));
    let Found::Here(found) = repositories.find(&named("StoryTold/photocraft")) else {
      panic!("not found");
    };
    assert_eq!(found.to_json("http://api")["full_name"], "storytold/PhotoCraft");
    assert_eq!(found.latest.as_deref(), Some(b"{}".as_slice()));
  }

  #[test]
  fn a_renamed_one_keeps_its_id_and_the_old_name_leads_to_it() {
    let mut repositories = Repositories::default();
    repositories.set_no_release("a/old");
    repositories.rename("a/old", "a/new");
    let Found::Moved(id) = repositories.find(&named("a/OLD")) else {
      panic!("not moved");
    };
    assert_eq!(id, made_up_id("a/old"));
    let Found::Here(found) = repositories.find(&Target::Id(id)) else {
      panic!("not found");
    };
    assert_eq!(found.full_name, "a/new");
  }

  #[test]
  fn a_freed_name_that_is_set_again_is_another_repository() {
    let mut repositories = Repositories::default();
    repositories.set_no_release("a/old");
    repositories.rename("a/old", "a/new");
    repositories.set_no_release("a/old");
    assert!(matches!(repositories.find(&named("a/old")), Found::Here(found) if found.id != made_up_id("a/old")));
    assert!(matches!(repositories.find(&named("a/new")), Found::Here(found) if found.id == made_up_id("a/old")));
  }

  #[test]
  fn what_was_removed_or_never_set_is_nothing() {
    let mut repositories = Repositories::default();
    repositories.set_no_release("a/b");
    repositories.remove("A/B");
    assert!(matches!(repositories.find(&named("a/b")), Found::Nothing));
    assert!(matches!(repositories.find(&Target::Id(7)), Found::Nothing));
  }

  fn named(name: &str) -> Target {
    Target::Name(name.to_owned())
  }
}
