//! Reading a release's checksum files where GitHub says no digest, and no oftener than needed.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use feed_types::{Asset, Release};
use futures_util::{StreamExt, stream};
use reqwest::Client;
use tokio::time::Instant;
use tracing::{info, warn};

use super::conflict::Conflict;
use super::file_text::{NoText, file_text};
use super::listing::{Listing, TooManyNames};
use super::memo::{Memo, Reading, ReleaseMemo};
use super::plan::{ChecksumFile, Plan, needs_digest};
use super::remembered::Remembered;
use super::settle::settle;
use super::transfer::{Transfer, Trouble};
use crate::catalog::AppKey;
use crate::clock::UnixMs;
use crate::github::credentials::Credentials;
use crate::github::release_source::Ask;
use crate::release::{ReleaseFacts, WebBase};

/// How long all files of one release may take: a round has others to ask about.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// One file has less than half of that time, so that there is some for others when one hangs, such as a list.
const OF_ONE: (u32, u32) = (9, 20);
/// Files that are fetched at the same time.
const AT_ONCE: usize = 4;
/// After the downloads' server couldn't be reached, it is left alone for so long: behind a wall that lets only the API through,
/// a first round would wait for it once for each app.
const REST: Duration = Duration::from_secs(60);
/// Files named in one line; the rest is counted.
const MAX_NAMED: usize = 20;

/// What is known from checksum files. Shared by all requests of one source.
#[derive(Debug)]
pub struct Checksums {
  limit: Duration,
  state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
  memo: Memo,
  conflicts: HashMap<AppKey, ReleaseConflicts>,
  unreachable_since: Option<UnixMs>,
}

#[derive(Debug)]
struct ReleaseConflicts {
  tag: String,
  conflicts: Vec<Conflict>,
}

/// With what files are fetched, where they may lie, and the time.
#[derive(Clone, Copy, Debug)]
pub(in crate::github) struct Means<'a> {
  pub(in crate::github) client: &'a Client,
  pub(in crate::github) web: &'a WebBase,
  /// What no file may hold: it would become a digest that is told to everybody.
  pub(in crate::github) secrets: &'a Credentials,
  pub(in crate::github) now: UnixMs,
}

/// What came of a file: what it says, or why it says nothing.
type Told = Result<Listing, Silence>;

enum Silence {
  /// It was read, and asking again would change nothing.
  Lasting(&'static str),
  /// It couldn't be read.
  Passing(Trouble),
  /// It wasn't asked for, or not long enough to say anything of it.
  PutOff,
}

impl Default for Checksums {
  /// 20 s for all files of one release.
  fn default() -> Self {
    Self::within(TIME_LIMIT)
  }
}

impl Checksums {
  /// With another limit on the time that all files of one release may take.
  pub fn within(limit: Duration) -> Self {
    Self {
      limit,
      state: Mutex::default(),
    }
  }

  /// Files of an app's release of which GitHub and a checksum file, or two of these, say different digests.
  pub fn conflicts(&self, key: &AppKey, tag: &str) -> Vec<String> {
    let state = self.lock();
    let of_release = state.conflicts.get(key).filter(|known| known.tag == tag);
    let conflicts = of_release.into_iter().flat_map(|known| &known.conflicts);
    conflicts.map(|conflict| conflict.asset.clone()).collect()
  }

  /// Whether GitHub must send the whole release, though it may be the one that we have: there is none to complete in a confirmation.
  pub(in crate::github) fn wants_whole_answer(&self, ask: Ask<'_>, now: UnixMs) -> bool {
    let Some(known) = ask.known else { return false };
    let plan = Plan::of(known.release, known.facts);
    let mut wanted = lacking(known.release).flat_map(|asset| plan.about(asset));
    let state = self.lock();
    match state.memo.release(&ask.app.repo, &known.release.tag) {
      None => wanted.next().is_some(),
      Some(memo) => {
        memo.is_over_at(now) && wanted.any(|file| !matches!(memo.reading(&file.identity), Some(Reading::Read(_))))
      }
    }
  }

  /// Completes a release that passed the rules: digests that GitHub doesn't say, and none where what is said differs. Never fails.
  pub(in crate::github) async fn complete(
    &self,
    means: Means<'_>,
    ask: Ask<'_>,
    release: &mut Release,
    facts: &ReleaseFacts,
  ) {
    let plan = Plan::of(release, facts);
    if plan.files.is_empty() {
      self.lock().conflicts.remove(ask.key);
      return;
    }
    let remembered = Remembered::of(ask.known, release, facts, &plan);
    let known = self.lock().memo.release(&ask.app.repo, &release.tag).cloned();
    let is_first_look = known.is_none();
    let mut memo = known.unwrap_or_default();
    let is_known = remembered.is_some_and(|remembered| remembered.is_complete_for(release));
    if !is_known && lacking(release).next().is_some() {
      self.read_files(means, ask.key, release, &plan, &mut memo).await;
    }
    let conflicts = settle(release, listings(&plan, &memo));
    if let Some(remembered) = remembered {
      remembered.fill(release, &plan, &mut memo, &conflicts, is_first_look);
    }
    memo.looked_at(means.now);
    let mut state = self.lock();
    state.memo.remember(&ask.app.repo, &release.tag, memo);
    state.note_conflicts(ask.key, &release.tag, conflicts);
  }

  /// Reads the lists, then the files of those that no list names.
  async fn read_files(&self, means: Means<'_>, key: &AppKey, release: &Release, plan: &Plan, memo: &mut ReleaseMemo) {
    let transfer = Transfer {
      client: means.client,
      web: means.web.url(),
      limit: self.limit * OF_ONE.0 / OF_ONE.1,
      deadline: Instant::now() + self.limit,
    };
    let lists: Vec<&ChecksumFile> = plan.files.iter().filter(|file| file.subject.is_none()).collect();
    self.read(&transfer, key, lists, memo, means).await;
    let unlisted: Vec<&str> = lacking(release)
      .map(|asset| asset.name.as_str())
      .filter(|name| listings(plan, memo).all(|(_, listing)| listing.digest(name).is_none()))
      .collect();
    let is_wanted = |file: &&ChecksumFile| file.subject.as_deref().is_some_and(|name| unlisted.contains(&name));
    let single: Vec<&ChecksumFile> = plan.files.iter().filter(is_wanted).collect();
    self.read(&transfer, key, single, memo, means).await;
  }

  async fn read(
    &self,
    transfer: &Transfer<'_>,
    key: &AppKey,
    mut files: Vec<&ChecksumFile>,
    memo: &mut ReleaseMemo,
    means: Means<'_>,
  ) {
    let now = means.now;
    files.retain(|file| {
      memo
        .reading(&file.identity)
        .is_none_or(|reading| reading.is_due_at(now))
    });
    // What takes all the time each time must not keep the others from being read.
    files.sort_by_key(|file| matches!(memo.reading(&file.identity), Some(Reading::Failed { .. })));
    let reading = files.iter().enumerate().map(|(place, file)| async move {
      let told = self.read_one(transfer, file, means).await;
      (place, told)
    });
    let mut told: Vec<(usize, Told)> = stream::iter(reading.collect::<Vec<_>>())
      .buffer_unordered(AT_ONCE)
      .collect()
      .await;
    told.sort_by_key(|(place, _)| *place);
    let mut failed: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (file, (_, told)) in files.into_iter().zip(told) {
      let name = file.identity.name.as_str();
      let reading = match told {
        Ok(listing) => {
          note_ambiguous(key, name, &listing);
          Reading::Read(Arc::new(listing))
        }
        Err(Silence::Lasting(why)) => {
          info!(app = %key, file = %name, %why, "a checksum file says nothing");
          Reading::Read(Arc::default())
        }
        Err(Silence::Passing(trouble)) => {
          let why = trouble.to_string();
          let was_said =
            matches!(memo.reading(&file.identity), Some(Reading::Failed { why: said, .. }) if *said == why);
          if !was_said {
            failed.entry(why.clone()).or_default().push(name);
          }
          Reading::Failed { at: now, why }
        }
        Err(Silence::PutOff) => match memo.reading(&file.identity) {
          Some(_) => continue,
          None => Reading::PutOff,
        },
      };
      memo.note(file.identity.clone(), reading);
    }
    for (reason, names) in failed {
      let named = names[..names.len().min(MAX_NAMED)].join(", ");
      warn!(app = %key, files = names.len(), %named, %reason, "checksum files can't be read; digests stay as they are known");
    }
  }

  async fn read_one(&self, transfer: &Transfer<'_>, file: &ChecksumFile, means: Means<'_>) -> Told {
    if self.lock().is_resting_at(means.now) {
      return Err(Silence::PutOff);
    }
    let fetched = transfer.fetch(file).await;
    if matches!(fetched, Err(Trouble::Unreachable(_))) {
      self.lock().unreachable_since = Some(means.now);
    }
    let bytes = fetched.map_err(|trouble| match trouble {
      Trouble::TooLong => Silence::Lasting("it is longer than 1 MiB"),
      Trouble::OutOfTime => Silence::PutOff,
      trouble => Silence::Passing(trouble),
    })?;
    what_it_says(&bytes, file, means)
  }

  fn lock(&self) -> MutexGuard<'_, State> {
    self.state.lock().unwrap_or_else(PoisonError::into_inner)
  }
}

impl State {
  fn is_resting_at(&self, now: UnixMs) -> bool {
    let age = self.unreachable_since.and_then(|since| since.age_at(now));
    age.is_some_and(|age| age < REST)
  }

  /// Says what is new, and keeps all for whoever asks.
  fn note_conflicts(&mut self, key: &AppKey, tag: &str, conflicts: Vec<Conflict>) {
    let before = self.conflicts.remove(key).filter(|known| known.tag == tag);
    let said = before.map(|known| known.conflicts).unwrap_or_default();
    for conflict in conflicts.iter().filter(|conflict| !said.contains(conflict)) {
      let Conflict { asset, one, other } = conflict;
      warn!(app = %key, %tag, %asset, %one, %other, "two SHA-256 are said of one file: it is served without any");
    }
    if !conflicts.is_empty() {
      let tag = tag.to_owned();
      self.conflicts.insert(key.clone(), ReleaseConflicts { tag, conflicts });
    }
  }
}

fn what_it_says(bytes: &[u8], file: &ChecksumFile, means: Means<'_>) -> Told {
  let text = file_text(bytes).map_err(|no_text| match no_text {
    NoText::Page => Silence::Passing(Trouble::Page),
    NoText::Binary => Silence::Lasting("it isn't text"),
  })?;
  let listing = Listing::read(&text, file.subject.as_deref())
    .map_err(|TooManyNames| Silence::Lasting("it names more than 1000 files"))?;
  let is_said = |text: &str| means.secrets.are_said_in(text);
  if is_said(&text) || listing.texts().any(is_said) {
    return Err(Silence::Passing(Trouble::TokenSaidBack));
  }
  if listing.names() == 0 {
    return Err(Silence::Lasting("none of its lines is the SHA-256 of a file"));
  }
  Ok(listing)
}

/// Files for whose sake checksum files are read.
fn lacking(release: &Release) -> impl Iterator<Item = &Asset> {
  let assets = release.assets.iter();
  assets.filter(|asset| asset.sha256.is_none() && needs_digest(asset))
}

/// What was read of the files of a plan, by their names.
fn listings<'p>(plan: &'p Plan, memo: &'p ReleaseMemo) -> impl Iterator<Item = (&'p str, &'p Listing)> + Clone {
  plan
    .files
    .iter()
    .filter_map(|file| match memo.reading(&file.identity)? {
      Reading::Read(listing) => Some((file.identity.name.as_str(), &**listing)),
      Reading::Failed { .. } | Reading::PutOff => None,
    })
}

fn note_ambiguous(key: &AppKey, file: &str, listing: &Listing) {
  let names: Vec<&str> = listing.ambiguous().collect();
  if !names.is_empty() {
    let named = names[..names.len().min(MAX_NAMED)].join(", ");
    warn!(app = %key, %file, files = names.len(), %named, "a checksum file has two SHA-256 for one name: neither is taken");
  }
}
