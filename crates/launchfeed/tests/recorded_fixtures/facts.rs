//! What is read of recorded releases beyond the contract, and of recorded pages of them.

use release_feed::github::{FetchFailure, read_release, read_release_page};
use serde::Serialize;
use serde_json::{Value, json};

use crate::expected::{differences, whole_seconds};
use crate::fixtures::{Fixture, read_all, read_releases};

#[test]
fn what_github_says_beyond_the_contract_is_read_from_every_recorded_release() {
  let mut wrong = Vec::new();
  let mut assets = 0;
  for fixture in [read_releases("releases"), read_releases("derived")].concat() {
    match read_release(fixture.json.to_string().as_bytes()) {
      Ok(read) => {
        assets += read.facts.assets.len();
        wrong.extend(differences(
          &fixture.file,
          &expected_facts(&fixture.json),
          &as_json(&read.facts),
        ));
      }
      Err(failure) => assert_eq!(
        (failure, &fixture.json["draft"]),
        (FetchFailure::Draft, &Value::Bool(true)),
        "{}",
        fixture.file
      ),
    }
  }
  assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
  println!("facts of {assets} files");
  assert!(assets > 500, "{assets}");
}

#[test]
fn every_release_of_a_recorded_page_is_read_with_its_facts() {
  let mut wrong = Vec::new();
  for Fixture { file, json } in read_all("lists") {
    let page = read_release_page(json.to_string().as_bytes()).unwrap();
    let items = json.as_array().unwrap();
    assert_eq!(page.entries, items.len(), "{file}");
    let published: Vec<&Value> = items.iter().filter(|release| release["draft"] != true).collect();
    assert_eq!(page.releases.len(), published.len(), "{file}");
    println!("{file} | {} | {}", page.entries, page.releases.len());
    for (index, (raw, read)) in published.into_iter().zip(&page.releases).enumerate() {
      let path = format!("{file}[{index}]");
      wrong.extend(differences(&path, &expected_facts(raw), &as_json(&read.facts)));
      wrong.extend(differences(&path, &expected_reading(raw), &as_json(&read.release)));
    }
  }
  assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn expected_facts(raw: &Value) -> Value {
  let assets: Vec<Value> = raw["assets"]
    .as_array()
    .unwrap()
    .iter()
    .map(expected_asset_facts)
    .collect();
  json!({
    "id": raw["id"].as_u64(),
    "created_at": raw["created_at"].as_str().map(whole_seconds),
    "updated_at": raw["updated_at"].as_str().map(whole_seconds),
    "immutable": raw["immutable"].as_bool(),
    "assets": assets,
  })
}

fn expected_asset_facts(raw: &Value) -> Value {
  json!({
    "id": raw["id"].as_u64(),
    "name": raw["name"].as_str().unwrap(),
    "label": raw["label"].as_str().filter(|label| !label.is_empty()),
    "content_type": raw["content_type"].as_str(),
    "state": raw["state"].as_str(),
    "created_at": raw["created_at"].as_str().map(whole_seconds),
    "updated_at": raw["updated_at"].as_str().map(whole_seconds),
    "download_count": raw["download_count"].as_u64(),
  })
}

/// What is read before anything is held against the contract.
fn expected_reading(raw: &Value) -> Value {
  let uploaded = |asset: &&Value| asset["state"].as_str().is_none_or(|state| state == "uploaded");
  let assets = raw["assets"].as_array().unwrap().iter().filter(uploaded);
  let names: Vec<Value> = assets
    .map(|asset| json!({ "name": asset["name"], "size_bytes": asset["size"], "download_url": asset["browser_download_url"] }))
    .collect();
  json!({
    "tag": raw["tag_name"],
    "name": raw["name"].as_str().unwrap_or_default(),
    "published_at": raw["published_at"].as_str().map(whole_seconds),
    "html_url": raw["html_url"],
    "prerelease": raw["prerelease"] == true,
    "notes_markdown": raw["body"].as_str().unwrap_or_default(),
    "assets": names,
  })
}

fn as_json(read: &impl Serialize) -> Value {
  serde_json::to_value(read).unwrap()
}
