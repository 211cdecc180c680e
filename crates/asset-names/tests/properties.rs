//! What holds for every name, every release and every host.

use std::time::{Duration, Instant};

use asset_names::{
  BuildArch, BuildKind, BuildLibc, BuildOs, Family, Hints, Host, Pick, Policy, Reading, Role, classify,
  contract_platform, pick,
};
use proptest::prelude::*;
use proptest::sample::select;

const CORPUS: &str = include_str!("data/corpus-open.tsv");
const HABITS: &str = include_str!("data/naming-habits.tsv");

/// Files of no build, for any host.
const UNRELATED: &[&str] = &[
  "SHA256SUMS",
  "SHA256SUMS.asc",
  "latest.yml",
  "tool-1.0-src.tar.gz",
  "tool.sbom.json",
  "tool-1.0-linux-x64.tar.gz.sha256",
  "tool-web.zip",
  "README.md",
  "completions.tar.gz",
];

proptest! {
  #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

  #[test]
  fn no_name_makes_it_panic(name in any_name(), app in ".{0,12}", version in ".{0,12}") {
    classify(&name, &Hints::NONE);
    classify(&name, &Hints { app: Some(&app), version: Some(&version), overrides: &[] });
    // The name's own parts as hints reach further into it than strangers do.
    let middle = name.char_indices().nth(name.chars().count() / 2).map_or(0, |(at, _)| at);
    classify(&name, &Hints { app: Some(&name[..middle]), version: Some(&name[middle..]), overrides: &[] });
  }

  #[test]
  fn a_name_of_the_contract_reads_the_same_under_both_views(
    app in "[a-z][a-z0-9]{0,8}(-[a-z0-9]{1,8}){0,2}",
    version in "[0-9]{1,2}([.][0-9]{1,3}){1,2}(-(alpha|beta|rc)[.][0-9])?",
    os in select(&["windows", "macos", "linux", "freebsd"][..]),
    arch in select(&["x64", "x86_64", "x86", "arm64", "aarch64", "universal"][..]),
    ending in select(&["-portable.zip", ".AppImage.zsync", ".AppImage", ".tar.gz", ".msi", ".dmg", ".deb", ".rpm", ".flatpak"][..]),
  ) {
    let names = [
      format!("{app}-{version}-{os}-{arch}{ending}"),
      format!("{app}-cli-{version}-macos-universal.zip"),
      format!("{app}-web-{version}.zip"),
    ];
    for name in &names {
      let platform = contract_platform(name).unwrap();
      for hints in [Hints::NONE, Hints { app: Some(&app), version: Some(&version), overrides: &[] }] {
        let build = classify(name, &hints);
        prop_assert_eq!(build.os.known().and_then(BuildOs::closed), Some(platform.os));
        prop_assert_eq!(build.arch.known().and_then(BuildArch::closed), platform.arch);
        prop_assert_eq!(build.kind.known().and_then(BuildKind::closed), Some(platform.package_type));
        prop_assert!(!build.arch.is_contradictory());
      }
    }
  }

  #[test]
  fn a_sidecar_has_no_platform(name in any_name(), ending in select(&[".sha256", ".asc", ".sig", ".sbom", ".blockmap"][..])) {
    let build = classify(&(name + ending), &Hints::NONE);
    prop_assert_eq!((build.os, build.arch, build.libc), (Reading::Absent, Reading::Absent, Reading::Absent));
    prop_assert!(!matches!(build.role, Role::Build | Role::Unknown));
  }

  #[test]
  fn the_order_of_files_never_matters((assets, shuffled) in release_shuffled(), host in any_host(), policy in any_policy()) {
    let names = |assets: &[String]| pick(assets.iter().map(String::as_str), &host, policy, &Hints::NONE).to_string();
    prop_assert_eq!(names(&assets), names(&shuffled));
  }

  #[test]
  fn an_unrelated_file_never_changes_the_pick(
    assets in release(),
    at in any::<prop::sample::Index>(),
    unrelated in unrelated_to_any_host(),
    host in any_host(),
    policy in any_policy(),
  ) {
    let before = pick(assets.iter().map(String::as_str), &host, policy, &Hints::app("tool")).asset().map(str::to_owned);
    let mut more = assets.clone();
    more.insert(at.index(assets.len() + 1), unrelated);
    let after = pick(more.iter().map(String::as_str), &host, policy, &Hints::app("tool"));
    prop_assert_eq!(after.asset(), before.as_deref());
  }

  #[test]
  fn a_file_that_is_added_is_picked_itself_or_changes_nothing(
    assets in release(),
    added in any_name(),
    host in any_host(),
    policy in any_policy(),
  ) {
    let before = pick(assets.iter().map(String::as_str), &host, policy, &Hints::app("tool")).asset().map(str::to_owned);
    let more = assets.iter().chain([&added]).map(String::as_str);
    let after = pick(more, &host, policy, &Hints::app("tool"));
    prop_assert!(after.asset() == before.as_deref() || after.asset() == Some(&added));
  }

  #[test]
  fn a_pick_never_crosses_systems_and_is_always_a_build(
    assets in release(),
    host in any_host(),
    policy in any_policy(),
    app in prop::option::of(select(&["tool", "yq", "photocraft"][..])),
  ) {
    let found = pick(assets.iter().map(String::as_str), &host, policy, &Hints { app, ..Hints::NONE });
    if let Pick::Picked { asset, build, .. } = &found {
      prop_assert!(matches!(build.os, Reading::Absent) || build.os == Reading::Known(host.os), "{}", found);
      prop_assert!(matches!(build.role, Role::Build | Role::Unknown), "{}", found);
      prop_assert!(assets.iter().any(|name| name == asset));
      if host.os == BuildOs::Linux && host.arch != BuildArch::X64 && !matches!(host.arch, BuildArch::ArmV7) {
        let arch = build.arch.known();
        prop_assert!(arch.is_none() || arch == Some(host.arch) || arch == Some(BuildArch::Universal), "{}", found);
      }
    }
  }
}

#[test]
fn strange_names_are_read_or_unknown() {
  let overlong = "-".repeat(200);
  for name in [
    "",
    "-",
    ".",
    "..",
    "/",
    "\0",
    "\u{202e}gpj.exe",
    "שלום-linux-x64.zip",
    "مرحبا.dmg",
    "файл-windows.zip",
    "🦀",
    &overlong,
    "a.tar.gz.sha256.asc",
    ".tar.gz",
    "x86",
    "64",
    "linux86",
    "win",
    "é64",
    "linux\u{301}",
    "AAAAAAAAAAAAAAAAAAAAAAAA.deb",
  ] {
    classify(name, &Hints::NONE);
    classify(
      name,
      &Hints {
        app: Some(name),
        version: Some(name),
        overrides: &[],
      },
    );
    pick(
      [name, name],
      &Host::new(BuildOs::Linux, BuildArch::X64),
      Policy::Archive,
      &Hints::NONE,
    );
  }
  let dashes = classify(&overlong, &Hints::NONE);
  assert_eq!(
    (dashes.os, dashes.kind, dashes.role),
    (Reading::Absent, Reading::Absent, Role::Unknown)
  );
  assert_eq!(
    classify("שלום-linux-x64.zip", &Hints::NONE).os,
    Reading::Known(BuildOs::Linux)
  );
}

#[test]
fn a_name_of_megabytes_takes_no_time_worth_mentioning() {
  let start = Instant::now();
  let parts = [
    "-", "a", "A", "aB", "x86_64-", "win", "1.", "linux1", "é", "src-", "WinWin1", "-web-", "-cli-1",
  ];
  for part in parts {
    for ending in ["", ".zip", "-macos-universal.zip", "-linux-x64.deb"] {
      let name = part.repeat(1 << 18) + ending;
      let (app, version) = (Some(&*name), Some(&*name));
      classify(
        &name,
        &Hints {
          app,
          version,
          ..Hints::NONE
        },
      );
    }
  }
  assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

fn any_name() -> impl Strategy<Value = String> {
  prop_oneof![
    ".{0,40}",
    corpus_name(),
    prop::collection::vec(select(PARTS), 0..12).prop_map(|parts| parts.concat()),
    (corpus_name(), corpus_name()).prop_map(|(a, b)| a + "-" + &b),
  ]
}

const PARTS: &[&str] = &[
  "tool",
  "Tool",
  "-",
  "_",
  ".",
  " ",
  "1",
  "1.0",
  "v2",
  "linux",
  "win",
  "Win64",
  "darwin",
  "x86",
  "64",
  "x86_64",
  "arm",
  "v7",
  "arm64",
  "gnu",
  "musl",
  "2",
  "17",
  "en-US",
  "portable",
  "setup",
  "src",
  "debug",
  "symbols",
  "sha256",
  ".zip",
  ".tar",
  ".gz",
  ".exe",
  ".apk",
  ".AppImage",
  ".zsync",
  ".json",
  "for",
  "all",
  "universal",
  "é",
  "ש",
  "manylinux",
  "386",
  "bit",
  "none",
];

fn corpus_name() -> impl Strategy<Value = String> {
  let names: Vec<String> = CORPUS
    .lines()
    .skip(1)
    .chain(HABITS.lines().skip(1))
    .map(first_field)
    .collect();
  select(names)
}

fn first_field(line: &str) -> String {
  line.split('\t').next().unwrap_or_default().to_owned()
}

fn release() -> impl Strategy<Value = Vec<String>> {
  prop::collection::vec(prop_oneof![3 => corpus_name(), 1 => any_name()], 0..12)
}

fn release_shuffled() -> impl Strategy<Value = (Vec<String>, Vec<String>)> {
  release().prop_flat_map(|assets| (Just(assets.clone()), Just(assets).prop_shuffle()))
}

/// Sidecars and the like, and builds for a system that no tested host has.
fn unrelated_to_any_host() -> impl Strategy<Value = String> {
  prop_oneof![
    select(UNRELATED).prop_map(str::to_owned),
    "[a-z]{1,8}".prop_map(|app| format!("{app}-1.0-haiku-x64.zip")),
    corpus_name().prop_map(|name| name + ".sha256"),
  ]
}

fn any_policy() -> impl Strategy<Value = Policy> {
  select(Policy::ALL)
}

fn any_host() -> impl Strategy<Value = Host> {
  use BuildArch::{Arm64, ArmV7, RiscV64, X64, X86};
  let os = select(
    &[
      BuildOs::Windows,
      BuildOs::Macos,
      BuildOs::Linux,
      BuildOs::FreeBsd,
      BuildOs::Android,
    ][..],
  );
  let arch = select(&[X64, X86, Arm64, ArmV7, RiscV64][..]);
  let libc = prop::option::of(select(BuildLibc::ALL));
  let libc_version = prop::option::of((Just(2_u16), 10_u16..40));
  let family = select(
    &[
      Family::Debian,
      Family::Fedora,
      Family::Arch,
      Family::Alpine,
      Family::Unknown,
    ][..],
  );
  (os, arch, libc, libc_version, family, any::<bool>(), any::<bool>()).prop_map(
    |(os, arch, libc, libc_version, family, has_flatpak, may_ask_for_rights)| Host {
      os,
      arch,
      libc,
      libc_version,
      family,
      has_flatpak,
      may_ask_for_rights,
    },
  )
}
