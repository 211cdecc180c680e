//! An older release, or none, after a known one.

use crate::github::ETag;
use crate::settle::samples::{
  App, digested, etagged, immutable, kept, later, published, release, release_for, told, why,
};
use crate::settle::{Answer, Settled, TakeWhy, Told, Why};

const MSI: &str = "windows-x64.msi";
const DEB: &str = "linux-x64.deb";

#[test]
fn an_older_release_is_believed_on_the_second_answer_a_minute_after_the_first() {
  let mut app = App::serving(b());
  let pending = kept(app.github(&a(), 0));
  let expected = Why::TakingBack {
    served: Some("b".to_owned()),
    gone: Vec::new(),
    believed_from: later(60),
  };
  assert_eq!((pending.why, pending.ask_again_at), (expected, Some(later(60))));
  kept(app.github(&a(), 59));
  assert_eq!(app.tag(), Some("b"));
  assert_eq!(why(app.github(&a(), 60)), TakeWhy::TakenBack);
  assert_eq!((app.tag(), app.before.tags().next()), (Some("a"), Some("b")));
}

#[test]
fn no_release_is_believed_on_the_second_answer_a_minute_after_the_first() {
  let mut app = App::serving(b());
  kept(app.github(&Told::default(), 0));
  kept(app.github(&Told::default(), 59));
  assert_eq!(why(app.github(&Told::default(), 60)), TakeWhy::TakenBack);
  assert_eq!(app.told, Some(Told::default()));
}

#[test]
fn an_older_one_needs_no_platform_and_being_immutable_does_not_hurry_it() {
  let mut app = App::serving(b());
  let older = immutable(told(published(release("a"), later(-99_000))));
  kept(app.github(&older, 0));
  assert_eq!(why(app.github(&older, 60)), TakeWhy::TakenBack);
}

#[test]
fn what_is_served_said_in_between_starts_it_anew() {
  let mut app = App::serving(b());
  kept(app.github(&a(), 0));
  assert_eq!(app.github(&b(), 30), Settled::Confirmed { replaced: Vec::new() });
  kept(app.github(&a(), 61));
  kept(app.github(&a(), 120));
  assert_eq!(why(app.github(&a(), 121)), TakeWhy::TakenBack);
}

#[test]
fn of_two_older_ones_the_last_two_answers_must_agree() {
  let other = told(published(release("0"), later(-199_000)));
  let mut app = App::serving(b());
  kept(app.github(&a(), 0));
  kept(app.github(&other, 60));
  kept(app.github(&Told::default(), 120));
  kept(app.github(&other, 180));
  assert_eq!(why(app.github(&other, 240)), TakeWhy::TakenBack);
}

#[test]
fn an_older_one_whose_text_is_edited_meanwhile_is_still_the_same() {
  let mut edited = release_for("a", &[MSI]);
  edited.notes_markdown = "Back again.".to_owned();
  let edited = told(published(edited, later(-99_000)));
  let mut app = App::serving(b());
  kept(app.github(&a(), 0));
  assert_eq!(why(app.github(&edited, 60)), TakeWhy::TakenBack);
  assert_eq!(app.told, Some(edited));
}

#[test]
fn a_304_on_the_candidate_is_the_second_answer() {
  let mut app = App::serving(etagged(b(), "\"b\""));
  kept(app.github(&etagged(a(), "\"a\""), 0));
  let named = ETag::new("\"a\"").unwrap();
  kept(app.hear(Answer::NotModified { named: &named }, later(59)));
  assert_eq!(
    why(app.hear(Answer::NotModified { named: &named }, later(60))),
    TakeWhy::TakenBack
  );
}

#[test]
fn a_tag_that_was_served_before_is_taken_back_to_also_where_times_are_unknown() {
  let (one, other) = (told(release_for("v1", &[MSI])), told(release_for("v2", &[MSI])));
  let mut app = App::serving(one.clone());
  assert_eq!(why(app.github(&other, 0)), TakeWhy::Complete);
  kept(app.github(&one, 10));
  assert_eq!(why(app.github(&one, 70)), TakeWhy::TakenBack);
}

#[test]
fn a_tag_that_was_served_before_needs_no_platform_where_times_are_unknown() {
  let mut app = App::serving(told(release_for("v1", &[MSI])));
  why(app.github(&told(release_for("v2", &[MSI, DEB])), 0));
  let less = told(release_for("v1", &[]));
  assert!(matches!(kept(app.github(&less, 10)).why, Why::TakingBack { .. }));
  assert_eq!(why(app.github(&less, 70)), TakeWhy::TakenBack);
}

#[test]
fn a_release_that_comes_back_after_none_needs_two_answers() {
  let mut app = App::serving(b());
  kept(app.github(&Told::default(), 0));
  why(app.github(&Told::default(), 60));
  kept(app.github(&b(), 61));
  assert_eq!(why(app.github(&b(), 121)), TakeWhy::TakenBack);
}

#[test]
fn one_that_comes_back_newer_than_what_is_served_needs_two_answers_and_its_files() {
  let mut app = App::serving(b());
  kept(app.github(&a(), 0));
  why(app.github(&a(), 60));
  let anew = |endings: &[&str]| told(published(release_for("b", endings), later(100)));
  assert!(matches!(kept(app.github(&anew(&[]), 100)).why, Why::Waiting { .. }));
  assert!(matches!(kept(app.github(&anew(&[]), 160)).why, Why::Waiting { .. }));
  let mut quick = app.clone();
  quick.pending = None;
  assert!(matches!(
    kept(quick.github(&anew(&[MSI]), 161)).why,
    Why::TakingBack { .. }
  ));
  assert_eq!(why(app.github(&anew(&[MSI]), 161)), TakeWhy::TakenBack);
}

#[test]
fn a_webhook_is_the_first_answer() {
  let told_gone = |at: i64| App {
    told_gone_at: Some(later(at)),
    ..App::serving(b())
  };
  assert_eq!(why(told_gone(0).github(&a(), 60)), TakeWhy::TakenBack);
  let mut app = told_gone(0);
  assert_eq!(kept(app.github(&a(), 1)).ask_again_at, Some(later(60)));
  assert_eq!(why(app.github(&a(), 60)), TakeWhy::TakenBack);
}

#[test]
fn a_webhook_counts_no_more_once_something_else_was_heard_or_half_an_hour_passed() {
  let told_gone = || App {
    told_gone_at: Some(later(0)),
    ..App::serving(b())
  };
  let mut confirmed = told_gone();
  confirmed.github(&b(), 1);
  kept(confirmed.github(&a(), 60));
  let mut another = told_gone();
  kept(another.github(&Told::default(), 1));
  kept(another.github(&a(), 60));
  kept(told_gone().github(&a(), 1_801));
  let mut ahead = told_gone();
  ahead.told_gone_at = Some(later(9_000));
  kept(ahead.github(&a(), 60));
}

#[test]
fn a_webhook_says_nothing_of_files_that_are_gone() {
  let mut app = App {
    told_gone_at: Some(later(0)),
    ..App::serving(b())
  };
  kept(app.github(&told(published(release_for("b", &[]), later(-9_000))), 60));
}

#[test]
fn a_new_release_in_between_does_not_count_as_either_answer() {
  let mut app = App::serving(told(published(release_for("b", &[MSI, DEB]), later(-9_000))));
  let new = told(published(
    digested(release("c"), "demo-1.0-windows-x64.msi", "c"),
    later(0),
  ));
  kept(app.github(&a(), 0));
  assert!(matches!(kept(app.github(&new, 30)).why, Why::Waiting { .. }));
  kept(app.github(&a(), 61));
  assert_eq!(why(app.github(&a(), 121)), TakeWhy::TakenBack);
}

/// What is served.
fn b() -> Told {
  told(published(release_for("b", &[MSI]), later(-9_000)))
}

/// What it is taken back to.
fn a() -> Told {
  told(published(release_for("a", &[MSI]), later(-99_000)))
}
