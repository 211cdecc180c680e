//! The choice itself.

use std::cmp::Ordering;

use super::fit::{Rank, STEPS, fit};
use super::host::Host;
use super::policy::Policy;
use super::reasons::{Pick, PickDoubt, Preferred, Rule, Verdict, Why};
use crate::build::{Build, Reading, Role};
use crate::classify::{Hints, classify};

/// Picks the build that fits `host` best, by `policy`, among a release's files.
///
/// What doesn't fit is refused by the first rule that it breaks: it is no build, another system, another processor, another C
/// library, a kind that the policy never takes or the host can't install. What fits is ranked by (first before next):
///
/// 1. a name that says the system, no debugging build, the app itself (with an app hint: `agnix` before `agnix-lsp`);
/// 2. the processor: exact, universal, translated (Windows on arm64: x64, then x86; macOS on arm64: x64). A build that names
///    none counts as x64. Linux and FreeBSD never cross to another instruction set; x86 on x64 is the last resort of
///    [`Policy::Archive`] alone;
/// 3. the kind of packaging that the policy is about before what it falls back to;
/// 4. the C library: the host's own or unstated, then static musl on glibc; on Windows, MSVC's builds before GNU's;
/// 5. the host's distribution, English, fewer words that mean a variant, then the order of kinds by policy;
/// 6. the shorter name, then byte order: with [`PickDoubt::EquallyGood`].
///
/// Neither the order of `assets` nor files that don't fit have any influence.
///
/// ```
/// use asset_names::{BuildArch, BuildOs, Hints, Host, Policy, pick};
///
/// let assets = ["app-1.0-linux-x86_64.AppImage", "app-1.0-windows-x64.msi", "SHA256SUMS"];
/// let host = Host::new(BuildOs::Windows, BuildArch::Arm64);
/// let picked = pick(assets, &host, Policy::PerUser, &Hints::app("app"));
/// assert_eq!(picked.asset(), Some("app-1.0-windows-x64.msi"));
/// ```
pub fn pick<'a>(assets: impl IntoIterator<Item = &'a str>, host: &Host, policy: Policy, hints: &Hints<'_>) -> Pick<'a> {
  let mut candidates = Vec::new();
  let mut others = Vec::new();
  let mut offered = Vec::new();
  for asset in assets {
    let build = classify(asset, hints);
    if let (Role::Build, Reading::Known(os)) = (build.role, build.os) {
      offered.push((os, build.arch.known()));
    }
    match fit(&build, host, policy) {
      Ok(rank) => candidates.push(Candidate { asset, build, rank }),
      Err(rule) => others.push(Verdict { asset, rule }),
    }
  }
  offered.sort_unstable();
  offered.dedup();
  let Some(best) = candidates.iter().min_by(|a, b| a.compare(b)).copied() else {
    others.sort_unstable_by_key(|verdict| verdict.asset);
    return Pick::Nothing {
      why: Why {
        others,
        doubts: Vec::new(),
        offered,
      },
    };
  };
  let mut doubts = doubts_of(&best);
  candidates.sort_unstable_by(Candidate::compare);
  for candidate in candidates.iter().filter(|candidate| candidate.asset != best.asset) {
    let preferred = preferred(&best.rank, &candidate.rank);
    if preferred == Preferred::Name {
      doubts.push(PickDoubt::EquallyGood(candidate.asset));
    }
    others.push(Verdict {
      asset: candidate.asset,
      rule: Rule::Outranked(preferred),
    });
  }
  others.sort_unstable_by_key(|verdict| verdict.asset);
  Pick::Picked {
    asset: best.asset,
    build: best.build,
    why: Why {
      others,
      doubts,
      offered,
    },
  }
}

/// A build that fits.
#[derive(Clone, Copy)]
struct Candidate<'a> {
  asset: &'a str,
  build: Build,
  rank: Rank,
}

impl Candidate<'_> {
  /// Better first.
  fn compare(&self, other: &Self) -> Ordering {
    let by_name = self
      .asset
      .len()
      .cmp(&other.asset.len())
      .then_with(|| self.asset.cmp(other.asset));
    self.rank.cmp(&other.rank).then(by_name)
  }
}

/// The step at which `best` is better than `other`.
fn preferred(best: &Rank, other: &Rank) -> Preferred {
  let step = best.iter().zip(other).position(|(best, other)| best != other);
  step
    .and_then(|step| STEPS.get(step).copied())
    .unwrap_or(Preferred::Name)
}

fn doubts_of<'a>(candidate: &Candidate<'a>) -> Vec<PickDoubt<'a>> {
  let build = &candidate.build;
  let mut doubts: Vec<PickDoubt<'a>> = build.doubts.iter().map(PickDoubt::Name).collect();
  if build.os == Reading::Absent {
    doubts.push(PickDoubt::SystemByHabit);
  }
  if build.arch == Reading::Absent && !build.details.any_processor {
    doubts.push(PickDoubt::ProcessorUnstated);
  }
  doubts
}
