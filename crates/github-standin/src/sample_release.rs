//! A release with everything that GitHub sends of one, made of a tag and file names. Sizes, digests and numbers are made up from
//! the names, the same each time.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const GITHUB: &str = "https://github.com";
const API: &str = "https://api.github.com";
const DEFAULT_TIME: &str = "2026-10-08T14:52:50Z";
const DEFAULT_NOTES: &str = "## What's new\r\n\r\n* A sample release.\r\n";
const MIB: u64 = 1024 * 1024;

/// A release to be served, as its authors would describe it.
#[derive(Clone, Debug)]
pub struct SampleRelease {
  tag: String,
  name: Option<String>,
  notes: String,
  published_at: String,
  prerelease: bool,
  digests: bool,
  web_url: String,
  assets: Vec<SampleAsset>,
}

#[derive(Clone, Debug)]
struct SampleAsset {
  name: String,
  size: Option<u64>,
  /// In place of the made-up one, or of none.
  sha256: Option<String>,
}

impl SampleRelease {
  /// A release of that tag without files.
  pub fn new(tag: &str) -> Self {
    Self {
      tag: tag.to_owned(),
      name: None,
      notes: DEFAULT_NOTES.to_owned(),
      published_at: DEFAULT_TIME.to_owned(),
      prerelease: false,
      digests: true,
      web_url: GITHUB.to_owned(),
      assets: Vec::new(),
    }
  }

  /// Adds a file.
  #[must_use]
  pub fn asset(mut self, name: &str) -> Self {
    self.assets.push(SampleAsset {
      name: name.to_owned(),
      size: None,
      sha256: None,
    });
    self
  }

  /// Adds a file of a certain size in bytes.
  #[must_use]
  pub fn asset_of(mut self, name: &str, size: u64) -> Self {
    self.assets.push(SampleAsset {
      name: name.to_owned(),
      size: Some(size),
      sha256: None,
    });
    self
  }

  /// Adds a file with a certain digest of GitHub's, 64 hexadecimal digits, also in a release [without](Self::without_digests) others.
  #[must_use]
  pub fn asset_with_digest(mut self, name: &str, sha256: &str) -> Self {
    self.assets.push(SampleAsset {
      name: name.to_owned(),
      size: None,
      sha256: Some(sha256.to_owned()),
    });
    self
  }

  /// The title, in place of the tag.
  #[must_use]
  pub fn name(mut self, name: &str) -> Self {
    self.name = Some(name.to_owned());
    self
  }

  /// The notes, Markdown.
  #[must_use]
  pub fn notes(mut self, notes: &str) -> Self {
    notes.clone_into(&mut self.notes);
    self
  }

  /// When it was published, RFC 3339.
  #[must_use]
  pub fn published_at(mut self, time: &str) -> Self {
    time.clone_into(&mut self.published_at);
    self
  }

  /// Whether its authors marked it as a pre-release.
  #[must_use]
  pub fn prerelease(mut self, prerelease: bool) -> Self {
    self.prerelease = prerelease;
    self
  }

  /// As files were that were uploaded before GitHub computed digests: `null`.
  #[must_use]
  pub fn without_digests(mut self) -> Self {
    self.digests = false;
    self
  }

  /// Where pages and downloads lie, in place of `https://github.com`.
  #[must_use]
  pub fn web_url(mut self, url: &str) -> Self {
    url.trim_end_matches('/').clone_into(&mut self.web_url);
    self
  }

  /// What GitHub answers.
  pub fn to_json(&self, repo: &str) -> Value {
    let Self {
      tag,
      published_at,
      prerelease,
      notes,
      web_url,
      ..
    } = self;
    let seed = Seed::of(&[repo, tag]);
    let id = seed.number(0, 100_000_000..400_000_000);
    let release_url = format!("{API}/repos/{repo}/releases/{id}");
    let assets: Vec<Value> = self.assets.iter().map(|asset| self.asset_json(repo, asset)).collect();
    json!({
      "url": release_url,
      "assets_url": format!("{release_url}/assets"),
      "upload_url": format!("https://uploads.github.com/repos/{repo}/releases/{id}/assets{{?name,label}}"),
      "html_url": format!("{web_url}/{repo}/releases/tag/{tag}"),
      "id": id,
      "author": author(),
      "node_id": format!("RE_{}", &seed.hex()[..16]),
      "tag_name": tag,
      "target_commitish": &seed.hex()[..40],
      "name": self.name.as_ref().unwrap_or(tag),
      "draft": false,
      "immutable": false,
      "prerelease": prerelease,
      "created_at": published_at,
      "updated_at": published_at,
      "published_at": published_at,
      "assets": assets,
      "tarball_url": format!("{API}/repos/{repo}/tarball/{tag}"),
      "zipball_url": format!("{API}/repos/{repo}/zipball/{tag}"),
      "body": notes,
    })
  }

  fn asset_json(&self, repo: &str, asset: &SampleAsset) -> Value {
    let Self {
      tag,
      published_at,
      web_url,
      ..
    } = self;
    let seed = Seed::of(&[repo, tag, &asset.name]);
    let id = seed.number(0, 100_000_000..400_000_000);
    let sha256 = asset.sha256.clone().or_else(|| self.digests.then(|| seed.hex()));
    json!({
      "url": format!("{API}/repos/{repo}/releases/assets/{id}"),
      "id": id,
      "node_id": format!("RA_{}", &seed.hex()[..16]),
      "name": asset.name,
      "label": "",
      "uploader": author(),
      "content_type": "application/octet-stream",
      "state": "uploaded",
      "size": asset.size.unwrap_or_else(|| made_up_size(&asset.name, &seed)),
      "digest": sha256.map(|sha256| format!("sha256:{sha256}")),
      "download_count": seed.number(16, 0..5_000),
      "created_at": published_at,
      "updated_at": published_at,
      "browser_download_url": format!("{web_url}/{repo}/releases/download/{tag}/{}", asset.name),
    })
  }
}

/// Numbers that look like chance and are the same each time.
struct Seed([u8; 32]);

impl Seed {
  fn of(parts: &[&str]) -> Self {
    Self(Sha256::digest(parts.join("\n")).into())
  }

  fn hex(&self) -> String {
    self.0.iter().map(|byte| format!("{byte:02x}")).collect()
  }

  fn number(&self, from_byte: usize, range: std::ops::Range<u64>) -> u64 {
    let bytes = self.0[from_byte..].iter().take(8);
    let number = bytes.fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    range.start + number % (range.end - range.start)
  }
}

/// What such a file weighs in a family of desktop apps.
fn made_up_size(name: &str, seed: &Seed) -> u64 {
  let range = match name.rsplit('.').next() {
    Some("txt" | "sha256" | "sig" | "asc" | "json") => 500..4_000,
    Some("zsync") => 150_000..300_000,
    _ if name.contains("-web-") => 7 * MIB..12 * MIB,
    _ => 45 * MIB..75 * MIB,
  };
  seed.number(8, range)
}

fn author() -> Value {
  let user = format!("{API}/users/sample-user");
  json!({
    "login": "sample-user",
    "id": 1,
    "node_id": "U_sample",
    "avatar_url": "https://avatars.githubusercontent.com/u/1?v=4",
    "gravatar_id": "",
    "url": user,
    "html_url": format!("{GITHUB}/sample-user"),
    "followers_url": format!("{user}/followers"),
    "following_url": format!("{user}/following{{/other_user}}"),
    "gists_url": format!("{user}/gists{{/gist_id}}"),
    "starred_url": format!("{user}/starred{{/owner}}{{/repo}}"),
    "subscriptions_url": format!("{user}/subscriptions"),
    "organizations_url": format!("{user}/orgs"),
    "repos_url": format!("{user}/repos"),
    "events_url": format!("{user}/events{{/privacy}}"),
    "received_events_url": format!("{user}/received_events"),
    "type": "Bot",
    "user_view_type": "public",
    "site_admin": false,
  })
}

#[cfg(test)]
mod tests {
  use super::*;

  #[test]
  fn the_same_release_is_the_same_each_time_and_another_is_another() {
    let release = SampleRelease::new("v1").asset("a.zip").asset_of("b.zip", 7);
    assert_eq!(release.to_json("acme/demo"), release.to_json("acme/demo"));
    assert_ne!(release.to_json("acme/demo")["id"], release.to_json("acme/other")["id"]);
    assert_eq!(release.to_json("acme/demo")["assets"][1]["size"], 7);
  }

  #[test]
  fn digests_are_githubs_or_null() {
    let release = SampleRelease::new("v1").asset("a.zip");
    let digest = release.to_json("acme/demo")["assets"][0]["digest"]
      .as_str()
      .unwrap()
      .to_owned();
    let hex = digest.strip_prefix("sha256:").unwrap();
    assert!(
      hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()),
      "{digest}"
    );
    assert_eq!(
      release.without_digests().to_json("acme/demo")["assets"][0]["digest"],
      Value::Null
    );
  }
}
