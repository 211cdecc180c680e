//! The task that encodes, off the request path and off the threads that answer.
//!
//! What changed for readers goes out quickly compressed and is replaced by its smallest form; of what only moved in its fetch times
//! the quick form would be thrown away at once, so it goes out in its smallest form alone.

use std::io;
use std::sync::Arc;

use feed_types::ReleaseInfoAnswer;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tracing::{Instrument, error, field, info_span};

use super::coding::{Coding, Effort};
use super::published_feed::{Publication, PublishedFeed};

const NOT_ENCODED: &str = "an answer can't be encoded; the one before it stays";

/// Hands answers to the encoder, which ends once this is dropped and the last one is published.
#[derive(Debug)]
pub struct FeedPublisher(Way);

#[derive(Debug)]
enum Way {
  Encoder {
    waiting: watch::Sender<Numbered>,
    published: watch::Receiver<u64>,
  },
  Uncompressed(Publication),
}

/// Encodes and publishes what it is handed.
#[derive(Debug)]
pub struct FeedEncoder {
  waiting: watch::Receiver<Numbered>,
  published: watch::Sender<u64>,
  publication: Publication,
}

/// An answer and how many were handed over before it.
#[derive(Clone, Debug)]
struct Numbered {
  number: u64,
  answer: Arc<ReleaseInfoAnswer>,
}

/// An encoder, the way to it, and where its answers are found: `first` at once, in its quick form. Blocks for as long as that takes.
///
/// # Errors
///
/// When a compressor fails, which none does in memory.
pub fn feed_channel(first: ReleaseInfoAnswer) -> io::Result<(FeedPublisher, FeedEncoder, Publication)> {
  let publication = Publication::new(PublishedFeed::encode(first.clone(), Effort::Quick)?);
  let first = Numbered {
    number: 0,
    answer: Arc::new(first),
  };
  let (sender, mut waiting) = watch::channel(first);
  // Its smallest form is still to come.
  waiting.mark_changed();
  let (published_sender, published) = watch::channel(0);
  let publisher = FeedPublisher(Way::Encoder {
    waiting: sender,
    published,
  });
  let encoder = FeedEncoder {
    waiting,
    published: published_sender,
    publication: publication.clone(),
  };
  Ok((publisher, encoder, publication))
}

impl FeedPublisher {
  /// Publishes at once and compresses nothing: for simulations, in which thousands of answers are made and few are read.
  ///
  /// # Errors
  ///
  /// When an answer can't be written as JSON, which each can.
  pub fn uncompressed(first: ReleaseInfoAnswer) -> io::Result<(Self, Publication)> {
    let publication = Publication::new(PublishedFeed::plain(first)?);
    Ok((Self(Way::Uncompressed(publication.clone())), publication))
  }

  /// Hands over an answer in place of one that still waits. Never blocks.
  pub fn send(&self, answer: ReleaseInfoAnswer) {
    match &self.0 {
      Way::Encoder { waiting, .. } => {
        let answer = Arc::new(answer);
        waiting.send_modify(|waiting| {
          waiting.number += 1;
          waiting.answer = answer;
        });
      }
      Way::Uncompressed(publication) => match PublishedFeed::plain(answer) {
        Ok(feed) => publication.replace(feed),
        Err(error) => error!(%error, "{NOT_ENCODED}"),
      },
    }
  }

  /// Waits until what was handed over last can be read, in whichever form; at once where the encoder is gone.
  pub async fn settled(&mut self) {
    if let Way::Encoder { waiting, published } = &mut self.0 {
      let number = waiting.borrow().number;
      // An error says that the encoder is gone.
      let _ = published.wait_for(|published| *published >= number).await;
    }
  }
}

impl FeedEncoder {
  /// Encodes until the publisher is gone and nothing waits. An answer that can't be encoded leaves the one before it.
  pub async fn run(mut self) {
    while self.waiting.changed().await.is_ok() {
      let Numbered { number, answer } = self.waiting.borrow_and_update().clone();
      if let Err(error) = self.publish(answer, number).await {
        error!(%error, "{NOT_ENCODED}");
        self.published.send_replace(number);
      }
    }
  }

  async fn publish(&self, answer: Arc<ReleaseInfoAnswer>, number: u64) -> io::Result<()> {
    let plain = blocking(move || PublishedFeed::plain(Arc::unwrap_or_clone(answer))).await?;
    let plain = Arc::new(plain);
    let etag = plain.all().etag();
    if etag.is_none() || etag != self.publication.current().all().etag() {
      self.publish_compressed(&plain, Effort::Quick, number).await?;
    }
    // What has been overtaken needs no smallest form.
    if !self.waiting.has_changed().unwrap_or(false) {
      self.publish_compressed(&plain, Effort::Thorough, number).await?;
    }
    Ok(())
  }

  async fn publish_compressed(&self, plain: &Arc<PublishedFeed>, effort: Effort, number: u64) -> io::Result<()> {
    let span = info_span!(
      "encode answer",
      effort = effort.name(),
      bytes = plain.all().body(Coding::Identity).len(),
      failed = field::Empty,
      otel.status_code = field::Empty,
    );
    let plain = Arc::clone(plain);
    let feed = blocking(move || plain.compressed(effort))
      .instrument(span.clone())
      .await;
    span.record("failed", feed.is_err());
    if feed.is_err() {
      span.record("otel.status_code", "error");
    }
    self.publication.replace(feed?);
    self.published.send_replace(number);
    Ok(())
  }
}

/// Runs where nobody is held up by it.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
  spawn_blocking(work).await.map_err(io::Error::other).flatten()
}

#[cfg(test)]
mod tests {
  use feed_types::{App, ReleaseInfo, UtcTime};

  use super::*;

  const HALF_HOUR_MS: i64 = 1_800_000;

  #[tokio::test]
  async fn the_first_answer_is_there_at_once_and_its_smallest_form_follows() {
    let first = answer("v1", 0);
    let (publisher, encoder, publication) = feed_channel(first.clone()).unwrap();
    let quick = publication.current();
    assert_eq!(
      **quick.all().body(Coding::Identity),
      serde_json::to_vec(&first).unwrap()
    );
    drop(publisher);
    encoder.run().await;
    let thorough = publication.current();
    assert_eq!(
      thorough.all().body(Coding::Identity),
      quick.all().body(Coding::Identity)
    );
    assert!(thorough.all().body(Coding::Br).len() < quick.all().body(Coding::Br).len());
    assert_eq!(thorough.all().etag(), quick.all().etag());
  }

  #[tokio::test]
  async fn the_newest_answer_is_published_even_if_the_publisher_is_gone_by_then() {
    let (publisher, encoder, publication) = feed_channel(answer("v1", 0)).unwrap();
    publisher.send(answer("v2", 0));
    publisher.send(answer("v3", 0));
    drop(publisher);
    encoder.run().await;
    assert_eq!(
      publication.current().app("demo"),
      Some(&answer("v3", 0).release_info.apps["demo"])
    );
  }

  #[tokio::test]
  async fn who_waits_finds_what_was_handed_over() {
    let (mut publisher, encoder, publication) = feed_channel(answer("v1", 0)).unwrap();
    let encoding = tokio::spawn(encoder.run());
    for tag in ["v2", "v3", "v3"] {
      publisher.send(answer(tag, 0));
      publisher.settled().await;
      assert_eq!(
        publication.current().app("demo"),
        Some(&answer(tag, 0).release_info.apps["demo"])
      );
    }
    encoding.abort();
    drop(encoding.await);
    publisher.send(answer("v4", 0));
    publisher.settled().await;
  }

  #[test]
  fn fetch_times_within_the_same_half_hour_keep_the_etag_and_content_does_not() {
    let etag = |answer| {
      PublishedFeed::encode(answer, Effort::Quick)
        .unwrap()
        .all()
        .etag()
        .cloned()
    };
    assert_eq!(etag(answer("v1", 0)), etag(answer("v1", HALF_HOUR_MS - 1_000)));
    assert_ne!(etag(answer("v1", 0)), etag(answer("v1", HALF_HOUR_MS)));
    assert_ne!(etag(answer("v1", 0)), etag(answer("v2", 0)));
    let text = etag(answer("v1", 0)).unwrap();
    assert!(
      text.to_str().unwrap().starts_with("W/\"") && text.len() == 36,
      "{text:?}"
    );
  }

  #[test]
  fn one_apps_etag_follows_its_own_content_and_time() {
    let etag = |answer| {
      PublishedFeed::encode(answer, Effort::Quick)
        .unwrap()
        .one("demo")
        .unwrap()
        .etag()
        .cloned()
    };
    assert_eq!(etag(answer("v1", 0)), etag(answer("v1", HALF_HOUR_MS - 1_000)));
    assert_ne!(etag(answer("v1", 0)), etag(answer("v1", HALF_HOUR_MS)));
    assert_ne!(etag(answer("v1", 0)), etag(answer("v2", 0)));
  }

  #[test]
  fn what_is_not_complete_has_no_etag() {
    let mut cold = answer("v1", 0);
    cold.release_info.apps.insert("other".to_owned(), App::default());
    cold.release_info = ReleaseInfo::new(cold.release_info.apps);
    let feed = PublishedFeed::encode(cold, Effort::Quick).unwrap();
    assert_eq!((feed.all().etag(), feed.all().is_complete()), (None, false));
    assert!(feed.one("demo").unwrap().etag().is_some());
    assert_eq!(feed.one("other").unwrap().etag(), None);
    assert_eq!(feed.one("unknown"), None);
  }

  /// An app that was fetched that long after a full half hour.
  fn answer(tag: &str, after_ms: i64) -> ReleaseInfoAnswer {
    let release = feed_types::Release {
      tag: tag.to_owned(),
      notes_markdown: "All work and no play makes a dull release. ".repeat(50),
      ..feed_types::Release::default()
    };
    let app = App {
      latest_release: Some(release),
      app_last_fetched: UtcTime::from_unix_ms(1_000_000 * HALF_HOUR_MS + after_ms),
      ..App::default()
    };
    ReleaseInfoAnswer {
      success: true,
      release_info: ReleaseInfo::new([("demo".to_owned(), app)].into()),
      ..ReleaseInfoAnswer::default()
    }
  }
}
