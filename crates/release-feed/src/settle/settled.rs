//! What follows from an answer.

use feed_types::Platform;

use super::changed_files::ReplacedFile;
use super::pending::Pending;
use super::served_before::ServedBefore;
use super::told::Told;

/// What becomes of an answer.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Settled {
  /// It says that what is served is current: the time of that moves, its release stays as it is, and nothing waits any more.
  Confirmed {
    /// Files that were uploaded anew, with the bytes that they had or, where no digest says so, with others of the same size.
    replaced: Vec<ReplacedFile>,
  },
  /// What it tells is served now, and nothing waits any more.
  Take(Box<Taken>),
  /// What is served goes on being served, with its own validators and its own time, and this waits beside it, in place of whatever
  /// waited before.
  Keep(Box<Pending>),
  /// It says nothing new: nothing changes, also not what waits.
  Ignored,
}

/// What is served from now on.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Taken {
  /// What.
  pub told: Told,
  /// What was served before it, to be kept with it.
  pub before: ServedBefore,
  /// Its files that are others than they were under the same tag and name.
  pub replaced: Vec<ReplacedFile>,
  /// Why it is taken.
  pub why: TakeWhy,
}

/// Why something is taken.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum TakeWhy {
  /// Nothing was known.
  NothingKnown,
  /// There was no release.
  FirstRelease,
  /// A new release that has a file for every platform of the one before.
  Complete,
  /// A new release that lacks something, and to which nothing can be added.
  Immutable {
    /// Platforms of the one before that it has no file for.
    missing: Vec<Platform>,
  },
  /// A release that lacks something and has waited for it long enough.
  WaitedLongEnough {
    /// Platforms of the one before that it has no file for.
    missing: Vec<Platform>,
    /// Its files that aren't uploaded even now.
    not_uploaded: Vec<String>,
  },
  /// What takes something away, said twice.
  TakenBack,
  /// The same tag with other files or another text.
  SameTag,
  /// The catalog chooses another release.
  ChoiceChanged,
  /// Another of our own instances has settled it.
  SettledByFleet,
}
