//! What GitHub and the checksum files say of a release's files, put together.

use feed_types::Release;

use super::conflict::{Conflict, Said};
use super::listing::Listing;
use super::plan::holds_digests;

/// Gives each file the digest that everybody who says one agrees on. One on which they don't agree has none.
pub(super) fn settle<'l>(
  release: &mut Release,
  listings: impl Iterator<Item = (&'l str, &'l Listing)> + Clone,
) -> Vec<Conflict> {
  let mut conflicts = Vec::new();
  for asset in &mut release.assets {
    if holds_digests(&asset.name) {
      continue;
    }
    let githubs = asset.sha256.take().map(|digest| Said { by: None, digest });
    let others = listings.clone().filter_map(|(file, listing)| {
      let digest = listing.digest(&asset.name)?.to_owned();
      Some(Said {
        by: Some(file.to_owned()),
        digest,
      })
    });
    let mut said = githubs.into_iter().chain(others);
    let Some(one) = said.next() else { continue };
    match said.find(|other| other.digest != one.digest) {
      Some(other) => conflicts.push(Conflict {
        asset: asset.name.clone(),
        one,
        other,
      }),
      None => asset.sha256 = Some(one.digest),
    }
  }
  conflicts
}

#[cfg(test)]
mod tests {
  use feed_types::Asset;

  use super::*;

  #[test]
  fn a_digest_that_nobody_contradicts_holds() {
    let (a, b) = ("a".repeat(64), "b".repeat(64));
    let mut release = release(&[
      ("githubs", Some(&a)),
      ("both", Some(&b)),
      ("listed", None),
      ("nobodys", None),
    ]);
    let list = Listing::read(&format!("{b}  both\n{a}  listed\n{a}  another\n"), None).unwrap();
    assert_eq!(settle(&mut release, [("SUMS", &list)].into_iter()), []);
    assert_eq!(digests(&release), [Some(a.as_str()), Some(&b), Some(&a), None]);
  }

  #[test]
  fn a_file_on_which_github_or_two_lists_differ_has_none() {
    let (a, b) = ("a".repeat(64), "b".repeat(64));
    let mut release = release(&[("x", Some(&a)), ("y", None), ("z", Some(&a))]);
    let one = Listing::read(&format!("{b}  x\n{a}  y\n{a}  z\n"), None).unwrap();
    let other = Listing::read(&format!("{b}  y\n"), None).unwrap();
    let conflicts = settle(&mut release, [("ONE", &one), ("OTHER", &other)].into_iter());
    assert_eq!(digests(&release), [None, None, Some(a.as_str())]);
    let told: Vec<String> = conflicts
      .iter()
      .map(|conflict| format!("{}: {}, {}", conflict.asset, conflict.one, conflict.other))
      .collect();
    assert_eq!(
      told,
      [
        "x: aaaaaaaaaaaa… by GitHub, bbbbbbbbbbbb… by ONE",
        "y: aaaaaaaaaaaa… by ONE, bbbbbbbbbbbb… by OTHER"
      ]
    );
  }

  #[test]
  fn a_list_is_not_believed_of_itself() {
    let (a, b) = ("a".repeat(64), "b".repeat(64));
    let mut release = release(&[("SHA256SUMS", Some(&a)), ("x.deb.sha256", None)]);
    let list = Listing::read(&format!("{b}  SHA256SUMS\n{b}  x.deb.sha256\n"), None).unwrap();
    assert_eq!(settle(&mut release, [("SHA256SUMS", &list)].into_iter()), []);
    assert_eq!(digests(&release), [Some(a.as_str()), None]);
  }

  fn release(assets: &[(&str, Option<&str>)]) -> Release {
    let assets = assets.iter().map(|(name, sha256)| Asset {
      name: (*name).to_owned(),
      sha256: sha256.map(str::to_owned),
      ..Asset::default()
    });
    Release {
      assets: assets.collect(),
      ..Release::default()
    }
  }

  fn digests(release: &Release) -> Vec<Option<&str>> {
    release.assets.iter().map(|asset| asset.sha256.as_deref()).collect()
  }
}
