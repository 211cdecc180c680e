//! What a program left in its state folder, made older.

use std::fs;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// Makes the snapshot in a folder older by that many seconds, as if the program had been stopped for so long.
pub fn age_snapshot(folder: &Path, seconds: i64) {
  let path = folder.join("snapshot");
  let text = fs::read_to_string(&path).unwrap();
  let (_, json) = text.split_once('\n').unwrap();
  let mut json: Value = serde_json::from_str(json).unwrap();
  for app in json["apps"].as_object_mut().unwrap().values_mut() {
    let at = &mut app["fetch"]["at_ms"];
    *at = (at.as_i64().unwrap() - seconds * 1_000).into();
  }
  let json = json.to_string();
  let digest = Sha256::digest(json.as_bytes());
  let sum: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
  fs::write(path, format!("launchfeed-snapshot 1 {sum}\n{json}")).unwrap();
}
