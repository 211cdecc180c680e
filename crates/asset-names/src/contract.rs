//! The family's own naming scheme and its closed `platform`, read from the right.
//!
//! ```text
//! <app>-<version>-<os>-<arch>[-portable].<ext>
//! <app>-cli-<version>-macos-universal.zip
//! <app>-web-<version>.zip
//! ```
//!
//! Both the app and the version may hold dashes, so only the right end of a name is sure: the ending, then the processor, then the
//! system, then whatever is left. The scheme is case-sensitive, and a name that strays from it in anything has no `platform`:
//! deployed launchers install what this says without asking.

use feed_types::{Arch, Os, PackageType, Platform};

/// Longest name that is listed, in bytes.
const MAX_NAME_BYTES: usize = 200;

/// Characters that some file system, shell or URL takes for something else than a part of a name.
const UNSAFE_IN_NAMES: &[char] = &['/', '\\', ':', '<', '>', '"', '|', '?', '*'];

/// Ending and packaging. An ending stands before every other that it ends with.
const ENDINGS: &[(&str, PackageType)] = &[
  ("-portable.zip", PackageType::PortableZip),
  (".AppImage.zsync", PackageType::AppImageZsync),
  (".AppImage", PackageType::AppImage),
  (".tar.gz", PackageType::TarGz),
  (".msi", PackageType::Msi),
  (".dmg", PackageType::Dmg),
  (".deb", PackageType::Deb),
  (".rpm", PackageType::Rpm),
  (".flatpak", PackageType::Flatpak),
];

/// What a file named by the family's scheme is for; `None` for every other name.
///
/// ```
/// use asset_names::contract_platform;
///
/// let platform = contract_platform("photocraft-0.2.0-rc.1-linux-aarch64.deb").unwrap();
/// assert_eq!((platform.os.as_str(), platform.package_type.as_str()), ("linux", "deb"));
/// assert_eq!(contract_platform("jq-linux-amd64"), None);
/// ```
pub fn contract_platform(name: &str) -> Option<Platform> {
  for (ending, package_type) in ENDINGS {
    if let Some(stem) = name.strip_suffix(ending) {
      return app_build(stem, *package_type);
    }
  }
  let stem = name.strip_suffix(".zip")?;
  cli_build(stem).or_else(|| web_build(stem))
}

/// Whether a file may be listed at all: a name that is safe to show, to store and to put into a URL.
///
/// It has 1 to 200 bytes, no leading dot, no control character and none of `/ \ : < > " | ? *`.
pub fn is_listable_name(name: &str) -> bool {
  !name.is_empty()
    && name.len() <= MAX_NAME_BYTES
    && !name.starts_with('.')
    && !name.chars().any(|c| c.is_control() || UNSAFE_IN_NAMES.contains(&c))
}

/// `<app>-<version>-<os>-<arch>`.
fn app_build(stem: &str, package_type: PackageType) -> Option<Platform> {
  let (stem, arch) = stem.rsplit_once('-')?;
  let (stem, os) = stem.rsplit_once('-')?;
  let platform = Platform {
    os: read_os(os)?,
    arch: Some(read_arch(arch)?),
    package_type,
  };
  has_part_before_version(stem, "-").then_some(platform)
}

/// `<app>-cli-<version>-macos-universal`.
fn cli_build(stem: &str) -> Option<Platform> {
  let stem = stem.strip_suffix("-macos-universal")?;
  let platform = Platform {
    os: Os::Macos,
    arch: Some(Arch::Universal),
    package_type: PackageType::CliZip,
  };
  has_part_before_version(stem, "-cli-").then_some(platform)
}

/// `<app>-web-<version>`. A version never holds a system or a processor: `foo-web-1.0-windows-x64.zip` is a ZIP of the app
/// `foo-web`, which the scheme doesn't know.
fn web_build(stem: &str) -> Option<Platform> {
  let names_a_machine = stem
    .split('-')
    .any(|part| read_os(part).is_some() || read_arch(part).is_some());
  let platform = Platform {
    os: Os::Web,
    arch: None,
    package_type: PackageType::WebZip,
  };
  (!names_a_machine && has_part_before_version(stem, "-web-")).then_some(platform)
}

/// Whether `text` is an app, `separator` and a version (which begins with a digit).
fn has_part_before_version(text: &str, separator: &str) -> bool {
  text.match_indices(separator).any(|(at, separator)| {
    let version = &text[at + separator.len()..];
    at > 0 && version.starts_with(|c: char| c.is_ascii_digit())
  })
}

fn read_os(word: &str) -> Option<Os> {
  match word {
    "windows" => Some(Os::Windows),
    "macos" => Some(Os::Macos),
    "linux" => Some(Os::Linux),
    "freebsd" => Some(Os::FreeBsd),
    _ => None,
  }
}

fn read_arch(word: &str) -> Option<Arch> {
  match word {
    "x64" | "x86_64" => Some(Arch::X64),
    "x86" => Some(Arch::X86),
    "arm64" | "aarch64" => Some(Arch::Arm64),
    "universal" => Some(Arch::Universal),
    _ => None,
  }
}

#[cfg(test)]
mod tests {
  use proptest::prelude::*;
  use rstest::rstest;

  use super::*;

  mod platform {
    use super::*;

    #[rstest]
    #[case("photocraft-0.5.0-windows-x64.msi", "windows x64 msi")]
    #[case("photocraft-0.5.0-windows-x86-portable.zip", "windows x86 portable_zip")]
    #[case("photocraft-0.5.0-macos-universal.dmg", "macos universal dmg")]
    #[case("photocraft-0.5.0-linux-x86_64.AppImage", "linux x64 app_image")]
    #[case("photocraft-0.5.0-linux-aarch64.AppImage.zsync", "linux arm64 app_image_zsync")]
    #[case("photocraft-0.5.0-linux-arm64.deb", "linux arm64 deb")]
    #[case("photocraft-0.5.0-linux-x64.rpm", "linux x64 rpm")]
    #[case("photocraft-0.5.0-linux-x64.flatpak", "linux x64 flatpak")]
    #[case("photocraft-0.5.0-freebsd-x86_64.tar.gz", "freebsd x64 tar_gz")]
    #[case("photocraft-cli-0.5.0-macos-universal.zip", "macos universal cli_zip")]
    #[case("photocraft-web-0.5.0.zip", "web - web_zip")]
    #[case("photocraft-web-0.5.0-rc.1.zip", "web - web_zip")]
    #[case("artcraft-launcher-0.2.0-rc.1-linux-x86_64.deb", "linux x64 deb")]
    #[case("my-web-app-1.0-linux-x64.deb", "linux x64 deb")]
    #[case("tool-cli-1.0-linux-x64.tar.gz", "linux x64 tar_gz")]
    #[case("7-tool-2-linux-x64.deb", "linux x64 deb")]
    #[case("größe-1-linux-x64.deb", "linux x64 deb")]
    fn a_name_of_the_scheme_is_read_from_the_right(#[case] name: &str, #[case] expected: &str) {
      assert_eq!(
        contract_platform(name).map(written),
        Some(expected.to_owned()),
        "{name}"
      );
    }

    #[rstest]
    #[case::no_version("photocraft-linux-x64.deb")]
    #[case::version_without_digit("photocraft-beta-linux-x64.deb")]
    #[case::empty_app("-0.5.0-linux-x64.deb")]
    #[case::only_a_version("0.5.0-linux-x64.deb")]
    #[case::empty_app_of_web("-web-0.5.0.zip")]
    #[case::only_web("web-0.5.0.zip")]
    #[case::empty_app_of_cli("-cli-0.5.0-macos-universal.zip")]
    #[case::web_for_a_machine("foo-web-1.0-windows-x64.zip")]
    #[case::web_for_a_system("foo-web-1.0-windows.zip")]
    #[case::web_in_the_app("my-web-app-1.0.zip")]
    #[case::portable_web("photocraft-web-0.5.0-portable.zip")]
    #[case::plain_zip("photocraft-0.5.0-windows-x64.zip")]
    #[case::cli_elsewhere("photocraft-cli-0.5.0-linux-universal.zip")]
    #[case::cli_for_one_processor("photocraft-cli-0.5.0-macos-arm64.zip")]
    #[case::not_a_cli("photocraft-0.5.0-macos-universal.zip")]
    #[case::portable_cli("photocraft-cli-0.5.0-macos-universal-portable.msi")]
    #[case::portable_msi("photocraft-0.5.0-windows-x64-portable.msi")]
    #[case::portable_tar("photocraft-0.5.0-linux-x64-portable.tar.gz")]
    #[case::setup("photocraft-0.5.0-windows-x64.exe")]
    #[case::tar_xz("photocraft-0.5.0-linux-x64.tar.xz")]
    #[case::riscv64("vectorcraft-0.19.0-linux-riscv64.tar.gz")]
    #[case::darwin("photocraft-0.5.0-darwin-arm64.dmg")]
    #[case::amd64("photocraft-0.5.0-linux-amd64.deb")]
    #[case::os_last("photocraft-0.5.0-x64-linux.deb")]
    #[case::upper_case_ending("photocraft-0.5.0-windows-x64.MSI")]
    #[case::lower_case_ending("photocraft-0.5.0-linux-x64.appimage")]
    #[case::upper_case_system("photocraft-0.5.0-Linux-x64.deb")]
    #[case::underscores("photocraft_0.5.0_linux_x64.deb")]
    #[case::zsync_of_something_else("photocraft-0.5.0-linux-x64.deb.zsync")]
    #[case::sidecar("photocraft-0.5.0-linux-x64.deb.sha256")]
    #[case::checksums("SHA256SUMS.txt")]
    #[case::empty("")]
    #[case::only_an_ending(".AppImage")]
    #[case::dashes("----.zip")]
    fn every_other_name_has_no_platform(#[case] name: &str) {
      assert_eq!(contract_platform(name), None, "{name}");
    }

    #[test]
    fn every_combination_of_the_scheme_is_read_as_written() {
      for os in [Os::Windows, Os::Macos, Os::Linux, Os::FreeBsd] {
        for (word, arch) in ARCH_WORDS {
          for (ending, package_type) in ENDINGS {
            let name = format!("some-app-1.2.0-rc.1-{os}-{word}{ending}");
            let expected = Platform {
              os,
              arch: Some(*arch),
              package_type: *package_type,
            };
            assert_eq!(contract_platform(&name), Some(expected), "{name}");
          }
        }
      }
    }

    proptest! {
      #[test]
      fn no_name_makes_it_panic(name in ".*", ending in "(-portable)?[.](zip|deb|AppImage|tar[.]gz)") {
        contract_platform(&name);
        contract_platform(&(name + &ending));
      }

      #[test]
      fn no_name_made_of_the_schemes_own_parts_makes_it_panic(
        parts in prop::collection::vec("app|cli|web|1|-|linux|x64|macos|universal|portable|[.]zip|[.]msi|é", 0..12),
      ) {
        contract_platform(&parts.concat());
      }

      #[test]
      fn app_and_version_never_change_the_platform(
        app in "[a-z][a-z0-9]{0,8}(-[a-z0-9]{1,6}){0,2}",
        version in "[0-9]{1,3}([.][0-9]{1,3}){0,3}(-(alpha|beta|rc)[.]?[0-9]{0,2})?",
      ) {
        let build = contract_platform(&format!("{app}-{version}-windows-arm64.msi")).map(written);
        prop_assert_eq!(build.as_deref(), Some("windows arm64 msi"));
        let cli = contract_platform(&format!("{app}-cli-{version}-macos-universal.zip")).map(written);
        prop_assert_eq!(cli.as_deref(), Some("macos universal cli_zip"));
        let web = contract_platform(&format!("{app}-web-{version}.zip")).map(written);
        prop_assert_eq!(web.as_deref(), Some("web - web_zip"));
      }
    }
  }

  mod listable {
    use super::*;

    #[rstest]
    #[case("a")]
    #[case("photocraft-0.5.0-linux-x64.deb")]
    #[case("Foo Setup (1).exe")]
    #[case("файл.zip")]
    #[case("a..b")]
    fn an_ordinary_name_is_listed(#[case] name: &str) {
      assert!(is_listable_name(name), "{name}");
    }

    #[rstest]
    #[case("")]
    #[case(".hidden")]
    #[case("..")]
    #[case("../../x")]
    #[case("a\0b")]
    #[case("a\u{85}b")]
    #[case("a\nb")]
    #[case("a/b")]
    #[case("a\\b")]
    #[case("a:b")]
    #[case("a<b")]
    #[case("a>b")]
    #[case("a\"b")]
    #[case("a|b")]
    #[case("a?b")]
    #[case("a*b")]
    fn an_unsafe_name_is_not(#[case] name: &str) {
      assert!(!is_listable_name(name), "{name:?}");
    }

    #[test]
    fn the_length_is_counted_in_bytes() {
      assert!(is_listable_name(&"a".repeat(200)));
      assert!(!is_listable_name(&"a".repeat(201)));
      assert!(is_listable_name(&"é".repeat(100)));
      assert!(!is_listable_name(&"é".repeat(101)));
    }
  }

  const ARCH_WORDS: &[(&str, Arch)] = &[
    ("x64", Arch::X64),
    ("x86_64", Arch::X64),
    ("x86", Arch::X86),
    ("arm64", Arch::Arm64),
    ("aarch64", Arch::Arm64),
    ("universal", Arch::Universal),
  ];

  fn written(platform: Platform) -> String {
    let arch = platform.arch.map_or("-", Arch::as_str);
    format!("{} {arch} {}", platform.os, platform.package_type)
  }
}
