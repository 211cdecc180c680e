//! Which platforms a release has files for.

use asset_names::is_listable_name;
use feed_types::{Platform, Release};

use super::told::Told;

/// As many names of files that aren't uploaded yet are kept: as many files as are listed.
const MAX_NAMES: usize = 200;

/// The platforms that one release has a file for and the other hasn't, in the order of the contract's lists.
pub(super) fn missing_platforms(of: &Release, in_other: &Release) -> Vec<Platform> {
  let there = platforms(in_other);
  let mut missing = platforms(of);
  missing.retain(|platform| !there.contains(platform));
  missing
}

/// Every platform that a release has a file for, once.
pub(super) fn platforms(release: &Release) -> Vec<Platform> {
  let mut platforms: Vec<Platform> = release.assets.iter().filter_map(|asset| asset.platform).collect();
  platforms.sort_by_key(|platform| (platform.os, platform.arch, platform.package_type));
  platforms.dedup();
  platforms
}

/// The files that are being uploaded and will be listed.
pub(super) fn files_under_way(told: &Told) -> Vec<String> {
  let names = told.facts.not_uploaded().filter(|name| is_listable_name(name));
  names.take(MAX_NAMES).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
  use super::*;
  use crate::settle::samples::{release_for, starting, told};

  #[test]
  fn what_is_missing_is_told_once_and_in_order() {
    let old = release_for(
      "v1",
      &["linux-x64.deb", "windows-x64.msi", "linux-arm64.deb", "linux-x64.rpm"],
    );
    let mut new = release_for("v2", &["linux-x64.rpm", "macos-arm64.dmg"]);
    new.assets.extend(new.assets.clone());
    let missing: Vec<String> = missing_platforms(&old, &new)
      .iter()
      .map(|platform| format!("{} {}", platform.os, platform.package_type))
      .collect();
    assert_eq!(missing, ["windows msi", "linux deb", "linux deb"]);
    assert_eq!(missing_platforms(&new, &new), []);
  }

  #[test]
  fn a_file_that_will_never_be_listed_is_not_under_way() {
    let candidate = starting(starting(told(release_for("v1", &[])), ".hidden"), "b.deb");
    assert_eq!(files_under_way(&candidate), ["b.deb"]);
  }
}
