//! What a reading says beside the four words: the sort of file, the doubts, what hints change.

use asset_names::{BuildOs, Doubt, Hints, Reading, Role, classify};
use rstest::rstest;

mod role {
  use super::*;

  #[rstest]
  #[case("tool-1.0-linux-x64.tar.gz", Role::Build)]
  #[case("photocraft-0.5.0-linux-x86_64.AppImage", Role::Build)]
  #[case("tool.exe", Role::Build)]
  #[case("tool-x64.zip", Role::Build)]
  #[case("SHA256SUMS", Role::Checksum)]
  #[case("tool-1.0-linux-x64.tar.gz.sha256", Role::Checksum)]
  #[case("a.tar.gz.sha256.asc", Role::Signature)]
  #[case("cosign.pub", Role::Signature)]
  #[case("tool.spdx.json", Role::Sbom)]
  #[case("tool-1.0-src.tar.xz", Role::Source)]
  #[case("latest-mac.yml", Role::Metadata)]
  #[case("tool-1.0-win-x64.exe.blockmap", Role::Metadata)]
  #[case("photocraft-0.5.0-linux-x86_64.AppImage.zsync", Role::Delta)]
  #[case("tool-1.0-delta.nupkg", Role::Delta)]
  #[case("Tool-1.1-1.0.delta", Role::Delta)]
  #[case("tool-1.0-x86_64-pc-windows-msvc-pdb.zip", Role::DebugSymbols)]
  #[case("tool-debug-symbols-linux-x64.tar.xz", Role::DebugSymbols)]
  #[case("tool.pdb", Role::DebugSymbols)]
  #[case("tool-dbgsym_1.0_amd64.ddeb", Role::DebugSymbols)]
  #[case("completion.tar.gz", Role::Unknown)]
  #[case("tool", Role::Unknown)]
  #[case("", Role::Unknown)]
  fn the_sort_of_file_is_told(#[case] name: &str, #[case] expected: Role) {
    assert_eq!(classify(name, &Hints::NONE).role, expected, "{name}");
  }
}

mod doubts {
  use super::*;

  #[rstest]
  #[case("tool-1.0-linux-x64.tar.gz", &[])]
  #[case("tool-linux-windows-x64.zip", &[Doubt::TwoSystems])]
  #[case("tool-1.0-x64-arm64.msi", &[Doubt::TwoProcessors])]
  #[case("tool-linux-gnu-musl-x64.tar.gz", &[Doubt::TwoLibcs])]
  #[case("windows95-linux-x64.zip", &[Doubt::OtherSystemInName])]
  #[case("teams-for-linux-2.1.exe", &[Doubt::OtherSystemInName])]
  #[case("gcc-arm-none-eabi-10-x86_64-linux.tar.xz", &[])]
  #[case("qemu-arm-7.1.0-win32-x64.zip", &[Doubt::OtherProcessorInName])]
  #[case("tool-win32.zip", &[Doubt::WidthOfWin32])]
  #[case("tool-win32-x64.zip", &[])]
  #[case("tool-1.0-aarch64.apk", &[Doubt::WhoseApk])]
  #[case("tool-1.0-arm64-v8a.apk", &[])]
  fn an_unsure_reading_says_why(#[case] name: &str, #[case] expected: &[Doubt]) {
    let build = classify(name, &Hints::NONE);
    assert_eq!(build.doubts.iter().collect::<Vec<_>>(), expected, "{name}");
    assert_eq!(build.is_clear(), expected.is_empty());
  }

  #[test]
  fn only_the_end_of_an_overlong_name_is_read() {
    let name = format!("macos-{}-linux-x64.tar.gz", "a-".repeat(10_000));
    let build = classify(&name, &Hints::NONE);
    assert_eq!(build.os, Reading::Known(BuildOs::Linux));
    assert!(build.doubts.contains(Doubt::CutShort));
  }
}

mod hints {
  use super::*;

  #[rstest]
  #[case::a_system_in_the_app("mac-tool-x64.zip", Some("mac-tool"), None, "none x64")]
  #[case::the_app_among_others("win-tool.zip", Some("Win Tool"), None, "none none")]
  #[case::glued("MacTool-1.0-x64.zip", Some("mac-tool"), None, "none x64")]
  #[case::before_upper_case("ToolWin64.zip", Some("tool"), None, "windows x64")]
  #[case::only_whole_words("darwin-x64.zip", Some("dar"), None, "macos x64")]
  #[case::an_app_called_like_a_system("tool-linux-x64.zip", Some("linux"), None, "linux x64")]
  #[case::an_app_called_like_a_system_comes_first("linux-x64.zip", Some("linux"), None, "none x64")]
  #[case::a_processor_in_the_version("tool-386-linux.zip", None, Some("v386"), "linux none")]
  #[case::a_system_in_the_version("tool-1.0-mac.2-linux-x64.zip", None, Some("1.0-mac.2"), "linux x64")]
  #[case::a_version_that_looks_like_a_width("tool-x86_64.zip", None, Some("64"), "none x64")]
  #[case::hints_that_are_not_there("tool-linux-x64.zip", Some("other"), Some("9.9"), "linux x64")]
  #[case::empty_hints("tool-linux-x64.zip", Some(""), Some("-"), "linux x64")]
  fn the_apps_name_and_the_version_are_taken_out_first(
    #[case] name: &str,
    #[case] app: Option<&str>,
    #[case] version: Option<&str>,
    #[case] expected: &str,
  ) {
    let build = classify(
      name,
      &Hints {
        app,
        version,
        overrides: &[],
      },
    );
    let os = build.os.known().map_or("none", |os| os.as_str());
    let arch = build.arch.known().map_or("none", |arch| arch.as_str());
    assert_eq!(format!("{os} {arch}"), expected, "{name}");
  }
}
