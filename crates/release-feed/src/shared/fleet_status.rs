//! How it goes with the store, for whoever looks.

use super::fleet::Fleet;
use super::shared_store::SharedStore;
use super::trouble::Trouble;
use crate::clock::UnixMs;
use crate::status::{RedisStatus, RedisTrouble};

impl<S: SharedStore> Fleet<S> {
  /// How it goes with the store, for whoever looks at `now`.
  pub fn store_status(&self, now: UnixMs) -> RedisStatus {
    let fails = |what, trouble: &Trouble| {
      let trouble = trouble.status(now)?;
      Some(RedisStatus::Fails { what, trouble })
    };
    let usual = if self.was_reached {
      RedisStatus::Works
    } else {
      RedisStatus::Unknown
    };
    fails(RedisTrouble::Reading, &self.reading)
      .or_else(|| fails(RedisTrouble::Writing, &self.writing))
      .or_else(|| fails(RedisTrouble::Announcing, &self.announcing))
      .unwrap_or(usual)
  }
}

#[cfg(test)]
mod tests {
  use std::sync::Arc;
  use std::time::Duration;

  use bytes::Bytes;
  use tokio::time::advance;

  use super::*;
  use crate::base_url::BaseUrl;
  use crate::catalog::{AppKey, Catalog};
  use crate::clock::VirtualClock;
  use crate::release::{ReleaseRules, WebBase};
  use crate::schedule::Failure;
  use crate::shared::fleet_parts::{Claim, FleetParts, Urgency};
  use crate::shared::guarded_write::GuardedWrite;
  use crate::shared::memory_store::{MemoryStore, SharedMemory};
  use crate::shared::notes::{Note, NotePlace};
  use crate::shared::shared_store::{Reading, StoreError};
  use crate::status::Trouble as TroubleStatus;

  const START: UnixMs = UnixMs(1_791_471_170_000);
  const MINUTE: Duration = Duration::from_secs(60);
  const OOM: &str = "answered with an error: OOM no memory";
  const NOPERM: &str = "answered with an error: NOPERM no";

  #[tokio::test(start_paused = true)]
  async fn before_the_first_answer_nothing_is_known_of_the_store_and_then_it_works() {
    let mut fleet = fleet();
    assert_eq!(status(&fleet), RedisStatus::Unknown);
    fleet.look().await.unwrap();
    assert_eq!(status(&fleet), RedisStatus::Works);
  }

  #[tokio::test(start_paused = true)]
  async fn what_cannot_be_written_is_told_since_the_first_time_with_the_last_reason_until_a_write_succeeds() {
    let mut fleet = looked().await;
    store(&mut fleet).writing = Some(StoreError::TimedOut(5));
    assert_eq!(fleet.claim(&app(), Urgency::Usual).await, Claim::Alone);
    let since = fleet.parts.clock.now();
    advance(MINUTE).await;
    store(&mut fleet).writing = refused("OOM no memory");
    fleet.share_failure(&app(), failure(&fleet), None).await;
    assert_eq!(status(&fleet), fails(RedisTrouble::Writing, since, OOM));
    assert!(fleet.is_alone());
    store(&mut fleet).writing = None;
    assert_eq!(fleet.claim(&app(), Urgency::Usual).await, Claim::Won);
    assert_eq!(status(&fleet), RedisStatus::Works);
  }

  #[tokio::test(start_paused = true)]
  async fn that_somebody_else_was_first_says_nothing_of_whether_writing_works() {
    let (mut fleet, mut other) = (looked().await, fleet());
    store(&mut other).memory = store(&mut fleet).memory.clone();
    assert_eq!(other.claim(&app(), Urgency::Usual).await, Claim::Won);
    store(&mut fleet).writing = refused("OOM no memory");
    fleet.claim(&app(), Urgency::Usual).await;
    store(&mut fleet).writing = None;
    assert_eq!(fleet.claim(&app(), Urgency::Usual).await, Claim::Lost);
    assert_eq!(status(&fleet), fails(RedisTrouble::Writing, START, OOM));
    // A look tells that this instance is there, which is written.
    fleet.look().await.unwrap();
    assert_eq!(status(&fleet), RedisStatus::Works);
  }

  #[tokio::test(start_paused = true)]
  async fn what_cannot_be_announced_is_told_until_an_announcement_is_made_and_coordination_goes_on() {
    let mut fleet = looked().await;
    store(&mut fleet).announcing = refused("NOPERM no");
    fleet.announce(&app()).await;
    assert_eq!(status(&fleet), fails(RedisTrouble::Announcing, START, NOPERM));
    assert!(!fleet.is_alone());
    assert_eq!(fleet.claim(&app(), Urgency::Usual).await, Claim::Won);
    fleet.look().await.unwrap();
    assert_eq!(status(&fleet), fails(RedisTrouble::Announcing, START, NOPERM));
    store(&mut fleet).announcing = None;
    fleet.announce(&app()).await;
    assert_eq!(status(&fleet), RedisStatus::Works);
  }

  #[tokio::test(start_paused = true)]
  async fn an_announcement_that_gets_nowhere_is_trouble_with_writing() {
    let mut fleet = looked().await;
    store(&mut fleet).announcing = Some(StoreError::TimedOut(5));
    fleet.announce(&app()).await;
    let error = "didn't answer within 5 s";
    assert_eq!(status(&fleet), fails(RedisTrouble::Writing, START, error));
  }

  #[tokio::test(start_paused = true)]
  async fn of_several_troubles_the_worst_is_told() {
    let mut fleet = looked().await;
    store(&mut fleet).announcing = refused("NOPERM no");
    fleet.announce(&app()).await;
    store(&mut fleet).writing = refused("OOM no memory");
    fleet.share_failure(&app(), failure(&fleet), None).await;
    assert_eq!(status(&fleet), fails(RedisTrouble::Writing, START, OOM));
    store(&mut fleet).reading = Some(StoreError::Unreachable("broken pipe".to_owned()));
    assert_eq!(fleet.look().await, None);
    let error = "can't be reached: broken pipe";
    assert_eq!(status(&fleet), fails(RedisTrouble::Reading, START, error));
    store(&mut fleet).reading = None;
    fleet.look().await.unwrap();
    assert_eq!(status(&fleet), fails(RedisTrouble::Announcing, START, NOPERM));
  }

  /// A store that fails as it is told to.
  struct Moody {
    memory: MemoryStore,
    reading: Option<StoreError>,
    writing: Option<StoreError>,
    announcing: Option<StoreError>,
  }

  impl SharedStore for Moody {
    async fn read_with(
      &mut self,
      keys: &[String],
      notes: &[NotePlace],
      present: Option<&str>,
    ) -> Result<Reading, StoreError> {
      self.reading.clone().map_or(Ok(()), Err)?;
      self.memory.read_with(keys, notes, present).await
    }

    async fn recall(&mut self, places: &[NotePlace]) -> Result<Vec<Option<Bytes>>, StoreError> {
      self.reading.clone().map_or(Ok(()), Err)?;
      self.memory.recall(places).await
    }

    async fn note(&mut self, notes: &[Note]) -> Result<(), StoreError> {
      self.writing.clone().map_or(Ok(()), Err)?;
      self.memory.note(notes).await
    }

    async fn write(&mut self, write: &GuardedWrite) -> Result<bool, StoreError> {
      self.writing.clone().map_or(Ok(()), Err)?;
      self.memory.write(write).await
    }

    async fn delete_if(&mut self, key: &str, field: &str, value: &str) -> Result<bool, StoreError> {
      self.writing.clone().map_or(Ok(()), Err)?;
      self.memory.delete_if(key, field, value).await
    }

    async fn announce(&mut self, message: &str) -> Result<(), StoreError> {
      self.announcing.clone().map_or(Ok(()), Err)?;
      self.memory.announce(message).await
    }
  }

  fn fleet() -> Fleet<Moody> {
    let store = Moody {
      memory: SharedMemory::new(VirtualClock::starting_at(START)).store(),
      reading: None,
      writing: None,
      announcing: None,
    };
    let parts = FleetParts {
      store,
      instance: "1".to_owned(),
      clock: Arc::new(VirtualClock::starting_at(START)),
      host: "host".to_owned(),
      catalog: Arc::new(Catalog::craft_apps()),
      rules: ReleaseRules {
        web: WebBase::new(BaseUrl::read("https://github.com").unwrap()),
      },
      max_backoff: Duration::from_secs(14_400),
      askers: Vec::new(),
    };
    Fleet::new(parts, None)
  }

  /// An instance that has read what is shared.
  async fn looked() -> Fleet<Moody> {
    let mut fleet = fleet();
    fleet.look().await.unwrap();
    fleet
  }

  fn store(fleet: &mut Fleet<Moody>) -> &mut Moody {
    &mut fleet.parts.store
  }

  fn status(fleet: &Fleet<Moody>) -> RedisStatus {
    fleet.store_status(fleet.parts.clock.now())
  }

  fn fails(what: RedisTrouble, since: UnixMs, error: &str) -> RedisStatus {
    let error = error.to_owned();
    RedisStatus::Fails {
      what,
      trouble: TroubleStatus { since, error },
    }
  }

  fn refused(text: &str) -> Option<StoreError> {
    Some(StoreError::Refused(text.to_owned()))
  }

  fn failure(fleet: &Fleet<Moody>) -> Failure {
    Failure {
      at: fleet.parts.clock.now(),
      count: 1,
    }
  }

  fn app() -> AppKey {
    "photocraft".parse().unwrap()
  }
}
