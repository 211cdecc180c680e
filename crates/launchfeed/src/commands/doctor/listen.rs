//! The address to listen on: whether it can be had, or who has it.

use tokio::task::spawn_blocking;

use super::finding::Finding;
use crate::config::{Examined, LISTEN, STATE_DIR};
use crate::http::can_bind;
use crate::state_folder::{held_by, listens_on};

pub(super) const NAME: &str = "listen";

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
  let holder = if examined.is_unusable(STATE_DIR) {
    None
  } else {
    let folder = examined.settings.state_dir.clone();
    let held = spawn_blocking(move || held_by(&folder)).await;
    held.ok().and_then(Result::ok).flatten()
  };
  vec![match holder {
    Some(holder) if error.is_in_use() && listens_on(&holder, address) => {
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
