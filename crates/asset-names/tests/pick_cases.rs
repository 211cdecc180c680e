//! Real releases' files, a host and the file that fits.

use asset_names::{BuildLibc, Family, Hints, Host, Pick, Policy, pick};

/// `id`, `assets` (joined by `|`), `host_os`, `host_arch`, `host_libc`, `distro_family`, `expected` (`NONE`: nothing fits), `source`,
/// `name_hint`, `note`, `policy`.
const CASES: &str = include_str!("data/pick-cases.tsv");

#[test]
fn every_case_is_picked_right_under_its_policy() {
  let mut misses = Vec::new();
  let mut cases = 0;
  for line in CASES.lines().skip(1) {
    let fields: Vec<&str> = line.split('\t').collect();
    let [id, assets, os, arch, libc, family, expected, _, app, _, policy] = fields[..] else {
      panic!("not a case: {line}");
    };
    let host = Host {
      libc: libc.parse::<BuildLibc>().ok(),
      family: family.parse::<Family>().unwrap(),
      ..Host::new(os.parse().unwrap(), arch.parse().unwrap())
    };
    let picked = pick(
      assets.split('|'),
      &host,
      policy.parse::<Policy>().unwrap(),
      &Hints::app(app),
    );
    cases += 1;
    if picked.asset().unwrap_or("NONE") != expected {
      misses.push(format!("{id}: not {expected}, but {picked}"));
    }
    assert!(!matches!(&picked, Pick::Picked { why, .. } if why.others.len() + 1 != assets.split('|').count()));
  }
  assert_eq!(cases, 87);
  assert!(
    misses.is_empty(),
    "{} of {cases} are wrong:\n{}",
    misses.len(),
    misses.join("\n")
  );
}
