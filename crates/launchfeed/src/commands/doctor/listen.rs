//! The address to listen on: whether it can be had, or who has it.

use tokio::task::spawn_blocking;

use super::finding::Finding;
use crate::config::{Examined, LISTEN, STATE_DIR};
use crate::http::can_bind;
use crate::state_folder::{held_by, listens_on};

pub(super) const NAME: &str = "listen";

/// Who has the state folder.
pub(super) enum Holder {
  /// No instance.
  Nobody,
  /// What an instance says of itself.
  Instance(String),
  /// That can't be seen.
  Unknown,
}

pub(super) async fn check(examined: &Examined) -> Vec<Finding> {
  let address = examined.settings.listen;
  let Err(error) = can_bind(LISTEN, address) else {
    let what = if address.port() == 0 {
      format!("{address}: any free port")
    } else {
      format!("{address} is free")
    };
    return vec![Finding::ok(NAME, what)];
  };
  vec![match holder(examined).await {
    Holder::Instance(holder) if error.is_in_use() && listens_on(&holder, address) => {
      Finding::ok(NAME, format_args!("the running instance has it ({holder})"))
    }
    _ if error.is_in_use() => Finding::wrong(
      NAME,
      error,
      "stop that program, or choose another address; if it is this server, give doctor the same --state-dir",
    ),
    _ => Finding::wrong(NAME, error, format_args!("choose another address with {LISTEN}")),
  }]
}

/// Who has the state folder of these settings.
pub(super) async fn holder(examined: &Examined) -> Holder {
  if examined.is_unusable(STATE_DIR) {
    return Holder::Unknown;
  }
  let folder = examined.settings.state_dir.clone();
  match spawn_blocking(move || held_by(&folder)).await {
    Ok(Ok(Some(holder))) => Holder::Instance(holder),
    Ok(Ok(None)) => Holder::Nobody,
    Ok(Err(_)) | Err(_) => Holder::Unknown,
  }
}
