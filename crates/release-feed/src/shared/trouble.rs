//! Trouble with the store, said when it starts, every ten minutes while it lasts, and when it ends.

use std::time::Duration;

use tokio::time::Instant;
use tracing::{info, warn};

use super::shared_store::StoreError;
use crate::clock::UnixMs;
use crate::status::Trouble as TroubleStatus;

const SAID_EVERY: Duration = Duration::from_secs(600);
/// Reasons that are told from each other within that time.
const MAX_REASONS: usize = 4;
/// Starts within that time that are each said; what comes and goes more often is one lasting trouble.
const MAX_STARTS: u32 = 10;

/// One kind of trouble.
#[derive(Debug)]
pub(super) struct Trouble {
  /// What can't be done, for the log.
  what: &'static str,
  /// What follows from it.
  consequence: &'static str,
  is_failing: bool,
  /// What is said of it.
  lasting: Option<Lasting>,
  /// Since when starts are counted, and how many there were.
  starts: Option<(Instant, u32)>,
}

#[derive(Debug)]
struct Lasting {
  since: Instant,
  said: Instant,
  failed: Instant,
  /// Not over before nothing has failed for a while.
  comes_and_goes: bool,
  /// Why, as it was said since.
  reasons: Vec<Reason>,
  not_logged: u32,
  /// As it was the last time.
  error: String,
}

/// What makes an error another one than before: the first one may hide what is really wrong.
#[derive(Clone, Debug, Eq, PartialEq)]
enum Reason {
  Unreachable,
  TimedOut,
  Unreadable,
  /// By the first word, which is the server's code.
  Refused(String),
}

/// What is said of an error.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Said {
  Start,
  ComesAndGoes,
  Still { minutes: u64, not_logged: u32 },
  OtherReason,
  Nothing,
}

impl Trouble {
  pub(super) fn of(what: &'static str, consequence: &'static str) -> Self {
    Self {
      what,
      consequence,
      is_failing: false,
      lasting: None,
      starts: None,
    }
  }

  /// Whether the last call failed.
  pub(super) fn lasts(&self) -> bool {
    self.is_failing
  }

  /// Since when it lasts and why, for whoever looks at `now`; `None` where the last call succeeded.
  pub(super) fn status(&self, now: UnixMs) -> Option<TroubleStatus> {
    let lasting = self.lasting.as_ref().filter(|_| self.is_failing)?;
    let lasted_ms = i64::try_from(lasting.since.elapsed().as_millis()).unwrap_or(i64::MAX);
    Some(TroubleStatus {
      since: now.shifted_by_ms(-lasted_ms),
      error: lasting.error.clone(),
    })
  }

  /// A call failed.
  pub(super) fn failed(&mut self, error: &StoreError) {
    let Self { what, consequence, .. } = *self;
    match self.note(error) {
      Said::Start => warn!(%error, "Redis: {what} fails; {consequence}"),
      Said::ComesAndGoes => {
        warn!(%error, "Redis: {what} fails again and again; only said every ten minutes until it has worked for as long");
      }
      Said::Still { minutes, not_logged } => {
        warn!(%error, minutes, errors_not_logged = not_logged, "Redis: {what} still fails");
      }
      Said::OtherReason => warn!(%error, "Redis: {what} fails for another reason now"),
      Said::Nothing => {}
    }
  }

  /// A call succeeded.
  pub(super) fn succeeded(&mut self) {
    let what = self.what;
    if let Some(Lasting { since, not_logged, .. }) = self.note_success() {
      let seconds = since.elapsed().as_secs();
      info!(seconds, errors_not_logged = not_logged, "Redis: {what} works again");
    }
  }

  /// What is to be said of an error.
  fn note(&mut self, error: &StoreError) -> Said {
    let (now, reason) = (Instant::now(), Reason::of(error));
    let comes_and_goes = !std::mem::replace(&mut self.is_failing, true) && self.count_start(now) > MAX_STARTS;
    let Some(lasting) = &mut self.lasting else {
      self.lasting = Some(Lasting {
        since: now,
        said: now,
        failed: now,
        comes_and_goes,
        reasons: vec![reason],
        not_logged: 0,
        error: error.to_string(),
      });
      return if comes_and_goes {
        Said::ComesAndGoes
      } else {
        Said::Start
      };
    };
    lasting.failed = now;
    lasting.error = error.to_string();
    if now.duration_since(lasting.said) >= SAID_EVERY {
      let not_logged = std::mem::take(&mut lasting.not_logged);
      (lasting.said, lasting.reasons) = (now, vec![reason]);
      let minutes = now.duration_since(lasting.since).as_secs() / 60;
      return Said::Still { minutes, not_logged };
    }
    if lasting.reasons.len() < MAX_REASONS && !lasting.reasons.contains(&reason) {
      lasting.reasons.push(reason);
      return Said::OtherReason;
    }
    lasting.not_logged = lasting.not_logged.saturating_add(1);
    Said::Nothing
  }

  /// The trouble that is over, if it is to be said.
  fn note_success(&mut self) -> Option<Lasting> {
    self.is_failing = false;
    let is_over = |lasting: &mut Lasting| !lasting.comes_and_goes || lasting.failed.elapsed() >= SAID_EVERY;
    self.lasting.take_if(is_over)
  }

  /// How often it has started lately.
  fn count_start(&mut self, now: Instant) -> u32 {
    let lately = self.starts.filter(|(since, _)| now.duration_since(*since) < SAID_EVERY);
    let (since, count) = lately.unwrap_or((now, 0));
    self.starts = Some((since, count + 1));
    count + 1
  }
}

impl Reason {
  fn of(error: &StoreError) -> Self {
    match error {
      StoreError::Unreachable(_) => Self::Unreachable,
      StoreError::TimedOut(_) => Self::TimedOut,
      StoreError::Unreadable(_) => Self::Unreadable,
      StoreError::Refused(text) => Self::Refused(text.split(' ').next().unwrap_or_default().to_owned()),
    }
  }
}

#[cfg(test)]
mod tests {
  use tokio::time::advance;

  use super::*;

  const MINUTE: Duration = Duration::from_secs(60);

  #[tokio::test(start_paused = true)]
  async fn trouble_is_said_at_its_start_and_every_ten_minutes() {
    let mut trouble = Trouble::of("reading", "so what");
    assert!(!trouble.lasts());
    let mut said = Vec::new();
    for minute in 0..=25 {
      match trouble.note(&refused("OOM no memory")) {
        Said::Nothing => {}
        news => said.push((minute, news)),
      }
      assert!(trouble.lasts());
      advance(MINUTE).await;
    }
    let still = |minutes, not_logged| Said::Still { minutes, not_logged };
    assert_eq!(said, [(0, Said::Start), (10, still(10, 9)), (20, still(20, 9))]);
    trouble.succeeded();
    assert!(!trouble.lasts());
    assert_eq!(trouble.note(&refused("OOM no memory")), Said::Start);
  }

  #[tokio::test(start_paused = true)]
  async fn each_reason_is_said_once_in_ten_minutes_whatever_else_comes_between() {
    let mut trouble = Trouble::of("reading", "so what");
    let dropped = StoreError::Unreachable("broken pipe".to_owned());
    assert_eq!(trouble.note(&dropped), Said::Start);
    assert_eq!(trouble.note(&refused("WRONGPASS invalid")), Said::OtherReason);
    for _ in 0..9 {
      assert_eq!(trouble.note(&dropped), Said::Nothing);
      assert_eq!(trouble.note(&refused("WRONGPASS in other words")), Said::Nothing);
    }
    advance(MINUTE * 10).await;
    assert!(matches!(trouble.note(&dropped), Said::Still { not_logged: 18, .. }));
    assert_eq!(trouble.note(&refused("WRONGPASS invalid")), Said::OtherReason);
  }

  #[tokio::test(start_paused = true)]
  async fn who_looks_learns_since_when_and_the_last_reason() {
    let now = UnixMs(1_791_471_170_000);
    let mut trouble = Trouble::of("reading", "so what");
    assert_eq!(trouble.status(now), None);
    trouble.note(&StoreError::TimedOut(5));
    advance(MINUTE).await;
    trouble.note(&refused("OOM no memory"));
    let status = trouble.status(now).unwrap();
    assert_eq!(status.since, now.shifted_by_ms(-60_000));
    assert_eq!(status.error, "answered with an error: OOM no memory");
    trouble.succeeded();
    assert_eq!(trouble.status(now), None);
  }

  #[tokio::test(start_paused = true)]
  async fn a_server_that_makes_up_reasons_does_not_fill_the_log() {
    let mut trouble = Trouble::of("reading", "so what");
    let said = (0..100).filter(|number| trouble.note(&refused(&format!("E{number} x"))) != Said::Nothing);
    assert_eq!(said.count(), MAX_REASONS);
  }

  #[tokio::test(start_paused = true)]
  async fn what_comes_and_goes_is_said_a_few_times_and_then_every_ten_minutes_until_it_has_worked_for_as_long() {
    let mut trouble = Trouble::of("writing", "so what");
    let (mut starts, mut others, mut ends) = (0, Vec::new(), 0);
    for _ in 0..120 {
      match trouble.note(&refused("NOPERM no")) {
        Said::Start => starts += 1,
        Said::Nothing => {}
        other => others.push(other),
      }
      assert!(trouble.lasts());
      advance(MINUTE / 4).await;
      ends += u32::from(trouble.note_success().is_some());
      assert!(!trouble.lasts());
      advance(MINUTE / 4).await;
    }
    assert_eq!((starts, ends), (10, 10));
    assert_eq!(others[0], Said::ComesAndGoes);
    assert!(
      others.len() <= 6 && others[1..].iter().all(|said| matches!(said, Said::Still { .. })),
      "{others:?}"
    );
    advance(MINUTE * 10).await;
    assert!(trouble.note_success().is_some());
    assert_eq!(trouble.note(&refused("NOPERM no")), Said::Start);
  }

  fn refused(text: &str) -> StoreError {
    StoreError::Refused(text.to_owned())
  }
}
