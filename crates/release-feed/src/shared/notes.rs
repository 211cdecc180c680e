//! What we share beyond the contract's format, under keys of our own. Others rewrite the contract's hashes without knowing of it, so
//! that whatever belongs to a release is bound to a hash of the very text that is shared, and ignored where that differs. Nobody is harmed
//! where a note is lost: GitHub is asked a little more.

use std::time::Duration;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::fields::read_time;
use super::keys::{APP_TTL, BUDGETS_KEY, ETAGS_PREFIX, NOTES_PREFIX, WAITS_KEY};
use crate::cache::Wait;
use crate::catalog::AppKey;
use crate::clock::{CLOCK_TOLERANCE, UnixMs};
use crate::github::{BudgetLeft, ETag, Identity};
use crate::hex_digest::sha256_hex;
use crate::release::ReleaseFacts;

/// Beside an app's release: to whom the contract's validator was given, and it itself.
const ASKER: &str = "asker";
/// Beside an app's release: what GitHub says of it beyond the contract.
const FACTS: &str = "facts";
/// How long a wait or a budget's period is believed to last at most: a day, and a tenth of it for the jitter.
const LONGEST: Duration = Duration::from_secs(26 * 60 * 60 + 24 * 60);
const NO_ETAG: &str = "-";

/// Where a note lies: in a field of a hash.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct NotePlace {
  /// The hash.
  pub key: String,
  /// The field.
  pub field: String,
}

/// A note to be left.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Note {
  /// Where.
  pub place: NotePlace,
  /// What it says.
  pub value: Bytes,
  /// How long the whole hash is kept from then on.
  pub ttl: Duration,
}

/// Tells one text of a release from another.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct ReleaseHash(String);

impl ReleaseHash {
  pub(super) fn of(release: &[u8]) -> Self {
    Self(sha256_hex(release))
  }

  fn bind(&self, value: &str) -> Bytes {
    format!("{} {value}", self.0).into()
  }

  /// What follows, where it is bound to this text.
  fn unbind<'n>(&self, note: &'n Bytes) -> Option<&'n str> {
    str::from_utf8(note)
      .ok()?
      .strip_prefix(self.0.as_str())?
      .strip_prefix(' ')
  }
}

impl NotePlace {
  fn beside(app: &AppKey, field: &str) -> Self {
    Self {
      key: format!("{NOTES_PREFIX}{app}"),
      field: field.to_owned(),
    }
  }

  pub(super) fn asker(app: &AppKey) -> Self {
    Self::beside(app, ASKER)
  }

  pub(super) fn facts(app: &AppKey) -> Self {
    Self::beside(app, FACTS)
  }

  /// An asker's own validator: a hash for each asker, so that those of askers who are gone go with them.
  pub(super) fn etag(asker: &Identity, app: &AppKey) -> Self {
    Self {
      key: format!("{ETAGS_PREFIX}{asker}"),
      field: app.to_string(),
    }
  }

  pub(super) fn wait(app: &AppKey) -> Self {
    Self {
      key: WAITS_KEY.to_owned(),
      field: app.to_string(),
    }
  }

  pub(super) fn budget(asker: &Identity) -> Self {
    Self {
      key: BUDGETS_KEY.to_owned(),
      field: asker.to_string(),
    }
  }
}

impl Note {
  fn at(place: NotePlace, value: Bytes) -> Self {
    Self {
      place,
      value,
      ttl: APP_TTL,
    }
  }

  /// Whose the contract's validator is; nobody's where there is none.
  pub(super) fn asker(app: &AppKey, hash: &ReleaseHash, owned: Option<(&Identity, &ETag)>) -> Self {
    let value = owned.map_or_else(
      || NO_ETAG.to_owned(),
      |(asker, etag)| format!("{asker} {}", etag.as_str()),
    );
    Self::at(NotePlace::asker(app), hash.bind(&value))
  }

  pub(super) fn etag(app: &AppKey, hash: &ReleaseHash, asker: &Identity, etag: &ETag) -> Self {
    Self::at(NotePlace::etag(asker, app), hash.bind(etag.as_str()))
  }

  pub(super) fn facts(app: &AppKey, hash: &ReleaseHash, facts: &ReleaseFacts) -> Option<Self> {
    let json = serde_json::to_string(facts).ok()?;
    Some(Self::at(NotePlace::facts(app), hash.bind(&json)))
  }

  /// Times are the store's.
  pub(super) fn wait(app: &AppKey, wait: Wait) -> Self {
    let value = format!("{} {}", wait.since.0, wait.until.0);
    Self::at(NotePlace::wait(app), value.into())
  }

  /// Times are the store's.
  pub(super) fn budget(asker: &Identity, budget: BudgetLeft) -> Option<Self> {
    let json = serde_json::to_vec(&SharedBudget::from(budget)).ok()?;
    Some(Self::at(NotePlace::budget(asker), json.into()))
  }
}

/// The owner that a note names for this validator of this text. `Some(None)` where the note is about it, and nobody has one.
pub(super) fn read_asker(note: &Bytes, hash: &ReleaseHash, last: Option<&ETag>) -> Option<Option<Identity>> {
  let said = hash.unbind(note)?;
  match (said.split_once(' '), last) {
    (Some((asker, etag)), Some(last)) if etag == last.as_str() => Some(Some(Identity::read(asker)?)),
    (None, None) if said == NO_ETAG => Some(None),
    _ => None,
  }
}

pub(super) fn read_etag(note: &Bytes, hash: &ReleaseHash) -> Option<ETag> {
  ETag::new(hash.unbind(note)?)
}

pub(super) fn read_facts(note: &Bytes, hash: &ReleaseHash) -> Option<ReleaseFacts> {
  serde_json::from_str(hash.unbind(note)?).ok()
}

/// Times are the store's, and so is `now`.
pub(super) fn read_wait(note: &Bytes, now: UnixMs) -> Option<Wait> {
  let (since, until) = str::from_utf8(note).ok()?.split_once(' ')?;
  Some(Wait {
    since: read_time(since.as_bytes(), now, CLOCK_TOLERANCE)?,
    until: read_time(until.as_bytes(), now, LONGEST)?,
  })
}

/// Times are the store's, and so is `now`.
pub(super) fn read_budget(note: &Bytes, now: UnixMs) -> Option<BudgetLeft> {
  let shared: SharedBudget = serde_json::from_slice(note).ok()?;
  let time = |ms: u64, ahead| {
    let at = UnixMs(i64::try_from(ms).ok()?);
    (at.0 > 0 && at <= now.plus(ahead)).then_some(at)
  };
  Some(BudgetLeft {
    limit: shared.limit,
    remaining: shared.remaining,
    reset_at: match shared.reset_ms {
      Some(reset) => Some(time(reset, LONGEST)?),
      None => None,
    },
    as_of: time(shared.as_of_ms, CLOCK_TOLERANCE)?,
  })
}

#[derive(Deserialize, Serialize)]
struct SharedBudget {
  limit: u64,
  remaining: u64,
  reset_ms: Option<u64>,
  as_of_ms: u64,
}

impl From<BudgetLeft> for SharedBudget {
  fn from(budget: BudgetLeft) -> Self {
    let ms = |at: UnixMs| u64::try_from(at.0).unwrap_or_default();
    Self {
      limit: budget.limit,
      remaining: budget.remaining,
      reset_ms: budget.reset_at.map(ms),
      as_of_ms: ms(budget.as_of),
    }
  }
}

#[cfg(test)]
mod tests {
  use proptest::prelude::*;
  use rstest::rstest;

  use super::*;

  const NOW: UnixMs = UnixMs(1_791_471_170_000);

  #[test]
  fn what_belongs_to_a_release_is_read_for_that_text_alone() {
    let (app, asker, etag) = (key(), Identity::anonymous(), ETag::new("W/\"a\"").unwrap());
    let (this, other) = (ReleaseHash::of(b"{}"), ReleaseHash::of(b"null"));
    let facts = ReleaseFacts {
      id: Some(1 << 40),
      ..ReleaseFacts::default()
    };
    let noted = Note::etag(&app, &this, &asker, &etag).value;
    assert_eq!(
      (read_etag(&noted, &this), read_etag(&noted, &other)),
      (Some(etag.clone()), None)
    );
    let noted = Note::facts(&app, &this, &facts).unwrap().value;
    assert_eq!(
      (read_facts(&noted, &this), read_facts(&noted, &other)),
      (Some(facts), None)
    );
    let noted = Note::asker(&app, &this, Some((&asker, &etag))).value;
    assert_eq!(read_asker(&noted, &this, Some(&etag)), Some(Some(asker)));
    assert_eq!(read_asker(&noted, &this, ETag::new("\"theirs\"").as_ref()), None);
    assert_eq!(read_asker(&noted, &this, None), None);
    assert_eq!(read_asker(&noted, &other, Some(&etag)), None);
    let noted = Note::asker(&app, &this, None).value;
    assert_eq!(
      (read_asker(&noted, &this, None), read_asker(&noted, &this, Some(&etag))),
      (Some(None), None)
    );
  }

  #[test]
  fn a_wait_and_a_budget_are_read_as_they_were_written() {
    let wait = Wait {
      since: NOW,
      until: NOW.plus(Duration::from_secs(86_400)),
    };
    assert_eq!(read_wait(&Note::wait(&key(), wait).value, NOW), Some(wait));
    for reset_at in [None, Some(NOW.plus(Duration::from_secs(3_600)))] {
      let budget = BudgetLeft {
        limit: 5_000,
        remaining: 0,
        reset_at,
        as_of: NOW,
      };
      let note = Note::budget(&Identity::anonymous(), budget).unwrap();
      assert_eq!(read_budget(&note.value, NOW), Some(budget));
    }
  }

  #[rstest]
  #[case::no_pair("1791471170000")]
  #[case::no_number("soon later")]
  #[case::set_in_the_future("1791471230001 1791471240000")]
  #[case::longer_than_anybody_waits("1791471170000 1791566210001")]
  #[case::empty("")]
  fn a_wait_that_is_none_is_ignored(#[case] note: &'static str) {
    assert_eq!(read_wait(&Bytes::from_static(note.as_bytes()), NOW), None);
  }

  #[rstest]
  #[case::no_json("{")]
  #[case::a_list("[]")]
  #[case::incomplete(r#"{"limit":1,"remaining":1}"#)]
  #[case::negative(r#"{"limit":1,"remaining":-1,"reset_ms":null,"as_of_ms":1}"#)]
  #[case::from_the_future(r#"{"limit":1,"remaining":1,"reset_ms":null,"as_of_ms":1791471230001}"#)]
  #[case::for_ever(r#"{"limit":1,"remaining":1,"reset_ms":1791566210001,"as_of_ms":1}"#)]
  fn a_budget_that_is_none_is_ignored(#[case] note: &'static str) {
    assert_eq!(read_budget(&Bytes::from_static(note.as_bytes()), NOW), None);
  }

  proptest! {
    #[test]
    fn no_note_panics(note in prop::collection::vec(any::<u8>(), 0..200), bound in any::<bool>()) {
      let hash = ReleaseHash::of(b"");
      let note = if bound { [hash.bind("").to_vec(), note].concat() } else { note };
      let note = Bytes::from(note);
      let _ = (read_asker(&note, &hash, None), read_etag(&note, &hash), read_facts(&note, &hash));
      let _ = (read_wait(&note, NOW), read_budget(&note, NOW));
    }
  }

  fn key() -> AppKey {
    "demo".parse().unwrap()
  }
}
