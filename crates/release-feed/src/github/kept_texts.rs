//! The texts of a release that are kept and told to others, as they will stand there: for whoever looks for what nobody should read.

use std::borrow::Cow;

use feed_types::{Asset, Release};
use percent_encoding::percent_decode_str;

use super::read_release::ReadRelease;
use crate::release::AssetFacts;

/// Every text of a release that GitHub could write anything into. Addresses also as they are meant, digests as they will be spelt.
pub(super) fn kept_texts(read: &ReadRelease) -> impl Iterator<Item = Cow<'_, str>> {
  let Release {
    tag,
    name,
    html_url,
    notes_markdown,
    assets,
    ..
  } = &read.release;
  let release = [tag, name, html_url, notes_markdown].into_iter().map(Cow::from);
  let release = release.chain(decoded(html_url));
  release
    .chain(assets.iter().flat_map(of_asset))
    .chain(read.facts.assets.iter().flat_map(of_facts))
}

fn of_asset(asset: &Asset) -> impl Iterator<Item = Cow<'_, str>> {
  let digest = asset.sha256.iter().map(|digest| match digest {
    digest if digest.bytes().any(|byte| byte.is_ascii_uppercase()) => Cow::from(digest.to_ascii_lowercase()),
    digest => Cow::from(digest),
  });
  let address = Cow::from(&asset.download_url);
  [address].into_iter().chain(decoded(&asset.download_url)).chain(digest)
}

fn of_facts(facts: &AssetFacts) -> impl Iterator<Item = Cow<'_, str>> {
  let AssetFacts {
    name,
    label,
    content_type,
    state,
    ..
  } = facts;
  let optional = [label, content_type, state].into_iter().flatten();
  [name].into_iter().chain(optional).map(Cow::from)
}

fn decoded(address: &str) -> Option<Cow<'_, str>> {
  address
    .contains('%')
    .then(|| percent_decode_str(address).decode_utf8_lossy())
}

#[cfg(test)]
mod tests {
  use rstest::rstest;
  use serde_json::{Value, json};

  use super::*;
  use crate::github::read_release;

  const TOKEN: &str = "0123456789abcdef";

  #[rstest]
  #[case::tag("/tag_name", TOKEN)]
  #[case::name("/name", TOKEN)]
  #[case::page("/html_url", TOKEN)]
  #[case::page_encoded("/html_url", "https://github.com/%30123456789abcdef")]
  #[case::notes("/body", TOKEN)]
  #[case::file("/assets/0/name", TOKEN)]
  #[case::label("/assets/0/label", TOKEN)]
  #[case::content_type("/assets/0/content_type", TOKEN)]
  #[case::download("/assets/0/browser_download_url", TOKEN)]
  #[case::download_encoded("/assets/0/browser_download_url", "https://github.com/0123456789%61bcdef")]
  #[case::digest("/assets/0/digest", "sha256:000123456789ABCDEF")]
  #[case::of_a_file_that_is_not_listed("/assets/1/name", TOKEN)]
  #[case::state("/assets/1/state", TOKEN)]
  fn a_text_is_among_them_wherever_it_is_kept(#[case] place: &str, #[case] text: &str) {
    let mut release = json!({
      "tag_name": "v1", "name": "", "html_url": "", "body": "",
      "assets": [
        {"name": "a", "label": "", "content_type": "", "digest": "", "browser_download_url": "", "state": "uploaded"},
        {"name": "b", "state": "starter"},
      ],
    });
    assert!(!holds(&release));
    *release.pointer_mut(place).unwrap() = text.into();
    assert!(holds(&release), "{release}");
  }

  fn holds(release: &Value) -> bool {
    let read = read_release(release.to_string().as_bytes()).unwrap();
    kept_texts(&read).any(|text| text.contains(TOKEN))
  }
}
