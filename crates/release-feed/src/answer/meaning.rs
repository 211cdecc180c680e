//! The ETag of an answer's meaning.
//!
//! Fetch times change with every poll, content hardly ever. So the ETag covers the content, which of the fetch times are null, and the
//! answer's own time rounded down to half an hour: whoever polls within that half hour is told "nothing new" in some 200 bytes, and
//! no cache that only ever hears that can hand out times older than half an hour. It is weak, since bytes may differ where it doesn't;
//! and the same content has the same one on every instance.

use feed_types::{App, AppAnswer, ReleaseInfoAnswer, UtcTime};
use http::HeaderValue;
use serde::Serialize;

use crate::hex_digest::sha256_hex;

const WINDOW_MS: i64 = 30 * 60 * 1_000;
/// Of the digest; enough that no two answers ever share one.
const DIGITS: usize = 32;

/// The whole answer's; `None` while it is not complete.
pub(super) fn etag_of_all(answer: &ReleaseInfoAnswer) -> Option<HeaderValue> {
  let window = window(answer.release_info.last_fetched?);
  let mut meaning = answer.clone();
  meaning.release_info.last_fetched = window;
  meaning
    .release_info
    .apps
    .values_mut()
    .for_each(|app| forget_time(app, None));
  Some(etag(&meaning))
}

/// One app's; `None` while it was never fetched.
pub(super) fn etag_of_one(answer: &AppAnswer) -> Option<HeaderValue> {
  let window = window(answer.app.app_last_fetched?);
  let mut meaning = answer.clone();
  forget_time(&mut meaning.app, window);
  Some(etag(&meaning))
}

fn forget_time(app: &mut App, instead: Option<UtcTime>) {
  app.app_last_fetched = app.app_last_fetched.and(instead.or_else(|| UtcTime::from_unix_ms(0)));
}

fn window(time: UtcTime) -> Option<UtcTime> {
  UtcTime::from_unix_ms(time.unix_ms().div_euclid(WINDOW_MS) * WINDOW_MS)
}

fn etag(meaning: &impl Serialize) -> HeaderValue {
  #[expect(clippy::expect_used, reason = "writing these types can't fail")]
  let json = serde_json::to_vec(meaning).expect("wire types are always JSON");
  #[expect(clippy::expect_used, reason = "hexadecimal digits are visible ASCII")]
  HeaderValue::try_from(format!("W/\"{}\"", &sha256_hex(&json)[..DIGITS])).expect("an ETag is a header's value")
}
