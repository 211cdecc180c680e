//! Another answer under the tag that is served.

use rstest::rstest;

use crate::settle::samples::{
  App, digested, kept, later, published, release, release_for, sized, starting, told, why, with_ids,
};
use crate::settle::{Answer, Fingerprint, OnReplacedAsset, Policy, ReplacedFile, Settled, TakeWhy, Told, Why};

const MSI: &str = "windows-x64.msi";
const DEB: &str = "linux-x64.deb";
const X: &str = "demo-1.0-windows-x64.msi";

#[test]
fn more_files_and_another_text_are_taken_at_once() {
  let mut app = App::serving(told(release_for("v1", &[MSI])));
  let more = release_for("v1", &[MSI, DEB]);
  assert_eq!(why(app.github(&told(more.clone()), 0)), TakeWhy::SameTag);
  let mut edited = more;
  edited.notes_markdown = "Better.".to_owned();
  assert_eq!(why(app.github(&told(edited), 1)), TakeWhy::SameTag);
}

#[test]
fn fewer_files_are_believed_when_they_are_said_again_a_minute_later() {
  let (both, one) = (release_for("v1", &[MSI, DEB]), release_for("v1", &[MSI]));
  let mut app = App::serving(told(both));
  let pending = kept(app.github(&told(one.clone()), 0));
  let expected = Why::TakingBack {
    served: Some("v1".to_owned()),
    gone: vec!["demo-1.0-linux-x64.deb".to_owned()],
    believed_from: later(60),
  };
  assert_eq!((&pending.why, pending.ask_again_at), (&expected, Some(later(60))));
  assert_eq!(kept(app.github(&told(one.clone()), 30)).ask_again_at, Some(later(60)));
  assert_eq!(kept(app.github(&told(one.clone()), 59)).why, expected);
  assert_eq!(why(app.github(&told(one), 60)), TakeWhy::TakenBack);
}

#[test]
fn of_two_answers_with_fewer_files_the_last_two_must_agree() {
  let mut app = App::serving(told(release_for("v1", &[MSI, DEB])));
  kept(app.github(&told(release_for("v1", &[MSI])), 0));
  kept(app.github(&told(release_for("v1", &[DEB])), 60));
  kept(app.github(&told(release_for("v1", &[MSI])), 119));
  kept(app.github(&told(release_for("v1", &[MSI])), 178));
  assert_eq!(
    why(app.github(&told(release_for("v1", &[MSI])), 179)),
    TakeWhy::TakenBack
  );
}

#[test]
fn a_file_that_is_being_uploaded_anew_is_waited_for() {
  let both = told(release_for("v1", &[MSI, DEB]));
  let begun = starting(told(release_for("v1", &[MSI])), "demo-1.0-linux-x64.deb");
  let mut app = App::serving(both);
  assert!(matches!(kept(app.github(&begun, 0)).why, Why::Waiting { .. }));
  kept(app.github(&begun, 60));
  kept(app.github(&begun, 1_799));
  let mut done = app.clone();
  let uploaded = told(sized(release_for("v1", &[MSI, DEB]), 9));
  assert_eq!(why(done.github(&uploaded, 1_799)), TakeWhy::SameTag);
  assert!(matches!(
    why(app.github(&begun, 1_800)),
    TakeWhy::WaitedLongEnough { .. }
  ));
}

#[test]
fn going_back_to_what_was_served_before_takes_two_answers() {
  let (one, other) = (
    told(digested(release("v1"), X, "a")),
    told(digested(release("v1"), X, "b")),
  );
  let mut app = App::serving(one.clone());
  assert_eq!(why(app.github(&other, 0)), TakeWhy::SameTag);
  assert!(matches!(kept(app.github(&one, 1)).why, Why::TakingBack { .. }));
  assert_eq!(app.github(&other, 2), Settled::Confirmed { replaced: Vec::new() });
  kept(app.github(&one, 3));
  assert_eq!(why(app.github(&one, 63)), TakeWhy::TakenBack);
}

#[rstest]
#[case::by_its_number(
  with_ids(told(release_for("v1", &[MSI, DEB])), 10),
  with_ids(told(release_for("v1", &[MSI])), 20)
)]
#[case::by_its_publication(
  told(published(release_for("v1", &[MSI, DEB]), later(-9_000))),
  told(published(release_for("v1", &[MSI]), later(-10)))
)]
fn a_release_that_is_made_anew_under_its_tag_waits_for_its_files(#[case] served: Told, #[case] anew: Told) {
  let mut app = App::serving(served);
  kept(app.github(&anew, 0));
  assert!(matches!(kept(app.github(&anew, 300)).why, Why::Waiting { .. }));
  assert!(matches!(
    why(app.github(&anew, 1_800)),
    TakeWhy::WaitedLongEnough { .. }
  ));
}

#[test]
fn a_release_that_was_made_anew_and_seems_to_be_the_old_one_again_needs_two_answers() {
  let one = with_ids(told(digested(release("v1"), X, "a")), 10);
  let anew = with_ids(told(digested(release("v1"), X, "b")), 20);
  let mut app = App::serving(one.clone());
  assert_eq!(why(app.github(&anew, 0)), TakeWhy::SameTag);
  assert!(matches!(kept(app.github(&one, 10)).why, Why::TakingBack { .. }));
  assert_eq!(why(app.github(&one, 70)), TakeWhy::TakenBack);
}

#[test]
fn replaced_files_are_served_and_told() {
  let mut app = App::serving(with_ids(told(digested(release("v1"), X, "a")), 10));
  let replaced = taken_replaced(app.github(&with_ids(told(digested(release("v1"), X, "b")), 10), 0));
  assert_eq!(words(&replaced), ["demo-1.0-windows-x64.msi (digest)"]);
}

#[test]
fn a_file_uploaded_anew_with_the_same_bytes_changes_nothing_and_is_told_even_if_others_are_held() {
  let file = told(digested(release("v1"), X, "a"));
  let mut app = holding(with_ids(file.clone(), 10));
  let Settled::Confirmed { replaced } = app.github(&with_ids(file, 10_000), 0) else {
    panic!("{app:?}");
  };
  assert_eq!(words(&replaced), ["demo-1.0-windows-x64.msi (id)"]);
  assert!(!replaced[0].other_bytes);
}

#[test]
fn a_digest_that_becomes_known_or_unknown_is_no_replacement() {
  let (with, without) = (digested(release("v1"), X, "a"), release_for("v1", &[MSI]));
  let mut app = holding(told(without.clone()));
  assert!(taken_replaced(app.github(&told(with.clone()), 0)).is_empty());
  let mut app = holding(told(with));
  assert!(taken_replaced(app.github(&told(without), 0)).is_empty());
}

#[test]
fn held_files_are_served_when_they_are_accepted_and_no_others() {
  let (one, other) = (
    told(digested(release("v1"), X, "a")),
    told(digested(release("v1"), X, "b")),
  );
  let mut app = holding(one);
  let pending = kept(app.github(&other, 0));
  let Why::Held { replaced, fingerprint } = &pending.why else {
    panic!("{pending:?}");
  };
  assert_eq!(words(replaced), ["demo-1.0-windows-x64.msi (digest)"]);
  assert_eq!((fingerprint, pending.ask_again_at), (&Fingerprint::of(&other), None));
  assert_eq!(kept(app.github(&other, 90_000)).times.first_seen, later(0));
  app.policy.accepted = Some(fingerprint.clone());
  let third = told(digested(release("v1"), X, "c"));
  kept(app.clone().github(&third, 90_001));
  assert_eq!(words(&taken_replaced(app.github(&other, 90_001))).len(), 1);
}

#[test]
fn nothing_but_acceptance_overrules_the_policy_that_holds() {
  let (one, other) = (
    told(digested(release("v1"), X, "a")),
    told(digested(release("v1"), X, "b")),
  );
  let mut app = App {
    choice_changed: true,
    ..holding(one)
  };
  kept(app.github(&other, 0));
  let shared = Answer::Shared {
    told: &other,
    fetched_at: later(60),
    settled_by_fleet: true,
  };
  assert!(matches!(kept(app.hear(shared, later(60))).why, Why::Held { .. }));
}

#[test]
fn what_waited_while_it_was_held_does_not_count_for_files_that_are_still_to_come() {
  let (one, other) = (
    told(digested(release("v1"), X, "a")),
    told(digested(release("v1"), X, "b")),
  );
  let mut app = holding(one);
  kept(app.github(&other, 0));
  assert!(matches!(
    kept(app.github(&starting(told(release("v1")), X), 90_000)).why,
    Why::Waiting { .. }
  ));
}

#[test]
fn a_file_that_was_gone_for_a_while_is_compared_with_what_it_was() {
  let (one, other) = (
    told(digested(release("v1"), X, "a")),
    told(digested(release("v1"), X, "b")),
  );
  let mut app = holding(one);
  kept(app.github(&told(release("v1")), 0));
  assert_eq!(why(app.github(&told(release("v1")), 60)), TakeWhy::TakenBack);
  assert!(matches!(kept(app.github(&other, 120)).why, Why::Held { .. }));
}

#[test]
fn a_digest_that_was_not_said_for_a_while_is_compared_with_what_it_was() {
  let mut app = holding(told(digested(release("v1"), X, "a")));
  assert_eq!(why(app.github(&told(release_for("v1", &[MSI])), 0)), TakeWhy::SameTag);
  let other = told(digested(release("v1"), X, "b"));
  assert!(matches!(kept(app.github(&other, 120)).why, Why::Held { .. }));
}

#[test]
fn files_that_come_back_under_a_tag_served_before_are_compared_with_those_of_then() {
  let first = told(published(digested(release("v2"), X, "a"), later(-9_000)));
  let again = told(published(digested(release("v2"), X, "b"), later(500)));
  let older = told(published(release_for("v1", &[MSI]), later(-99_000)));
  for (policy, is_held) in [(OnReplacedAsset::Serve, false), (OnReplacedAsset::Hold, true)] {
    let mut app = holding(first.clone());
    app.policy.on_replaced = policy;
    kept(app.github(&older, 0));
    assert_eq!(why(app.github(&older, 60)), TakeWhy::TakenBack);
    kept(app.github(&again, 600));
    match app.github(&again, 660) {
      Settled::Take(taken) if !is_held => assert_eq!(words(&taken.replaced), ["demo-1.0-windows-x64.msi (digest)"]),
      Settled::Keep(pending) if is_held => assert!(matches!(pending.why, Why::Held { .. })),
      other => panic!("{other:?}"),
    }
  }
}

fn holding(told: Told) -> App {
  App {
    policy: Policy {
      on_replaced: OnReplacedAsset::Hold,
      accepted: None,
    },
    ..App::serving(told)
  }
}

fn taken_replaced(settled: Settled) -> Vec<ReplacedFile> {
  match settled {
    Settled::Take(taken) => taken.replaced,
    other => panic!("not taken: {other:?}"),
  }
}

fn words(replaced: &[ReplacedFile]) -> Vec<String> {
  replaced.iter().map(ToString::to_string).collect()
}
