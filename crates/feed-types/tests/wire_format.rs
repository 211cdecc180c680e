//! What is written is exactly the contract's shape; what is read may be anything.

use std::collections::BTreeMap;

use feed_types::*;
use proptest::prelude::*;
use serde_json::{Value, json};

mod writing {
  use super::*;

  #[test]
  fn every_field_is_present_and_null_rather_than_left_out() {
    let answer = ReleaseInfoAnswer {
      success: true,
      release_info: ReleaseInfo::new(BTreeMap::from([
        ("empty".to_owned(), App::default()),
        (
          "photocraft".to_owned(),
          App {
            latest_release: Some(Release {
              assets: vec![Asset::default()],
              ..Release::default()
            }),
            ..App::default()
          },
        ),
      ])),
      app_renames: vec![AppRename::default()],
      repo_renames: vec![RepoRename::default()],
      important_notices: ImportantNotices {
        announcements: vec![Announcement::default()],
        alerts: vec![Alert::default()],
      },
    };
    assert_eq!(
      serde_json::to_value(answer).unwrap(),
      json!({
        "success": true,
        "release_info": {
          "apps": {
            "empty": { "name": "", "repo": "", "latest_release": null, "app_last_fetched": null },
            "photocraft": {
              "name": "", "repo": "", "app_last_fetched": null,
              "latest_release": {
                "tag": "", "version": "", "name": "", "published_at": null, "html_url": "", "prerelease": false,
                "notes_markdown": "",
                "assets": [{
                  "name": "", "size_bytes": 0, "download_url": "", "sha256": null, "platform": null, "build": null
                }]
              }
            }
          },
          "last_fetched": null
        },
        "app_renames": [{
          "old_name": "", "old_name_lower": "", "new_name": "", "new_name_lower": "", "description": "", "renamed_at": null
        }],
        "repo_renames": [{ "old_name": "", "new_name": "", "renamed_at": null }],
        "important_notices": {
          "announcements": [{ "title": "", "body": "", "created_at": null }],
          "alerts": [{ "title": "", "body": "", "maybe_web_link": null, "created_at": null }]
        }
      })
    );
  }

  #[test]
  fn the_whole_answer_survives_being_written_and_read() {
    let answer: ReleaseInfoAnswer = serde_json::from_value(full_answer()).unwrap();
    assert_eq!(serde_json::to_value(answer).unwrap(), full_answer());
  }

  #[test]
  fn fields_and_apps_are_written_in_the_contracts_order() {
    let answer: ReleaseInfoAnswer = serde_json::from_value(full_answer()).unwrap();
    let text = serde_json::to_string(&answer).unwrap();
    let places: Vec<usize> = [
      r#""success":"#,
      r#""release_info":"#,
      r#""apps":"#,
      r#""latest_release":"#,
      r#""tag":"#,
      r#""version":"#,
      r#""published_at":"#,
      r#""html_url":"#,
      r#""prerelease":"#,
      r#""notes_markdown":"#,
      r#""assets":"#,
      r#""size_bytes":"#,
      r#""download_url":"#,
      r#""sha256":"#,
      r#""platform":"#,
      r#""os":"#,
      r#""arch":"#,
      r#""package_type":"#,
      r#""build":"#,
      r#""kind":"#,
      r#""libc":"#,
      r#""app_last_fetched":"#,
      r#""last_fetched":"#,
      r#""app_renames":"#,
      r#""repo_renames":"#,
      r#""important_notices":"#,
      r#""announcements":"#,
      r#""alerts":"#,
    ]
    .iter()
    .map(|field| text.find(field).unwrap_or_else(|| panic!("{field} is missing")))
    .collect();
    assert!(places.is_sorted(), "{text}");
  }
}

mod build {
  use super::*;

  #[test]
  fn every_field_of_a_build_is_written_and_null_where_it_is_unknown() {
    assert_eq!(
      serde_json::to_value(AssetBuild::default()).unwrap(),
      json!({ "os": null, "arch": null, "kind": null, "libc": null })
    );
  }

  #[test]
  fn words_of_the_future_are_kept_as_they_are() {
    let build: AssetBuild =
      serde_json::from_value(json!({ "os": "fuchsia", "arch": "riscv128", "kind": "exe", "libc": "relibc" })).unwrap();
    assert_eq!(
      serde_json::to_value(build).unwrap(),
      json!({ "os": "fuchsia", "arch": "riscv128", "kind": "exe", "libc": "relibc" })
    );
  }

  #[test]
  fn a_field_of_the_wrong_type_or_missing_is_null_and_the_others_stay() {
    let build: AssetBuild = serde_json::from_value(json!({ "os": 7, "arch": ["x64"], "kind": "deb" })).unwrap();
    let expected = AssetBuild {
      kind: Some("deb".to_owned()),
      ..AssetBuild::default()
    };
    assert_eq!(build, expected);
  }

  #[test]
  fn what_is_no_build_at_all_costs_nothing_else_of_the_asset() {
    for wrong in [json!(7), json!("linux"), json!(true), Value::Null] {
      let asset: Asset = serde_json::from_value(json!({ "name": "a.deb", "build": wrong, "size_bytes": 3 })).unwrap();
      assert_eq!(
        (asset.name.as_str(), asset.size_bytes, asset.build),
        ("a.deb", 3, None),
        "{wrong}"
      );
    }
  }

  #[test]
  fn an_answer_from_before_there_were_builds_reads_as_ever() {
    let mut value = full_answer();
    for number in 0..2 {
      let asset = &mut value["release_info"]["apps"]["photocraft"]["latest_release"]["assets"][number];
      asset.as_object_mut().unwrap().remove("build");
    }
    let answer: ReleaseInfoAnswer = serde_json::from_value(value).unwrap();
    let release = answer.release_info.apps["photocraft"].latest_release.as_ref().unwrap();
    assert!(
      release
        .assets
        .iter()
        .all(|asset| asset.build.is_none() && asset.platform.is_some())
    );
  }
}

mod last_fetched {
  use super::*;

  #[test]
  fn it_is_the_oldest_of_the_apps_times() {
    assert_eq!(last_fetched_of(&[Some(3_000), Some(1_000), Some(2_000)]), Some(1_000));
  }

  #[test]
  fn it_is_null_while_any_app_has_never_been_fetched() {
    assert_eq!(last_fetched_of(&[Some(3_000), None, Some(2_000)]), None);
    assert_eq!(last_fetched_of(&[None]), None);
  }

  #[test]
  fn it_is_null_without_apps() {
    assert_eq!(last_fetched_of(&[]), None);
  }

  fn last_fetched_of(times: &[Option<i64>]) -> Option<i64> {
    let apps = times.iter().enumerate().map(|(number, time)| {
      let app_last_fetched = time.map(|time| UtcTime::from_unix_ms(time).expect("a time within years 0 to 9999"));
      (
        number.to_string(),
        App {
          app_last_fetched,
          ..App::default()
        },
      )
    });
    ReleaseInfo::new(apps.collect()).last_fetched.map(UtcTime::unix_ms)
  }
}

mod reading {
  use super::*;

  #[test]
  fn an_unknown_word_in_a_closed_list_costs_that_platform_alone() {
    for (field, word) in [("os", "haiku"), ("arch", "riscv64"), ("package_type", "exe")] {
      let mut value = full_answer();
      value["release_info"]["apps"]["photocraft"]["latest_release"]["assets"][0]["platform"][field] = json!(word);
      let answer: ReleaseInfoAnswer = serde_json::from_value(value).unwrap();
      let assets = &answer.release_info.apps["photocraft"]
        .latest_release
        .as_ref()
        .unwrap()
        .assets;
      assert_eq!(assets[0].platform, None, "{field}");
      assert_eq!(assets[0].name, "photocraft-0.5.0-windows-x64.msi");
      assert!(assets[1].platform.is_some());
    }
  }

  #[test]
  fn unknown_fields_are_ignored_everywhere() {
    let mut value = full_answer();
    add_unknown_fields(&mut value);
    // Under `apps` and in place of a list's entries an unknown thing is an app or an entry; those are other tests' subject.
    value["release_info"]["apps"]
      .as_object_mut()
      .unwrap()
      .remove("from_the_future");
    let answer: ReleaseInfoAnswer = serde_json::from_value(value).unwrap();
    assert_eq!(serde_json::to_value(answer).unwrap(), full_answer());
  }

  #[test]
  fn an_entry_that_is_no_object_is_skipped_and_its_neighbours_stay() {
    let mut value = full_answer();
    value["release_info"]["apps"]["broken"] = json!("no app");
    value["app_renames"] = json!([7, { "old_name": "A" }]);
    let answer: ReleaseInfoAnswer = serde_json::from_value(value).unwrap();
    assert_eq!(answer.release_info.apps.keys().collect::<Vec<_>>(), ["photocraft"]);
    assert_eq!(answer.app_renames.len(), 1);
    assert_eq!(answer.app_renames[0].old_name, "A");
  }

  #[test]
  fn an_app_whose_release_cannot_be_read_says_nothing() {
    for unreadable in [json!("v1"), json!(7), json!({}), json!({ "tag": 5 }), json!([])] {
      let mut value = full_answer();
      value["release_info"]["apps"]["photocraft"]["latest_release"] = unreadable.clone();
      let answer: ReleaseInfoAnswer = serde_json::from_value(value).unwrap();
      let app = &answer.release_info.apps["photocraft"];
      assert_eq!(
        (&app.latest_release, app.app_last_fetched),
        (&None, None),
        "{unreadable}"
      );
    }
  }

  #[test]
  fn an_app_without_a_release_keeps_its_fetch_time() {
    let mut value = full_answer();
    value["release_info"]["apps"]["photocraft"]["latest_release"] = Value::Null;
    let answer: ReleaseInfoAnswer = serde_json::from_value(value).unwrap();
    assert!(answer.release_info.apps["photocraft"].app_last_fetched.is_some());
  }

  proptest! {
    #[test]
    fn one_field_of_any_other_type_loses_nothing_else(pick in any::<prop::sample::Index>(), wrong in wrong_value()) {
      let mut value = full_answer();
      let pointers = leaf_pointers(&value);
      let pointer = pick.get(&pointers);
      *value.pointer_mut(pointer).unwrap() = wrong;
      let answer: ReleaseInfoAnswer = serde_json::from_value(value).unwrap();
      let written = serde_json::to_value(answer).unwrap();
      let expected = full_answer();
      for other in pointers.iter().filter(|other| *other != pointer) {
        // A platform is one thing, a release without its tag is none, and an app's key is no field.
        let same_platform = pointer.contains("/platform/") && other.rsplit_once('/').unwrap().0 == pointer.rsplit_once('/').unwrap().0;
        let lost_release = pointer.ends_with("/latest_release/tag");
        if same_platform || lost_release {
          continue;
        }
        prop_assert_eq!(written.pointer(other), expected.pointer(other), "{} after a wrong {}", other, pointer);
      }
    }
  }

  fn wrong_value() -> impl Strategy<Value = Value> {
    prop_oneof![
      Just(Value::Null),
      Just(json!([])),
      Just(json!([1, "x"])),
      Just(json!({})),
      Just(json!(-1)),
      Just(json!(1.5)),
      Just(json!(u64::MAX)),
      any::<bool>().prop_map(Value::from),
      ".{0,20}".prop_map(Value::from),
    ]
  }

  fn leaf_pointers(value: &Value) -> Vec<String> {
    fn walk(value: &Value, at: String, found: &mut Vec<String>) {
      match value {
        Value::Object(fields) => fields
          .iter()
          .for_each(|(key, field)| walk(field, format!("{at}/{key}"), found)),
        Value::Array(items) => items
          .iter()
          .enumerate()
          .for_each(|(key, item)| walk(item, format!("{at}/{key}"), found)),
        _ => found.push(at),
      }
    }
    let mut found = Vec::new();
    walk(value, String::new(), &mut found);
    found
  }

  fn add_unknown_fields(value: &mut Value) {
    match value {
      Value::Object(fields) => {
        fields.values_mut().for_each(add_unknown_fields);
        fields.insert("from_the_future".to_owned(), json!({ "deep": [1, null, "x"] }));
      }
      Value::Array(items) => items.iter_mut().for_each(add_unknown_fields),
      _ => {}
    }
  }
}

fn full_answer() -> Value {
  json!({
    "success": true,
    "release_info": {
      "apps": {
        "photocraft": {
          "name": "PhotoCraft",
          "repo": "storytold/photocraft",
          "latest_release": {
            "tag": "v0.5.0",
            "version": "0.5.0",
            "name": "PhotoCraft v0.5.0",
            "published_at": "2026-10-08T14:52:50Z",
            "html_url": "https://github.com/storytold/photocraft/releases/tag/v0.5.0",
            "prerelease": true,
            "notes_markdown": "Notes.",
            "assets": [
              {
                "name": "photocraft-0.5.0-windows-x64.msi",
                "size_bytes": 67239606,
                "download_url": "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-0.5.0-windows-x64.msi",
                "sha256": "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c",
                "platform": { "os": "windows", "arch": "x64", "package_type": "msi" },
                "build": { "os": "windows", "arch": "x64", "kind": "msi", "libc": null }
              },
              {
                "name": "photocraft-web-0.5.0.zip",
                "size_bytes": 1,
                "download_url": "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-web-0.5.0.zip",
                "sha256": null,
                "platform": { "os": "web", "arch": null, "package_type": "web_zip" },
                "build": null
              }
            ]
          },
          "app_last_fetched": "2026-12-01T06:00:00Z"
        }
      },
      "last_fetched": "2026-12-01T06:00:00Z"
    },
    "app_renames": [{
      "old_name": "Old", "old_name_lower": "old", "new_name": "New", "new_name_lower": "new", "description": "Renamed.",
      "renamed_at": "2026-11-01T00:00:00Z"
    }],
    "repo_renames": [{ "old_name": "a/b", "new_name": "a/c", "renamed_at": null }],
    "important_notices": {
      "announcements": [{ "title": "News", "body": "Text.", "created_at": "2026-11-02T00:00:00Z" }],
      "alerts": [{ "title": "Care", "body": "Text.", "maybe_web_link": "https://example.org", "created_at": null }]
    }
  })
}
