//! The collector of traces: whether it takes what an instance would send.

use release_feed::BaseUrl;
use tokio::task::spawn_blocking;

use super::finding::Finding;
use super::github::advice;
use crate::config::{Examined, OTLP_ENDPOINT};
use crate::outcome::Failure;
use crate::traces::{NotTaken, offer_nothing};

pub(super) const NAME: &str = "traces";

pub(super) async fn check(examined: &Examined) -> Vec<Finding> {
  let Some(endpoint) = examined.settings.otlp.clone() else {
    return vec![Finding::ok(NAME, "not set: none are sent")];
  };
  let offered = spawn_blocking(move || judge(&endpoint, offer_nothing(&endpoint))).await;
  vec![offered.unwrap_or_else(|error| Finding::wrong(NAME, error, "report this: it is a mistake in launchfeed"))]
}

fn judge(endpoint: &BaseUrl, offered: Result<Result<(), NotTaken>, Failure>) -> Finding {
  match offered {
    Ok(Ok(())) => Finding::ok(NAME, format_args!("{endpoint} takes them")),
    Ok(Err(why)) => Finding::wrong(NAME, format_args!("{endpoint} {why}"), what_to_do(&why)),
    Err(failure) => Finding::wrong(
      NAME,
      format_args!("nothing can be sent: {failure}"),
      format_args!("a start is refused because of that; without {OTLP_ENDPOINT} no traces are made"),
    ),
  }
}

fn what_to_do(why: &NotTaken) -> String {
  match why {
    NotTaken::Unreachable(failure) => format!(
      "see that it runs and listens for OTLP over HTTP (mostly port 4318); {}",
      advice(failure)
    ),
    NotTaken::Refused(_) => format!(
      "check {OTLP_ENDPOINT}, OTEL_EXPORTER_OTLP_HEADERS and the collector's log; until it takes them, spans are lost and all else goes on"
    ),
  }
}
