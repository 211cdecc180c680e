//! `[[apps.builds]]`: what an app's files are whose names would be misread.
//!
//! ```toml
//! [[apps.builds]]
//! pattern = "demo-server-*.bin"
//! os = "linux"
//! arch = "x64"
//! ```
//!
//! `os`, `arch`, `kind` and `libc` are words of the open vocabulary, or `none`; what is left out stays as the name says it.

use asset_names::{BuildOverride, OverrideError, OverrideWords};
use serde::Deserialize;
use toml::Spanned;

/// One table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BuildTable {
  pattern: Spanned<String>,
  os: Option<Spanned<String>>,
  arch: Option<Spanned<String>>,
  kind: Option<Spanned<String>>,
  libc: Option<Spanned<String>>,
}

impl BuildTable {
  /// The override it stands for; or the value that can't be used, and why.
  pub(super) fn read(&self) -> Result<BuildOverride, (&Spanned<String>, OverrideError)> {
    let words = OverrideWords {
      os: word(&self.os),
      arch: word(&self.arch),
      kind: word(&self.kind),
      libc: word(&self.libc),
    };
    BuildOverride::read(self.pattern.get_ref(), &words).map_err(|error| (self.place_of(&error), error))
  }

  fn place_of(&self, error: &OverrideError) -> &Spanned<String> {
    let OverrideError::Word { field, .. } = error else {
      return &self.pattern;
    };
    let value = match *field {
      "os" => &self.os,
      "arch" => &self.arch,
      "kind" => &self.kind,
      "libc" => &self.libc,
      _ => &None,
    };
    value.as_ref().unwrap_or(&self.pattern)
  }
}

fn word(value: &Option<Spanned<String>>) -> Option<&str> {
  value.as_ref().map(|word| word.get_ref().as_str())
}
