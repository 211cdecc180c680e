//! PhotoCraft 0.5.0, written out: what every launcher of the family reads.

use serde_json::{Value, json};

use crate::fixtures::read;
use crate::stage::{App, GITHUB_WEB, Stage, app, ask};

const FILE: &str = "releases/photocraft-0.5.0.json";

type Row = (
  &'static str,
  u64,
  &'static str,
  Option<(&'static str, Option<&'static str>, &'static str)>,
);

/// Name, size, URL; system, processor, package.
const FILES: [Row; 23] = [
  (
    "photocraft-0.5.0-freebsd-x86_64.tar.gz",
    67_239_606,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-0.5.0-freebsd-x86_64.tar.gz",
    Some(("freebsd", Some("x64"), "tar_gz")),
  ),
  (
    "photocraft-0.5.0-linux-aarch64.AppImage",
    61_950_472,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-0.5.0-linux-aarch64.AppImage",
    Some(("linux", Some("arm64"), "app_image")),
  ),
  (
    "photocraft-0.5.0-linux-aarch64.AppImage.zsync",
    211_999,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-0.5.0-linux-aarch64.AppImage.zsync",
    Some(("linux", Some("arm64"), "app_image_zsync")),
  ),
  (
    "photocraft-0.5.0-linux-aarch64.deb",
    66_425_496,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-0.5.0-linux-aarch64.deb",
    Some(("linux", Some("arm64"), "deb")),
  ),
  (
    "photocraft-0.5.0-linux-aarch64.flatpak",
    47_779_904,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-0.5.0-linux-aarch64.flatpak",
    Some(("linux", Some("arm64"), "flatpak")),
  ),
  (
    "photocraft-0.5.0-linux-aarch64.rpm",
    65_885_801,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-0.5.0-linux-aarch64.rpm",
    Some(("linux", Some("arm64"), "rpm")),
  ),
  (
    "photocraft-0.5.0-linux-aarch64.tar.gz",
    64_821_904,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-0.5.0-linux-aarch64.tar.gz",
    Some(("linux", Some("arm64"), "tar_gz")),
  ),
  (
    "photocraft-0.5.0-linux-x86_64.AppImage",
    64_309_752,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-0.5.0-linux-x86_64.AppImage",
    Some(("linux", Some("x64"), "app_image")),
  ),
  (
    "photocraft-0.5.0-linux-x86_64.AppImage.zsync",
    220_061,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-0.5.0-linux-x86_64.AppImage.zsync",
    Some(("linux", Some("x64"), "app_image_zsync")),
  ),
  (
    "photocraft-0.5.0-linux-x86_64.deb",
    68_278_902,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-0.5.0-linux-x86_64.deb",
    Some(("linux", Some("x64"), "deb")),
  ),
  (
    "photocraft-0.5.0-linux-x86_64.flatpak",
    50_670_952,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-0.5.0-linux-x86_64.flatpak",
    Some(("linux", Some("x64"), "flatpak")),
  ),
  (
    "photocraft-0.5.0-linux-x86_64.rpm",
    67_853_490,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-0.5.0-linux-x86_64.rpm",
    Some(("linux", Some("x64"), "rpm")),
  ),
  (
    "photocraft-0.5.0-linux-x86_64.tar.gz",
    67_356_308,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-0.5.0-linux-x86_64.tar.gz",
    Some(("linux", Some("x64"), "tar_gz")),
  ),
  (
    "photocraft-0.5.0-macos-universal.dmg",
    74_849_198,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-0.5.0-macos-universal.dmg",
    Some(("macos", Some("universal"), "dmg")),
  ),
  (
    "photocraft-0.5.0-windows-arm64-portable.zip",
    65_047_499,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-0.5.0-windows-arm64-portable.zip",
    Some(("windows", Some("arm64"), "portable_zip")),
  ),
  (
    "photocraft-0.5.0-windows-arm64.msi",
    52_805_632,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-0.5.0-windows-arm64.msi",
    Some(("windows", Some("arm64"), "msi")),
  ),
  (
    "photocraft-0.5.0-windows-x64-portable.zip",
    67_717_284,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-0.5.0-windows-x64-portable.zip",
    Some(("windows", Some("x64"), "portable_zip")),
  ),
  (
    "photocraft-0.5.0-windows-x64.msi",
    55_783_424,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-0.5.0-windows-x64.msi",
    Some(("windows", Some("x64"), "msi")),
  ),
  (
    "photocraft-0.5.0-windows-x86-portable.zip",
    65_425_226,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-0.5.0-windows-x86-portable.zip",
    Some(("windows", Some("x86"), "portable_zip")),
  ),
  (
    "photocraft-0.5.0-windows-x86.msi",
    54_583_296,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-0.5.0-windows-x86.msi",
    Some(("windows", Some("x86"), "msi")),
  ),
  (
    "photocraft-cli-0.5.0-macos-universal.zip",
    57_316_934,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-cli-0.5.0-macos-universal.zip",
    Some(("macos", Some("universal"), "cli_zip")),
  ),
  (
    "photocraft-web-0.5.0.zip",
    9_363_108,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/photocraft-web-0.5.0.zip",
    Some(("web", None, "web_zip")),
  ),
  (
    "SHA256SUMS.txt",
    2_283,
    "https://github.com/storytold/photocraft/releases/download/v0.5.0/SHA256SUMS.txt",
    None,
  ),
];

#[tokio::test(flavor = "multi_thread")]
async fn photocraft_0_5_0_comes_out_to_the_letter() {
  let stage = Stage::set().await;
  stage.github.set_latest_json("storytold/photocraft", read(FILE).json);
  let apps = [App::new("photocraft", "PhotoCraft", "storytold/photocraft")];
  let (server, _) = stage.serve(GITHUB_WEB, &apps);
  let mut app = app(&ask(&server).json(), "photocraft");
  assert!(app["app_last_fetched"].is_string());
  let Value::Array(mut files) = app["latest_release"]["assets"].take() else {
    panic!("no files in {app}");
  };
  app["app_last_fetched"].take();
  assert_eq!(
    app,
    json!({
      "name": "PhotoCraft",
      "repo": "storytold/photocraft",
      "latest_release": {
        "tag": "v0.5.0",
        "version": "0.5.0",
        "name": "PhotoCraft v0.5.0",
        "published_at": "2026-10-08T14:52:50Z",
        "html_url": "https://github.com/storytold/photocraft/releases/tag/v0.5.0",
        "prerelease": false,
        "notes_markdown": "Notes left out.",
        "assets": null,
      },
      "app_last_fetched": null,
    })
  );
  for file in &mut files {
    // What it says beyond the contract isn't asserted here.
    file.as_object_mut().unwrap().remove("build");
  }
  let expected: Vec<Value> = FILES.into_iter().map(expected_file).collect();
  assert_eq!(files, expected);
}

fn expected_file((name, size_bytes, download_url, platform): Row) -> Value {
  let platform =
    platform.map(|(os, arch, package_type)| json!({ "os": os, "arch": arch, "package_type": package_type }));
  json!({
    "name": name,
    "size_bytes": size_bytes,
    "download_url": download_url,
    "sha256": null,
    "platform": platform,
  })
}
