//! What waits, in words for people.

use std::fmt;

use feed_types::Platform;

use super::pending::Pending;
use super::why::Why;
use crate::clock::UnixMs;

/// As many things of a list are named.
const MAX_NAMED: usize = 6;

/// `v1.3.0 waits since 2026-10-08T14:52:50Z for windows x64 msi, linux arm64 deb`, and the like.
impl fmt::Display for Pending {
  fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match &self.why {
      Why::Waiting {
        missing,
        not_uploaded,
        until,
      } => {
        let tag = self.candidate.tag().unwrap_or_default();
        let mut awaited: Vec<String> = missing.iter().map(platform).collect();
        awaited.extend(not_uploaded.iter().map(|name| format!("{name} (not uploaded yet)")));
        let (since, until) = (time(self.times.first_seen), time(*until));
        write!(
          f,
          "{tag} waits since {since}, until {until} at the latest, for {}",
          list(&awaited)
        )
      }
      Why::TakingBack {
        served,
        gone,
        believed_from,
      } => {
        match self.candidate.tag() {
          None => f.write_str("GitHub now says that there is no release")?,
          Some(tag) if served.as_deref() != Some(tag) => write!(f, "GitHub now says {tag}")?,
          Some(tag) if gone.is_empty() => write!(f, "GitHub now says {tag} as it was before")?,
          Some(tag) => write!(f, "GitHub now says {tag} without {}", list(gone))?,
        }
        write!(f, "; believed if it says so again from {} on", time(*believed_from))
      }
      Why::Held { replaced, fingerprint } => {
        let tag = self.candidate.tag().unwrap_or_default();
        let replaced: Vec<String> = replaced.iter().map(ToString::to_string).collect();
        write!(
          f,
          "replaced under {tag}: {}; held until accepted as {fingerprint}",
          list(&replaced)
        )
      }
    }
  }
}

fn platform(platform: &Platform) -> String {
  match platform.arch {
    Some(arch) => format!("{} {arch} {}", platform.os, platform.package_type),
    None => format!("{} {}", platform.os, platform.package_type),
  }
}

fn time(at: UnixMs) -> String {
  at.to_utc_time()
    .map_or_else(|| "an unknown time".to_owned(), |time| time.to_string())
}

fn list(things: &[String]) -> String {
  let named = things[..things.len().min(MAX_NAMED)].join(", ");
  match things.len().saturating_sub(MAX_NAMED) {
    0 => named,
    more => format!("{named} and {more} more"),
  }
}

#[cfg(test)]
mod tests {
  use feed_types::{Arch, Os, PackageType};
  use rstest::rstest;

  use super::*;
  use crate::settle::samples::{NOW, later, release, told};
  use crate::settle::{Changed, Fingerprint, ReplacedFile, Times, Told};

  #[rstest]
  #[case::platforms(
    waiting(&[], [Some(Arch::X64), None]),
    "v1 waits since 2026-10-08T14:52:50Z, until 2026-10-08T15:22:50Z at the latest, for windows x64 msi, windows msi"
  )]
  #[case::files(
    waiting(&["a.deb"], [None; 0]),
    "v1 waits since 2026-10-08T14:52:50Z, until 2026-10-08T15:22:50Z at the latest, for a.deb (not uploaded yet)"
  )]
  #[case::many_files(
    waiting(&["a", "b", "c", "d", "e", "f", "g", "h"], [None; 0]),
    "v1 waits since 2026-10-08T14:52:50Z, until 2026-10-08T15:22:50Z at the latest, for a (not uploaded yet), b (not uploaded yet), \
     c (not uploaded yet), d (not uploaded yet), e (not uploaded yet), f (not uploaded yet) and 2 more"
  )]
  #[case::another_tag(
    taking_back(Some("v2"), &[]),
    "GitHub now says v1; believed if it says so again from 2026-10-08T14:53:50Z on"
  )]
  #[case::a_file_gone(
    taking_back(Some("v1"), &["a.deb"]),
    "GitHub now says v1 without a.deb; believed if it says so again from 2026-10-08T14:53:50Z on"
  )]
  #[case::as_before(
    taking_back(Some("v1"), &[]),
    "GitHub now says v1 as it was before; believed if it says so again from 2026-10-08T14:53:50Z on"
  )]
  fn what_waits_is_said_in_words(#[case] why: Why, #[case] words: &str) {
    assert_eq!(pending(told(release("v1")), why).to_string(), words);
  }

  #[test]
  fn no_release_and_replaced_files_are_said_in_words() {
    assert_eq!(
      pending(Told::default(), taking_back(Some("v2"), &[])).to_string(),
      "GitHub now says that there is no release; believed if it says so again from 2026-10-08T14:53:50Z on"
    );
    let replaced = ReplacedFile {
      name: "x.msi".to_owned(),
      id: Some(Changed { from: 1, to: 2 }),
      other_bytes: true,
      ..ReplacedFile::default()
    };
    let fingerprint = Fingerprint::of(&Told::default());
    let why = Why::Held {
      replaced: vec![replaced],
      fingerprint: fingerprint.clone(),
    };
    assert_eq!(
      pending(told(release("v1")), why).to_string(),
      format!("replaced under v1: x.msi (id); held until accepted as {fingerprint}")
    );
  }

  fn waiting<const N: usize>(not_uploaded: &[&str], archs: [Option<Arch>; N]) -> Why {
    let missing = archs.map(|arch| Platform {
      os: Os::Windows,
      arch,
      package_type: PackageType::Msi,
    });
    Why::Waiting {
      missing: missing.into(),
      not_uploaded: not_uploaded.iter().map(|name| (*name).to_owned()).collect(),
      until: later(1_800),
    }
  }

  fn taking_back(served: Option<&str>, gone: &[&str]) -> Why {
    Why::TakingBack {
      served: served.map(str::to_owned),
      gone: gone.iter().map(|name| (*name).to_owned()).collect(),
      believed_from: later(60),
    }
  }

  fn pending(candidate: Told, why: Why) -> Pending {
    let times = Times {
      first_seen: NOW,
      same_since: NOW,
      waiting_since: NOW,
      heard_at: NOW,
    };
    Pending::new(candidate, why, times, None, NOW)
  }
}
