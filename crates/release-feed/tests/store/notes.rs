//! What instances leave for each other beside the contract's hashes, in a real Redis.

use std::sync::Arc;
use std::time::Duration;

use feed_types::Release;
use release_feed::cache::{Fetch, Wait};
use release_feed::catalog::AppKey;
use release_feed::github::{BudgetLeft, ETag, Identity, Token, Validators};
use release_feed::release::ReleaseFacts;
use release_feed::schedule::Failure;
use release_feed::shared::{Fleet, RedisStore, Seen, SharedEntry};
use release_feed::{Clock, SystemClock};

use super::setups::{Guard, Setup, Single};

const APP: &str = "craftApps:releases:app:photocraft";

#[tokio::test]
async fn a_validator_is_known_to_be_anothers_and_ones_own_is_found_again() {
  let setup = Single::new(Guard::Scripts);
  let (ours, theirs) = (asker("ghp_hunter2_a"), asker("ghp_hunter2_b"));
  let mut one = fleet(setup.store(), &ours);
  let told = fetch("v1", &ours, "W/\"for-a\"");
  assert!(one.share_fetch(&key(), &told).await);

  let mut other = fleet(setup.store(), &theirs);
  let seen = validators(&other.look().await.unwrap());
  assert_eq!(seen.last().unwrap().as_str(), "W/\"for-a\"");
  assert_eq!((seen.for_asker(&theirs), seen.for_asker(&ours).is_some()), (None, true));
  let again = fetch("v1", &theirs, "\"for-b\"");
  assert!(other.share_fetch(&key(), &again).await);

  // A third instance with the first one's token, which was never there.
  let mut third = fleet(setup.store(), &ours);
  let seen = validators(&third.look().await.unwrap());
  assert_eq!(seen.last().unwrap().as_str(), "\"for-b\"");
  assert_eq!(seen.for_asker(&ours).unwrap().as_str(), "W/\"for-a\"");
  assert_eq!(seen.for_asker(&asker("ghp_hunter2_c")), None);
}

#[tokio::test]
async fn a_release_that_another_program_wrote_has_none_of_the_notes() {
  let setup = Single::new(Guard::Scripts);
  let ours = asker("ghp_hunter2_a");
  let mut one = fleet(setup.store(), &ours);
  let facts = facts(1 << 40);
  let told = Fetch {
    facts: Arc::new(facts.clone()),
    ..fetch("v1", &ours, "\"1\"")
  };
  one.share_fetch(&key(), &told).await;
  let mut other = fleet(setup.store(), &asker("ghp_hunter2_b"));
  let seen = other.look().await.unwrap();
  assert_eq!(*fetch_of(&seen).facts, facts);

  setup.put(
    APP,
    &[
      (
        "release",
        r#"{"tag":"v2","name":"v2","html_url":"","notes_markdown":"","assets":[]}"#,
      ),
      ("etag", "\"2\""),
    ],
  );
  let seen = other.look().await.unwrap();
  assert_eq!(fetch_of(&seen).release.as_ref().unwrap().tag, "v2");
  assert_eq!(*fetch_of(&seen).facts, ReleaseFacts::default());
  // Nobody says whose it is, so that everybody may try it.
  assert_eq!(validators(&seen).for_asker(&ours).unwrap().as_str(), "\"2\"");
}

#[tokio::test]
async fn one_app_is_left_alone_by_everybody_until_something_is_told() {
  let setup = Single::new(Guard::Scripts);
  let (mut one, mut other) = (
    fleet(setup.store(), &asker("ghp_hunter2_a")),
    fleet(setup.store(), &asker("ghp_hunter2_b")),
  );
  other.look().await.unwrap();
  one.look().await.unwrap();
  let since = SystemClock.now();
  let failure = Failure { at: since, count: 1 };
  let wait = Wait {
    since,
    until: since.plus(Duration::from_secs(4 * 60 * 60)),
  };
  one.share_failure(&key(), failure, Some(wait)).await;
  let seen = other.look().await.unwrap();
  let shared = entry(&seen).wait.unwrap();
  assert!(shared.until.0.abs_diff(wait.until.0) < 1_000, "{shared:?}");
  // The clocks are one and the same here, give or take a round trip.
  assert!(shared.since.0.abs_diff(since.0) < 1_000, "{shared:?}");
  let others = seen.entries.iter().filter(|(app, _)| *app != key());
  assert!(others.map(|(_, entry)| entry.wait).all(|wait| wait.is_none()));
}

#[tokio::test]
async fn what_github_leaves_a_token_is_known_to_those_who_have_it() {
  let setup = Single::new(Guard::Scripts);
  let ours = asker("ghp_hunter2_a");
  let (mut one, mut other) = (fleet(setup.store(), &ours), fleet(setup.store(), &ours));
  let mut stranger = fleet(setup.store(), &asker("ghp_hunter2_b"));
  one.look().await.unwrap();
  let now = SystemClock.now();
  let budget = BudgetLeft {
    limit: 5_000,
    remaining: 17,
    reset_at: Some(now.plus(Duration::from_secs(600))),
    as_of: now,
  };
  one
    .share_budgets(&[(ours.clone(), budget), (Identity::anonymous(), budget)])
    .await;
  let seen = other.look().await.unwrap().budgets;
  assert_eq!(seen.len(), 1);
  assert_eq!((&seen[0].0, seen[0].1.remaining, seen[0].1.limit), (&ours, 17, 5_000));
  assert!(seen[0].1.reset_at.unwrap().0.abs_diff(budget.reset_at.unwrap().0) < 1_000);
  assert_eq!(stranger.look().await.unwrap().budgets, []);
  assert_eq!(setup.get("launchfeed:releases:budgets", "anonymous"), None);
}

#[tokio::test]
async fn rubbish_in_our_own_keys_costs_nothing_but_itself() {
  let setup = Single::new(Guard::Scripts);
  let ours = asker("ghp_hunter2_a");
  let mut one = fleet(setup.store(), &ours);
  one.share_fetch(&key(), &fetch("v1", &ours, "\"1\"")).await;
  let etags = format!("launchfeed:releases:etags:{ours}");
  for (name, field) in [
    ("launchfeed:releases:app:photocraft", "asker"),
    ("launchfeed:releases:app:photocraft", "facts"),
    (&etags, "photocraft"),
    ("launchfeed:releases:waits", "photocraft"),
    ("launchfeed:releases:budgets", ours.as_str()),
  ] {
    setup.put(name, &[(field, "\u{1b}[31m{]")]);
  }
  let seen = fleet(setup.store(), &ours).look().await.unwrap();
  assert_eq!(fetch_of(&seen).release.as_ref().unwrap().tag, "v1");
  assert_eq!((entry(&seen).wait, seen.budgets.len()), (None, 0));
  for name in [
    "launchfeed:releases:app:photocraft",
    &etags,
    "launchfeed:releases:waits",
  ] {
    setup.server.command::<()>(&["DEL", name]);
    setup.server.command::<()>(&["LPUSH", name, "x"]);
  }
  let mut other = fleet(setup.store(), &ours);
  let seen = other.look().await.unwrap();
  assert_eq!(fetch_of(&seen).release.as_ref().unwrap().tag, "v1");
  assert!(other.share_fetch(&key(), &fetch("v2", &ours, "\"2\"")).await);
  let seen = fleet(setup.store(), &ours).look().await.unwrap();
  assert_eq!(validators(&seen).owned().count(), 1);
}

#[tokio::test]
async fn where_our_own_keys_are_forbidden_the_contracts_are_shared_all_the_same() {
  let setup = Single::new(Guard::Scripts);
  let rights = [
    "ACL",
    "SETUSER",
    "default",
    "resetkeys",
    "~craftApps:releases:*",
    "~launchfeed:releases:instances",
  ];
  setup.server.command::<()>(&rights);
  let ours = asker("ghp_hunter2_a");
  let (mut one, mut other) = (fleet(setup.store(), &ours), fleet(setup.store(), &ours));
  assert!(one.share_fetch(&key(), &fetch("v1", &ours, "\"1\"")).await);
  let seen = other.look().await.unwrap();
  assert_eq!(fetch_of(&seen).release.as_ref().unwrap().tag, "v1");
  assert!(!one.is_alone() && !other.is_alone());
}

fn fleet(store: RedisStore, asker: &Identity) -> Fleet<RedisStore> {
  super::fleet(store, [asker.clone(), Identity::anonymous()])
}

fn fetch(tag: &str, asker: &Identity, etag: &str) -> Fetch {
  Fetch {
    validators: Validators::of(asker, ETag::new(etag)),
    release: Some(Arc::new(Release {
      tag: tag.to_owned(),
      ..Release::default()
    })),
    ..Fetch::without_release(SystemClock.now())
  }
}

fn facts(id: u64) -> ReleaseFacts {
  ReleaseFacts {
    id: Some(id),
    ..ReleaseFacts::default()
  }
}

fn asker(token: &str) -> Identity {
  Token::new(token).unwrap().unwrap().identity()
}

fn key() -> AppKey {
  "photocraft".parse().unwrap()
}

fn entry(seen: &Seen) -> &SharedEntry {
  &seen.entries.iter().find(|(app, _)| *app == key()).unwrap().1
}

fn fetch_of(seen: &Seen) -> &Fetch {
  entry(seen).fetch.as_ref().unwrap()
}

fn validators(seen: &Seen) -> Validators {
  fetch_of(seen).validators.clone()
}
