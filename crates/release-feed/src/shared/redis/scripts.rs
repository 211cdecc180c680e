//! What happens on the server in one step.

use std::sync::LazyLock;

use redis::{Cmd, Script, cmd};

use super::commands::milliseconds;
use crate::shared::guarded_write::GuardedWrite;

static GUARDED_WRITE: LazyLock<Source> = LazyLock::new(|| Source::new(include_str!("guarded_write.lua")));
static DELETE_IF: LazyLock<Source> = LazyLock::new(|| Source::new(include_str!("delete_if.lua")));

struct Source {
  text: &'static str,
  script: Script,
}

impl Source {
  fn new(text: &'static str) -> Self {
    Self {
      text,
      script: Script::new(text),
    }
  }
}

/// A script with its arguments: called by its digest, or whole where the server doesn't have it yet.
pub(super) struct Call {
  source: &'static Source,
  key: String,
  arguments: Vec<Vec<u8>>,
}

impl Call {
  pub(super) fn guarded_write(write: &GuardedWrite, key: String) -> Self {
    let etag = write.requires_etag.as_deref();
    let mut arguments: Vec<Vec<u8>> = vec![
      write.time_field.name().into(),
      write.at.0.to_string().into(),
      milliseconds(write.gap).into(),
      write.gap_once_finished.map_or_else(String::new, milliseconds).into(),
      milliseconds(write.believed_ahead).into(),
      if etag.is_some() { "1" } else { "0" }.into(),
      etag.unwrap_or_default().into(),
      milliseconds(write.ttl).into(),
    ];
    for (name, value) in &write.fields {
      arguments.push((*name).into());
      arguments.push(value.to_vec());
    }
    Self {
      source: &GUARDED_WRITE,
      key,
      arguments,
    }
  }

  pub(super) fn delete_if(key: String, field: &str, value: &str) -> Self {
    Self {
      source: &DELETE_IF,
      key,
      arguments: vec![field.into(), value.into()],
    }
  }

  pub(super) fn by_digest(&self) -> Cmd {
    self.command("EVALSHA", self.source.script.get_hash())
  }

  pub(super) fn whole(&self) -> Cmd {
    self.command("EVAL", self.source.text)
  }

  fn command(&self, name: &str, script: &str) -> Cmd {
    let mut command = cmd(name);
    command.arg(script).arg(1).arg(&self.key).arg(&self.arguments);
    command
  }
}
