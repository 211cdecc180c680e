//! What others share.

use rstest::rstest;

use crate::clock::UnixMs;
use crate::settle::samples::{App, digested, kept, later, published, release, release_for, told, why};
use crate::settle::{Answer, Settled, TakeWhy, Told};

const MSI: &str = "windows-x64.msi";
const DEB: &str = "linux-x64.deb";

#[test]
fn with_nothing_known_whatever_is_shared_is_taken_at_once() {
  let mut app = App::default();
  assert_eq!(why(shared(&mut app, &new(&[]), -7_200, 0)), TakeWhy::NothingKnown);
}

#[test]
fn a_half_uploaded_release_waits_and_each_newer_answer_is_one() {
  let mut app = App::serving(old());
  let pending = kept(shared(&mut app, &new(&[MSI]), -5, 0));
  assert_eq!(
    (pending.times.first_seen, pending.times.heard_at),
    (later(0), later(-5))
  );
  assert_eq!(shared(&mut app, &new(&[MSI]), -5, 1_800), Settled::Ignored);
  assert_eq!(app.pending, Some(pending));
  assert!(matches!(
    why(shared(&mut app, &new(&[MSI]), 1_790, 1_800)),
    TakeWhy::WaitedLongEnough { .. }
  ));
}

#[test]
fn a_complete_one_is_taken_at_once() {
  let mut app = App::serving(old());
  assert_eq!(why(shared(&mut app, &new(&[MSI, DEB]), 0, 0)), TakeWhy::Complete);
}

#[rstest]
#[case::none(Told::default())]
#[case::older(told(published(release_for("v0", &[MSI, DEB]), later(-99_000))))]
fn what_takes_back_needs_a_second_answer_given_a_minute_after_the_first_was_read(#[case] less: Told) {
  let mut app = App::serving(old());
  kept(shared(&mut app, &less, -1_000, 0));
  assert_eq!(shared(&mut app, &less, -1_000, 60), Settled::Ignored);
  assert_eq!(shared(&mut app, &less, -1_001, 60), Settled::Ignored);
  kept(shared(&mut app, &less, 59, 100));
  assert_eq!(why(shared(&mut app, &less, 60, 100)), TakeWhy::TakenBack);
}

#[test]
fn githubs_own_answer_may_be_the_second() {
  let mut app = App::serving(old());
  kept(shared(&mut app, &Told::default(), -1_000, 0));
  assert_eq!(why(app.github(&Told::default(), 60)), TakeWhy::TakenBack);
}

#[test]
fn what_is_older_than_what_was_heard_says_nothing() {
  let mut app = App::serving(old());
  app.at = Some(later(0));
  assert_eq!(shared(&mut app, &new(&[MSI, DEB]), 0, 1), Settled::Ignored);
  kept(app.github(&new(&[MSI]), 10));
  assert_eq!(shared(&mut app, &old(), 5, 11), Settled::Ignored);
  assert!(app.pending.is_some());
  assert_eq!(
    shared(&mut app, &old(), 11, 12),
    Settled::Confirmed { replaced: Vec::new() }
  );
}

#[test]
fn an_answer_from_a_clock_ahead_of_ours_is_one_answer_also_after_one_of_githubs() {
  let mut app = App::serving(old());
  kept(shared(&mut app, &new(&[MSI]), 50, 0));
  kept(app.github(&new(&[MSI]), 10));
  assert_eq!(shared(&mut app, &new(&[MSI]), 50, 20), Settled::Ignored);
}

#[test]
fn a_time_more_than_a_minute_ahead_counts_as_absent() {
  let mut app = App::serving(old());
  assert_eq!(shared(&mut app, &new(&[MSI, DEB]), 61, 0), Settled::Ignored);
  assert_eq!(why(shared(&mut app, &new(&[MSI, DEB]), 60, 0)), TakeWhy::Complete);
}

#[test]
fn a_time_of_what_is_served_that_is_ahead_keeps_nothing_out() {
  let mut app = App::serving(old());
  app.at = Some(UnixMs(i64::MAX));
  assert_eq!(why(shared(&mut app, &new(&[MSI, DEB]), 0, 0)), TakeWhy::Complete);
}

#[test]
fn what_another_of_our_instances_settled_is_taken_at_once() {
  for settled in [Told::default(), new(&[])] {
    let mut app = App::serving(old());
    let answer = Answer::Shared {
      told: &settled,
      fetched_at: later(0),
      settled_by_fleet: true,
    };
    assert_eq!(why(app.hear(answer, later(0))), TakeWhy::SettledByFleet);
  }
}

#[test]
fn what_others_share_without_the_digests_that_we_know_confirms_what_is_served() {
  let with = told(digested(release("v1"), "demo-1.0-windows-x64.msi", "a"));
  let without = told(release_for("v1", &[MSI]));
  let mut app = App::serving(with.clone());
  assert_eq!(
    shared(&mut app, &without, 0, 0),
    Settled::Confirmed { replaced: Vec::new() }
  );
  assert_eq!(app.told, Some(with.clone()));
  let mut app = App::serving(without);
  assert_eq!(why(shared(&mut app, &with, 0, 0)), TakeWhy::SameTag);
}

fn shared(app: &mut App, told: &Told, fetched_secs: i64, now_secs: i64) -> Settled {
  let answer = Answer::Shared {
    told,
    fetched_at: later(fetched_secs),
    settled_by_fleet: false,
  };
  app.hear(answer, later(now_secs))
}

fn old() -> Told {
  told(published(release_for("v1", &[MSI, DEB]), later(-9_000)))
}

fn new(endings: &[&str]) -> Told {
  told(release_for("v2", endings))
}
