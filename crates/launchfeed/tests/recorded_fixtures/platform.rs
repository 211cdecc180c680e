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
  read(file_name).map_or(Value::Null, |(os, arch, package_type)| {
    json!({ "os": os, "arch": arch, "package_type": package_type })
  })
}

fn read(file_name: &str) -> Option<(&str, Option<&str>, &str)> {
  let (stem, package_type) = ENDINGS
    .iter()
    .find_map(|(ending, package_type)| Some((file_name.strip_suffix(ending)?, *package_type)))?;
  let built = system_and_processor(stem);
  if package_type != "zip" {
    let (rest, os, arch) = built?;
    let (app, version) = rest.split_once('-')?;
    return (!app.is_empty() && !version.is_empty()).then_some((os, Some(arch), package_type));
  }
  match built {
    Some((rest, "macos", "universal")) => {
      holds_between(rest, "-cli-").then_some(("macos", Some("universal"), "cli_zip"))
    }
    Some(_) => None,
    None => holds_between(stem, "-web-").then_some(("web", None, "web_zip")),
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

/// `<app><word><version>`.
fn holds_between(text: &str, word: &str) -> bool {
  text
    .split_once(word)
    .is_some_and(|(app, version)| !app.is_empty() && !version.is_empty())
}
