//! Answers to show: real ones, so that they can't say what an answer never says.

use asset_names::{Hints, classify, contract_platform};
use feed_types::{App, AppAnswer, Asset, Release, ReleaseInfo, ReleaseInfoAnswer};

const KEY: &str = "photocraft";
const REPO: &str = "storytold/photocraft";
const FETCHED: &str = "2026-10-08T14:52:50Z";
/// Of nothing; as good as any.
const SHA256: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// A family of one.
pub(super) fn whole_answer() -> ReleaseInfoAnswer {
  ReleaseInfoAnswer {
    success: true,
    release_info: ReleaseInfo::new([(KEY.to_owned(), app())].into()),
    ..ReleaseInfoAnswer::default()
  }
}

/// The same app alone.
pub(super) fn app_answer() -> AppAnswer {
  AppAnswer {
    success: true,
    app_key: KEY.to_owned(),
    app: app(),
  }
}

/// Its release.
pub(super) fn release() -> Release {
  Release {
    tag: "v0.2.0".to_owned(),
    version: "0.2.0".to_owned(),
    name: "PhotoCraft 0.2.0".to_owned(),
    published_at: "2026-10-01T09:00:00Z".parse().ok(),
    html_url: format!("https://github.com/{REPO}/releases/tag/v0.2.0"),
    prerelease: false,
    notes_markdown: "## What is new\n\n- Layers".to_owned(),
    assets: vec![
      asset("photocraft-0.2.0-windows-x64.msi", 48_312_320),
      asset("photocraft-0.2.0-linux-riscv64.tar.xz", 51_208_192),
    ],
  }
}

fn app() -> App {
  App {
    name: "PhotoCraft".to_owned(),
    repo: REPO.to_owned(),
    latest_release: Some(release()),
    app_last_fetched: FETCHED.parse().ok(),
  }
}

fn asset(name: &str, size_bytes: u64) -> Asset {
  Asset {
    name: name.to_owned(),
    size_bytes,
    download_url: format!("https://github.com/{REPO}/releases/download/v0.2.0/{name}"),
    sha256: Some(SHA256.to_owned()),
    platform: contract_platform(name),
    build: classify(name, &Hints::app(KEY)).to_wire(),
  }
}
