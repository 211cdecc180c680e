//! Rules that hold for any history of answers.

use std::collections::HashMap;
use std::sync::Arc;

use asset_names::contract_platform;
use feed_types::{Asset, Release, UtcTime};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, subsequence};

use crate::clock::UnixMs;
use crate::github::{ETag, Identity, Validators};
use crate::release::{AssetFacts, ReleaseFacts};
use crate::settle::platforms::missing_platforms;
use crate::settle::samples::{App, NOW, later};
use crate::settle::{
  Answer, Fingerprint, OnReplacedAsset, Pending, Policy, Settled, TakeWhy, Taken, Times, Told, Why, settle,
};

const NAMES: [&str; 4] = [
  "demo-1.0-windows-x64.msi",
  "demo-1.0-linux-x64.deb",
  "demo-1.0-macos-arm64.dmg",
  "notes.txt",
];
const HALF_AN_HOUR_MS: i64 = 30 * 60 * 1_000;
const MINUTE_MS: i64 = 60 * 1_000;

/// What happens after a pause.
#[derive(Clone, Debug)]
enum Event {
  Github(Index),
  Shared(Index, i64),
  CandidateNotModified,
  ServedNotModified,
  ToldGone,
}

/// What an app served, and all that was said since it began to.
#[derive(Debug, Default)]
struct Observer {
  app: App,
  /// Since what is served was taken: when, and the release.
  said: Vec<(UnixMs, Option<Arc<Release>>)>,
  told_gone: bool,
  /// Everything that was served: until when, and the release.
  left: Vec<(UnixMs, Option<Arc<Release>>)>,
  /// By tag and name: the digest that was served.
  digests: HashMap<(String, String), String>,
}

proptest! {
  #[test]
  fn no_platform_is_lost_but_by_waiting_taking_back_or_being_immutable(history in history()) {
    observe(history, OnReplacedAsset::Serve, |observer, before, taken, now| {
      let lost = match (before.release.as_deref(), taken.told.release.as_deref()) {
        (Some(old), Some(new)) => missing_platforms(old, new).len(),
        (Some(_), None) => 1,
        (None, _) => 0,
      };
      if lost > 0 {
        prop_assert!(observer.may_lose(before, taken, now), "{taken:#?} {observer:#?}");
      }
      Ok(())
    })?;
  }

  #[test]
  fn nothing_comes_back_within_a_minute(history in history()) {
    observe(history, OnReplacedAsset::Serve, |observer, _, taken, now| {
      for (left_at, release) in &observer.left {
        let is_back = *release == taken.told.release;
        prop_assert!(!is_back || now.0 - left_at.0 >= MINUTE_MS, "{taken:#?} {observer:#?}");
      }
      Ok(())
    })?;
  }

  #[test]
  fn while_files_are_held_no_digest_of_a_served_file_ever_changes(history in history()) {
    observe(history, OnReplacedAsset::Hold, |observer, _, taken, _| {
      for asset in taken.told.release.iter().flat_map(|release| &release.assets) {
        let tag = taken.told.tag().unwrap_or_default().to_owned();
        let known = observer.digests.get(&(tag, asset.name.clone()));
        prop_assert!(known.is_none() || asset.sha256.is_none() || known == asset.sha256.as_ref(), "{taken:#?} {observer:#?}");
      }
      Ok(())
    })?;
  }

  #[test]
  fn whatever_github_goes_on_saying_is_served_within_half_an_hour_and_a_minute(
    history in history(), steady in told(), on_replaced in on_replaced(), is_confirmed in any::<bool>(),
  ) {
    let mut observer = observe(history, on_replaced, |_, _, _, _| Ok(()))?;
    let app = &mut observer.app;
    app.policy.accepted = Some(Fingerprint::of(&steady));
    let start = later(1_000_000);
    let mut now = start;
    while app.told.as_ref().map(|told| &told.release) != Some(&steady.release) {
      prop_assert!(now.0 - start.0 <= HALF_AN_HOUR_MS + MINUTE_MS, "{app:#?}");
      let named = steady.validators.last().cloned().filter(|_| is_confirmed && now > start);
      let answer = named.as_ref().map_or(Answer::Told(&steady), |named| Answer::NotModified { named });
      if let Settled::Keep(pending) = app.hear(answer, now) {
        let next = pending.ask_again_at;
        prop_assert!(next.is_some_and(|next| (5_000..=60_000).contains(&(next.0 - now.0))), "{pending:#?}");
        now = next.unwrap_or(now);
      }
    }
  }

  #[test]
  fn no_times_make_it_panic_or_ask_at_odd_ones(
    served in option::of(told()), candidate in told(), news in told(), times in prop::array::uniform7(any_time()), now in any_time(),
    kind in 0..3, is_gone in any::<bool>(), on_replaced in on_replaced(), before in prop::collection::vec(told(), 0..3),
  ) {
    let [first_seen, same_since, waiting_since, heard_at, ask_again_at, at, told_gone_at] = times;
    let times = Times { first_seen, same_since, waiting_since, heard_at };
    let why = match kind {
      0 => Why::Waiting { missing: Vec::new(), not_uploaded: Vec::new(), until: ask_again_at },
      1 => Why::TakingBack { served: None, gone: Vec::new(), believed_from: ask_again_at },
      _ => Why::Held { replaced: Vec::new(), fingerprint: Fingerprint::of(&candidate) },
    };
    let pending = Pending { candidate, why, times, ask_again_at: Some(ask_again_at) };
    let app = App {
      told: served,
      at: Some(at),
      before: before.iter().fold(App::default().before, |before, told| before.with(told)),
      pending: Some(pending.clone()),
      told_gone_at: is_gone.then_some(told_gone_at),
      policy: Policy { on_replaced, accepted: None },
      ..App::default()
    };
    let named = pending.candidate.validators.last().cloned();
    let answers = [
      Some(Answer::Told(&news)),
      named.as_ref().map(|named| Answer::NotModified { named }),
      Some(Answer::Shared { told: &news, fetched_at: told_gone_at, settled_by_fleet: is_gone }),
    ];
    for answer in answers.into_iter().flatten() {
      let settled = settle(&app.served(), app.pending.as_ref(), answer, &app.policy, now);
      prop_assert_eq!(&settled, &settle(&app.served(), app.pending.as_ref(), answer, &app.policy, now));
      if let Settled::Keep(pending) = settled {
        let is_held = matches!(pending.why, Why::Held { .. });
        let (soonest, latest) = (now.0.saturating_add(5_000), now.0.saturating_add(60_000));
        prop_assert!(pending.ask_again_at.map_or(is_held, |at| (soonest..=latest).contains(&at.0)), "{:#?}", pending);
        prop_assert!(!pending.to_string().is_empty());
      }
    }
    let mut shifted = pending;
    shifted.shift_times(told_gone_at.0);
    let _ = (shifted.is_due(now), shifted.counts_at(now), shifted.to_string());
  }

  #[test]
  fn what_waits_is_read_as_it_was_saved(history in history()) {
    let observer = observe(history, OnReplacedAsset::Hold, |_, _, _, _| Ok(()))?;
    let text = serde_json::to_string(&observer.app.pending).unwrap();
    prop_assert_eq!(serde_json::from_str::<Option<Pending>>(&text).unwrap(), observer.app.pending);
  }
}

impl Observer {
  /// By a second reckoning, from all that was said.
  fn may_lose(&self, before: &Told, taken: &Taken, now: UnixMs) -> bool {
    let new = &taken.told.release;
    let tag = |release: &Option<Arc<Release>>| release.as_deref().map(|release| release.tag.clone());
    let said_for = |agrees: &dyn Fn(&Option<Arc<Release>>) -> bool| {
      let first = self.said.iter().rev().take_while(|(_, release)| agrees(release)).last();
      first.map_or(0, |(at, _)| now.0 - at.0)
    };
    match taken.why {
      TakeWhy::TakenBack => {
        let is_same_tag = tag(new) == before.tag().map(str::to_owned);
        let agrees = |release: &Option<Arc<Release>>| tag(release) == tag(new) && (!is_same_tag || release == new);
        self.told_gone || said_for(&agrees) >= MINUTE_MS
      }
      TakeWhy::WaitedLongEnough { .. } => {
        let published_at = new.as_deref().and_then(|release| release.published_at);
        published_at.is_some_and(|time| now.0 - time.unix_ms() >= HALF_AN_HOUR_MS)
          || said_for(&|release| tag(release) == tag(new)) >= HALF_AN_HOUR_MS
          || said_for(&|release| *release != before.release) >= 2 * HALF_AN_HOUR_MS
      }
      TakeWhy::Immutable { .. } => taken.told.facts.immutable == Some(true),
      _ => false,
    }
  }
}

/// Goes through a history and checks everything that is taken, before it is noted down.
fn observe(
  (pool, events): (Vec<Told>, Vec<(i64, Event)>),
  on_replaced: OnReplacedAsset,
  check: impl Fn(&Observer, &Told, &Taken, UnixMs) -> Result<(), TestCaseError>,
) -> Result<Observer, TestCaseError> {
  let mut observer = Observer::default();
  observer.app.policy.on_replaced = on_replaced;
  let mut now = NOW;
  for (pause_secs, event) in events {
    now = now.shifted_by_ms(pause_secs * 1_000);
    let app = &observer.app;
    let last = |told: Option<&Told>| told.and_then(|told| told.validators.last().cloned());
    let named = match event {
      Event::CandidateNotModified => last(app.pending.as_ref().map(|pending| &pending.candidate)),
      Event::ServedNotModified => last(app.told.as_ref()),
      _ => None,
    };
    let answer = match (&event, &named) {
      (Event::Github(index), _) => Answer::Told(index.get(&pool)),
      (Event::Shared(index, age_secs), _) => Answer::Shared {
        told: index.get(&pool),
        fetched_at: now.shifted_by_ms(-age_secs * 1_000),
        settled_by_fleet: false,
      },
      (_, Some(named)) => Answer::NotModified { named },
      (Event::ToldGone, _) => {
        observer.app.told_gone_at = Some(now);
        observer.told_gone = true;
        continue;
      }
      _ => continue,
    };
    let before = observer.app.told.clone();
    let settled = observer.app.hear(answer, now);
    let said = match &settled {
      Settled::Ignored => continue,
      Settled::Confirmed { .. } => before.as_ref().map(|told| told.release.clone()),
      Settled::Take(taken) => Some(taken.told.release.clone()),
      Settled::Keep(pending) => Some(pending.candidate.release.clone()),
    };
    observer.said.extend(said.map(|release| (now, release)));
    let Settled::Take(taken) = settled else { continue };
    if let Some(before) = before {
      check(&observer, &before, &taken, now)?;
      observer.left.push((now, before.release));
    }
    observer.said.clear();
    observer.told_gone = false;
    for asset in taken.told.release.iter().flat_map(|release| &release.assets) {
      let place = (taken.told.tag().unwrap_or_default().to_owned(), asset.name.clone());
      if let Some(digest) = &asset.sha256 {
        observer.digests.insert(place, digest.clone());
      }
    }
  }
  Ok(observer)
}

fn history() -> impl Strategy<Value = (Vec<Told>, Vec<(i64, Event)>)> {
  let event = prop_oneof![
    6 => any::<Index>().prop_map(Event::Github),
    2 => (any::<Index>(), -60_i64..200).prop_map(|(index, age)| Event::Shared(index, age)),
    2 => Just(Event::CandidateNotModified),
    1 => Just(Event::ServedNotModified),
    1 => Just(Event::ToldGone),
  ];
  let pause = prop_oneof![0_i64..20, 20_i64..80, Just(60_i64), 80_i64..2_000];
  (
    prop::collection::vec(told(), 1..7),
    prop::collection::vec((pause, event), 0..40),
  )
}

fn told() -> impl Strategy<Value = Told> {
  let files = subsequence(&NAMES[..], 0..=NAMES.len());
  let digests = prop::array::uniform4(option::of(0_u8..2));
  let facts = (
    option::of(0_u64..2),
    prop::array::uniform4(option::of(0_u64..3)),
    subsequence(&NAMES[..], 0..2),
  );
  let release = (
    0_u8..4,
    published_at(),
    files,
    digests,
    prop::bool::weighted(0.1),
    facts,
  );
  prop_oneof![
    1 => Just(Told::default()),
    9 => (release, any::<u32>()).prop_map(|((tag, published_at, files, digests, immutable, facts), etag)| {
      let assets = files.iter().zip(digests).map(|(name, digest)| Asset {
        name: (*name).to_owned(),
        platform: contract_platform(name),
        size_bytes: 7,
        sha256: digest.map(|digest| digest.to_string().repeat(64)),
        ..Asset::default()
      });
      let (id, ids, starting) = facts;
      let asset_facts = |name: &str, id: Option<u64>, state: &str| AssetFacts {
        id,
        name: name.to_owned(),
        state: Some(state.to_owned()),
        ..AssetFacts::default()
      };
      let listed = files.iter().zip(ids).map(|(name, id)| asset_facts(name, id, "uploaded"));
      let starting = starting.iter().filter(|name| !files.contains(name)).map(|name| asset_facts(name, None, "starter"));
      let facts = ReleaseFacts {
        id,
        immutable: Some(immutable),
        assets: listed.chain(starting).collect(),
        ..ReleaseFacts::default()
      };
      Told {
        release: Some(Arc::new(Release {
          tag: format!("v{tag}"),
          published_at,
          assets: assets.collect(),
          ..Release::default()
        })),
        facts: Arc::new(facts),
        validators: Validators::of(&Identity::anonymous(), ETag::new(format!("\"{etag}\""))),
      }
    }),
  ]
}

fn published_at() -> impl Strategy<Value = Option<UtcTime>> {
  let near = (-4_000_i64..4_000).prop_map(|seconds| UtcTime::from_unix_ms(later(seconds).0));
  prop_oneof![1 => Just(None), 8 => near, 1 => any::<i64>().prop_map(UtcTime::from_unix_ms)]
}

fn any_time() -> impl Strategy<Value = UnixMs> {
  let near = (-4_000_000_i64..4_000_000).prop_map(|by| NOW.shifted_by_ms(by));
  prop_oneof![6 => near, 2 => any::<i64>().prop_map(UnixMs), 1 => Just(UnixMs(i64::MIN)), 1 => Just(UnixMs(i64::MAX))]
}

fn on_replaced() -> impl Strategy<Value = OnReplacedAsset> {
  prop_oneof![Just(OnReplacedAsset::Serve), Just(OnReplacedAsset::Hold)]
}
