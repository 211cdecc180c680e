//! The sample family that the demonstration serves: all 13 Craft Apps, each with the files of a real Craft release. Versions, dates,
//! sizes and digests are made up, the same each time.

use crate::{sample_release::SampleRelease, stand_in::StandIn};

/// What begins every file name, the repository, the display name, the version, when it was published.
const APPS: [(&str, &str, &str, &str, &str); 13] = [
  (
    "photocraft",
    "storytold/photocraft",
    "PhotoCraft",
    "0.5.0",
    "2026-10-08T14:52:50Z",
  ),
  (
    "vectorcraft",
    "storytold/vectorcraft",
    "VectorCraft",
    "0.4.2",
    "2026-10-06T09:12:07Z",
  ),
  (
    "filmcraft",
    "storytold/filmcraft",
    "FilmCraft",
    "0.6.1",
    "2026-10-09T17:30:41Z",
  ),
  (
    "lightcraft",
    "storytold/lightcraft",
    "LightCraft",
    "0.3.0",
    "2026-09-28T11:05:19Z",
  ),
  (
    "pdfcraft",
    "storytold/pdfcraft",
    "PdfCraft",
    "1.0.3",
    "2026-10-02T08:44:02Z",
  ),
  (
    "effectcraft",
    "storytold/effectcraft",
    "EffectCraft",
    "0.2.5",
    "2026-09-17T15:21:33Z",
  ),
  (
    "designcraft",
    "storytold/designcraft",
    "DesignCraft",
    "0.7.0",
    "2026-10-11T10:00:58Z",
  ),
  (
    "wordcraft",
    "storytold/wordcraft",
    "WordCraft",
    "0.9.4",
    "2026-10-05T13:37:26Z",
  ),
  (
    "deckcraft",
    "storytold/deckcraft",
    "DeckCraft",
    "0.3.8",
    "2026-09-30T16:48:11Z",
  ),
  (
    "gridcraft",
    "storytold/gridcraft",
    "GridCraft",
    "0.8.2",
    "2026-10-07T12:15:45Z",
  ),
  (
    "cadcraft",
    "storytold/cadcraft",
    "CADCraft",
    "0.1.9",
    "2026-09-22T18:02:37Z",
  ),
  (
    "soundcraft",
    "storytold/soundcraft",
    "SoundCraft",
    "0.5.6",
    "2026-10-10T07:56:14Z",
  ),
  (
    LAUNCHER,
    "storytold/craft-launcher",
    "ArtCraft Launcher",
    "0.2.0-rc.1",
    "2026-10-12T09:09:09Z",
  ),
];
/// It has no command-line tools, so not their archive either.
const LAUNCHER: &str = "artcraft-launcher";

/// What follows `<app>-<version>-`.
const BUILDS: [&str; 20] = [
  "freebsd-x86_64.tar.gz",
  "linux-aarch64.AppImage",
  "linux-aarch64.AppImage.zsync",
  "linux-aarch64.deb",
  "linux-aarch64.flatpak",
  "linux-aarch64.rpm",
  "linux-aarch64.tar.gz",
  "linux-x86_64.AppImage",
  "linux-x86_64.AppImage.zsync",
  "linux-x86_64.deb",
  "linux-x86_64.flatpak",
  "linux-x86_64.rpm",
  "linux-x86_64.tar.gz",
  "macos-universal.dmg",
  "windows-arm64-portable.zip",
  "windows-arm64.msi",
  "windows-x64-portable.zip",
  "windows-x64.msi",
  "windows-x86-portable.zip",
  "windows-x86.msi",
];

/// Each repository and its latest release.
pub fn releases() -> Vec<(&'static str, SampleRelease)> {
  APPS.iter().map(|app| (app.1, release(*app))).collect()
}

fn release((key, _, name, version, published_at): (&str, &str, &str, &str, &str)) -> SampleRelease {
  let notes = format!(
    "## {name} {version}\r\n\r\nThis is sample data: there is nothing to download.\r\n\r\n\
     * Opens files faster\r\n* Fixes a crash at startup\r\n"
  );
  let mut release = SampleRelease::new(&format!("v{version}"))
    .name(&format!("{name} {version}"))
    .notes(&notes)
    .published_at(published_at);
  for build in BUILDS {
    release = release.asset(&format!("{key}-{version}-{build}"));
  }
  if key != LAUNCHER {
    release = release.asset(&format!("{key}-cli-{version}-macos-universal.zip"));
  }
  release
    .asset(&format!("{key}-web-{version}.zip"))
    .asset("SHA256SUMS.txt")
}

impl StandIn {
  /// Serves the sample family.
  pub fn serve_sample_family(&self) {
    for (repo, release) in releases() {
      self.set_latest(repo, release);
    }
  }
}

#[cfg(test)]
mod tests {
  use std::collections::HashSet;

  use super::*;

  #[test]
  fn thirteen_apps_have_twenty_three_files_each_and_the_launcher_one_less() {
    let releases = releases();
    assert_eq!(releases.len(), 13);
    let repos: HashSet<_> = releases.iter().map(|(repo, _)| repo).collect();
    assert_eq!(repos.len(), 13);
    for (repo, release) in releases {
      let json = release.to_json(repo);
      let expected = if repo == "storytold/craft-launcher" { 22 } else { 23 };
      assert_eq!(json["assets"].as_array().unwrap().len(), expected, "{repo}");
      assert!(json["body"].as_str().unwrap().contains("sample data"));
    }
  }
}
