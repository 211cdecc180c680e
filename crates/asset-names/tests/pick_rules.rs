//! Each rule of a pick by itself, and what the reasons say.

use asset_names::{BuildArch, BuildLibc, BuildOs, Family, Hints, Host, Pick, PickDoubt, Policy, Rule, pick};
use rstest::rstest;

mod processor {
  use super::*;

  #[rstest]
  #[case::exact_before_universal("macos arm64", &["t-mac-universal.dmg", "t-mac-arm64.dmg"], Some("t-mac-arm64.dmg"))]
  #[case::universal_before_translated("macos arm64", &["t-mac-x64.dmg", "t-mac-universal.dmg"], Some("t-mac-universal.dmg"))]
  #[case::translated_on_mac("macos arm64", &["t-mac-x64.dmg"], Some("t-mac-x64.dmg"))]
  #[case::never_the_newer_on_the_older("macos x64", &["t-mac-arm64.dmg"], None)]
  #[case::x64_before_x86_on_windows_arm64("windows arm64", &["t-win-x86.msi", "t-win-x64.msi"], Some("t-win-x64.msi"))]
  #[case::x86_on_windows_arm64("windows arm64", &["t-win-x86.msi"], Some("t-win-x86.msi"))]
  #[case::x86_on_windows_x64("windows x64", &["t-win-x86.msi"], Some("t-win-x86.msi"))]
  #[case::linux_never_crosses("linux arm64", &["t-linux-x64.tar.gz", "t-linux.tar.gz", "t-linux-armv7.tar.gz"], None)]
  #[case::not_even_to_x86("linux x64", &["t-linux-x86.tar.gz"], None)]
  #[case::freebsd_never_crosses("freebsd x64", &["t-freebsd-x86.tar.gz"], None)]
  #[case::older_arm_on_newer("linux armv7", &["t-linux-armv5.tar.gz", "t-linux-armv6.tar.gz"], Some("t-linux-armv6.tar.gz"))]
  #[case::unstated_is_x64("linux x64", &["t-linux.tar.gz"], Some("t-linux.tar.gz"))]
  #[case::stated_before_unstated("linux x64", &["t-linux.tar.gz", "t-linux-x86_64.tar.gz"], Some("t-linux-x86_64.tar.gz"))]
  #[case::any_processor("linux arm64", &["t-noarch-linux.tar.gz"], Some("t-noarch-linux.tar.gz"))]
  #[case::two_processors("windows x64", &["t-win-x64-arm64.zip"], None)]
  fn the_closest_processor_is_picked(#[case] host: &str, #[case] assets: &[&str], #[case] expected: Option<&str>) {
    assert_eq!(picked(host, assets, Policy::PerUser), expected);
  }

  #[test]
  fn x86_on_x64_linux_is_the_last_resort_of_archive_alone() {
    let assets = ["t-linux-x86.tar.gz"];
    assert_eq!(
      picked("linux x64", &assets, Policy::Archive),
      Some("t-linux-x86.tar.gz")
    );
    assert_eq!(picked("linux x64", &assets, Policy::Installer), None);
  }
}

mod libc {
  use super::*;

  const BOTH: &[&str] = &[
    "t-x86_64-unknown-linux-gnu.tar.gz",
    "t-x86_64-unknown-linux-musl.tar.gz",
  ];

  #[rstest]
  #[case(Some(BuildLibc::Gnu), BOTH, Some(BOTH[0]))]
  #[case(Some(BuildLibc::Musl), BOTH, Some(BOTH[1]))]
  #[case(None, BOTH, Some(BOTH[0]))]
  #[case(Some(BuildLibc::Musl), &BOTH[..1], None)]
  #[case(Some(BuildLibc::Gnu), &BOTH[1..], Some(BOTH[1]))]
  #[case(Some(BuildLibc::Musl), &["t-linux-x64.tar.gz"], Some("t-linux-x64.tar.gz"))]
  fn the_hosts_own_libc_is_picked(
    #[case] libc: Option<BuildLibc>,
    #[case] assets: &[&str],
    #[case] expected: Option<&str>,
  ) {
    let host = Host {
      libc,
      ..Host::new(BuildOs::Linux, BuildArch::X64)
    };
    assert_eq!(
      pick(assets.iter().copied(), &host, Policy::Archive, &Hints::NONE).asset(),
      expected
    );
  }

  #[rstest]
  #[case(Some((2, 39)), Some("t-x86_64-unknown-linux-gnu.tar.gz"))]
  #[case(Some((2, 12)), Some("t-x86_64-unknown-linux-musl.tar.gz"))]
  #[case(None, Some("t-x86_64-unknown-linux-gnu.tar.gz"))]
  fn a_build_for_a_newer_glibc_is_refused(#[case] libc_version: Option<(u16, u16)>, #[case] expected: Option<&str>) {
    let host = Host {
      libc: Some(BuildLibc::Gnu),
      libc_version,
      ..Host::new(BuildOs::Linux, BuildArch::X64)
    };
    let stated = ["t-x86_64-unknown-linux-gnu-2-17.tar.gz", BOTH[1]];
    let found = pick(stated, &host, Policy::Archive, &Hints::NONE);
    assert_eq!(found.asset().map(|name| name.replace("-2-17", "")).as_deref(), expected);
  }
}

mod packaging {
  use super::*;

  const ALL: &[&str] = &[
    "t-linux-x64.deb",
    "t-linux-x64.rpm",
    "t-linux-x64.flatpak",
    "t-linux-x64.AppImage",
    "t-linux-x64.tar.gz",
    "t_1_amd64.snap",
  ];

  #[rstest]
  #[case(Policy::PerUser, Family::Debian, ALL, Some("t-linux-x64.AppImage"))]
  #[case(Policy::Installer, Family::Debian, ALL, Some("t-linux-x64.deb"))]
  #[case(Policy::Installer, Family::Suse, ALL, Some("t-linux-x64.rpm"))]
  #[case(Policy::Installer, Family::Unknown, ALL, Some("t-linux-x64.AppImage"))]
  #[case(Policy::Archive, Family::Debian, ALL, Some("t-linux-x64.tar.gz"))]
  #[case::a_package_is_better_than_nothing(Policy::PerUser, Family::Debian, &ALL[..1], Some("t-linux-x64.deb"))]
  #[case::not_anothers_package(Policy::Installer, Family::Fedora, &ALL[..1], None)]
  #[case::no_flatpak_without_flatpak(Policy::PerUser, Family::Debian, &ALL[2..3], None)]
  #[case::no_snap(Policy::PerUser, Family::Debian, &ALL[5..], None)]
  fn the_policys_kind_is_picked(
    #[case] policy: Policy,
    #[case] family: Family,
    #[case] assets: &[&str],
    #[case] expected: Option<&str>,
  ) {
    let host = Host {
      family,
      ..Host::new(BuildOs::Linux, BuildArch::X64)
    };
    assert_eq!(
      pick(assets.iter().copied(), &host, policy, &Hints::NONE).asset(),
      expected
    );
  }

  #[test]
  fn flatpak_is_taken_where_it_is_there() {
    let host = Host {
      has_flatpak: true,
      ..Host::new(BuildOs::Linux, BuildArch::X64)
    };
    let found = pick(ALL[2..3].iter().copied(), &host, Policy::PerUser, &Hints::NONE);
    assert_eq!(found.asset(), Some("t-linux-x64.flatpak"));
  }

  #[test]
  fn what_may_ask_for_rights_is_refused_where_nothing_may() {
    let host = Host {
      may_ask_for_rights: false,
      family: Family::Debian,
      ..Host::new(BuildOs::Windows, BuildArch::X64)
    };
    let assets = ["t-win-x64.msi", "t-win-x64-setup.exe", "t-linux-x64.deb"];
    for os in [BuildOs::Windows, BuildOs::Linux] {
      assert_eq!(
        pick(assets, &Host { os, ..host }, Policy::Installer, &Hints::NONE).asset(),
        None
      );
    }
    let portable = ["t-win-x64.msi", "t-win-x64-portable.zip"];
    let found = pick(portable, &host, Policy::Installer, &Hints::NONE);
    assert_eq!(found.asset(), Some("t-win-x64-portable.zip"));
  }
}

mod preference {
  use super::*;

  #[rstest]
  #[case::release_before_debug("android arm64", &["t-arm64-v8a-debug.apk", "t-universal.apk"], Some("t-universal.apk"))]
  #[case::english_before_others("windows x64", &["t_x64_de-DE.msi", "t_x64_en-US.msi"], Some("t_x64_en-US.msi"))]
  #[case::plain_before_variants("linux x64", &["t-linux-x64-baseline.zip", "t-linux-x64.zip"], Some("t-linux-x64.zip"))]
  #[case::msvc_before_gnu("windows x64", &["t-x86_64-pc-windows-gnu.zip", "t-x86_64-pc-windows-msvc.zip"], Some("t-x86_64-pc-windows-msvc.zip"))]
  #[case::system_by_habit("windows x64", &["t-x64.zip", "t-x64.tar.gz"], Some("t-x64.zip"))]
  #[case::system_by_habit_on_linux("linux x64", &["t-x64.zip", "t-x64.tar.gz"], Some("t-x64.tar.gz"))]
  #[case::a_stated_system_before_habit("linux x64", &["t-x64.tar.xz", "t-linux-x64.zip"], Some("t-linux-x64.zip"))]
  #[case::no_system_at_all("linux x64", &["t.tar.gz", "t"], None)]
  fn the_better_build_is_picked(#[case] host: &str, #[case] assets: &[&str], #[case] expected: Option<&str>) {
    assert_eq!(picked(host, assets, Policy::PerUser), expected);
  }

  #[rstest]
  #[case(Some("tool"), Some("tool-linux-x64-musl.tar.gz"))]
  #[case(Some("tool-lsp"), Some("tool-lsp-linux-x64-gnu.tar.gz"))]
  fn the_app_itself_comes_before_its_siblings(#[case] app: Option<&str>, #[case] expected: Option<&str>) {
    let assets = ["tool-lsp-linux-x64-gnu.tar.gz", "tool-linux-x64-musl.tar.gz"];
    let host = Host {
      libc: Some(BuildLibc::Gnu),
      ..Host::new(BuildOs::Linux, BuildArch::X64)
    };
    let found = pick(assets, &host, Policy::Archive, &Hints { app, ..Hints::NONE });
    assert_eq!(found.asset(), expected);
  }

  #[test]
  fn a_bare_file_called_like_the_tool_is_the_linux_one_beside_an_exe() {
    let host = Host::new(BuildOs::Linux, BuildArch::X64);
    let found = pick(["k3sup", "k3sup.exe"], &host, Policy::Archive, &Hints::app("k3sup"));
    assert_eq!(found.asset(), Some("k3sup"));
    let Pick::Picked { why, .. } = found else {
      panic!("nothing picked")
    };
    assert_eq!(why.doubts, [PickDoubt::SystemByHabit, PickDoubt::ProcessorUnstated]);
  }
}

mod reasons {
  use super::*;

  #[test]
  fn every_other_file_is_named_with_the_rule_that_speaks_against_it() {
    let assets = [
      "SHA256SUMS",
      "tool-1.0-linux-arm64.tar.gz",
      "tool-1.0-linux-x64.tar.gz",
      "tool-1.0-linux-x64.zip",
      "tool-1.0-macos-arm64.zip",
      "tool-1.0-src.tar.gz",
      "tool_1.0_amd64.deb",
    ];
    let host = Host {
      family: Family::Fedora,
      ..Host::new(BuildOs::Linux, BuildArch::X64)
    };
    let found = pick(assets, &host, Policy::Archive, &Hints::app("tool"));
    assert_eq!(
      found.to_string(),
      "tool-1.0-linux-x64.tar.gz fits\n  \
       not SHA256SUMS: it holds checksums\n  \
       not tool-1.0-linux-arm64.tar.gz: it is for arm64, which this host doesn't run\n  \
       not tool-1.0-linux-x64.zip: it fits, but another kind is preferred\n  \
       not tool-1.0-macos-arm64.zip: it is for macos\n  \
       not tool-1.0-src.tar.gz: it is source code\n  \
       not tool_1.0_amd64.deb: it is a deb, which is not the package of fedora\n"
    );
  }

  #[test]
  fn nothing_fits_says_what_there_is() {
    let assets = ["t-win-x64.msi", "t-win-x64.exe", "t.dmg", "SHA256SUMS"];
    let found = pick(
      assets,
      &Host::new(BuildOs::Linux, BuildArch::X64),
      Policy::PerUser,
      &Hints::NONE,
    );
    let text = found.to_string();
    assert!(
      text.starts_with("nothing fits: there is windows x64, macos of no stated processor\n"),
      "{text}"
    );
    let empty = pick(
      [],
      &Host::new(BuildOs::Linux, BuildArch::X64),
      Policy::PerUser,
      &Hints::NONE,
    );
    assert_eq!(empty.to_string(), "nothing fits: there is no build\n");
  }

  #[test]
  fn a_tie_that_only_the_name_breaks_is_unsure() {
    let assets = ["tool-b-linux-x64.zip", "tool-a-linux-x64.zip"];
    let found = pick(
      assets,
      &Host::new(BuildOs::Linux, BuildArch::X64),
      Policy::PerUser,
      &Hints::NONE,
    );
    assert_eq!(found.asset(), Some("tool-a-linux-x64.zip"));
    assert_eq!(found.why().doubts, [PickDoubt::EquallyGood("tool-b-linux-x64.zip")]);
  }

  #[test]
  fn the_command_line_tools_are_refused_to_who_wants_the_app() {
    let found = pick(
      ["photocraft-cli-0.5.0-macos-universal.zip"],
      &Host::new(BuildOs::Macos, BuildArch::Arm64),
      Policy::PerUser,
      &Hints::NONE,
    );
    let [verdict] = found.why().others[..] else {
      panic!("one file, one verdict")
    };
    assert!(matches!(verdict.rule, Rule::NeverTaken { .. }), "{verdict:?}");
  }
}

fn picked<'a>(host: &str, assets: &[&'a str], policy: Policy) -> Option<&'a str> {
  let (os, arch) = host.split_once(' ').expect("a system and a processor");
  let host = Host::new(os.parse().expect("a system"), arch.parse().expect("a processor"));
  pick(assets.iter().copied(), &host, policy, &Hints::NONE).asset()
}
