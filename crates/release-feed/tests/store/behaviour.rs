//! The same for every store.

use std::time::Duration;

use futures_util::future::join_all;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use release_feed::UnixMs;
use release_feed::shared::{Fields, Note, NotePlace, SharedStore, TimeField};

use super::setups::{Cluster, Guard, Memory, Setup, Single};
use super::{A_MINUTE, fetched, write};

#[tokio::test]
async fn memory() {
  behaves(&Memory::new()).await;
}

#[tokio::test]
async fn redis_with_scripts() {
  behaves(&Single::new(Guard::Scripts)).await;
}

#[tokio::test]
async fn redis_that_refuses_scripts() {
  behaves(&Single::new(Guard::Refused)).await;
}

#[tokio::test]
async fn redis_with_watch() {
  behaves(&Single::new(Guard::Watch)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_with_scripts() {
  behaves(&Cluster::new(Guard::Scripts)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_with_watch() {
  behaves(&Cluster::new(Guard::Watch)).await;
}

pub(crate) async fn behaves(setup: &impl Setup) {
  instances_are_counted(setup).await;
  what_was_written_is_read(setup).await;
  the_newer_time_wins(setup).await;
  a_gap_is_kept(setup).await;
  a_time_too_far_ahead_holds_nobody_up(setup).await;
  the_etag_that_is_required_must_stand_there(setup).await;
  a_finished_claim_is_followed_sooner_by_an_urgent_one(setup).await;
  what_is_not_ours_is_replaced(setup).await;
  what_is_beside_our_fields_stays(setup).await;
  a_hash_is_deleted_only_as_it_was_read(setup).await;
  of_many_claims_at_once_one_wins(setup).await;
  an_announcement_that_nobody_hears_is_no_error(setup).await;
  a_note_is_read_where_it_was_left(setup).await;
  the_rule_is_the_same_whatever_stands_there(setup).await;
}

async fn a_note_is_read_where_it_was_left(setup: &impl Setup) {
  let mut store = setup.store();
  let place = |key: &str, field: &str| NotePlace {
    key: format!("launchfeed:releases:test:{key}"),
    field: field.to_owned(),
  };
  let note = |key: &str, field: &str, value: &'static [u8]| Note {
    place: place(key, field),
    value: value.into(),
    ttl: A_MINUTE,
  };
  let places = [place("a", "x"), place("a", "y"), place("b", "x"), place("a", "z")];
  assert_eq!(store.recall(&places).await.unwrap(), [const { None }; 4]);
  store
    .note(&[
      note("a", "x", b"old"),
      note("b", "x", b"\xff"),
      note("a", "x", b"1"),
      note("a", "z", b""),
    ])
    .await
    .unwrap();
  let left = [Some(&b"1"[..]), None, Some(b"\xff"), Some(b"")];
  assert_eq!(
    store.recall(&places).await.unwrap(),
    left.map(|value| value.map(Into::into))
  );
  let mut other = setup.store();
  let reading = other
    .read_with(&["nothing".to_owned()], &places, Some("me"))
    .await
    .unwrap();
  assert_eq!(reading.notes, left.map(|value| value.map(Into::into)));
  assert!(reading.hashes[0].is_absent());
  assert_eq!(store.recall(&[]).await.unwrap(), []);
  store.note(&[]).await.unwrap();
}

async fn instances_are_counted(setup: &impl Setup) {
  let (mut one, mut other) = (setup.store(), setup.store());
  assert_eq!(one.read(&[], Some("one")).await.unwrap().instances, Some(1));
  assert_eq!(other.read(&[], Some("other")).await.unwrap().instances, Some(2));
  assert_eq!(one.read(&[], Some("one")).await.unwrap().instances, Some(2));
}

async fn what_was_written_is_read(setup: &impl Setup) {
  let mut store = setup.store();
  let now = now(&mut store).await;
  assert!(store.write(&fetched("read:b", now)).await.unwrap());
  let keys = ["read:a", "read:b", "read:c"].map(str::to_owned);
  let hashes = store.read(&keys, None).await.unwrap().hashes;
  assert_eq!(hashes.len(), 3);
  assert!(hashes[0].is_absent() && hashes[2].is_absent());
  assert_eq!(hashes[1].time("fetched_ms", now, A_MINUTE), Some(now));
  let bytes = b"\xff\x00\r\n";
  let mut binary = fetched("read:b", now);
  binary.fields.push(("release", bytes.to_vec().into()));
  assert!(store.write(&binary).await.unwrap());
  let hashes = store.read(&keys, None).await.unwrap().hashes;
  assert_eq!(&**hashes[1].get("release").unwrap(), bytes);
}

async fn the_newer_time_wins(setup: &impl Setup) {
  let mut store = setup.store();
  let now = now(&mut store).await;
  assert!(store.write(&fetched("newer", now)).await.unwrap());
  assert!(!store.write(&fetched("newer", now.shifted_by_ms(-1))).await.unwrap());
  assert_eq!(setup.get("newer", "fetched_ms"), Some(now.0.to_string()));
  assert!(store.write(&fetched("newer", now)).await.unwrap());
  assert!(store.write(&fetched("newer", now.shifted_by_ms(1))).await.unwrap());
  // Times of different kinds don't mix.
  let failed = write("newer", TimeField::Failed, now.shifted_by_ms(-5));
  assert!(store.write(&failed).await.unwrap());
}

async fn a_gap_is_kept(setup: &impl Setup) {
  let (mut one, mut other) = (setup.store(), setup.store());
  let now = now(&mut one).await;
  let claim = |at: UnixMs| {
    let mut claim = write("gap", TimeField::Claimed, at);
    claim.gap = A_MINUTE;
    claim
  };
  assert!(one.write(&claim(now)).await.unwrap());
  assert!(!other.write(&claim(now)).await.unwrap());
  assert!(!other.write(&claim(now.shifted_by_ms(59_999))).await.unwrap());
  assert!(other.write(&claim(now.shifted_by_ms(60_000))).await.unwrap());
}

async fn a_time_too_far_ahead_holds_nobody_up(setup: &impl Setup) {
  let mut store = setup.store();
  let now = now(&mut store).await;
  let ahead = |seconds: i64| now.shifted_by_ms(seconds * 1_000).0.to_string();
  setup.put("ahead:a", &[("v", "1"), ("fetched_ms", &ahead(50))]);
  assert!(!store.write(&fetched("ahead:a", now)).await.unwrap());
  setup.put("ahead:b", &[("v", "1"), ("fetched_ms", &ahead(3_600))]);
  assert!(store.write(&fetched("ahead:b", now)).await.unwrap());
  let mut backoff = write("ahead:c", TimeField::Until, now);
  backoff.believed_ahead = Duration::from_secs(7_200);
  setup.put("ahead:c", &[("v", "1"), ("until_ms", &ahead(3_600))]);
  assert!(!store.write(&backoff).await.unwrap());
}

async fn the_etag_that_is_required_must_stand_there(setup: &impl Setup) {
  let mut store = setup.store();
  let now = now(&mut store).await;
  let mut confirmed = fetched("etag", now);
  confirmed.requires_etag = Some("W/\"a\"".to_owned());
  assert!(!store.write(&confirmed).await.unwrap());
  setup.put("etag", &[("v", "1"), ("etag", "W/\"b\""), ("fetched_ms", "5")]);
  assert!(!store.write(&confirmed).await.unwrap());
  setup.put("etag", &[("etag", "W/\"a\"")]);
  setup.put("etag", &[("v", "1"), ("etag", "W/\"a\""), ("fetched_ms", "5")]);
  assert!(store.write(&confirmed).await.unwrap());
  assert_eq!(setup.get("etag", "etag").as_deref(), Some("W/\"a\""));
}

async fn a_finished_claim_is_followed_sooner_by_an_urgent_one(setup: &impl Setup) {
  let mut store = setup.store();
  let now = now(&mut store).await;
  let before = |seconds: i64| now.shifted_by_ms(-seconds * 1_000).0.to_string();
  let urgent = |key: &str| {
    let mut claim = write(key, TimeField::Claimed, now);
    claim.gap = A_MINUTE;
    claim.gap_once_finished = Some(Duration::from_secs(5));
    claim
  };
  for (key, claimed, ended, field, allowed) in [
    ("urgent:a", 5, 4, "fetched_ms", true),
    ("urgent:b", 5, 4, "failed_ms", true),
    ("urgent:c", 4, 3, "fetched_ms", false),
    ("urgent:d", 20, 30, "fetched_ms", false),
    ("urgent:e", 60, 90, "fetched_ms", true),
  ] {
    setup.put(
      key,
      &[("v", "1"), ("claimed_ms", &before(claimed)), (field, &before(ended))],
    );
    assert_eq!(store.write(&urgent(key)).await.unwrap(), allowed, "{key}");
  }
}

async fn what_is_not_ours_is_replaced(setup: &impl Setup) {
  let mut store = setup.store();
  let now = now(&mut store).await;
  let later = now.plus(A_MINUTE / 2).0.to_string();
  setup.put("other", &[("v", "2"), ("fetched_ms", &later), ("etag", "theirs")]);
  assert!(store.write(&fetched("other", now)).await.unwrap());
  assert_eq!(setup.get("other", "etag"), None);
  assert_eq!(setup.get("other", "v").as_deref(), Some("1"));
}

async fn what_is_beside_our_fields_stays(setup: &impl Setup) {
  let mut store = setup.store();
  let now = now(&mut store).await;
  setup.put(
    "beside",
    &[("v", "1"), ("fetched_ms", "7"), ("etag", "theirs"), ("failures", "3")],
  );
  assert!(store.write(&fetched("beside", now)).await.unwrap());
  assert_eq!(setup.get("beside", "etag").as_deref(), Some("theirs"));
  assert_eq!(setup.get("beside", "failures").as_deref(), Some("3"));
}

async fn a_hash_is_deleted_only_as_it_was_read(setup: &impl Setup) {
  let mut store = setup.store();
  setup.put("delete", &[("v", "1"), ("until_ms", "7")]);
  assert!(!store.delete_if("delete", "until_ms", "8").await.unwrap());
  assert!(!store.delete_if("delete", "trouble", "7").await.unwrap());
  assert!(store.delete_if("delete", "until_ms", "7").await.unwrap());
  assert!(!store.delete_if("delete", "until_ms", "7").await.unwrap());
  assert_eq!(setup.get("delete", "v"), None);
}

async fn of_many_claims_at_once_one_wins(setup: &impl Setup) {
  let mut stores: Vec<_> = (0..8).map(|_| setup.store()).collect();
  let now = now(&mut stores[0]).await;
  for round in 0..30 {
    let mut claim = write(&format!("race:{round}"), TimeField::Claimed, now);
    claim.gap = A_MINUTE;
    let claims = stores.iter_mut().map(|store| store.write(&claim));
    let won = join_all(claims).await.into_iter().filter(|won| *won.as_ref().unwrap());
    assert_eq!(won.count(), 1, "round {round}");
  }
}

async fn an_announcement_that_nobody_hears_is_no_error(setup: &impl Setup) {
  setup.store().announce("photocraft").await.unwrap();
}

/// Whatever stands there: the server decides as the rule in our own words does.
async fn the_rule_is_the_same_whatever_stands_there(setup: &impl Setup) {
  let mut store = setup.store();
  let mut chance = StdRng::seed_from_u64(5);
  let mut allowed = 0;
  for case in 0..300 {
    let key = format!("rule:{case}");
    let now = now(&mut store).await;
    let mut fields: Vec<(&str, String)> = Vec::new();
    for name in ["fetched_ms", "failed_ms", "claimed_ms"] {
      // A second beside what is decided by the time of day, which moves.
      let seconds = [-90, -61, -30, -5, -4, 0, 10, 58, 62, 4_000][chance.random_range(0..10)];
      let time = now.shifted_by_ms(seconds * 1_000).0.to_string();
      let odd = ["", "0", "-1", "1e9", " 1", "0x1", "1234567890123456", "nan", "９"];
      match chance.random_range(0..5) {
        0 => {}
        1 => fields.push((name, odd[chance.random_range(0..odd.len())].to_owned())),
        _ => fields.push((name, time)),
      }
    }
    let versions = ["1", "1", "1", "1", "2", "01", ""];
    fields.push(("v", versions[chance.random_range(0..versions.len())].to_owned()));
    if chance.random_bool(0.5) {
      fields.push(("etag", ["a", "b", ""][chance.random_range(0..3)].to_owned()));
    }
    let borrowed: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    setup.put(&key, &borrowed);
    let stored: Fields = fields.iter().map(|(name, value)| (*name, value.clone())).collect();
    let at = now.shifted_by_ms([-60_000, -1_000, 0, 1, 30_000][chance.random_range(0..5)]);
    let field = [TimeField::Fetched, TimeField::Failed, TimeField::Claimed][chance.random_range(0..3)];
    let mut write = write(&key, field, at);
    write.gap = Duration::from_secs([0, 5, 60][chance.random_range(0..3)]);
    write.gap_once_finished = chance.random_bool(0.3).then_some(Duration::from_secs(5));
    write.requires_etag = chance
      .random_bool(0.3)
      .then(|| ["a", ""][chance.random_range(0..2)].to_owned());
    let expected = write.is_allowed(&stored, now);
    allowed += u32::from(expected);
    let written = store.write(&write).await.unwrap();
    assert_eq!(written, expected, "{write:?} over {fields:?} at {now:?}");
    if written {
      let expected = at.0.to_string();
      assert_eq!(setup.get(&key, field.name()), Some(expected));
    }
  }
  assert!((50..250).contains(&allowed), "{allowed} of 300 were allowed");
}

async fn now(store: &mut impl SharedStore) -> UnixMs {
  store.read(&[], None).await.unwrap().now
}
