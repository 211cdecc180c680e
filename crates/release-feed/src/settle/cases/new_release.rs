//! A release of another tag.

use rstest::rstest;

use crate::clock::UnixMs;
use crate::github::{ETag, Identity, Validators};
use crate::settle::samples::{
  App, NOW, etagged, immutable, kept, later, published, release, release_for, starting, told, why,
};
use crate::settle::{Answer, Settled, TakeWhy, Told, Why};

const MSI: &str = "windows-x64.msi";
const DEB: &str = "linux-x64.deb";

#[test]
fn with_nothing_known_whatever_there_is_is_taken_at_once() {
  for whatever in [
    Told::default(),
    told(release("v1")),
    starting(told(release("v1")), "a.deb"),
  ] {
    let mut app = App::default();
    assert_eq!(why(app.github(&whatever, 0)), TakeWhy::NothingKnown);
    assert_eq!(app.told, Some(whatever));
  }
}

#[test]
fn it_is_taken_at_once_when_it_has_every_platform_of_the_one_before() {
  let mut app = App::serving(old(&[MSI, DEB]));
  assert_eq!(
    why(app.github(&new(&[DEB, "linux-x64.rpm", MSI]), 0)),
    TakeWhy::Complete
  );
  assert_eq!(app.before.tags().collect::<Vec<_>>(), ["v1"]);
}

#[test]
fn a_file_that_is_being_uploaded_holds_up_nothing_once_every_platform_is_there() {
  let mut app = App::serving(old(&[MSI]));
  assert_eq!(
    why(app.github(&starting(new(&[MSI]), "demo-1.0-linux-x64.deb"), 0)),
    TakeWhy::Complete
  );
}

#[test]
fn it_waits_for_the_platforms_that_it_lacks_and_is_taken_when_the_last_one_is_there() {
  let mut app = App::serving(old(&[MSI, DEB]));
  let pending = kept(app.github(&starting(new(&[MSI]), "demo-1.0-linux-x64.deb"), 0));
  let Why::Waiting {
    missing,
    not_uploaded,
    until,
  } = &pending.why
  else {
    panic!("{pending:?}");
  };
  assert_eq!(missing, &[release_for("", &[DEB]).assets[0].platform.unwrap()]);
  assert_eq!(
    (not_uploaded.as_slice(), *until),
    (&["demo-1.0-linux-x64.deb".to_owned()][..], later(1_800))
  );
  assert_eq!(pending.ask_again_at, Some(later(10)));
  assert_eq!(app.tag(), Some("v1"));
  assert_eq!(kept(app.github(&new(&[]), 10)).ask_again_at, Some(later(30)));
  assert_eq!(kept(app.github(&new(&[DEB]), 30)).ask_again_at, Some(later(60)));
  assert_eq!(why(app.github(&new(&[MSI, DEB]), 60)), TakeWhy::Complete);
  assert_eq!(app.pending, None);
}

#[test]
fn after_thirty_minutes_it_is_taken_as_it_is() {
  let mut app = App::serving(old(&[MSI, DEB]));
  kept(app.github(&new(&[MSI]), 0));
  kept(app.github(&new(&[MSI]), 1_799));
  let TakeWhy::WaitedLongEnough { missing, .. } = why(app.github(&new(&[MSI]), 1_800)) else {
    panic!("{app:?}");
  };
  assert_eq!(missing.len(), 1);
}

#[rstest]
#[case::published_half_an_hour_ago(later(-1_800), None)]
#[case::published_a_little_later(later(-1_799), Some(1))]
#[case::published_by_a_clock_ahead_of_ours(later(50), Some(1_800))]
#[case::published_in_the_future(later(3_600), Some(1_800))]
#[case::published_when_it_was_seen(NOW, Some(1_800))]
fn its_age_counts_from_its_publication_and_at_the_latest_from_first_sight(
  #[case] at: UnixMs,
  #[case] waits_secs: Option<i64>,
) {
  let candidate = told(published(release_for("v2", &[MSI]), at));
  let mut app = App::serving(old(&[MSI, DEB]));
  let Some(waits_secs) = waits_secs else {
    assert!(matches!(
      why(app.github(&candidate, 0)),
      TakeWhy::WaitedLongEnough { .. }
    ));
    return;
  };
  let Why::Waiting { until, .. } = kept(app.github(&candidate, 0)).why else {
    panic!("{app:?}");
  };
  assert_eq!(until, later(waits_secs));
  kept(app.github(&candidate, waits_secs - 1));
  assert!(matches!(
    why(app.github(&candidate, waits_secs)),
    TakeWhy::WaitedLongEnough { .. }
  ));
}

#[test]
fn an_immutable_one_gets_no_more_files_and_is_taken_at_once() {
  let mut app = App::serving(old(&[MSI, DEB]));
  let TakeWhy::Immutable { missing } = why(app.github(&immutable(new(&[MSI])), 0)) else {
    panic!("{app:?}");
  };
  assert_eq!(missing.len(), 1);
}

#[test]
fn a_newer_one_that_comes_meanwhile_has_its_own_time_and_its_own_looks() {
  let mut app = App::serving(old(&[MSI, DEB]));
  kept(app.github(&new(&[MSI]), 0));
  let newer = told(release_for("v3", &[MSI]));
  assert_eq!(kept(app.github(&newer, 1_500)).ask_again_at, Some(later(1_510)));
  kept(app.github(&newer, 1_800));
  assert!(matches!(
    why(app.github(&newer, 3_300)),
    TakeWhy::WaitedLongEnough { .. }
  ));
}

#[test]
fn however_often_a_newer_one_comes_nothing_waits_longer_than_an_hour() {
  let mut app = App::serving(old(&[MSI, DEB]));
  for minute in 0..60 {
    let candidate = told(release_for(&format!("v{}", minute + 2), &[MSI]));
    kept(app.github(&candidate, minute * 60));
  }
  let last = told(release_for("v99", &[MSI]));
  assert!(matches!(
    why(app.github(&last, 3_600)),
    TakeWhy::WaitedLongEnough { .. }
  ));
}

#[test]
fn a_first_release_waits_for_files_that_are_being_uploaded_and_for_nothing_else() {
  let none = || App::serving(Told::default());
  assert_eq!(why(none().github(&new(&[]), 0)), TakeWhy::FirstRelease);
  assert_eq!(why(none().github(&new(&[MSI]), 0)), TakeWhy::FirstRelease);
  let mut app = none();
  let begun = starting(new(&[MSI]), "demo-1.0-linux-x64.deb");
  kept(app.github(&begun, 0));
  assert_eq!(why(app.clone().github(&new(&[MSI, DEB]), 10)), TakeWhy::FirstRelease);
  kept(app.github(&begun, 1_799));
  let TakeWhy::WaitedLongEnough { missing, not_uploaded } = why(app.github(&begun, 1_800)) else {
    panic!("{app:?}");
  };
  assert_eq!((missing.len(), not_uploaded.len()), (0, 1));
}

#[test]
fn after_one_without_builds_it_waits_for_files_that_are_being_uploaded() {
  let mut app = App::serving(old(&["notes.txt"]));
  kept(app.github(&starting(new(&[]), "demo-1.0-linux-x64.deb"), 0));
  assert_eq!(why(app.github(&new(&[DEB]), 10)), TakeWhy::Complete);
}

#[test]
fn what_is_served_said_again_drops_it() {
  let mut app = App::serving(old(&[MSI, DEB]));
  kept(app.github(&new(&[MSI]), 0));
  assert_eq!(
    app.github(&old(&[MSI, DEB]), 10),
    Settled::Confirmed { replaced: Vec::new() }
  );
  assert_eq!((app.pending.clone(), app.at), (None, Some(later(10))));
  kept(app.github(&new(&[MSI]), 20));
  kept(app.github(&new(&[MSI]), 1_800));
}

#[test]
fn a_304_names_the_candidate_or_what_is_served_or_nothing_that_is_known() {
  let served = etagged(old(&[MSI, DEB]), "\"old\"");
  let candidate = etagged(new(&[MSI]), "\"new\"");
  let mut app = App::serving(served);
  let not_modified = |app: &mut App, etag: &str, seconds: i64| {
    let named = ETag::new(etag).unwrap();
    app.hear(Answer::NotModified { named: &named }, later(seconds))
  };
  assert_eq!(not_modified(&mut app, "\"new\"", 0), Settled::Ignored);
  assert_eq!(
    not_modified(&mut app, "\"old\"", 0),
    Settled::Confirmed { replaced: Vec::new() }
  );
  kept(app.github(&candidate, 0));
  let pending = kept(not_modified(&mut app, "\"new\"", 10));
  assert_eq!(
    (pending.times.heard_at, pending.ask_again_at),
    (later(10), Some(later(30)))
  );
  assert_eq!(not_modified(&mut app, "\"other\"", 20), Settled::Ignored);
  assert_eq!(app.pending, Some(pending));
  let mut confirmed = app.clone();
  assert_eq!(
    not_modified(&mut confirmed, "\"old\"", 30),
    Settled::Confirmed { replaced: Vec::new() }
  );
  assert_eq!(confirmed.pending, None);
  assert!(matches!(
    why(not_modified(&mut app, "\"new\"", 1_800)),
    TakeWhy::WaitedLongEnough { .. }
  ));
  assert_eq!(app.told, Some(candidate));
}

#[test]
fn a_304_may_name_any_answer_that_told_the_candidate() {
  let mut app = App::serving(old(&[MSI, DEB]));
  let askers = ["0123456789ab", "ba9876543210"].map(|asker| Identity::read(asker).unwrap());
  for (asker, etag) in askers.iter().zip(["\"1\"", "\"2\""]) {
    let candidate = Told {
      validators: Validators::of(asker, ETag::new(etag)),
      ..new(&[MSI])
    };
    kept(app.github(&candidate, 0));
  }
  for etag in ["\"1\"", "\"2\""] {
    let named = ETag::new(etag).unwrap();
    kept(app.hear(Answer::NotModified { named: &named }, later(10)));
  }
}

#[test]
fn another_choice_of_the_catalog_is_taken_at_once_whatever_it_is() {
  let served = told(published(release_for("v2", &[MSI, DEB]), later(-9_000)));
  let older = told(published(release_for("v1", &[MSI]), later(-99_000)));
  for other in [older, Told::default(), starting(told(release("v3")), "a.deb")] {
    let mut app = App {
      choice_changed: true,
      ..App::serving(served.clone())
    };
    assert_eq!(why(app.github(&other, 0)), TakeWhy::ChoiceChanged);
  }
}

#[test]
fn what_waited_by_a_clock_that_was_wrong_starts_anew() {
  let mut app = App::serving(old(&[MSI, DEB]));
  kept(app.github(&new(&[MSI]), 9_000));
  let pending = kept(app.github(&new(&[MSI]), 0));
  assert_eq!(pending.times.first_seen, NOW);
}

fn old(endings: &[&str]) -> Told {
  told(release_for("v1", endings))
}

fn new(endings: &[&str]) -> Told {
  told(release_for("v2", endings))
}
