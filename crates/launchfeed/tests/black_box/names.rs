//! `classify` and `pick`: names in, answers out.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use rstest::rstest;
use serde_json::{Value, json};

use crate::program::{Ended, launchfeed, run};

mod classify {
  use super::*;

  #[rstest]
  #[case("corpus-open.tsv", 320)]
  #[case("naming-habits.tsv", 283)]
  fn the_rows_of_the_labelled_names_come_out_again(#[case] table: &str, #[case] expected_rows: usize) {
    let table = read_table(table);
    // `naming-habits` has names that contradict themselves, and says so.
    let labels: Vec<String> = table
      .iter()
      .map(|row| row[..5].join("\t").replace("\tcontradictory", "\tnone"))
      .collect();
    let names: Vec<&str> = table.iter().map(|row| row[0].as_str()).collect();
    let ended = classify(&[], names.join("\n").as_bytes());
    let misses: Vec<_> = ended
      .stdout
      .lines()
      .zip(&labels)
      .filter(|(row, label)| row != label)
      .collect();
    assert!(misses.is_empty(), "{misses:#?}");
    assert_eq!(ended.stdout.lines().count(), expected_rows);
    assert_eq!(ended.code, Some(0));
  }

  #[test]
  fn every_line_has_its_row_whatever_it_holds() {
    let ended = classify(&[], b"a.deb\r\n\n\ta\0b.zip\n\xFF-linux.zip\n\xE2\x80\xAEa.exe");
    assert_eq!(
      ended.stdout,
      "a.deb\tlinux\tnone\tdeb\tnone\n\
       \tnone\tnone\tnone\tnone\n\
       \\ta\\u{0}b.zip\tnone\tnone\tzip\tnone\n\
       \u{FFFD}-linux.zip\tlinux\tnone\tzip\tnone\n\
       \\u{202e}a.exe\twindows\tnone\texe\tnone\n"
    );
    assert_eq!(ended.stderr, "\u{FFFD}-linux.zip: the name isn't UTF-8\n");
    assert_eq!(ended.code, Some(0));
  }

  #[test]
  fn of_a_contradiction_the_row_has_none_and_standard_error_says_so() {
    let ended = classify(&[], b"app-linux-windows-x64.zip\n");
    assert_eq!(ended.stdout, "app-linux-windows-x64.zip\tnone\tx64\tzip\tnone\n");
    assert_eq!(
      ended.stderr,
      "app-linux-windows-x64.zip: the name says two different things about os\n"
    );
  }

  #[test]
  fn json_has_an_object_per_line_with_null_for_what_is_absent() {
    let ended = classify(
      &["--json"],
      b"photocraft-0.5.0-linux-x86_64.AppImage\nSHA256SUMS\na\tlinux-windows.zip\n",
    );
    let objects: Vec<Value> = ended
      .stdout
      .lines()
      .map(|line| serde_json::from_str(line).unwrap())
      .collect();
    assert_eq!(
      objects,
      [
        json!({
          "name": "photocraft-0.5.0-linux-x86_64.AppImage",
          "os": "linux", "arch": "x64", "kind": "appimage", "libc": null, "role": "build",
          "platform": { "os": "linux", "arch": "x64", "package_type": "app_image" },
          "contradictory": [], "doubts": []
        }),
        json!({
          "name": "SHA256SUMS",
          "os": null, "arch": null, "kind": "checksum", "libc": null, "role": "checksum",
          "platform": null, "contradictory": [], "doubts": []
        }),
        json!({
          "name": "a\tlinux-windows.zip",
          "os": null, "arch": null, "kind": "zip", "libc": null, "role": "build",
          "platform": null, "contradictory": ["os"], "doubts": ["names two systems"]
        }),
      ]
    );
  }

  #[rstest]
  #[case("win-tool.zip", "windows", &["--app", "win-tool"])]
  #[case("tool-v1.win.zip", "windows", &["--release-version", "v1.win"])]
  fn the_apps_name_and_the_version_are_not_read_as_a_platform(
    #[case] name: &str,
    #[case] without: &str,
    #[case] hint: &[&str],
  ) {
    assert_eq!(
      classify(&[], name.as_bytes()).stdout,
      format!("{name}\t{without}\tnone\tzip\tnone\n")
    );
    assert_eq!(
      classify(hint, name.as_bytes()).stdout,
      format!("{name}\tnone\tnone\tzip\tnone\n")
    );
  }

  #[test]
  fn no_input_is_no_output() {
    let ended = classify(&[], b"");
    assert_eq!(
      (ended.code, ended.stdout.as_str(), ended.stderr.as_str()),
      (Some(0), "", "")
    );
  }

  #[test]
  fn a_reader_that_goes_away_ends_it_quietly() {
    let mut child = launchfeed(&["classify"])
      .stdin(Stdio::piped())
      .stdout(Stdio::piped())
      .stderr(Stdio::piped())
      .spawn()
      .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    // It stops reading as soon as it can't write.
    while stdin.write_all(&b"app-linux-x64.deb\n".repeat(1000)).is_ok() {}
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]));
  }

  fn classify(arguments: &[&str], input: &[u8]) -> Ended {
    run(launchfeed(&[&["classify"], arguments].concat()), input)
  }
}

mod pick {
  use super::*;

  const RELEASE: &[u8] =
    b"app-1.0-linux-x86_64.deb\r\napp-1.0-linux-x86_64.AppImage\n\napp-1.0-windows-x64.msi\nSHA256SUMS\n";

  #[test]
  fn every_case_is_picked_right_under_its_policy() {
    let table = read_table("pick-cases.tsv");
    let mut misses = Vec::new();
    for row in &table {
      let [id, assets, os, arch, libc, family, expected, _, app, _, policy] = &row[..] else {
        panic!("not a case: {row:?}");
      };
      let names = assets.replace('|', "\n");
      let host = ["pick", "--os", os, "--arch", arch, "--libc", libc, "--distro", family];
      let ended = run(
        launchfeed(&[&host[..], &["--policy", policy, "--app", app]].concat()),
        names.as_bytes(),
      );
      if ended.stdout.trim_end() != expected || ended.code != Some(0) {
        misses.push(format!("{id}: not {expected}, but {ended:?}"));
      }
    }
    assert_eq!(table.len(), 87);
    assert!(misses.is_empty(), "{} are wrong:\n{}", misses.len(), misses.join("\n"));
  }

  #[test]
  fn the_pick_is_printed_and_the_reasons_go_to_standard_error() {
    let ended = pick(&["--os", "linux", "--arch", "x64"], RELEASE);
    assert_eq!(
      (ended.code, ended.stdout.as_str()),
      (Some(0), "app-1.0-linux-x86_64.AppImage\n")
    );
    assert!(
      ended.stderr.starts_with("app-1.0-linux-x86_64.AppImage fits\n"),
      "{}",
      ended.stderr
    );
    assert!(
      ended
        .stderr
        .contains("not app-1.0-windows-x64.msi: it is for windows\n"),
      "{}",
      ended.stderr
    );
    assert_eq!(ended.stderr.lines().count(), 4, "{}", ended.stderr);
  }

  #[rstest]
  #[case::nothing_fits(RELEASE, "nothing fits: there is windows x64, linux x64\n")]
  #[case::there_is_nothing(b"", "nothing fits: there is no build\n")]
  fn where_nothing_fits_it_says_what_there_is(#[case] release: &[u8], #[case] said: &str) {
    let ended = pick(&["--os", "macos", "--arch", "arm64"], release);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "NONE\n"));
    assert!(ended.stderr.starts_with(said), "{}", ended.stderr);
  }

  #[rstest]
  #[case::distribution(&["--distro", "ubuntu", "--policy", "installer"], "app.deb")]
  #[case::any_distribution(&["--distro", "any", "--policy", "installer"], "NONE")]
  #[case::none_stated(&["--policy", "installer"], "NONE")]
  #[case::flatpak(&["--has-flatpak", "--policy", "installer"], "app.flatpak")]
  #[case::no_rights(&["--distro", "debian", "--policy", "installer", "--no-rights"], "NONE")]
  #[case::libc(&["--libc", "musl", "--policy", "archive"], "app-linux-x64-musl.tar.gz")]
  #[case::older_libc(&["--libc", "gnu", "--libc-version", "2.17", "--policy", "archive"], "app-linux-x64-musl.tar.gz")]
  #[case::newer_libc(&["--libc", "gnu", "--libc-version", "2.36", "--policy", "archive"], "app-linux-x64-glibc2.28.tar.gz")]
  fn each_flag_about_the_host_counts(#[case] flags: &[&str], #[case] expected: &str) {
    let packages = b"app.deb\napp.flatpak\n";
    let archives = b"app-linux-x64-musl.tar.gz\napp-linux-x64-glibc2.28.tar.gz\n";
    let release = if flags.contains(&"archive") {
      &archives[..]
    } else {
      packages
    };
    let ended = pick(&[&["--os", "linux", "--arch", "x64"], flags].concat(), release);
    assert_eq!(ended.stdout.trim_end(), expected, "{}", ended.stderr);
  }

  #[test]
  fn json_is_one_object_with_asset_build_and_why() {
    let ended = pick(&["--os", "windows", "--arch", "x64", "--json"], RELEASE);
    let object: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(object["asset"], "app-1.0-windows-x64.msi");
    assert_eq!(
      object["build"],
      json!({ "os": "windows", "arch": "x64", "kind": "msi", "libc": null })
    );
    assert_eq!(object["why"]["others"].as_array().unwrap().len(), 3);
    assert_eq!(object["why"]["others"][0]["asset"], "SHA256SUMS");
    assert_eq!(object["why"]["others"][0]["reason"], "it holds checksums");
    assert_eq!(
      object["why"]["offered"],
      json!([{ "os": "windows", "arch": "x64" }, { "os": "linux", "arch": "x64" }])
    );
    assert_eq!(object["why"]["doubts"], json!([]));
    assert_eq!((ended.stderr.as_str(), ended.stdout.lines().count()), ("", 1));
    let nothing = pick(&["--os", "haiku", "--arch", "x64", "--json"], RELEASE);
    let object: Value = serde_json::from_str(&nothing.stdout).unwrap();
    assert_eq!((&object["asset"], &object["build"]), (&Value::Null, &Value::Null));
  }

  #[rstest]
  #[case("Linux", "x86_64", "app-1.0-linux-x86_64.AppImage")]
  #[case("linux", "amd64", "app-1.0-linux-x86_64.AppImage")]
  #[case("win", "x86-64", "app-1.0-windows-x64.msi")]
  fn a_machine_may_be_told_in_its_own_words(#[case] os: &str, #[case] arch: &str, #[case] expected: &str) {
    let ended = pick(&["--os", os, "--arch", arch], RELEASE);
    assert_eq!(ended.stdout.trim_end(), expected, "{}", ended.stderr);
  }

  #[rstest]
  #[case("x8", "x86")]
  #[case("amr64", "arm64")]
  #[case("ppc64lr", "ppc64le")]
  fn no_processor_is_suggested_for_another(#[case] word: &str, #[case] alike: &str) {
    let ended = pick(&["--os", "linux", "--arch", word], RELEASE);
    assert_eq!(ended.code, Some(2));
    assert!(
      ended
        .stderr
        .contains(&format!("invalid value '{word}' for '--arch <ARCH>'")),
      "{}",
      ended.stderr
    );
    assert!(
      ended.stderr.contains(alike) && !ended.stderr.contains("tip:"),
      "{}",
      ended.stderr
    );
  }

  #[rstest]
  #[case(&["--os", "beos", "--arch", "x64"], "openbsd")]
  #[case(&["--os", "linux", "--arch", "pdp11"], "riscv64")]
  #[case(&["--os", "linux", "--arch", "x64", "--libc", "bionic"], "musl")]
  #[case(&["--os", "linux", "--arch", "x64", "--policy", "best"], "per-user")]
  #[case(&["--os", "linux", "--arch", "x64", "--distro", "debain"], "debian, fedora")]
  #[case(&["--os", "linux", "--arch", "x64", "--libc-version", "new"], "2.31")]
  fn an_unknown_word_is_refused_with_those_that_are_known(#[case] arguments: &[&str], #[case] known: &str) {
    let ended = pick(arguments, RELEASE);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    assert!(ended.stderr.contains(known), "{}", ended.stderr);
  }

  fn pick(arguments: &[&str], input: &[u8]) -> Ended {
    run(launchfeed(&[&["pick"], arguments].concat()), input)
  }
}

/// The rows of one of the tables that the crate `asset-names` is tested with.
fn read_table(name: &str) -> Vec<Vec<String>> {
  let path = Path::new(env!("CARGO_MANIFEST_DIR"))
    .join("../asset-names/tests/data")
    .join(name);
  let text = fs::read_to_string(path).unwrap();
  text
    .lines()
    .skip(1)
    .map(|line| line.split('\t').map(str::to_owned).collect())
    .collect()
}
