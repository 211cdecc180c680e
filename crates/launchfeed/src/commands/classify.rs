//! `launchfeed classify`: what each file is, from its name.

use std::io;

use anyhow::Context;
use asset_names::{Build, Reading, classify as classify_name, contract_platform};
use feed_types::Platform;
use serde::Serialize;

use super::names_input::{name_lines, read_name};
use crate::cli::ClassifyArgs;
use crate::outcome::{Failure, Outcome};
use crate::printer::{Field, Printer};

/// What a row has for what a name doesn't say.
const NONE: &str = "none";

/// What a program reads of a name.
#[derive(Serialize)]
struct NameReport<'n> {
  name: &'n str,
  os: Option<&'static str>,
  arch: Option<&'static str>,
  kind: Option<&'static str>,
  libc: Option<&'static str>,
  role: &'static str,
  /// The contract's closed platform.
  platform: Option<Platform>,
  /// The fields of which the name says two different things, and which are null for that.
  contradictory: Vec<&'static str>,
  /// What makes the reading unsure, to follow "the name".
  doubts: Vec<&'static str>,
}

pub(crate) fn classify(args: &ClassifyArgs, printer: &mut Printer) -> Result<Outcome, Failure> {
  let hints = args.hints.hints();
  for line in name_lines(io::stdin().lock()) {
    let name = read_name(line, printer)?;
    let report = NameReport::of(&name, &classify_name(&name, &hints));
    if args.json {
      let object = serde_json::to_string(&report)
        .context("JSON")
        .map_err(Failure::Failed)?;
      printer.result(object)?;
    } else {
      for field in &report.contradictory {
        printer.note(format_args!("{name}: the name says two different things about {field}"));
      }
      printer.result(report.row())?;
    }
  }
  printer.flush()?;
  Ok(Outcome::Done)
}

impl<'n> NameReport<'n> {
  fn of(name: &'n str, build: &Build) -> Self {
    let contradictory = [
      ("os", build.os.is_contradictory()),
      ("arch", build.arch.is_contradictory()),
      ("kind", build.kind.is_contradictory()),
      ("libc", build.libc.is_contradictory()),
    ];
    Self {
      name,
      os: word(build.os, |os| os.as_str()),
      arch: word(build.arch, |arch| arch.as_str()),
      kind: word(build.kind, |kind| kind.as_str()),
      libc: word(build.libc, |libc| libc.as_str()),
      role: build.role.as_str(),
      platform: contract_platform(name),
      contradictory: contradictory
        .into_iter()
        .filter_map(|(field, is)| is.then_some(field))
        .collect(),
      doubts: build.doubts.iter().map(|doubt| doubt.as_str()).collect(),
    }
  }

  fn row(&self) -> String {
    let [os, arch, kind, libc] = [self.os, self.arch, self.kind, self.libc].map(|word| word.unwrap_or(NONE));
    format!("{}\t{os}\t{arch}\t{kind}\t{libc}", Field(self.name))
  }
}

fn word<T: Copy>(reading: Reading<T>, as_str: fn(T) -> &'static str) -> Option<&'static str> {
  reading.known().map(as_str)
}
