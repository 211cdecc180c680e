//! The contract's grammar of file names once more, read from the right to the left.

use serde_json::{Value, json};

/// The longer ones first, so that none is taken for the end of another.
const ENDINGS: [(&str, &str); 10] = [
  ("-portable.zip", "portable_zip"),
  (".AppImage.zsync", "app_image_zsync"),
  (".AppImage", "app_image"),
  (".tar.gz", "tar_gz"),
  (".msi", "msi"),
  (".dmg", "dmg"),
  (".deb", "deb"),
  (".rpm", "rpm"),
  (".flatpak", "flatpak"),
  (".zip", "zip"),
];

/// The `platform` of a file with that name.
pub(crate) fn platform_of(file_name: &str) -> Value {
  read(file_name).map_or(
    Value::Null,
    |(os, arch, package_type)| json!({ "os": os, "arch": arch, "package_type": package_type }),
  )
}

fn read(file_name: &str) -> Option<(&str, Option<&str>, &str)> {
  let (stem, package_type) = ENDINGS
    .iter()
    .find_map(|(ending, package_type)| Some((file_name.strip_suffix(ending)?, *package_type)))?;
  let built = system_and_processor(stem);
  if package_type != "zip" {
    let (rest, os, arch) = built?;
    return is_app_and_version(rest, "-").then_some((os, Some(arch), package_type));
  }
  match built {
    Some((rest, "macos", "universal")) => {
      is_app_and_version(rest, "-cli-").then_some(("macos", Some("universal"), "cli_zip"))
    }
    Some(_) => None,
    None => is_app_and_version(stem, "-web-").then_some(("web", None, "web_zip")),
  }
}

/// `<rest>-<os>-<arch>`.
fn system_and_processor(stem: &str) -> Option<(&str, &str, &str)> {
  let (stem, arch) = stem.rsplit_once('-')?;
  let (rest, os) = stem.rsplit_once('-')?;
  let arch = match arch {
    "x64" | "x86_64" => "x64",
    "arm64" | "aarch64" => "arm64",
    "x86" | "universal" => arch,
    _ => return None,
  };
  ["windows", "macos", "linux", "freebsd"]
    .contains(&os)
    .then_some((rest, os, arch))
}

/// `<app><word><version>`. The contract's `version` is a tag without its leading `v`, so `age-v1.2.1` holds none: a version begins
/// with a digit here. Both the app and the version may hold dashes.
fn is_app_and_version(text: &str, word: &str) -> bool {
  let mut app_ends = text.match_indices(word).map(|(at, _)| at).filter(|at| *at > 0);
  app_ends.any(|at| text[at + word.len()..].starts_with(|first: char| first.is_ascii_digit()))
}
